"""A part of a run: some of its strategies, under other names if wanted."""

from __future__ import annotations

import difflib
import fnmatch
from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd

from sudoku_bench.bench.verdicts.run_data import LABEL, of_strategies
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError


def select(run: Run, patterns: Sequence[str] = (), aliases: Mapping[str, str] | None = None) -> Run:
    """Return a run with only the strategies that a pattern matches, and with aliases in place of their names.

    Everything is computed from the rows that are left, as if the other strategies had not been measured: verdicts are
    corrected for the comparisons that remain.

    Args:
        patterns: shell-style; none: all strategies.
        aliases: new name by name of a strategy. The part before the first colon is its family, as in other names.

    Raises:
        InputError: a pattern matches nothing, an alias is for a strategy that is not there, or two would share a name.
    """
    measured = _measured(run)
    chosen = set(_matching(patterns, measured) if patterns else measured)
    aliases = aliases or {}
    for name in aliases:
        if name not in chosen:
            raise InputError(f"alias {name}={aliases[name]}: {_no_such(name, sorted(chosen))}")
    shared = [name for name, times in Counter(aliases.get(name, name) for name in chosen).items() if times > 1]
    if shared:
        raise InputError(f"two strategies would be called {shared[0]}; give each an alias of its own")
    rows = _renamed(run.measurements, chosen, set(measured), aliases)
    manifest = run.manifest | {
        "planned_rows": run.manifest["planned_rows"] - len(run.measurements) + len(rows),
        "strategies": [
            facts | {"name": aliases.get(facts["name"], facts["name"])}
            for facts in run.manifest.get("strategies", [])
            if facts["name"] in chosen
        ],
    }
    return Run(manifest, rows, run.puzzles, run.edited)


def require_measured(run: Run, strategy: str, where: str = "the run") -> None:
    """Check that a run measured a strategy.

    Raises:
        InputError: it did not.
    """
    measured = _measured(run)
    if strategy not in measured:
        raise InputError(_no_such(strategy, measured, where))


def _measured(run: Run) -> list[str]:
    return [str(name) for name in dict.fromkeys(of_strategies(run.measurements)["strategy"])]


def _matching(patterns: Sequence[str], measured: Sequence[str]) -> list[str]:
    names = []
    for pattern in patterns:
        matches = [pattern] if pattern in measured else fnmatch.filter(measured, pattern)
        if not matches:
            raise InputError(_no_such(pattern, measured))
        names += matches
    return names


def _no_such(name: str, measured: Sequence[str], where: str = "the run") -> str:
    near = difflib.get_close_matches(name, measured, n=1)
    hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(measured)}"
    return f"{where} has no measurements of {name}; {hint}"


def _renamed(rows: pd.DataFrame, chosen: set[str], measured: set[str], aliases: Mapping[str, str]) -> pd.DataFrame:
    """Return the rows of the chosen strategies with their placebos, and of controls that belong to no strategy."""
    names = rows["strategy"].astype(str)
    strategies = names.where(rows["placebo"].isna(), names.str.replace(LABEL, "", regex=True))
    labels = names.where(rows["placebo"].notna(), "").str.extract(f"({LABEL})", expand=False).fillna("")
    kept = strategies.isin(chosen) | ~strategies.isin(measured)
    renamed = labels + strategies.map(lambda name: aliases.get(name, name))
    selected = rows.assign(strategy=renamed)[kept].reset_index(drop=True)
    is_large = isinstance(rows["strategy"].dtype, pd.CategoricalDtype)  # its categories lack the aliases
    return selected.astype({"strategy": "category" if is_large else rows["strategy"].dtype})
