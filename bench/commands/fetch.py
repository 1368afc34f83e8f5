"""``sudoku-bench fetch``: download collections that the project cannot redistribute."""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn

from datasets.collections import catalogue, fetch
from datasets.errors import InputError


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
        with _Bar(name) as bar:
            again = options.again and fetch.path_of(facts) not in new
            fetched = fetch.fetch(name, facts, bar, again)
        new |= {fetched.path} if fetched.is_new else set()
        print(f"{name}: {'downloaded to' if fetched.is_new else 'already present,'} {fetched.path}")
        print(f"  {'; '.join(fetched.checks) or 'no known checksum; trusted, and later downloads must match it'}")
        print(f"  SHA-256 {fetched.sha256}; licence: {facts['licence']}")
    return 0


class _Bar:
    """A rich progress bar with the interface that pooch expects. It is drawn only on a terminal."""

    def __init__(self, name: str) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        console = Console(stderr=True)
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._name = name
        self._task: TaskID | None = None
        self.total = 0  # set by pooch; 0 if the server does not report it

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
        """Pooch calls this at the end, before it reports the total size at once."""
        if self._task is not None:
            self._bar.reset(self._task)

    def close(self) -> None:
        """The bar is removed at the end of the ``with`` block."""
