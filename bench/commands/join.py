"""``sudoku-bench join``: put the shards of a run together."""

from __future__ import annotations

import argparse
from pathlib import Path

from sudoku_bench.bench.commands import report
from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.bench.run.foreign import joined_run
from sudoku_bench.bench.say.output import OutputMode


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Put the shards of a run (`run --shard I/N`) together into one run, and write its report. Shards of another"
        " plan, version or kind of machine are refused."
    )
    parser.add_argument("shards", metavar="DIR", type=Path, nargs="+", help="folder of a complete shard")
    parser.add_argument("--out", metavar="RUN", type=Path, required=True, help="new run folder")
    unlike = "also join shards of different kinds of machines; strategies are then compared within each"
    parser.add_argument("--unlike-hosts", action="store_true", help=unlike)
    add_shared(parser, "--quiet", "--verbose", "--json")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Run the command."""
    joined_run.write(options.shards, options.out, options.unlike_hosts)
    return report.report(options.out, mode=OutputMode.of(options))
