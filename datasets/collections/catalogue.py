"""Named lists of puzzles: the collections of the catalogue, embedded or fetched, and files."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import tomllib
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from datasets.collections import fetch
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reading import reader, sampling, sources
from datasets.reading.items import rating_of
from datasets.reading.reader import BadLine, Entry, read_file

HERE = Path(__file__).parent
DATA = HERE / "data"
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
LINES_TOLD = 10  # of each kind of fault


@dataclass(frozen=True)
class Item:
    """A puzzle of a collection and its stable id: its own name, or the collection's and its place in it.

    Attributes:
        label: what a file calls it (names in files need not differ, so they are no ids).
        facts: what else its source says of it, ratings among them, as pairs of a name and a text.
    """

    name: str
    puzzle: Puzzle
    label: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def rating(self) -> tuple[str, float] | None:
        """Name and value of the rating that the source gives, if it gives one as a number."""
        return rating_of(self.facts)


@dataclass(frozen=True)
class Skipped:
    """Lines that were passed over because they hold no puzzle: what is wrong, how many, and the first of them."""

    kind: str
    number: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        more = ", ..." if self.number > len(self.lines) else ""
        word = "line" if self.number == 1 else "lines"
        return f"{self.number} × {self.kind} ({word} {', '.join(map(str, self.lines))}{more})"


@dataclass(frozen=True)
class Collection:
    """A named list of puzzles with origin, licence and the SHA-256 checksum of its grids."""

    name: str
    title: str
    origin: str
    licence: str
    items: tuple[Item, ...]
    skipped: tuple[Skipped, ...] = ()

    def first(self, limit: int | None) -> Collection:
        """The collection cut to its first ``limit`` puzzles (None: all)."""
        return replace(self, items=self.items[:limit])

    @property
    def sha256(self) -> str:
        return hashlib.sha256("\n".join(item.puzzle.text for item in self.items).encode()).hexdigest()


@dataclass(frozen=True)
class Choice:
    """Which puzzles of a source are taken.

    Attributes:
        limit: only the first so many (None: all); no more than these are read.
        sample: so many of those, at random, spread over difficulty as ``datasets.reading.sampling`` says (None: all).
        seed: of the sample.
        skip_bad: lines that hold no puzzle are passed over and counted; otherwise the first is an error.
    """

    limit: int | None = None
    sample: int | None = None
    seed: int = 1
    skip_bad: bool = False


EVERYTHING = Choice()


@cache
def entries() -> dict[str, dict[str, Any]]:
    """The collections that the project knows by name, and what it knows of them (see catalogue.toml)."""
    with (HERE / "catalogue.toml").open("rb") as stream:
        return tomllib.load(stream)


def load(name_or_path: str, choice: Choice = EVERYTHING) -> Collection:
    """A collection of the catalogue by name, or else a file of puzzles.

    Raises:
        InputError: there is neither, or it has not been fetched yet, or the file cannot be used (see
            ``datasets.reading.reader``).
    """
    facts = entries().get(name_or_path)
    if facts is None:
        return _of_file(name_or_path, choice)
    if "url" not in facts:
        file = HERE / "data" / facts.get("file", f"{name_or_path}.txt")
        found = _loaded(str(file), name_or_path, choice, digits=3)
        found = replace(found, items=tuple(replace(i, name=i.label or i.name, label="") for i in found.items))
    elif fetch.path_of(facts).exists():
        found = _loaded(fetch.source_of(facts), name_or_path, choice)
    else:
        raise InputError(f"{name_or_path}: is not fetched yet; run `sudoku-bench fetch {name_or_path}`")
    return replace(found, title=facts["title"], origin=facts["origin"], licence=facts["licence"])


def _of_file(path: str, choice: Choice) -> Collection:
    file, parts = reader.split(path)
    if file != "-" and not sources.exists(file) and Path(file).parent == Path() and not Path(file).suffix:
        near = difflib.get_close_matches(path, entries(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"{path}: neither a collection ({', '.join(entries())}) nor a file{hint}")
    name = Path(parts[0] if parts and _is_zip(file) else file).name
    for packing in PACKED:
        name = name.removesuffix(packing)
    stem = "stdin" if file == "-" else Path(name).stem
    return replace(_loaded(path, stem, choice), title=f"puzzles of the file {name}", origin=name)


def _is_zip(path: str) -> bool:
    return Path(path).suffix.lower() == ".zip"


def _loaded(source: str, name: str, choice: Choice, digits: int = 4) -> Collection:
    """The chosen puzzles of a source; each is named by its place among all of the source."""
    faults = _Faults(reader.split(source)[0])
    with contextlib.closing(_puzzles(source, choice.skip_bad, faults)) as puzzles:
        entries = islice(enumerate(puzzles, start=1), choice.limit)
        chosen = list(entries) if choice.sample is None else sampling.sample(entries, choice.sample, choice.seed)
    if not chosen:
        told = "".join(f"; skipped {skipped}" for skipped in faults.skipped())
        raise InputError(f"{source}: holds no puzzle{told}; write one per line")
    items = [Item(f"{name}-{number:0{digits}d}", e.puzzle, e.name, e.facts) for number, e in chosen]
    return Collection(name, "", "", "not known", tuple(items), faults.skipped())


@dataclass
class _Faults:
    """The bad lines of a source, counted by kind."""

    source: str
    kinds: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)

    def add(self, fault: BadLine) -> None:
        number, lines = self.kinds.get(fault.kind, (0, ()))
        self.kinds[fault.kind] = number + 1, (*lines, fault.line) if len(lines) < LINES_TOLD else lines

    def skipped(self) -> tuple[Skipped, ...]:
        return tuple(Skipped(kind, number, lines) for kind, (number, lines) in self.kinds.items())


def _puzzles(source: str, skip_bad: bool, faults: _Faults) -> Generator[Entry, None, None]:
    for item in read_file(source):
        if isinstance(item, Entry):
            yield item
        elif skip_bad:
            faults.add(item)
        else:
            raise InputError(f"{faults.source}:{item.line}: {item.what}")
