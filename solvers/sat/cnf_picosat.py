"""PicoSAT as contained in the packages pycosat and PyEDA. It is restarted for each answer.

PyEDA takes clauses in two forms: as Boolean expressions (``@pyeda``, what its users write), which it translates for
PicoSAT at each call, and as the numbers of a DIMACS file (``@pyeda-dimacs``, its class ``DimacsCNF``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat import names
from sudoku_bench.solvers.sat.cnf import CnfStrategy, distinct_models
from sudoku_bench.solvers.strategy import GaveUp, Task

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.amo import Clause
    from sudoku_bench.solvers.sat.encodings.clues import Formula

# From CPython 3.12 on, PyEDA's PicoSAT crashes under Python's own allocator.
PYEDA_ENVIRON = {"PYTHONMALLOC": "malloc"} if sys.version_info >= (3, 12) else {}


class PicosatStrategy(CnfStrategy):
    """PicoSAT's own enumeration if no auxiliary variables could repeat cells, else a restart for each answer."""

    no_native = "{engine} has no native at-most-one constraints (minicard, gluecard3 and gluecard4 have)"
    no_assumptions = "{engine} restarts for each puzzle and keeps nothing; leave out +assumptions"
    enumerates = True  # whether its own enumeration is of use

    def search(self, model: Formula, task: Task) -> list[Sequence[int]]:
        clauses, readout = list(model.clauses), model.readout
        if task.limit > 1 and self.enumerates and len(readout.adds) == model.size.variables > 0:
            return list(islice(self.every_model(model), task.limit))
        size = model.size.variables
        return distinct_models(lambda: self.one_model(size, clauses), clauses.append, task.limit, readout)

    def one_model(self, variables: int, clauses: Sequence[Clause]) -> Sequence[int] | None:
        raise NotImplementedError

    def every_model(self, model: Formula) -> Iterator[Sequence[int]]:
        raise NotImplementedError


class PycosatStrategy(PicosatStrategy):
    """Lists of numbers; a fresh solver for each answer.

    The iterator ``itersolve`` converts the lists when it is made, and searches when it is asked for a model, so that
    loading and searching are separate phases. Its options: ``vars`` states the number of variables in advance;
    ``prop-limit=N`` gives up after N propagations.
    """

    requires = ("pycosat",)

    @classmethod
    def refused_options(cls, engine: str, options: names.Options) -> str:
        for name, value in options.items():
            if name not in ("vars", "prop-limit"):
                return f"{engine} has no option {name}; it has vars and prop-limit"
            if (name == "vars") != (value is None) or not isinstance(value, int | None) or value == 0:
                return "write the options of pycosat as +vars and +prop-limit=N"
        return ""

    def prepare(self, shape: Shape) -> None:
        import pycosat

        self.solve_one, self.solve_all = pycosat.solve, pycosat.itersolve
        self.limit = {"prop_limit": self.options["prop-limit"]} if "prop-limit" in self.options else {}
        self.enumerates = not self.limit
        super().prepare(shape)

    def load(self, model: Formula) -> Formula:
        # A limit that is reached looks like the end of the iterator, so a limited search uses no iterator.
        self.has_searched = False
        self.models = None if self.limit else self.solve_all(model.clauses, **self.declared(model.size.variables))
        return model

    def declared(self, variables: int) -> dict[str, int]:
        return {"vars": variables} if "vars" in self.options else {}

    def one_model(self, variables: int, clauses: Sequence[Clause]) -> Sequence[int] | None:
        if self.models is not None and not self.has_searched:
            self.has_searched = True
            model: Sequence[int] | None = next(self.models, None)
            return model
        answer = self.solve_one(clauses, **self.declared(variables), **self.limit)
        if answer == "UNKNOWN":
            raise GaveUp(f"pycosat gave up after {self.options['prop-limit']} propagations")
        return None if answer == "UNSAT" else answer

    def every_model(self, model: Formula) -> Iterator[Sequence[int]]:
        return iter(self.models or ())

    def release(self) -> None:
        self.models = None


class PyedaDimacsStrategy(PicosatStrategy):
    """The numbers of a DIMACS file (``DimacsCNF``), without expressions."""

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
    """Boolean expressions, which PyEDA translates in each call.

    The formula is a conjunction of disjunctions; those of the rules are made once per shape.
    """

    requires = ("pyeda",)
    environ = PYEDA_ENVIRON

    def prepare(self, shape: Shape) -> None:
        from pyeda.boolalg.expr import And, Or, exprvar

        self.conjoin, self.disjoin, self.make_variable = And, Or, exprvar
        self.literals: dict[int, Any] = {}
        self.number: dict[Any, int] = {}
        super().prepare(shape)
        self.rule_expressions = [] if self.clues else list(self.expressions(self.rules.clauses))

    def load(self, model: Formula) -> Any:
        of_puzzle = model.clauses[: len(model.clauses) - len(self.rule_expressions)]  # the rules come last
        self.expression = self.conjoin(*self.expressions(of_puzzle), *self.rule_expressions)
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
        excluding = len(clauses) - self.size.clauses  # clauses that exclude earlier solutions
        expression = self.expression
        if excluding:
            expression = self.conjoin(expression, *self.expressions(clauses[-excluding:]))
        point = expression.satisfy_one()
        return None if point is None else self.model(variables, point)

    def every_model(self, model: Formula) -> Iterator[Sequence[int]]:
        return (self.model(model.size.variables, point) for point in self.expression.satisfy_all())

    def model(self, variables: int, point: Mapping[Any, int]) -> list[int]:
        """The literals of a point; variables that it does not mention are false."""
        true = {self.number[variable] for variable, value in point.items() if value}
        return [number if number in true else -number for number in range(1, variables + 1)]

    def release(self) -> None:
        del self.expression


def literals(signs: Sequence[int]) -> list[int]:
    """Make a model from the sign of each variable."""
    return [number if sign > 0 else -number for number, sign in enumerate(signs, start=1)]
