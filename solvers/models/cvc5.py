"""``smt:bitvectors@cvc5``: the bit-vector model under cvc5 (Stanford, Iowa and others).

Terms are created anew for each puzzle: shared terms would make each search depend on the puzzles before it.
"""

from __future__ import annotations

from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Enumerating


@register
class Cvc5(Enumerating):
    """The bit-vector model under cvc5, which converts it to clauses (Barbosa and others 2022)."""

    name = "smt:bitvectors@cvc5"
    takes = ANY_BOARD
    requires = ("cvc5",)

    def prepare(self, shape: Shape) -> None:
        import cvc5

        self.package, self.kind = cvc5, cvc5.Kind
        self.bits = (shape.size - 1).bit_length()

    def encode(self, puzzle: Puzzle) -> Any:
        terms, kind, n = self.package.TermManager(), self.kind, puzzle.shape.size
        sort = terms.mkBitVectorSort(self.bits)
        self.values = [terms.mkBitVector(self.bits, v) for v in range(n)]
        self.x = [self.values[clue - 1] if clue else terms.mkConst(sort) for clue in puzzle.cells]
        rules = [terms.mkTerm(kind.DISTINCT, *(self.x[cell] for cell in unit)) for unit in puzzle.shape.units]
        if n < 1 << self.bits:
            open_cells = (x for x, clue in zip(self.x, puzzle.cells, strict=True) if not clue)
            rules += [terms.mkTerm(kind.BITVECTOR_ULE, x, self.values[-1]) for x in open_cells]
        rules += [terms.mkTerm(kind.DISTINCT, self.x[cell], self.values[v - 1]) for cell, v in puzzle.forbidden]
        return terms, rules

    def load(self, model: Any) -> Any:
        terms, rules = model
        solver = self.package.Solver(terms)
        solver.setOption("produce-models", "true")
        solver.setOption("incremental", "true")
        solver.setLogic("QF_BV")
        for rule in rules:
            solver.assertFormula(rule)
        return terms, solver

    def find(self, model: Any) -> list[int] | None:
        _, solver = model
        answer = solver.checkSat()
        if answer.isUnknown():
            raise RuntimeError("cvc5 reports unknown")
        return [int(solver.getValue(x).getBitVectorValue(10)) + 1 for x in self.x] if answer.isSat() else None

    def exclude(self, model: Any, cells: list[int]) -> None:
        terms, solver = model
        pairs = zip(self.x, cells, strict=True)
        others = [terms.mkTerm(self.kind.DISTINCT, x, self.values[value - 1]) for x, value in pairs]
        solver.assertFormula(terms.mkTerm(self.kind.OR, *others))

    def release(self) -> None:
        self.values, self.x = [], []
