"""``sudoku-bench fetch``: download collections that the project cannot redistribute."""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path

from sudoku_bench.bench.say.output import plain_console
from sudoku_bench.datasets.collections import catalogue, fetch
from sudoku_bench.datasets.errors import InputError


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Download collections of the catalogue and verify their checksums. `sudoku-bench list datasets` lists them."
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="collection, such as norvig-top95")
    parser.add_argument("--again", action="store_true", help="download again even if present")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    entries = catalogue.entries()
    for name in options.names:
        if name not in entries:
            near = difflib.get_close_matches(name, entries, n=1)
            hint = f"; did you mean {near[0]}?" if near else "; see `sudoku-bench list datasets`"
            raise InputError(f"{name}: is not in the catalogue{hint}")
    new: set[Path] = set()
    for name in options.names:
        facts = entries[name]
        if "url" not in facts:
            print(f"{name}: is included in the project; use it with -d {name}")
            continue
        with plain_console(stderr=True).status(f"downloading {name} ..."):
            again = options.again and fetch.path_of(facts) not in new
            fetched = fetch.fetch(name, facts, again)
        new |= {fetched.path} if fetched.is_new else set()
        print(f"{name}: {'downloaded to' if fetched.is_new else 'already present,'} {fetched.path}")
        print(f"  {'; '.join(fetched.checks) or 'the catalogue knows no checksum of it'}")
        print(f"  SHA-256 {fetched.sha256}; licence: {facts['licence']}")
    return 0
