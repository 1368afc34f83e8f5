"""``smt:...``: satisfiability modulo theories with Z3 and Bitwuzla (``@bitwuzla``).

The rules for Z3 are built once per shape. Each puzzle copies them into its own Z3 context: in a shared context, the
numbers that Z3 assigns to expressions would make each search depend on the puzzles before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating, Task

COUNTERS = ("conflicts", "decisions", "propagations", "restarts")


class Z3Strategy(Enumerating):
    """Base of the three models for Z3."""

    takes = ANY_BOARD
    requires = ("z3-solver",)
    logic: ClassVar[str]

    def prepare(self, shape: Shape) -> None:
        import z3

        self.shape, self.z3 = shape, z3
        self.statements, rules = self.rules_of(shape)
        self.rules = z3.SolverFor(self.logic)
        self.rules.add(rules)
        self.statistics: Mapping[str, int] = {}

    def rules_of(self, shape: Shape) -> tuple[list[list[Any]], list[Any]]:
        """For each cell and value the expression that states it, and the rules."""
        raise NotImplementedError

    def encode(self, puzzle: Puzzle) -> list[Any]:
        clues = [self.statements[cell][clue - 1] for cell, clue in enumerate(puzzle.cells) if clue]
        return clues + [self.z3.Not(self.statements[cell][value - 1]) for cell, value in puzzle.forbidden]

    def load(self, model: list[Any]) -> Any:
        solver = self.rules.translate(self.z3.Context())
        solver.add([clue.translate(solver.ctx) for clue in model])
        return solver

    def find(self, model: Any) -> list[int] | None:
        answer = model.check()
        if answer == self.z3.unknown:
            raise RuntimeError(f"Z3 reports unknown: {model.reason_unknown()}")
        return self.cells(model.model().translate(self.z3.main_ctx())) if answer == self.z3.sat else None

    def exclude(self, model: Any, cells: list[int]) -> None:
        stated = [self.statements[cell][value - 1] for cell, value in enumerate(cells)]
        model.add(self.z3.Not(self.z3.And(stated)).translate(model.ctx))

    def search(self, model: Any, task: Task) -> list[list[int]]:
        solutions = super().search(model, task)
        counts = {key.removeprefix("sat "): value for key, value in list(model.statistics())}
        self.statistics = {name: counts[name] for name in COUNTERS if name in counts}
        return solutions

    def cells(self, model: Any) -> list[int]:
        """The cells of a model of the main context."""
        true = self.z3.is_true
        return [next((v for v, x in enumerate(cell, 1) if true(model.eval(x, True))), 0) for cell in self.statements]

    def counters(self) -> Mapping[str, int]:
        """The statistics of the last answer, if the tactic that Z3 chose counts them."""
        return self.statistics


@register
class BitVectors(Z3Strategy):
    """Z3 on a number of ⌈log₂N⌉ bits for each cell, distinct within each unit, which it converts to clauses (de Moura &
    Bjørner 2008)."""

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
    """Z3 on N³ Booleans, exactly one of which is true for each cell and for each value in each unit (de Moura & Bjørner
    2008)."""

    name = "smt:pseudo-boolean"
    logic = "QF_FD"

    def rules_of(self, shape: Shape) -> tuple[list[list[Any]], list[Any]]:
        z3, n = self.z3, shape.size
        x = [[z3.Bool(f"x{cell}_{v}") for v in range(n)] for cell in range(shape.n_cells)]
        groups = x + [[x[cell][v] for cell in unit] for unit in shape.full_units for v in range(n)]
        rules = [z3.PbEq([(one, 1) for one in group], 1) for group in groups]
        rules += [z3.AtMost(*[x[cell][v] for cell in unit], 1) for unit in shape.small_units for v in range(n)]
        return x, rules


@register
class Integers(Z3Strategy):
    """Z3 on an integer from 1 to N for each cell, distinct within each unit: linear arithmetic (de Moura & Bjørner
    2008)."""

    name = "smt:integers"
    logic = "QF_LIA"

    def rules_of(self, shape: Shape) -> tuple[list[list[Any]], list[Any]]:
        z3, n = self.z3, shape.size
        x = [z3.Int(f"x{cell}") for cell in range(shape.n_cells)]
        rules = [z3.And(cell >= 1, cell <= n) for cell in x]
        rules += [z3.Distinct([x[cell] for cell in unit]) for unit in shape.units]
        return [[cell == v for v in range(1, n + 1)] for cell in x], rules


@register
class Bitwuzla(Enumerating):
    """The bit-vector model under Bitwuzla, which converts it to clauses for CaDiCaL (Niemetz & Preiner 2023).

    Terms are created anew for each puzzle: shared terms would make each search depend on the puzzles before it.
    """

    name = "smt:bitvectors@bitwuzla"
    takes = ANY_BOARD
    requires = ("bitwuzla",)

    def prepare(self, shape: Shape) -> None:
        import bitwuzla

        self.package, self.size, self.bits = bitwuzla, shape.size, (shape.size - 1).bit_length()

    def term(self, kind: str, *arguments: Any) -> Any:
        return self.terms.mk_term(getattr(self.package.Kind, kind), [*arguments])

    def encode(self, puzzle: Puzzle) -> Any:
        self.terms = self.package.TermManager()
        sort = self.terms.mk_bv_sort(self.bits)
        self.values = [self.terms.mk_bv_value(sort, v) for v in range(self.size)]
        self.x = [self.values[clue - 1] if clue else self.terms.mk_const(sort) for clue in puzzle.cells]
        rules = [self.term("DISTINCT", *(self.x[cell] for cell in unit)) for unit in puzzle.shape.units]
        if self.size < 1 << self.bits:
            open_cells = (x for x, clue in zip(self.x, puzzle.cells, strict=True) if not clue)
            rules += [self.term("BV_ULE", x, self.values[-1]) for x in open_cells]
        return rules + [self.term("DISTINCT", self.x[cell], self.values[v - 1]) for cell, v in puzzle.forbidden]

    def load(self, model: list[Any]) -> Any:
        options = self.package.Options()
        options.set(self.package.Option.PRODUCE_MODELS, True)
        solver = self.package.Bitwuzla(self.terms, options)
        for rule in model:
            solver.assert_formula(rule)
        return solver

    def find(self, model: Any) -> list[int] | None:
        answer, result = model.check_sat(), self.package.Result
        if answer == result.UNKNOWN:
            raise RuntimeError("Bitwuzla reports unknown")
        return [int(model.get_value(x).value(10)) + 1 for x in self.x] if answer == result.SAT else None

    def exclude(self, model: Any, cells: list[int]) -> None:
        pairs = zip(self.x, cells, strict=True)  # some cell has another value
        model.assert_formula(self.term("OR", *(self.term("DISTINCT", x, self.values[v - 1]) for x, v in pairs)))

    def release(self) -> None:
        self.values, self.x, self.terms = [], [], None
