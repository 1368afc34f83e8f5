"""CNF encodings solved by every SAT engine that is a Python package.

``sat:ENCODING[+SCHEME][+CLUES][+compiled]@ENGINE[+OPTION[=NUMBER]]...``

The clauses of the rules are generated once per shape. The clues of each puzzle are added as unit clauses by default,
substituted into the clauses with ``+substituted``, or assumed with ``+assumptions`` on one solver that keeps the rules
and its learnt clauses from puzzle to puzzle. Further solutions are found by excluding the cells of each solution.
With ``+compiled``, compiled code passes them from an array (``cnf_compiled``).
"""

from __future__ import annotations

import fnmatch

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.registry import register, register_family
from sudoku_bench.solvers.sat import engines, names
from sudoku_bench.solvers.sat.cnf import cnf_strategy
from sudoku_bench.solvers.sat.cnf_compiled import CompiledStrategy
from sudoku_bench.solvers.sat.cnf_pysat import PersistentStrategy, PySatStrategy
from sudoku_bench.solvers.sat.encodings import CLUE_SUFFIXES, every_name
from sudoku_bench.solvers.strategy import Strategy

DEFAULTS = (
    *(f"sat:complete+pairwise@{engine}" for engine in ("cadical195", "glucose4", "minisat22", "pycosat")),
    "sat:natural+pairwise@cadical195",
    "sat:minimal+pairwise@cadical195",
    "sat:complete+product@cadical195",
    "sat:complete+native@minicard",
    "sat:augmented@cadical195",
    "sat:order@cadical195",
    "sat:log@cadical195",
    "sat:complete+pairwise+substituted@cadical195",
    "sat:complete+pairwise+assumptions@glucose4",
)


def strategy_of(full_name: str) -> type[Strategy]:
    """Make the strategy of an exact name.

    An engine of python-sat is not looked up here: ``canonical`` and ``prepare`` do that, because python-sat must not be
    imported before it is needed.

    Raises:
        InputError: a part of the name or an engine option does not exist, or the parts cannot be combined.
    """
    parts = names.parse(full_name)
    engine, options = names.parse_engine(full_name, parts.engine)
    of_pysat = PersistentStrategy if parts.clues == "assumptions" else PySatStrategy
    base = CompiledStrategy if parts.compiled else engines.OTHER_ENGINES.get(engine, of_pysat)
    if reason := base.refused_options(engine, options):
        raise names.invalid(full_name, reason)
    requires = (*base.requires, *([engines.WRAPPED[engine]] if engine in engines.WRAPPED else []))
    return cnf_strategy(full_name, base, __module__=__name__, engine=engine, options=options, requires=requires)


def canonical(full_name: str) -> str:
    """Replace an alias of the engine by the engine's own name. Imports python-sat.

    Raises:
        InputError: there is no such engine.
    """
    model, at, alias = full_name.partition("@")
    if not alias:
        return full_name
    alias, options = names.parse_engine(full_name, alias)
    engine = engines.canonical(alias)
    if engine is None and not engines.pysat_engines():
        return full_name  # python-sat is not installed, so its engines are unknown
    if engine is None:
        raise names.invalid(full_name, f"no engine is called {alias!r}; choose one of {', '.join(engines.engines())}")
    return f"{model}{at}{names.engine_text(engine, options)}"


def matching(pattern: str) -> list[str]:
    """Return the composed names that a shell-style pattern matches, without what cannot be. Imports python-sat."""
    models = [f"{encoding}{clues}" for encoding in every_name() for clues in CLUE_SUFFIXES]
    found = [f"{names.FAMILY}:{model}@{engine}" for model in models for engine in engines.engines()]
    return [name for name in fnmatch.filter(found, pattern) if _can_be_made(name)]


def _can_be_made(name: str) -> bool:
    try:
        strategy_of(name)
    except InputError:
        return False
    return True


for _name in DEFAULTS:
    register(strategy_of(_name))
register_family("sat:*", strategy_of, canonical)
