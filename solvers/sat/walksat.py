"""``walksat:ENCODING[+SCHEME][+CLUES]``: WalkSAT, a local search on the clauses of any encoding, compiled by numba.

Local search cannot refute: it gives up after ``FLIPS`` flips. Random numbers start from the same seed for every puzzle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register, register_family
from sudoku_bench.solvers.sat import names
from sudoku_bench.solvers.sat.cnf import CnfStrategy
from sudoku_bench.solvers.sat.encodings import encoding_and_scheme
from sudoku_bench.solvers.strategy import GaveUp, Strategy, Task

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.encodings.clues import Formula

FAMILY = "walksat"
FLIPS = 2_000_000
NOISE = 50  # percent


class WalkSatStrategy(CnfStrategy):
    """Local search on clauses: flips a variable of a random false clause, mostly one that breaks the fewest others
    (Selman, Kautz & Cohen 1994)."""

    tasks = ("first",)
    requires = ("numba",)
    complete = False

    def prepare(self, shape: Shape) -> None:
        import numpy as np

        from sudoku_bench.datasets.bits import random_state
        from sudoku_bench.solvers.sat.packed import pack
        from sudoku_bench.solvers.sat.walk import walk

        self.np, self.pack, self.walk, self.random_state = np, pack, walk, random_state
        super().prepare(shape)
        self.walk(self.pack([[1]], 1), np.zeros(4, dtype=np.bool_), NOISE, 1, random_state(0))  # compiles
        self.flips = 0

    def load(self, model: Formula) -> Any:
        return self.pack(model.clauses, model.size.variables)

    def search(self, model: Any, task: Task) -> list[list[int]]:
        random = self.random_state(0)
        variables = self.size.variables
        positive = self.np.random.default_rng(0).random(variables + 1) < 0.5
        true = self.np.column_stack([positive, ~positive]).ravel()
        self.flips = self.walk(model, true, NOISE, FLIPS, random)
        if self.flips < 0:
            self.flips = FLIPS
            raise GaveUp(f"no solution after {FLIPS} flips")
        return [[x for x in range(1, variables + 1) if true[2 * x]]]

    def counters(self) -> Mapping[str, int]:
        """The size of the formula, and ``flips``."""
        return {**super().counters(), "flips": self.flips}


def strategy_of(full_name: str) -> type[Strategy]:
    """The strategy of an exact name.

    Raises:
        InputError: the encoding or the clue handling does not exist, or local search cannot use it.
    """
    encoding, clues = names.parse_model(full_name.removeprefix(f"{FAMILY}:"))
    if encoding_and_scheme(encoding)[1] == "native" or clues == "assumptions":
        raise names.invalid(full_name, "local search takes clauses, with the clues in them")
    attributes = {"name": full_name, "encoding": encoding, "clues": clues, "engine": FAMILY, "__module__": __name__}
    return type(full_name, (WalkSatStrategy,), {**attributes, "__doc__": WalkSatStrategy.__doc__})


register(strategy_of(f"{FAMILY}:complete+pairwise+substituted"))
register_family(f"{FAMILY}:*", strategy_of)
