"""Clauses through PicoSAT, as pycosat and PyEDA bring it. It is started afresh for each answer.

PyEDA takes clauses in two ways: as Boolean expressions (``@pyeda``, what its users write), which it translates for
PicoSAT at each call, and as the numbers of a DIMACS file (``@pyeda-dimacs``, its class ``DimacsCNF``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from datasets.shape import Shape
from solvers.sat.cnf import CnfStrategy, distinct_models
from solvers.strategy import Task

if TYPE_CHECKING:
    from solvers.sat.encodings.clues import Formula
    from solvers.sat.encodings.parts import Clause

# From CPython 3.12 on, PyEDA's PicoSAT crashes under Python's own allocator.
PYEDA_ENVIRON = {"PYTHONMALLOC": "malloc"} if sys.version_info >= (3, 12) else {}


class PicosatStrategy(CnfStrategy):
    """Its own enumeration where no auxiliary variable could repeat cells, else a new start for each answer."""

    def search(self, model: Formula, task: Task) -> list[Sequence[int]]:
        clauses, readout = list(model.clauses), model.readout
        if task.limit > 1 and len(readout.adds) == model.size.variables > 0:
            return list(islice(self.every_model(model), task.limit))
        size = model.size.variables
        return distinct_models(lambda: self.one_model(size, clauses), clauses.append, task.limit, readout)

    def one_model(self, variables: int, clauses: Sequence[Clause]) -> Sequence[int] | None:
        raise NotImplementedError

    def every_model(self, model: Formula) -> Iterator[Sequence[int]]:
        raise NotImplementedError


class PycosatStrategy(PicosatStrategy):
    requires = ("pycosat",)

    def prepare(self, shape: Shape) -> None:
        import pycosat

        self.solve_one, self.solve_all = pycosat.solve, pycosat.itersolve
        super().prepare(shape)

    def one_model(self, variables: int, clauses: Sequence[Clause]) -> Sequence[int] | None:
        answer = self.solve_one(clauses)
        return None if answer == "UNSAT" else answer

    def every_model(self, model: Formula) -> Iterator[Sequence[int]]:
        models: Iterator[Sequence[int]] = self.solve_all(model.clauses)
        return models


class PyedaDimacsStrategy(PicosatStrategy):
    """Numbers in, numbers out; no expression is made."""

    requires = ("pyeda",)
    environ = PYEDA_ENVIRON

    def prepare(self, shape: Shape) -> None:
        from pyeda.boolalg.expr import DimacsCNF

        self.make_cnf = DimacsCNF
        super().prepare(shape)

    def one_model(self, variables: int, clauses: Sequence[Clause]) -> Sequence[int] | None:
        signs = self.make_cnf(variables, clauses).satisfy_one()
        return None if signs is None else literals(signs)

    def every_model(self, model: Formula) -> Iterator[Sequence[int]]:
        return map(literals, self.make_cnf(model.size.variables, model.clauses).satisfy_all())


class PyedaStrategy(PicosatStrategy):
    """A conjunction of disjunctions of PyEDA's variables. Those of the rules are made once per shape."""

    requires = ("pyeda",)
    environ = PYEDA_ENVIRON

    def prepare(self, shape: Shape) -> None:
        from pyeda.boolalg.expr import And, Or, exprvar

        self.conjoin, self.disjoin, self.make_variable = And, Or, exprvar
        self.literals: dict[int, Any] = {}
        self.number: dict[Any, int] = {}
        super().prepare(shape)
        self.of_rules = [] if self.clues else list(self.expressions(self.rules.clauses))

    def load(self, model: Formula) -> Any:
        own = model.clauses[: len(model.clauses) - len(self.of_rules)]  # the clauses of the rules come last
        self.expression = self.conjoin(*self.expressions(own), *self.of_rules)
        return model

    def expressions(self, clauses: Iterable[Clause]) -> Iterator[Any]:
        for clause in clauses:
            yield self.disjoin(*map(self.literal, clause))

    def literal(self, number: int) -> Any:
        if number not in self.literals:
            variable = self.make_variable("x", abs(number))
            self.literals |= {abs(number): variable, -abs(number): ~variable}
            self.number[variable] = abs(number)
        return self.literals[number]

    def one_model(self, variables: int, clauses: Sequence[Clause]) -> Sequence[int] | None:
        found = len(clauses) - self.formula.size.clauses  # clauses that exclude what was found
        expression = self.expression
        if found:
            expression = self.conjoin(expression, *self.expressions(clauses[-found:]))
        point = expression.satisfy_one()
        return None if point is None else self.model(variables, point)

    def every_model(self, model: Formula) -> Iterator[Sequence[int]]:
        return (self.model(model.size.variables, point) for point in self.expression.satisfy_all())

    def model(self, variables: int, point: Mapping[Any, int]) -> list[int]:
        """Literals of a point; what it does not mention may be false."""
        true = {self.number[variable] for variable, value in point.items() if value}
        return [number if number in true else -number for number in range(1, variables + 1)]

    def release(self) -> None:
        del self.expression


def literals(signs: Sequence[int]) -> list[int]:
    """A model from the sign of each variable."""
    return [number if sign > 0 else -number for number, sign in enumerate(signs, start=1)]
