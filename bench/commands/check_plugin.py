"""``sudoku-bench check-plugin``: hold the strategies, encodings, schemes and engines of a plug-in to the contract."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.bench.process import apart
from sudoku_bench.bench.say.output import plain_console, print_json, print_line
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.worker import start
from sudoku_bench.datasets.errors import InputError

LIMIT_S = 600  # wall-clock limit of a check


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check what a plug-in file registers: sizes and solutions of encodings and at-most-one schemes, and"
        " the answers of engines and strategies on puzzles with one, several and no solutions. Exit code 1 if there is"
        " a fault."
    )
    parser.add_argument("file", metavar="FILE.py", help="plug-in, as for --plugin")
    add_shared(parser, "--json")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    rows = []
    with Progress(plain_console(stderr=True), options.json) as progress:
        for row in checked(options.file, progress):
            rows.append(row)
            if not options.json:
                print_line(f"{'FAULT' if row['fault'] else 'ok   '} {row['check']}: {row['fault'] or row['found']}")
    faults = sum(bool(row["fault"]) for row in rows)
    if options.json:
        print_json({"file": options.file, "checks": rows, "faults": faults})
    else:
        print_line(f"{options.file}: {counted(len(rows), 'check')}, {counted(faults, 'fault')}")
    return 1 if faults else 0


def checked(file: str, progress: Progress) -> Iterator[dict[str, str]]:
    """Yield for each ``check`` what was ``found``, and its ``fault``, one of which is empty.

    Raises:
        InputError: the file cannot be imported, or registers nothing.
    """
    if not Path(file).is_file():
        raise InputError(f"{file}: no such plug-in file")
    listed = _asked(file)
    if message := listed.get("error") or listed.get("fault"):
        raise InputError(message if file in message else f"{file}: {message}")
    for number, label in enumerate(listed["labels"]):
        progress.begin(f"checking {label}")
        result = _asked(file, str(number))
        yield {
            "check": label,
            "found": result.get("found", ""),
            "fault": result.get("fault") or result.get("error", ""),
        }


def _asked(*arguments: str) -> dict[str, Any]:
    """Run the contract in a process of its own; a crash and a hang are faults, on the puzzle that it named last."""
    try:
        ended = apart.run(start.command("sudoku_bench.bench.run.proof.contract", *arguments), LIMIT_S)
        output, code = ended.output, ended.code
        how = f"crashes with {signal.Signals(-code).name}" if code < 0 else f"ends its process with code {code}"
    except subprocess.TimeoutExpired as late:
        output, how = late.output, f"takes more than {LIMIT_S} s"
    try:
        answer: dict[str, Any] = json.loads(output.rpartition(b"\n")[2])
    except ValueError:
        return {"fault": f"{_at(output)}{how}"}
    return answer


def _at(output: bytes) -> str:
    """Return what was tried last, of which the contract writes a line."""
    return "".join(f"{line}: " for line in output.decode(errors="replace").splitlines()[-1:])
