"""What encodings derive from the puzzles of collections, as rows for tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets import search
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

if TYPE_CHECKING:  # these import numba
    from sudoku_bench.solvers.sat.strength.prober import Candidates, State, StrengthClass

RANDOM = "random states"  # listed like a collection

Boards = Mapping[str, Sequence["State"]]  # the states of each collection, all of one shape


@dataclass(frozen=True)
class Derived:
    """What one encoding derives from the states of one collection.

    Attributes:
        propagated: the candidates that unit propagation leaves in each state, as bits.
        failed: the same for failed literals; None if they were not looked for.
    """

    encoding: str
    collection: str
    shape: Shape
    propagated: tuple[Candidates, ...]
    failed: tuple[Candidates, ...] | None

    def fields(self) -> dict[str, Any]:
        """One row: states, how many are solved and refuted, and the mean number of candidates left in the others."""
        row: dict[str, Any] = {"encoding": self.encoding, "collection": self.collection, "shape": self.shape.name}
        row["states"] = len(self.propagated)
        for kind, lefts in (("up", self.propagated), ("failed", self.failed)):
            row |= _counts(kind, lefts, self.shape)
        return row


def clue_states(puzzles: Iterable[Puzzle]) -> dict[Shape, list[State]]:
    """The clues of puzzles as states, by shape."""
    from sudoku_bench.solvers.sat.strength.prober import state_of

    by_shape: dict[Shape, list[State]] = {}
    for puzzle in puzzles:
        by_shape.setdefault(puzzle.shape, []).append(state_of(puzzle))
    return by_shape


def random_states(shape: Shape, number: int, seed: int) -> list[State]:
    """Random partial assignments, each around a random grid of its own."""
    from sudoku_bench.solvers.sat.strength.prober import random_state

    empty = Puzzle(shape, (0,) * shape.n_cells)
    grids = (search.solve(empty, limit=1, seed=each).solutions[0] for each in range(seed, seed + number))
    return [random_state(shape, grid, seed + k, wrong=k % 4 == 3) for k, grid in enumerate(grids)]


def derive(
    names: Iterable[str], shape: Shape, boards: Boards, failed: bool, tell: Callable[[str], object] = str
) -> Iterator[Derived]:
    """Yield what each encoding derives from the states of each collection; encodings that do not fit are left out."""
    from sudoku_bench.solvers import Unsupported
    from sudoku_bench.solvers.sat.encodings import build, refusal
    from sudoku_bench.solvers.sat.strength.prober import Prober

    for name in names:
        if refusal(name, shape):
            continue
        tell(name)
        try:
            prober = Prober(build(name, shape))
        except Unsupported:
            continue
        for collection, found in boards.items():
            propagated = tuple(map(prober.unit_propagation, found))
            yield Derived(
                name, collection, shape, propagated, tuple(map(prober.failed_literals, found)) if failed else None
            )


def classes_of(rows: Iterable[Derived]) -> list[StrengthClass]:
    """Group the encodings of rows with the same states by what unit propagation derives from all of them together."""
    from sudoku_bench.solvers.sat.strength.prober import classes

    lefts: dict[str, list[Candidates]] = {}
    for row in rows:
        lefts.setdefault(row.encoding, []).extend(row.propagated)
    return classes(lefts)


def abbreviated(names: Sequence[str]) -> list[str]:
    """Names of encodings with ``complete+*`` in place of ``complete`` under every scheme."""
    from sudoku_bench.solvers.sat.amo import SCHEMES
    from sudoku_bench.solvers.sat.encodings import encoding_and_scheme

    schemes: dict[str, set[str]] = {}
    for name in names:
        encoding, scheme = encoding_and_scheme(name)
        schemes.setdefault(encoding, set()).add(scheme)
    whole = {encoding for encoding, present in schemes.items() if present == set(SCHEMES)}
    short = ((encoding_and_scheme(name)[0], name) for name in names)
    return list(dict.fromkeys(f"{encoding}+*" if encoding in whole else name for encoding, name in short))


def _counts(kind: str, lefts: Sequence[Candidates] | None, shape: Shape) -> dict[str, float | None]:
    from sudoku_bench.solvers.sat.strength.prober import is_solved

    keys = (f"{kind}_solved", f"{kind}_refuted", f"{kind}_left")
    if lefts is None:
        return dict.fromkeys(keys)
    open_ones = [left.bit_count() for left in lefts if left]
    solved = sum(is_solved(left, shape) for left in lefts)
    return dict(zip(keys, (solved, lefts.count(0), sum(open_ones) / max(1, len(open_ones))), strict=True))
