"""The table of SAT engines: what may follow the ``@`` in the name of a ``sat:`` strategy.

The engines of python-sat are found at run time. All others are listed here: Python packages, and programs on the PATH.
The abilities of an engine are not listed: a strategy asks its engine in ``prepare``.
"""

from __future__ import annotations

from functools import cache

from sudoku_bench.solvers.sat.cnf import CnfStrategy
from sudoku_bench.solvers.sat.cnf_picosat import PycosatStrategy, PyedaDimacsStrategy, PyedaStrategy

# Packages other than python-sat: the engine's name, and the class that passes clauses to it.
OTHER_ENGINES: dict[str, type[CnfStrategy]] = {
    "pycosat": PycosatStrategy,
    "pyeda": PyedaStrategy,
    "pyeda-dimacs": PyedaDimacsStrategy,
}

# Engines that python-sat only wraps, and the package that each needs.
WRAPPED = {"cryptominisat5": "pycryptosat"}

# Programs that may be on the PATH, called ``@/cadical`` and so on: the command, as ``solvers/external`` runs it.
PROGRAMS = {
    "cadical": "cadical -q {cnf}",
    "glucose": "glucose -verb=0 -model {cnf}",
    "kissat": "kissat -q {cnf}",
    "minisat": "minisat -verb=0 {cnf} {out}",
    "picosat": "picosat {cnf}",
}


@cache
def pysat_engines() -> dict[str, tuple[str, ...]]:
    """The engines of the installed python-sat, each with all its aliases; empty without python-sat.

    An engine is called by its name in python-sat's ``SolverNames`` or, where ``Solver`` does not accept that name, by
    the last of its aliases (``minisat-gh``). Imports python-sat.
    """
    try:
        from pysat.solvers import SolverNames
    except ImportError:
        return {}
    aliases = {name: tuple(values) for name, values in vars(SolverNames).items() if not name.startswith("_")}
    return {name if name in values else values[-1]: values for name, values in aliases.items()}


def engines() -> list[str]:
    """The names of all engines that are Python packages. Imports python-sat."""
    return [*pysat_engines(), *OTHER_ENGINES]


def package_of(engine: str) -> str:
    """The distribution that contains an engine, given its name, with or without options."""
    engine = engine.partition("+")[0]
    return OTHER_ENGINES[engine].requires[0] if engine in OTHER_ENGINES else "python-sat"


def canonical(engine: str) -> str | None:
    """The engine's own name, given that name or an alias; None if there is no such engine. Imports python-sat."""
    if engine in OTHER_ENGINES:
        return engine
    return next((name for name, aliases in pysat_engines().items() if engine in aliases), None)
