"""Named lists of puzzles: the embedded collections of the catalogue, and files."""

from __future__ import annotations

import difflib
import hashlib
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reader import load_file

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Item:
    """A puzzle of a collection and its stable id: its own name, or the collection's and its place in it."""

    name: str
    puzzle: Puzzle


@dataclass(frozen=True)
class Collection:
    """A named list of puzzles with origin, licence and the SHA-256 checksum of its grids."""

    name: str
    title: str
    origin: str
    licence: str
    items: tuple[Item, ...]

    def first(self, limit: int | None) -> Collection:
        """The collection cut to its first ``limit`` puzzles (None: all)."""
        return replace(self, items=self.items[:limit])

    @property
    def sha256(self) -> str:
        return hashlib.sha256("\n".join(item.puzzle.text for item in self.items).encode()).hexdigest()


@cache
def catalogue() -> dict[str, dict[str, str | int]]:
    """The collections that the project knows by name: title, origin, licence, number."""
    with (HERE / "catalogue.toml").open("rb") as stream:
        return tomllib.load(stream)


def load(name_or_path: str) -> Collection:
    """An embedded collection by name, or else a file of puzzles.

    Raises:
        InputError: there is neither, or the file cannot be used (see ``datasets.reader``).
    """
    if name_or_path in catalogue():
        return _embedded(name_or_path)
    path = Path(name_or_path)
    if name_or_path != "-" and not _exists(path) and path.parent == Path() and not path.suffix:
        near = difflib.get_close_matches(name_or_path, catalogue(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"{name_or_path}: neither a collection ({', '.join(catalogue())}) nor a file{hint}")
    stem = "stdin" if name_or_path == "-" else path.stem
    items = [Item(f"{stem}-{number:04d}", entry.puzzle) for number, entry in enumerate(load_file(path), start=1)]
    return Collection(stem, f"puzzles of the file {path.name}", path.name, "not known", tuple(items))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name too long, a folder that may not be entered: reading it says so
        return True


def _embedded(name: str) -> Collection:
    path = HERE / "data" / f"{name}.txt"
    names = [line.partition(" ")[2].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    entries = load_file(path)
    items = [
        Item(own or f"{name}-{number:03d}", entry.puzzle)
        for number, (own, entry) in enumerate(zip(names, entries, strict=True), start=1)
    ]
    facts = catalogue()[name]
    return Collection(name, str(facts["title"]), str(facts["origin"]), str(facts["licence"]), tuple(items))
