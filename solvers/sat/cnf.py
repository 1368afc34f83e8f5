"""Base of all ``sat:`` strategies: the rules as clauses, and enumeration of solutions that differ in their cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat import names
from sudoku_bench.solvers.sat.encodings import build, refusal
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Unsupported, distinct

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.amo import Clause
    from sudoku_bench.solvers.sat.encodings.cell_codes import Readout
    from sudoku_bench.solvers.sat.encodings.clues import Formula


class CnfStrategy(Strategy):
    """The rules as clauses, generated once per shape; each puzzle adds its clues."""

    takes = ANY_BOARD
    encoding: ClassVar[str]
    clues: ClassVar[str]  # empty for unit clauses
    engine: ClassVar[str]
    options: ClassVar[names.Options] = {}  # of the engine
    no_native: ClassVar[str] = ""  # why it takes no native at-most-one constraints, if it takes none
    no_assumptions: ClassVar[str] = ""  # why it takes no assumptions, if it takes none

    @classmethod
    def refusal(cls, parts: names.Parts) -> str:
        """The reason why such an engine cannot take the encoding or the clue handling; empty if it can."""
        if parts.scheme == "native" and cls.no_native:
            return cls.no_native.format(engine=parts.engine)
        return cls.no_assumptions.format(engine=parts.engine) if parts.clues == "assumptions" else ""

    @classmethod
    def refused_options(cls, engine: str, options: names.Options) -> str:
        """The reason why the engine cannot take its options; empty if it can. By default it takes none."""
        return f"{engine} has no options" if options else ""

    def prepare(self, shape: Shape) -> None:
        from sudoku_bench.solvers.sat.encodings.clues import Rules

        if reason := refusal(self.encoding, shape):
            raise Unsupported(f"the encoding {self.encoding} is for {reason}")
        self.rules = Rules(build(self.encoding, shape))
        self.formula_of = self.rules.formula_of(self.clues)
        self.formula_of((0,) * shape.n_cells)  # generates now what all puzzles share

    def encode(self, puzzle: Puzzle) -> Any:
        formula: Formula = self.formula_of(puzzle.cells, puzzle.forbidden)
        # Whoever keeps its clauses has the garbage collector visit them all before the next solve.
        self.size, self.readout = formula.size, formula.readout
        return formula

    def decode(self, answer: list[Sequence[int]]) -> list[list[int]]:
        return [self.readout.cells(model) for model in answer]

    def counters(self) -> Mapping[str, int]:
        """The size of the formula."""
        size = self.size
        counters = {"variables": size.variables, "clauses": size.clauses, "literals": size.literals}
        return counters | ({"at_mosts": size.at_mosts} if size.at_mosts else {})


def cnf_strategy(full_name: str, base: type[CnfStrategy], **attributes: Any) -> type[Strategy]:
    """The strategy of a full name, on engines of one kind.

    Raises:
        InputError: the name is invalid, or such an engine refuses the encoding or the clue handling.
    """
    parts = names.parse(full_name)
    if reason := base.refusal(parts):
        raise names.invalid(full_name, reason)
    of_name = {"name": full_name, "encoding": parts.encoding, "clues": parts.clues, "engine": parts.engine}
    return type(full_name, (base,), of_name | attributes)


def distinct_models(
    next_model: Callable[[], Sequence[int] | None], add_clause: Callable[[Clause], Any], limit: int, readout: Readout
) -> list[Sequence[int]]:
    """Up to ``limit`` models that differ in their cells; a clause excludes the cells of each model found."""

    def exclude(model: Sequence[int]) -> bool:
        clause = readout.other_cells(model)
        if clause:  # else every cell is a clue
            add_clause(clause)
        return bool(clause)

    return distinct(next_model, exclude, limit)
