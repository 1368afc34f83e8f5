"""Benchmark Sudoku solving strategies from Python: measure, load, compare, draw.

    import sudoku_bench as sb

    run = sb.run(strategies="seed:*", datasets="classics")  # a new run
    run = sb.run(strategies=[Mine, "sat:*"], datasets=[grid, frame, "mine.csv"])
    run = sb.load("results/reference")                      # or one that exists
    run.summary                                             # data frames: summary, pairs, measurements, puzzles, ...
    run.verdicts                                            # what it shows, in sentences
    run.figure("cactus", strategies=["sat:*"])              # a matplotlib figure
    sb.choose(run)                                          # which strategy to choose
    sb.compare("results/old", "results/new")                # what became slower or faster
    sb.solve(grid), sb.rate(frame), sb.encode(grid)         # one puzzle, or some

A plug-in needs ``Strategy`` and ``register``, and for its types ``Puzzle``, ``Shape`` and ``Task``. Importing this
package imports no other; the first call does.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from sudoku_bench.bench.commands import VERSION
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import GaveUp, Strategy, Task, Unsupported

if TYPE_CHECKING:
    import pandas as pd

    from sudoku_bench.answers import Choice, Comparison
    from sudoku_bench.runs import Run
    from sudoku_bench.settings import Settings
    from sudoku_bench.solvers.sat.extensions import register_amo, register_encoding
    from sudoku_bench.solvers.sat.library import Clauses

__all__ = [
    "Clauses",
    "GaveUp",
    "InputError",
    "Puzzle",
    "Shape",
    "Strategy",
    "Task",
    "Unsupported",
    "choose",
    "compare",
    "encode",
    "encodings",
    "load",
    "rate",
    "register",
    "register_amo",
    "register_encoding",
    "run",
    "solve",
    "strategies",
]

__version__ = VERSION


def run(
    suite: str | Path | None = None,
    *,
    out: str | Path | None = None,
    resume: bool = False,
    plugins: Sequence[str | Path] = (),
    engine: Literal["local", "dask"] = "local",
    scheduler: str | None = None,
    progress: bool = True,
    figures: bool = False,
    **settings: Unpack[Settings],
) -> Run:
    """Measure a suite and return the run; progress appears on standard error.

    Each strategy works in processes of its own, pinned and limited as by the command ``sudoku-bench run``. Ctrl-C ends
    the run, which ``resume`` continues.

    >>> import sudoku_bench as sb
    >>> run = sb.run(strategies="propagation:bitmask", datasets="size4", limit=2, out="results/first")
    >>> run.strategies
    ('propagation:bitmask',)
    >>> set(run.measurements["status"])
    {'solved'}

    Args:
        suite: a shipped suite or a TOML file; by default ``main``, or with ``strategies`` or ``datasets`` a suite with
            default settings.
        out: run folder; by default ``results/TIME-SUITE`` in the current folder.
        resume: continue the run in ``out`` with the same arguments, or start it if there is none.
        plugins: Python files with strategies of your own.
        engine: ``dask`` measures on the workers of a cluster.
        scheduler: address of its scheduler, such as ``tcp://node1:8786``; by default the batch jobs of the suite, or
            ``jobs`` workers on this machine.
        progress: show progress and notes on standard error.
        figures: draw the figures of the report; ``sudoku-bench report`` and ``run.figure`` draw them later.
        settings: settings that replace those of the suite.

    Raises:
        InputError: a setting, strategy, collection or file cannot be used, or the cluster cannot, or it is gone (the
            message says how to resume the run).
        TypeError: there is no such setting.
        KeyboardInterrupt: by Ctrl-C; the message names the folder with the finished rows.
    """
    from sudoku_bench import runs

    order = runs.Order(suite, out, resume, plugins, engine, scheduler, settings)
    return runs.measure(order, progress, figures)


def load(folder: str | Path) -> Run:
    """Load a run folder.

    >>> import sudoku_bench as sb
    >>> run = sb.load("results/reference")
    >>> run
    <Run results/reference: ...>
    >>> run.summary.columns[:5].to_list()
    ['strategy', 'collection', 'task', 'mode', 'n_puzzles']
    >>> run.figure("cactus", strategies=["sat:*", "seed:pyeda"], aliases={"seed:pyeda": "PyEDA"})
    <Figure size ...>

    Raises:
        InputError: the folder is not a run, or one of its files cannot be read.
    """
    from sudoku_bench import runs

    return runs.load(folder)


def compare(old: Run | str | Path, new: Run | str | Path, margin: float | None = None) -> Comparison:
    """Compare two runs by strategy and collection, by CPU time.

    >>> import sudoku_bench as sb
    >>> sb.compare("results/reference", "results/reference").regressed
    False

    Args:
        old, new: runs or their folders.
        margin: relative change that is too small to matter; by default that of the new run.

    Raises:
        InputError: the runs cannot be compared.
    """
    from sudoku_bench import answers

    return answers.compare(old, new, margin)


def choose(
    run: Run | str | Path, *, task: str | None = None, datasets: Sequence[str] = (), puzzles: int | None = None
) -> Choice:
    """Choose the strategy of a run with the lowest total cost for a number of puzzles.

    >>> import sudoku_bench as sb
    >>> answer = sb.choose("results/reference")
    >>> answer
    choose ...
    >>> answer.best in sb.load("results/reference").strategies
    True

    Args:
        task: by default that of the run.
        datasets: only these collections; by default all.
        puzzles: number of puzzles; by default as many as it is chosen by.

    Raises:
        InputError: the run did not measure that.
    """
    from sudoku_bench import answers

    return answers.choose(run, task, datasets, puzzles)


def solve(
    puzzle: Any, strategy: str | type[Strategy] | None = None, *, task: str = "first", timeout_s: float = 60.0
) -> list[str]:
    """Solve a puzzle in a process of its own and return its solutions, one line each; none if there are none.

    >>> import sudoku_bench as sb
    >>> sb.solve("1.....3..4....2.")
    ['1342423124133124']

    Args:
        puzzle: a grid as text, as N rows of N numbers, or as N·N numbers; 0 is an empty cell.
        strategy: its name or class; by default that of ``sudoku-bench solve``.
        timeout_s: CPU seconds.

    Raises:
        InputError: there is no such strategy or puzzle, or it did not solve the puzzle, with the reason.
    """
    from sudoku_bench import tools

    return tools.solve(puzzle, strategy, task, timeout_s)


def rate(puzzles: Any) -> pd.DataFrame:
    """Return the difficulty of puzzles, a row each: the columns of ``sudoku-bench rate --csv``.

    >>> import sudoku_bench as sb
    >>> sb.rate(["1.....3..4....2.", ".24....234......"])["clues"].to_list()
    [4, 5]

    Args:
        puzzles: as ``datasets`` of ``run``: a grid, a data frame, a path, the name of a collection, or a list of these.

    Raises:
        InputError: something is no puzzle.
    """
    from sudoku_bench import tools

    return tools.rate(puzzles)


def encode(puzzle: Any, encoding: str = "complete") -> str:
    """Return a puzzle under an encoding as a DIMACS file, or as an OPB file if its name ends with ``native``.

    >>> import sudoku_bench as sb
    >>> sb.encode("1.....3..4....2.", "complete+product").splitlines()[0]
    'c 4x4 Sudoku 1.....3..4....2.'

    Raises:
        InputError: there is no such encoding or puzzle.
    """
    from sudoku_bench import tools

    return tools.encode(puzzle, encoding)


def strategies(pattern: str = "*") -> pd.DataFrame:
    """Return the strategies that match a pattern, a row each, as ``sudoku-bench list strategies --json``.

    >>> import sudoku_bench as sb
    >>> sb.strategies("seed:n*")["strategy"].to_list()
    ['seed:norvig']
    """
    from sudoku_bench import tools

    return tools.listed("strategies", pattern)


def encodings(pattern: str = "*") -> pd.DataFrame:
    """Return the encodings that match a pattern with their sizes on 9×9 boards, a row each.

    >>> import sudoku_bench as sb
    >>> sb.encodings("log*")["encoding"].to_list()
    ['log', 'log-difference']
    """
    from sudoku_bench import tools

    return tools.listed("encodings", pattern)


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # which would take any name for one of this module

    def __getattr__(name: str) -> Any:
        """Import what only plug-ins for SAT need when it is used: every worker imports this package."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from sudoku_bench import solvers

        return getattr(solvers, name)
