"""``sat:ENCODING[+AMO][+CLUES]@ENGINE``: CNF encodings through every SAT engine that is at hand.

The clauses of the rules are made once per shape; what a puzzle adds are its clues: unit clauses where nothing is
written, ``+substituted`` for clauses in which they are put in, ``+assumptions`` for one solver that keeps the rules
(and what it learnt) from puzzle to puzzle. Further solutions are found by excluding the cells of each one found.
"""

from __future__ import annotations

from datasets.errors import InputError
from solvers.registry import register, register_family
from solvers.sat import engines
from solvers.sat.cnf import CnfStrategy
from solvers.sat.cnf_picosat import PycosatStrategy, PyedaDimacsStrategy, PyedaStrategy
from solvers.sat.cnf_pysat import PersistentStrategy, PySatStrategy
from solvers.sat.encodings import HANDLINGS, named
from solvers.strategy import Strategy

PICOSAT: dict[str, type[CnfStrategy]] = {
    engines.PYCOSAT: PycosatStrategy,
    engines.PYEDA: PyedaStrategy,
    engines.PYEDA_DIMACS: PyedaDimacsStrategy,
}
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


def model_of(text: str) -> tuple[str, str]:
    """Encoding with its scheme, and clue handling, of a text such as ``complete+product+substituted``.

    Raises:
        InputError: there is no such encoding or scheme.
    """
    encoding, plus, clues = text.rpartition("+")
    if not plus or clues not in HANDLINGS:
        encoding, clues = text, ""
    named(encoding)
    return encoding, clues


def fault_of(encoding: str, clues: str, engine: str) -> str:
    """Why these do not make a strategy, or nothing. Engines of python-sat are asked in ``prepare`` what they can do."""
    scheme = named(encoding)[1]
    if scheme and "+" not in encoding:
        return f"say which at-most-one scheme, such as {encoding}+{scheme}"
    if clues == "units":
        return "unit clauses are what no clue handling stands for; leave out +units"
    if not engine:
        return "say which engine (`sudoku-bench list engines`), such as @cadical195"
    if engine in PICOSAT and scheme == "native":
        return f"{engine} has no native at-most-one constraints (`sudoku-bench list engines` shows who has)"
    if engine in PICOSAT and clues == "assumptions":
        return f"{engine} starts afresh for each puzzle and keeps nothing; leave out +assumptions"
    return ""


def strategy_of(full_name: str) -> type[Strategy]:
    """The strategy of an exact name. Whether python-sat has such an engine is left to ``canonical`` and ``prepare``:
    python-sat itself must not be imported before it is needed.

    Raises:
        InputError: no encoding, scheme or clue handling is called so, or they do not go together.
    """
    model, _, engine = full_name.removeprefix("sat:").partition("@")
    if engine.startswith("/"):  # a program on the PATH
        from solvers.external import cnf_programs

        return cnf_programs.on_path(full_name)
    try:
        encoding, clues = model_of(model)
        fault = fault_of(encoding, clues, engine)
    except InputError as error:
        fault = str(error)
    if fault:
        raise _no_strategy(full_name, fault)
    fresh = PICOSAT.get(engine, PySatStrategy)
    base = PersistentStrategy if clues == "assumptions" else fresh
    return type(full_name, (base,), {"name": full_name, "encoding": encoding, "clues": clues, "engine": engine})


def canonical(full_name: str) -> str:
    """A name with its engine by its own name, if it was called by another. Imports python-sat.

    Raises:
        InputError: there is no such engine.
    """
    model, at, spelled = full_name.partition("@")
    if not spelled or spelled.startswith("/"):
        return full_name
    engine = engines.canonical(spelled)
    if engine is None and not engines.pysat_engines():
        return full_name  # without python-sat nobody can tell
    if engine is None:
        known = f"no engine is called {spelled!r}; choose one of {', '.join(engines.engines())}"
        raise _no_strategy(full_name, known)
    return f"{model}{at}{engine}"


def _no_strategy(full_name: str, why: str) -> InputError:
    return InputError(f"no strategy is called {full_name}: {why}; see `sudoku-bench list strategies`")


for _name in DEFAULTS:
    register(strategy_of(_name))
register_family("sat", strategy_of, canonical)
