"""Benchmark Sudoku solving strategies from Python: measure, load, compare, draw.

    import sudoku_bench as sb

    run = sb.run(strategies="seed:*", datasets="classics")  # a new run; sb.Settings lists all settings
    run = sb.load("results/reference")                      # or one that exists
    run.summary                                             # data frames: summary, pairs, measurements, puzzles, ...
    run.verdicts                                            # what it shows, in sentences
    run.figure("cactus", strategies=["sat:*"])              # a matplotlib figure
    sb.choose(run)                                          # which strategy to choose
    sb.compare("results/old", "results/new")                # what became slower or faster

Importing this package imports nothing else; the first call does.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from sudoku_bench import room
from sudoku_bench.settings import Settings, as_options

if TYPE_CHECKING:
    from datasets.errors import InputError
    from sudoku_bench.answers import Answer, Choice, Comparison
    from sudoku_bench.runs import Run

__all__ = [
    "Answer",
    "Choice",
    "Comparison",
    "InputError",
    "Run",
    "Settings",
    "choose",
    "compare",
    "load",
    "run",
]
LATER = {  # where these names come from when they are first used
    "Answer": "sudoku_bench.answers",
    "Choice": "sudoku_bench.answers",
    "Comparison": "sudoku_bench.answers",
    "Run": "sudoku_bench.runs",
    "InputError": "datasets.errors",
    "__version__": "bench.version",
}


def run(
    suite: str | Path | None = None,
    *,
    out: str | Path | None = None,
    resume: bool = False,
    plugins: Sequence[str | Path] = (),
    engine: Literal["local", "dask"] = "local",
    scheduler: str | None = None,
    **settings: Unpack[Settings],
) -> Run:
    """Measure a suite and return the run; progress appears on standard error.

    The measurements run in processes of their own, pinned and limited as by the command ``sudoku-bench run``.

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
        resume: continue the run in ``out``, or start it if there is none.
        plugins: Python files with strategies of your own.
        engine: ``dask`` measures on the workers of a cluster.
        scheduler: address of its scheduler, such as ``tcp://node1:8786``; by default the batch jobs of the suite, or
            ``jobs`` workers on this machine.
        settings: settings that replace those of the suite.

    Raises:
        InputError: a setting, strategy, collection or file cannot be used, or the cluster cannot, or it is gone (the
            message says how to resume the run).
        TypeError: there is no such setting.
    """
    room.enter()
    from sudoku_bench import measuring, runs

    arguments = [str(suite)] if suite else []
    values = {"--engine": engine, "--scheduler": scheduler, "--out": out}
    for option, value in (*values.items(), *(("--plugin", plugin) for plugin in plugins)):
        arguments += [option, str(value)] if value else []
    arguments += ["--resume"] if resume else []
    return runs.load(measuring.measure([*arguments, *as_options(settings)]))


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
    room.enter()
    from sudoku_bench import runs

    return runs.load(folder)


def compare(
    old: Run | str | Path, new: Run | str | Path, anchors: Sequence[str] | None = None, margin: float | None = None
) -> Comparison:
    """Compare two runs by strategy and collection, by CPU time.

    >>> import sudoku_bench as sb
    >>> sb.compare("results/reference", "results/reference").regressed
    False

    Args:
        old, new: runs or their folders.
        anchors: strategies that did not change, which correct for the machine; by default all others with the same
            program in both runs; an empty list compares times as measured.
        margin: relative change that is too small to matter; by default that of the new run.

    Raises:
        InputError: the runs cannot be compared.
    """
    room.enter()
    from sudoku_bench import answers

    return answers.compare(old, new, anchors, margin)


def choose(run: Run | str | Path, *, task: str | None = None, datasets: Sequence[str] = ()) -> Choice:
    """Choose the strategy of a run with the lowest mean cost.

    >>> import sudoku_bench as sb
    >>> answer = sb.choose("results/reference")
    >>> answer
    choose ...
    >>> answer.best in sb.load("results/reference").strategies
    True

    Args:
        task: by default that of the run.
        datasets: only these collections; by default all.

    Raises:
        InputError: the run did not measure that.
    """
    room.enter()
    from sudoku_bench import answers

    return answers.choose(run, task, datasets)


def __getattr__(name: str) -> Any:
    """Import what is used."""
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room.enter()
    from importlib import import_module

    return getattr(import_module(LATER[name]), name.strip("_").upper() if name == "__version__" else name)
