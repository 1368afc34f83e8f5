"""A part of a run: some of its strategies and collections, in an order, under other names and in colours if wanted."""

from __future__ import annotations

import difflib
import fnmatch
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import pandas as pd

from sudoku_bench.bench.folder.outcomes import LABEL
from sudoku_bench.bench.verdicts.run_data import Selection, of_strategies
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError

AnyRun = TypeVar("AnyRun", bound=Run)


def select(
    run: AnyRun,
    patterns: Sequence[str] = (),
    aliases: Mapping[str, str] | None = None,
    collections: Sequence[str] = (),
    colours: Mapping[str, str] | str = "",
    order: Sequence[str] = (),
) -> AnyRun:
    """Return a run with only the strategies and collections that a pattern matches, with aliases in place of names.

    Everything is computed from the rows that are left, as if the others had not been measured: verdicts are corrected
    for the comparisons that remain.

    Args:
        patterns: of strategies, shell-style; none: all. Tables and figures list strategies in this order.
        aliases: text by name of a strategy. The part before the first colon is its family, as in other names.
        collections: patterns as well; none: all. They are listed in this order.
        colours: by name of a strategy, or a palette for those that figures name (``bench/figures/sheet.palette``).
        order: patterns of the strategies that are listed first.

    Raises:
        InputError: a pattern matches nothing, an alias is for a strategy that is not there, or two would share a name.
    """
    measured, aliases = _measured(run), aliases or {}
    chosen = _matching(patterns, measured, "measurements of") if patterns else measured
    chosen = _matching([*order, *chosen], chosen, "measurements of")
    known = list(run.collections)
    within = _matching(collections, known, "collection") if collections else known
    for name in aliases:
        if name not in chosen:
            raise InputError(f"alias {name}={aliases[name]}: {_no_such(name, sorted(chosen))}")
    shown = {name: aliases.get(name, name) for name in chosen}
    shared = [name for name, times in Counter(shown.values()).items() if times > 1]
    if shared:
        raise InputError(f"two strategies would be called {shared[0]}; give each an alias of its own")
    rows = _renamed(_within(run.measurements, within), set(chosen), set(measured), shown)
    puzzles = _within(run.puzzles, within)
    puzzles = puzzles.sort_values("collection", key=lambda names: names.map([*within, *known].index), kind="stable")
    facts = {facts["name"]: facts for facts in run.manifest.get("strategies", [])}
    suite, is_part = run.manifest["suite"], len(rows) < len(run.measurements)
    manifest = run.manifest | {
        "suite": suite | ({"title": f"Part of: {suite['title']}"} if is_part and suite.get("title") else {}),
        "planned_rows": run.manifest["planned_rows"] - len(run.measurements) + len(rows),
        "strategies": [facts[name] | {"name": text} for name, text in shown.items() if name in facts],
        "collections": [part for part in run.manifest.get("collections", []) if part["name"] in within],
    }
    by_name = {} if isinstance(colours, str) else colours
    for name in by_name:
        if name not in chosen:
            raise InputError(f"colour of {name}: {_no_such(name, sorted(chosen))}")
    selection = Selection(
        tuple(shown.values()) if patterns or order else (),
        tuple(text for name, text in shown.items() if name in (*patterns, *order, *aliases, *by_name)),
        {aliases[name]: name for name in aliases},
        colours if isinstance(colours, str) else {shown[name]: colour for name, colour in by_name.items()},
    )
    return replace(
        run, manifest=manifest, measurements=rows, puzzles=puzzles.reset_index(drop=True), selection=selection
    )


def require_measured(run: Run, strategy: str, where: str = "the run") -> None:
    """Check that a run measured a strategy.

    Raises:
        InputError: it did not.
    """
    measured = _measured(run)
    if strategy not in measured:
        raise InputError(_no_such(strategy, measured, f"{where} has no measurements of"))


def _measured(run: Run) -> list[str]:
    return [str(name) for name in dict.fromkeys(of_strategies(run.measurements)["strategy"])]


def _matching(patterns: Iterable[str], known: Sequence[str], what: str) -> list[str]:
    """Return what patterns match, in the order of the patterns."""
    names: list[str] = []
    for pattern in patterns:
        matches = [pattern] if pattern in known else fnmatch.filter(known, pattern)
        if not matches:
            raise InputError(_no_such(pattern, known, f"the run has no {what}"))
        names += matches
    return list(dict.fromkeys(names))


def _no_such(name: str, known: Sequence[str], problem: str = "the run has no measurements of") -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
    return f"{problem} {name}; {hint}"


def _within(rows: pd.DataFrame, collections: Sequence[str]) -> pd.DataFrame:
    """Return the rows of collections, and of decoys: a wrong answer there disqualifies everywhere."""
    return rows[rows["collection"].isin(collections) | rows.reindex(columns=["decoy"])["decoy"].notna()]


def _renamed(rows: pd.DataFrame, chosen: set[str], measured: set[str], shown: Mapping[str, str]) -> pd.DataFrame:
    """Return the rows of the chosen strategies with their placebos, and of controls that belong to no strategy."""
    names = rows["strategy"].astype(str)
    strategies = names.where(rows["placebo"].isna(), names.str.replace(LABEL, "", regex=True))
    labels = names.where(rows["placebo"].notna(), "").str.extract(f"({LABEL})", expand=False).fillna("")
    kept = strategies.isin(chosen) | ~strategies.isin(measured)
    renamed = labels + strategies.map(lambda name: shown.get(name, name))
    selected = rows.assign(strategy=renamed)[kept].reset_index(drop=True)
    is_large = isinstance(rows["strategy"].dtype, pd.CategoricalDtype)  # its categories lack the aliases
    return selected.astype({"strategy": "category" if is_large else rows["strategy"].dtype})
