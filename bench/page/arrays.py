"""The arrays of the page: times, forms, phases, counters and counts of every strategy on every puzzle."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.figures import sheet
from bench.folder.method import setting
from bench.folder.rows import FINISHED
from bench.verdicts.arrays import Indices
from bench.verdicts.once import once
from bench.verdicts.run_data import disqualified
from bench.verdicts.run_tables import Run
from bench.verdicts.spread.phases import PHASES
from bench.verdicts.summary import penalized
from bench.verdicts.times import medians

COUNTERS = ("conflicts", "guesses")
MOST_FORMS = 12  # of a puzzle; further ones are left out
Tasks = Mapping[str, tuple[str, str]]
Places = tuple[Indices, Indices, Indices]  # form, strategy and row of each measurement


@dataclass(frozen=True)
class PageArrays:
    """The arrays of ``gather.PageData`` for all puzzles of a run.

    Attributes:
        tasks: task and mode by their label on the page.
        rows: the puzzles of the first task, those of the second one and so on, with the label in ``task``.
        form_count: number of forms in ``details``.
    """

    tasks: Tasks
    rows: pd.DataFrame
    times: NDArray[np.float32]
    details: NDArray[np.float32]
    counts: NDArray[np.uint16]
    form_count: int


@once
def page_arrays(run: Run) -> PageArrays:
    """Compute the arrays of a run, strategies in the order of its sheet."""
    names, tasks = list(sheet.of_run(run).looks), tasks_of(run)
    puzzles = run.puzzles[run.puzzles["decoy"].isna()] if "decoy" in run.puzzles else run.puzzles
    rows = pd.concat([puzzles.assign(task=label) for label in tasks], ignore_index=True)
    index = pd.MultiIndex.from_frame(rows[["task", "collection", "puzzle"]].astype(str))
    real = _placed(run, names, tasks, index)
    timed = real[(real["status"] != "unsupported") & ~real["strategy"].isin(list(disqualified(run.measurements)))]
    form = timed.groupby(["strategy_at", "row_at"]).cumcount().to_numpy()
    shape = (int(form.max(initial=0)) + 1, len(names), len(rows))
    at = cast(Places, (form, timed["strategy_at"].to_numpy(), timed["row_at"].to_numpy()))
    forms = form_times(timed, at, shape)
    details = short(np.concatenate([forms, medians_of_puzzles(timed, at, shape)]))
    return PageArrays(tasks, rows, times(run, names, tasks, index), details, counts(real, shape[1:]), len(forms))


def tasks_of(run: Run) -> dict[str, tuple[str, str]]:
    """Return task and mode by their label on the page."""
    pairs = run.measurements[["task", "mode"]].drop_duplicates().sort_values(["task", "mode"])
    if pairs.empty:
        pairs = pd.DataFrame([{name: setting(run.manifest, name) for name in ("task", "mode")}])
    labels: dict[str, tuple[str, str]] = {}
    for task, mode in pairs.itertuples(index=False):
        labels[f"{task}, {mode}" if pairs["mode"].nunique() > 1 else str(task)] = (task, mode)
    return labels


def _placed(run: Run, names: Sequence[str], tasks: Tasks, index: pd.MultiIndex) -> pd.DataFrame:
    """Return the measurements of puzzles on the page, with the places of their strategy and row in the arrays."""
    measured = run.measurements
    real = measured[measured["decoy"].isna() & measured["placebo"].isna()]
    task = pd.MultiIndex.from_tuples(list(tasks.values())).get_indexer(pd.MultiIndex.from_frame(real[["task", "mode"]]))
    label = pd.Categorical.from_codes(task, pd.Index(list(tasks)))
    at = index.get_indexer(pd.MultiIndex.from_arrays([label, real["collection"], real["puzzle"]]))
    places = pd.Index(names).get_indexer(pd.Index(real["strategy"]))
    return real.assign(strategy_at=places, row_at=at)[at >= 0]


def times(run: Run, names: Sequence[str], tasks: Tasks, index: pd.MultiIndex) -> NDArray[np.float32]:
    """Return ``PageData.times``, by the definitions of the summary."""
    strategies = pd.Index(names)
    result = np.full((4, len(names), len(index)), np.nan, dtype=np.float32)
    without_times = disqualified(run.measurements)
    for label, (task, mode) in tasks.items():
        measurements = run.measurements[(run.measurements["task"] == task) & (run.measurements["mode"] == mode)]
        part = run if len(tasks) == 1 else dataclasses.replace(run, measurements=measurements)
        for clock, by_collection in enumerate((part.cpu, part.wall)):
            for collection, table in by_collection.items():
                correct = [place for place, name in enumerate(table.strategies) if name not in without_times]
                at = index.get_indexer(pd.MultiIndex.from_product([[label], [collection], table.puzzles]))
                cells = np.ix_(strategies.get_indexer(pd.Index(table.strategies)[correct]), at[at >= 0])
                scores = penalized(table.seconds, table.limits_s(run.method if clock else None), 2)
                result[clock][cells] = medians(table.seconds)[correct][:, at >= 0]
                result[2 + clock][cells] = scores[correct][:, at >= 0]
    return result


def counts(real: pd.DataFrame, shape: tuple[int, ...]) -> NDArray[np.uint16]:
    """Return ``PageData.counts``.

    Args:
        shape: strategies × rows.
    """
    cells = np.ravel_multi_index((real["strategy_at"].to_numpy(), real["row_at"].to_numpy()), shape)
    solved = cells[(real["status"] == "solved").to_numpy()]
    numbers = [np.bincount(part, minlength=int(np.prod(shape))) for part in (cells, solved)]
    return np.stack(numbers).reshape(2, *shape).astype(np.uint16)


def form_times(timed: pd.DataFrame, at: Places, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return the CPU time of each form, forms × strategies × rows: infinite if not finished, NaN where none.

    Args:
        shape: number of forms, strategies and rows.
    """
    result = np.full((min(MOST_FORMS, shape[0]), *shape[1:]), np.nan, dtype=np.float32)
    kept = at[0] < len(result)
    seconds = timed["cpu_s"].where(timed["status"].isin(FINISHED), np.inf).to_numpy(np.float32)
    form, strategy, row = (places[kept] for places in at)
    result[form, strategy, row] = seconds[kept]
    return result


def medians_of_puzzles(timed: pd.DataFrame, at: Places, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return the medians of phases and counters over the finished forms, (phases + counters) × strategies × rows."""
    columns = [*(f"{phase}_cpu_s" for phase in PHASES), *COUNTERS]
    finished = timed["status"].isin(FINISHED).to_numpy()
    form, strategy, row = (places[finished] for places in at)
    result = np.empty((len(columns), *shape[1:]), dtype=np.float32)
    for number, name in enumerate(columns):
        values = np.full((*shape[1:], shape[0]), np.nan)
        if name in timed:
            values[strategy, row, form] = timed[name].to_numpy(np.float64)[finished]
        result[number] = medians(values)
    return result


def short(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return numbers with about three digits: zeros at the end of a mantissa make the page smaller."""
    mantissa = values.view(np.uint32) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(values), mantissa.view(np.float32), values)
