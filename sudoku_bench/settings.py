"""The settings of a run, as keyword arguments of ``sudoku_bench.run``: the keys of a suite file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from sudoku_bench.bench.plan.suite import Suite, hint, requested

if TYPE_CHECKING:
    from sudoku_bench.solvers.strategy import Strategy


class Settings(TypedDict, total=False):
    """Settings that replace those of the suite; ``bench/plan/suite.Suite`` describes each and has the defaults."""

    strategies: str | type[Strategy] | Sequence[str | type[Strategy]]  # patterns, such as "sat:*", and classes
    datasets: Any  # a name of a collection, the path of a file, a grid, a data frame, or a list of these
    task: str  # first, unique or count:K
    mode: str  # warm, cold or batch:B
    limit: int  # puzzles from the start of each collection
    sample: int  # puzzles of each collection, chosen at random
    skip_bad: bool
    shard: str  # part I of N of the puzzles, such as 3/16
    repetitions: int
    launches: int
    timeout_s: float  # CPU seconds per solve
    memory_mib: int  # per worker process
    set_aside: int  # puzzles of a collection that all time out, after which a strategy is not tried on the others
    sandbox: bool
    host_names: bool
    seed: int
    isomorphs: bool
    loops: int
    gc: str  # on or off
    pin: str  # on, off or cores
    jobs: int
    margin: float
    budget: str  # such as 10m
    until: str  # such as 5%


def suite_of(name: str | None, settings: Mapping[str, Any], has_own: bool = False) -> Suite:
    """Return the suite of this name with these settings (None: as the suite has it); ``has_own`` as ``requested``.

    Raises:
        TypeError: there is no such setting.
        InputError: there is no such suite, or a value cannot be used.
    """
    if unknown := next((key for key in settings if key not in Settings.__annotations__), None):
        raise TypeError(f"run() has no setting {unknown}{hint(unknown, Settings.__annotations__)}")
    return requested(name, settings, has_own)
