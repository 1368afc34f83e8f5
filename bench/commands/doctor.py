"""``sudoku-bench doctor``: report what makes timings on this machine noisy, and how to fix it."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.bench.machine import doctor
from sudoku_bench.bench.machine.doctor import Finding
from sudoku_bench.bench.say.output import plain_console, print_json

STYLES = {doctor.OK: "green", doctor.NOTE: "yellow", doctor.WARN: "bold red"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = "Report what makes timings on this machine noisy, and how to fix it."
    add_shared(parser, "--json")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Print the findings; always return 0, because a noisy machine is not an error."""
    if not options.json:
        plain_console(stderr=True).print("testing this machine, about 4 seconds ...")
    facts, trial, findings = doctor.look()
    if options.json:
        document = {
            "machine": facts,
            "trial": dataclasses.asdict(trial),
            "findings": [finding._asdict() for finding in findings],
            "summary": doctor.summary(findings),
        }
        print_json(document)
    else:
        show(doctor.title(facts), findings, plain_console())
    return 0


def show(title: str, findings: list[Finding], console: Console) -> None:
    """Print a line per topic, then the fixes, then the summary."""
    console.print(title, style="bold")
    console.print()
    rows = []
    for level, fact, consequence, _, topic in findings:
        text = Text.assemble(fact, (f" → {consequence}" if consequence else "", "dim"))
        rows.append((Text(level, style=STYLES[level]), Text(topic, style="bold"), text))
    console.print(_table(rows))
    fixes = [(Text("do", style="cyan"), Text(f.topic, style="bold"), Text(f.mend)) for f in findings if f.mend]
    if fixes:
        console.print()
        console.print(_table(fixes))
    console.print()
    console.print(doctor.summary(findings))


def _table(rows: Iterable[tuple[Text, Text, Text]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for width in (len(doctor.NOTE), max(map(len, doctor.TOPICS))):
        table.add_column(no_wrap=True, min_width=width)
    table.add_column()
    for row in rows:
        table.add_row(*row)
    return table
