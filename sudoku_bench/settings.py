"""The settings of a run, as keyword arguments of ``sudoku_bench.run``: the keys of a suite file."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from sudoku_bench.solvers.strategy import Strategy


class Settings(TypedDict, total=False):
    """Settings that replace those of the suite; ``bench/plan/suite.Suite`` describes each and has the defaults."""

    strategies: str | type[Strategy] | Sequence[str | type[Strategy]]  # patterns, such as "sat:*", and classes
    datasets: Any  # a name of a collection, the path of a file, a grid, a data frame, or a list of these
    task: str  # first, unique or count:K
    mode: str  # warm, cold or batch:B
    limit: int | None  # puzzles from the start of each collection
    sample: int  # puzzles of each collection, chosen at random
    skip_bad: bool
    repetitions: int
    launches: int
    timeout_s: float  # CPU seconds per solve
    memory_mib: int  # per worker process
    set_aside: int  # puzzles of a collection that all time out, after which a strategy is not tried on the others
    sandbox: bool
    seed: int
    isomorphs: bool
    loops: int
    gc: str  # on or off
    pin: str  # on, off or cores
    jobs: int
    margin: float
    budget: str  # such as 10m


FLAGS = ("skip_bad", "sandbox")
OPTIONS = {"strategies": "strategy", "datasets": "dataset", "timeout_s": "timeout", "memory_mib": "memory"}


def as_options(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the options of ``sudoku-bench run`` that ask for these settings.

    Raises:
        TypeError: there is no such setting.
    """
    for key, value in settings.items():
        if key not in Settings.__annotations__:
            near = difflib.get_close_matches(key, Settings.__annotations__, n=1)
            raise TypeError(f"run() has no setting {key}" + (f"; did you mean {near[0]}?" if near else ""))
        if value is None:  # as the suite has it
            continue
        option = f"--{OPTIONS.get(key, key).replace('_', '-')}"
        if key in FLAGS:
            yield from [option] if value else []
        elif isinstance(value, bool):
            yield from (option, "on" if value else "off")
        elif isinstance(value, str | Path | int | float):
            yield from (option, str(value))
        else:
            for item in value:
                yield from (option, str(item))
