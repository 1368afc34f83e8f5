"""``smt:...``: Z3 (L. de Moura & N. Bjørner, "Z3: An Efficient SMT Solver", 2008).

The rules are built once per shape. Each puzzle gets a copy of them in a Z3 context of its own: in one context for all,
the numbers that Z3 gives to expressions would make each search depend on the puzzles before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.models.repeat import distinct
from solvers.registry import register
from solvers.strategy import Strategy, Task

COUNTERS = ("conflicts", "decisions", "propagations", "restarts")


class Z3Strategy(Strategy):
    """What the three models share."""

    requires = ("z3-solver",)
    logic: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        import z3

        self.shape, self.z3 = shape, z3
        self.says, rules = self.rules_of(shape)
        self.rules = z3.SolverFor(self.logic)
        self.rules.add(rules)
        self.statistics: Mapping[str, int] = {}

    def rules_of(self, shape: Shape) -> tuple[list[list[Any]], list[Any]]:
        """For each cell and value the expression that says so, and the rules."""
        raise NotImplementedError

    def encode(self, puzzle: Puzzle) -> list[Any]:
        return [self.says[cell][clue - 1] for cell, clue in enumerate(puzzle.cells) if clue]

    def load(self, model: list[Any]) -> Any:
        solver = self.rules.translate(self.z3.Context())
        solver.add([clue.translate(solver.ctx) for clue in model])
        return solver

    def search(self, model: Any, task: Task) -> list[list[int]]:
        z3 = self.z3

        def find() -> list[int] | None:
            answer = model.check()
            if answer == z3.unknown:
                raise RuntimeError(f"Z3 does not know: {model.reason_unknown()}")
            return self.cells(model.model().translate(z3.main_ctx())) if answer == z3.sat else None

        def forbid(cells: list[int]) -> None:
            same = [self.says[cell][value - 1] for cell, value in enumerate(cells)]
            model.add(z3.Not(z3.And(same)).translate(model.ctx))

        found = distinct(find, forbid, task.limit)
        counts = {key.removeprefix("sat "): value for key, value in list(model.statistics())}
        self.statistics = {name: counts[name] for name in COUNTERS if name in counts}
        return found

    def cells(self, model: Any) -> list[int]:
        """The cells of a model of the main context."""
        true = self.z3.is_true
        return [next((v for v, said in enumerate(cell, 1) if true(model.eval(said, True))), 0) for cell in self.says]

    def counters(self) -> Mapping[str, int]:
        """Of the last answer, as far as the tactic that Z3 chose keeps count."""
        return self.statistics


@register
class BitVectors(Z3Strategy):
    """A number of ⌈log₂N⌉ bits for each cell, distinct within each unit; Z3 makes clauses of them."""

    name = "smt:bitvectors"
    logic = "QF_BV"

    def rules_of(self, shape: Shape) -> tuple[list[list[Any]], list[Any]]:
        z3, n = self.z3, shape.size
        bits = (n - 1).bit_length()
        x = [z3.BitVec(f"x{cell}", bits) for cell in range(shape.n_cells)]
        rules = [z3.ULE(cell, n - 1) for cell in x] if n < 1 << bits else []
        rules += [z3.Distinct([x[cell] for cell in unit]) for unit in shape.units]
        return [[cell == v for v in range(n)] for cell in x], rules


@register
class PseudoBoolean(Z3Strategy):
    """N³ Booleans, of which exactly one is true for each cell and for each value in each unit."""

    name = "smt:pseudo-boolean"
    logic = "QF_FD"

    def rules_of(self, shape: Shape) -> tuple[list[list[Any]], list[Any]]:
        z3, n = self.z3, shape.size
        x = [[z3.Bool(f"x{cell}_{v}") for v in range(n)] for cell in range(shape.n_cells)]
        groups = x + [[x[cell][v] for cell in unit] for unit in shape.units for v in range(n)]
        return x, [z3.PbEq([(one, 1) for one in group], 1) for group in groups]


@register
class Integers(Z3Strategy):
    """An integer from 1 to N for each cell, distinct within each unit: linear arithmetic."""

    name = "smt:integers"
    logic = "QF_LIA"

    def rules_of(self, shape: Shape) -> tuple[list[list[Any]], list[Any]]:
        z3, n = self.z3, shape.size
        x = [z3.Int(f"x{cell}") for cell in range(shape.n_cells)]
        rules = [z3.And(cell >= 1, cell <= n) for cell in x]
        rules += [z3.Distinct([x[cell] for cell in unit]) for unit in shape.units]
        return [[cell == v for v in range(1, n + 1)] for cell in x], rules
