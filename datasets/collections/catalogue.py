"""Collections: named lists of puzzles from the catalogue (embedded or fetched) and from files of the user."""

from __future__ import annotations

import contextlib
import csv
import difflib
import hashlib
import tomllib
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from sudoku_bench.datasets import files
from sudoku_bench.datasets.collections import fetch, sampling
from sudoku_bench.datasets.errors import InputError, escaped, harmless
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading import reader
from sudoku_bench.datasets.reading.items import LINEAGE_KEY
from sudoku_bench.datasets.reading.reader import COMPLETE, BadLine, Entry, read_file
from sudoku_bench.datasets.reading.symbols import reading_of
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import solution_fault

CATALOGUE = Path(__file__).with_name("catalogue.toml")
DATA = Path(__file__).with_name("data")
MINED = ("hardest", "hardest-cdcl")  # collections that searches for hard puzzles produced
SOLVABLE = "some"  # solutions of such collections: at least one, and any is an answer
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
MAX_LINES_LISTED = 10  # line numbers listed for each kind of fault


@dataclass(frozen=True)
class Item:
    """A puzzle of a collection.

    Attributes:
        name: stable id: the puzzle's own name, or the name of the collection with the puzzle's place in it.
        label: name that a file gives the puzzle; names in files may repeat, so they are not ids.
        facts: other information from the source, including ratings, as pairs of a name and a text.
        solvable: the source gives a completion, which has been checked.
    """

    name: str
    puzzle: Puzzle
    label: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    solvable: bool = False

    @property
    def lineage(self) -> str:
        """The lineage that the source names; empty if it names none."""
        return next((text for key, text in self.facts if key.lower() == LINEAGE_KEY), "")


@dataclass(frozen=True)
class Skipped:
    """Lines that were skipped because they contain no puzzle: kind of fault, number of lines, first line numbers."""

    kind: str
    number: int
    lines: tuple[int, ...]

    def __str__(self) -> str:
        more = ", ..." if self.number > len(self.lines) else ""
        word = "line" if self.number == 1 else "lines"
        return f"{self.number} × {self.kind} ({word} {', '.join(map(str, self.lines))}{more})"


@dataclass(frozen=True)
class Collection:
    """A named list of puzzles with origin, licence and the SHA-256 checksum of its grids.

    Attributes:
        available: number of puzzles of each shape that the source has, before a sample is drawn.
        readings: the unusual ways in which cells were read, such as ``16x16, numbers 0-15, "." empty``.
        solvable: each puzzle has a solution by the way it was made, and any is an answer.
    """

    name: str
    title: str
    origin: str
    licence: str
    items: tuple[Item, ...]
    skipped: tuple[Skipped, ...] = ()
    available: Mapping[Shape, int] = field(default_factory=dict)
    readings: tuple[str, ...] = ()
    solvable: bool = False

    def notes(self) -> Iterator[str]:
        """Yield what a reader of results needs to know about how the puzzles were read."""
        for reading in self.readings:
            yield f"{self.name}: read as {reading}"
        for skipped in self.skipped:
            if skipped.kind == COMPLETE:
                total = sum(self.available.values()) + skipped.number
                yield f"{self.name}: {skipped.number} of {total} are complete grids, which are left out"
            else:
                yield f"{self.name}: skipped {skipped}"

    def lineage_of(self, item: Item) -> str:
        """Return the lineage of a puzzle of the collection; empty if none is known.

        A lineage that is named by a grid of the puzzle's size is the same in all collections, others are not.
        """
        if not item.lineage:
            return lineages().get(item.puzzle.text, "")
        is_grid = len(item.lineage) == item.puzzle.shape.n_cells
        return item.lineage if is_grid else f"{self.name}/{item.lineage}"

    @property
    def sha256(self) -> str:
        """SHA-256 checksum of the puzzles' texts, one per line."""
        return hashlib.sha256("\n".join(item.puzzle.text for item in self.items).encode()).hexdigest()


@dataclass(frozen=True)
class Choice:
    """Selection of puzzles from a source.

    Attributes:
        limit: number of puzzles to read from the start of the source (None: all).
        sample: number of puzzles to sample from these, spread over difficulty by
            ``datasets/collections/sampling`` (None: all).
        seed: seed of the sample.
        skip_bad: skip and count lines that contain no puzzle; otherwise the first such line is an error. Complete grids
            are always skipped and counted.
    """

    limit: int | None = None
    sample: int | None = None
    seed: int = 1
    skip_bad: bool = False


EVERYTHING = Choice()


@cache
def entries() -> dict[str, dict[str, Any]]:
    """Return the catalogue: the facts about each collection by its name (see catalogue.toml)."""
    found = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    sources = found.pop("sources")
    return {name: sources[facts.pop("source", "project")] | facts for name, facts in found.items()}


def embedded() -> list[str]:
    """Return the names of the embedded collections."""
    return [name for name, facts in entries().items() if "url" not in facts]


def load(name_or_path: str, choice: Choice = EVERYTHING) -> Collection:
    """Load a collection of the catalogue by name, or a file of puzzles by path.

    Raises:
        InputError: there is no such collection or file, the collection is not fetched yet, or the file cannot be used
            (see ``datasets/reading/reader``).
    """
    facts = entries().get(name_or_path)
    if facts is None:
        return _load_file(name_or_path, choice)
    if "url" not in facts:
        file = DATA / facts.get("file", f"{name_or_path}.txt")
        collection = _load_source(str(file), name_or_path, choice, digits=3)
        items = tuple(replace(item, name=item.label or item.name, label="") for item in collection.items)
        collection = replace(collection, items=items)
    elif fetch.path_of(facts).exists():
        collection = _load_source(fetch.source_of(facts), name_or_path, choice)
    else:
        raise InputError(f"{name_or_path}: is not fetched yet; run `sudoku-bench fetch {name_or_path}`")
    named = replace(collection, title=facts["title"], origin=facts["origin"], licence=facts["licence"])
    return replace(named, solvable=facts.get("solutions") == SOLVABLE)


@cache
def lineages() -> dict[str, str]:
    """Return the lineage of each puzzle of the mined collections, by its text; their tables list it.

    Puzzles of one lineage come from the same search, so they are not independent observations.

    Raises:
        InputError: a table is missing or damaged.
    """
    found: dict[str, str] = {}
    for collection in MINED:
        path = DATA / f"{collection}.csv"
        texts = {item.name: item.puzzle.text for item in load(collection).items}
        try:
            with path.open(encoding="utf-8", newline="") as stream:
                found |= {texts[row["puzzle"]]: row["lineage"] for row in csv.DictReader(stream)}
        except (OSError, KeyError) as error:
            raise InputError(f"{path}: cannot be read: {error}; install sudoku-bench again") from None
    return found


def _load_file(path: str, choice: Choice) -> Collection:
    """Load a file of the user as a collection named after the file."""
    file, parts = reader.split(path)
    if file != "-" and not files.exists(file) and Path(file).parent == Path() and not Path(file).suffix:
        near = difflib.get_close_matches(path, entries(), n=1)
        fault = f"a file; did you mean {near[0]}?" if near else f"a file; the collections are {', '.join(entries())}"
        raise InputError(f"{path}: is neither a collection nor {fault}")
    name = Path(parts[0] if parts and file.lower().endswith(".zip") else file).name
    for packing in PACKED:
        name = name.removesuffix(packing)
    stem, name = "stdin" if file == "-" else harmless(Path(name).stem), escaped(name)
    return replace(_load_source(path, stem, choice), title=f"puzzles of the file {name}", origin=name)


def _load_source(source: str, name: str, choice: Choice, digits: int = 4) -> Collection:
    """Load the selected puzzles of a source; their names contain their places in the whole source."""
    faults, available = _Faults(reader.split(source)[0]), Counter[Shape]()
    with contextlib.closing(_puzzles(source, choice.skip_bad, faults)) as puzzles:
        entries = _counted(islice(enumerate(puzzles, start=1), choice.limit), available)
        chosen = list(entries) if choice.sample is None else sampling.sample(entries, choice.sample, choice.seed)
    if not chosen:
        skipped_lines = "".join(f"; skipped {skipped}" for skipped in faults.skipped())
        raise InputError(f"{source}: holds no puzzle{skipped_lines}; write one per line")
    items = [
        Item(f"{name}-{number:0{digits}d}", entry.puzzle, entry.name, entry.facts, _is_completed(entry))
        for number, entry in chosen
    ]
    readings = tuple(sorted({reading_of(entry) for _, entry in chosen if entry.notation}))
    return Collection(name, "", "", "not known", tuple(items), faults.skipped(), available, readings)


def _is_completed(entry: Entry) -> bool:
    return entry.solution is not None and not solution_fault(entry.puzzle, entry.solution)


def _counted(entries: Iterator[tuple[int, Entry]], available: Counter[Shape]) -> Iterator[tuple[int, Entry]]:
    """Yield entries, and count the puzzles of each shape."""
    for number, entry in entries:
        available[entry.puzzle.shape] += 1
        yield number, entry


@dataclass
class _Faults:
    """The bad lines of a source, counted by kind."""

    source: str
    kinds: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)

    def add(self, fault: BadLine) -> None:
        number, lines = self.kinds.get(fault.kind, (0, ()))
        self.kinds[fault.kind] = number + 1, (*lines, fault.line) if len(lines) < MAX_LINES_LISTED else lines

    def skipped(self) -> tuple[Skipped, ...]:
        return tuple(Skipped(kind, number, lines) for kind, (number, lines) in self.kinds.items())


def _puzzles(source: str, skip_bad: bool, faults: _Faults) -> Generator[Entry, None, None]:
    """Yield the puzzles of a source; add bad lines to ``faults`` if they are to be skipped."""
    for item in read_file(source):
        if isinstance(item, Entry):
            yield item
        elif skip_bad or item.kind == COMPLETE:
            faults.add(item)
        else:
            raise InputError(f"{faults.source}:{item.line}: {item.message}")
