"""``smt:bitvectors@bitwuzla``: the bit-vector model under Bitwuzla (A. Niemetz & M. Preiner, "Bitwuzla", 2023).

A number of ⌈log₂N⌉ bits for each cell, distinct within each unit; Bitwuzla makes clauses of them for CaDiCaL. Terms
are made anew for each puzzle: sharing them would make each search depend on the puzzles before it.
"""

from __future__ import annotations

from typing import Any

from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers.models.repeat import distinct
from solvers.registry import register
from solvers.strategy import Strategy, Task


@register
class Bitwuzla(Strategy):
    name = "smt:bitvectors@bitwuzla"
    requires = ("bitwuzla",)

    def prepare(self, shape: Shape) -> None:
        import bitwuzla

        self.shape, self.package = shape, bitwuzla
        self.bits = (shape.size - 1).bit_length()

    def encode(self, puzzle: Puzzle) -> Any:
        kind, n = self.package.Kind, puzzle.shape.size
        terms = self.package.TermManager()
        sort = terms.mk_bv_sort(self.bits)
        self.values = [terms.mk_bv_value(sort, v) for v in range(n)]
        self.x = [self.values[clue - 1] if clue else terms.mk_const(sort) for clue in puzzle.cells]
        rules = [terms.mk_term(kind.DISTINCT, [self.x[cell] for cell in unit]) for unit in puzzle.shape.units]
        if n < 1 << self.bits:
            last = self.values[-1]
            rules += [terms.mk_term(kind.BV_ULE, [x, last]) for x in self.x if not x.is_value()]
        return terms, rules

    def load(self, model: Any) -> Any:
        terms, rules = model
        options = self.package.Options()
        options.set(self.package.Option.PRODUCE_MODELS, True)
        solver = self.package.Bitwuzla(terms, options)
        for rule in rules:
            solver.assert_formula(rule)
        return terms, solver

    def search(self, model: Any, task: Task) -> list[list[int]]:
        terms, solver = model
        kind, result = self.package.Kind, self.package.Result

        def find() -> list[int] | None:
            answer = solver.check_sat()
            if answer == result.UNKNOWN:
                raise RuntimeError("Bitwuzla does not know")
            return [int(solver.get_value(x).value(10)) + 1 for x in self.x] if answer == result.SAT else None

        def forbid(cells: list[int]) -> None:
            pairs = zip(self.x, cells, strict=True)
            others = [terms.mk_term(kind.DISTINCT, [x, self.values[value - 1]]) for x, value in pairs]
            solver.assert_formula(terms.mk_term(kind.OR, others))

        return distinct(find, forbid, task.limit)

    def release(self) -> None:
        self.values, self.x = [], []
