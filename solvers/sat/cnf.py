"""What all ``sat:`` strategies share: clauses of the rules made once per shape, and solutions that differ in cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.sat.encodings import build
from solvers.strategy import Strategy

if TYPE_CHECKING:
    from solvers.sat.encodings.parts import Clause
    from solvers.sat.encodings.readout import Readout


class CnfStrategy(Strategy):
    """Rules as clauses, made once per shape; what a puzzle adds is its clues."""

    encoding: ClassVar[str]
    clues: ClassVar[str]  # empty for unit clauses
    engine: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        from solvers.sat.encodings.clues import Rules

        self.rules = Rules(build(self.encoding, shape))
        self.formula_of = self.rules.substituted if self.clues == "substituted" else self.rules.with_units
        self.formula_of((0,) * shape.n_cells)  # what all puzzles share is made now

    def encode(self, puzzle: Puzzle) -> Any:
        self.formula = self.formula_of(puzzle.cells)
        return self.formula

    def decode(self, answer: list[Sequence[int]]) -> list[list[int]]:
        return [self.formula.readout.cells(model) for model in answer]

    def counters(self) -> Mapping[str, int]:
        size = self.formula.size
        exact = {"variables": size.variables, "clauses": size.clauses, "literals": size.literals}
        return exact | ({"at_mosts": size.at_mosts} if size.at_mosts else {})


def distinct_models(
    next_model: Callable[[], Sequence[int] | None], exclude: Callable[[Clause], Any], limit: int, readout: Readout
) -> list[Sequence[int]]:
    """Up to ``limit`` models that differ in their cells, each excluded once it is found."""
    models: list[Sequence[int]] = []
    while len(models) < limit and (model := next_model()) is not None:
        models.append(model)
        if len(models) == limit:
            break
        others = readout.other_cells(model)
        if not others:  # every cell is a clue
            break
        exclude(others)
    return models
