"""SAT encodings under the same solver and loader, each against one of them: the whole solve, and search alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.between_runs.repeated import widened
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.pairs.pairs import against
from sudoku_bench.bench.verdicts.run_data import of_strategies, with_cpu_limit
from sudoku_bench.bench.verdicts.run_tables import Run

BASE = "complete+pairwise"
WHOLE, SEARCH = "whole solve", "search alone"
FAMILY = "sat:"
NO_TIME_S = 1e-9  # bound of a search of which nothing is known


@dataclass(frozen=True)
class Way:
    """Encodings under the same solver and loader.

    Attributes:
        name: how clauses reach the solver, as in names of strategies: ``@minisat22``, ``+direct@minisat22``.
        strategies: by encoding, in the order of the run.
    """

    name: str
    strategies: Mapping[str, str]


@once
def ways(run: Run) -> tuple[Way, ...]:
    """Return the solvers and loaders under which the run measured two encodings or more."""
    known = sorted(run.encodings["encoding"].unique() if run.encodings is not None else (), key=len, reverse=True)
    found: dict[str, dict[str, str]] = {}
    measured = set(of_strategies(run.measurements)["strategy"])
    listed = [info["name"] for info in run.manifest.get("strategies", [])]
    for shown in (name for name in dict.fromkeys([*listed, *sorted(measured)]) if name in measured):
        name = run.selection.names.get(shown, str(shown))
        model, at, engine = name.removeprefix(FAMILY).partition("@")
        encoding = next((one for one in known if f"{model}+".startswith(f"{one}+")), "")
        if name.startswith(FAMILY) and encoding:
            found.setdefault(model[len(encoding) :] + at + engine, {})[encoding] = str(shown)
    return tuple(Way(name, own) for name, own in found.items() if len(own) > 1)


def base(*runs: Run) -> str:
    """Return the encoding to compare with: ``BASE`` if it took part under some way, else the one with most pairs."""
    pairs = Counter[str]()
    for way in (way for run in runs for way in ways(run)):
        pairs.update(dict.fromkeys(way.strategies, len(way.strategies) - 1))
    return BASE if pairs[BASE] or not pairs else pairs.most_common(1)[0][0]


def ratios(run: Run, reference: str) -> pd.DataFrame:
    """Return the pairs of encodings with a reference (``b``) under the same way, by CPU time.

    Columns are those of the table of pairs, ``part`` (``WHOLE`` or ``SEARCH``), ``way`` and ``encoding`` (of ``a``).
    The intervals of ``WHOLE`` are those of all pairs of the run; those of ``SEARCH`` are estimated in the same way.
    """
    tables = {WHOLE: widened(run.all_pairs, run.between_runs), SEARCH: of_search(run).all_pairs}
    found = []
    for part, table in tables.items():
        for way in (way for way in ways(run) if reference in way.strategies):
            names = {strategy: encoding for encoding, strategy in way.strategies.items()}
            own = table[(table["clock"] == CPU) & table["a"].isin(names) & table["b"].isin(names)]
            rows = against(own, way.strategies[reference])
            found.append(rows.assign(part=part, way=way.name, encoding=rows["a"].map(names)))
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame()


def of_search(run: Run) -> Run:
    """Return the run with the CPU time of search alone in place of that of the whole solve.

    Strategies without a time of search in some finished solve are left out. An unfinished solve searched for at least
    the limit less what the longest solve of its strategy there took beside searching.
    """
    rows = with_cpu_limit(run)
    finished = rows["status"].isin(FINISHED)
    beside = (rows["cpu_s"] - rows["search_cpu_s"]).where(finished)
    longest = beside.groupby([rows["strategy"], rows["collection"]], observed=True).transform("max")
    least = (rows["limit_s"] - longest).fillna(0.0).clip(lower=NO_TIME_S)
    unknown = set(rows.loc[finished & ~(rows["search_cpu_s"] > 0), "strategy"])
    searched = rows.assign(cpu_s=rows["search_cpu_s"], limit_s=least.where(~finished, rows["limit_s"]), limit_clock=CPU)
    return replace(run, measurements=searched[~rows["strategy"].isin(unknown)])
