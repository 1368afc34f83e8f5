"""``sudoku-bench doctor``: what makes this machine noisy, and what to do about it."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench.machine import doctor
from bench.machine.doctor import Finding

STYLES = {doctor.OK: "green", doctor.NOTE: "yellow", doctor.WARN: "bold red"}


def add(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="say what makes this machine noisy, and what to do about it")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Always 0: a noisy machine is no error."""
    if not options.json:
        Console(stderr=True, highlight=False, markup=False).print("trying this machine out, about 4 seconds ...")
    facts, trial, found = doctor.look()
    if options.json:
        whole = {
            "machine": facts,
            "trial": dataclasses.asdict(trial),
            "findings": [dataclasses.asdict(finding) for finding in found],
            "summary": doctor.summary(found),
        }
        print(json.dumps(whole, indent=2))
    else:
        show(doctor.title(facts), found, Console(highlight=False, markup=False))
    return 0


def show(title: str, found: list[Finding], console: Console) -> None:
    """A line for each topic, then what to do about those that are not well, then what it all comes to."""
    console.print(title, style="bold")
    console.print()
    console.print(
        _table(
            (Text(finding.level, style=STYLES[finding.level]), Text(finding.topic, style="bold"), _said(finding))
            for finding in found
        )
    )
    mends = [(Text("do", style="cyan"), Text(f.topic, style="bold"), Text(f.mend)) for f in found if f.mend]
    if mends:
        console.print()
        console.print(_table(mends))
    console.print()
    console.print(doctor.summary(found))


def _table(rows: Iterable[tuple[Text, Text, Text]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for width in (len(doctor.NOTE), max(map(len, doctor.TOPICS))):
        table.add_column(no_wrap=True, min_width=width)
    table.add_column()
    for row in rows:
        table.add_row(*row)
    return table


def _said(finding: Finding) -> Text:
    return Text.assemble(finding.fact, (f" → {finding.consequence}" if finding.consequence else "", "dim"))
