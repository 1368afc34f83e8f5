"""``sudoku-bench fetch``: download a collection that is not ours to ship."""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn

from datasets.collections import catalogue, fetch
from datasets.errors import InputError


def add(commands: Any) -> None:
    parser = commands.add_parser("fetch", help="download a collection of the catalogue (see `list datasets`)")
    parser.add_argument("names", nargs="+", metavar="NAME", help="such as norvig-top95")
    parser.add_argument("--again", action="store_true", help="also if it is there already")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    known = catalogue.entries()
    for name in options.names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else "; see `sudoku-bench list datasets`"
            raise InputError(f"{name}: not in the catalogue{hint}")
    new: set[Path] = set()
    for name in options.names:
        facts = known[name]
        if "url" not in facts:
            print(f"{name}: comes with the project; use it with -d {name}")
            continue
        with _Bar(name) as bar:
            again = options.again and fetch.path_of(facts) not in new
            found = fetch.fetch(name, facts, bar, again)
        new |= {found.path} if found.is_new else set()
        print(f"{name}: {'fetched into' if found.is_new else 'is there already,'} {found.path}")
        print(f"  {'; '.join(found.checks) or 'no checksum is known: trusted, and later downloads must agree with it'}")
        print(f"  SHA-256 {found.sha256}; licence: {facts['licence']}")
    return 0


class _Bar:
    """A progress bar of rich in the form in which pooch wants one. It is drawn only in a terminal."""

    def __init__(self, name: str) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        console = Console(stderr=True)
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._name = name
        self._task: TaskID | None = None
        self.total = 0  # set by pooch; 0 if the server does not say

    def __enter__(self) -> _Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def update(self, size: int) -> None:
        if self._task is None:
            self._task = self._bar.add_task(self._name, total=None)
        self._bar.update(self._task, advance=size, total=self.total or None)

    def reset(self) -> None:
        """Pooch says so at the end, before it reports the whole size in one."""
        if self._task is not None:
            self._bar.reset(self._task)

    def close(self) -> None:
        """The bar goes with the ``with`` block."""
