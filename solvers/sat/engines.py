"""The names of SAT engines: those of python-sat, found at run time, and PicoSAT as two other packages bring it.

What each of them can do is not written down here: a strategy asks its engine when it prepares, and
``sudoku-bench list engines`` tries all of them out.
"""

from __future__ import annotations

from functools import cache

PYCOSAT, PYEDA, PYEDA_DIMACS = "pycosat", "pyeda", "pyeda-dimacs"
PICOSAT_ENGINES = {  # name -> the distribution that brings it
    PYCOSAT: "pycosat",
    PYEDA: "pyeda",
    PYEDA_DIMACS: "pyeda",
}


@cache
def pysat_engines() -> dict[str, tuple[str, ...]]:
    """The engines that the installed python-sat names, each with all its spellings; empty without python-sat.

    An engine is called as python-sat's ``SolverNames`` has it, or, where ``Solver`` does not take that name, by the
    last of its spellings (``minisat-gh``). Imports python-sat.
    """
    try:
        from pysat.solvers import SolverNames
    except ImportError:
        return {}
    spelled = {name: tuple(aliases) for name, aliases in vars(SolverNames).items() if not name.startswith("_")}
    return {name if name in aliases else aliases[-1]: aliases for name, aliases in spelled.items()}


def engines() -> list[str]:
    """Every engine by its own name. Imports python-sat."""
    return [*pysat_engines(), *PICOSAT_ENGINES]


def canonical(engine: str) -> str | None:
    """An engine's own name from any of its spellings; None if there is no such engine. Imports python-sat."""
    if engine in PICOSAT_ENGINES:
        return engine
    return next((name for name, aliases in pysat_engines().items() if engine in aliases), None)
