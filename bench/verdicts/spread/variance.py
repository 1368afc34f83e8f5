"""Components of the variance of times: puzzles, launches, repetitions, forms, and measurement noise.

The logarithm of a time is modelled as a sum of random effects: puzzle, launch, repetition within the launch (each has
fresh processes, whose speed varies), and single measurement. The components are estimated from mean squares (Henderson
1953; Searle, Casella & McCulloch 1992); negative estimates are set to 0.

A component that the design cannot identify is empty. The component of a single measurement contains form and noise. The
instrument placebo separates them: it solves the same forms again, so its differences are noise alone. Without isomorphs
there is one form, and the component is noise. Launches and repetitions are separable if there are at least two of each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bench.verdicts.arrays import Floats
from bench.verdicts.run_data import RunData
from bench.verdicts.times import Times, times

VARIANCE_COLUMNS = (
    "collection",
    "strategy",
    "n_puzzles",  # with every solve finished; the others are left out
    "n_unfinished",
    "launches",
    "repetitions",  # per launch
    "puzzle_sd",  # all are standard deviations of natural logarithms: 0.05 is about 5%
    "launch_sd",
    "repetition_sd",
    "single_sd",  # form and noise together
    "form_sd",
    "noise_sd",
    "puzzle_share",  # of the variance of one measurement
    "launch_share",
    "repetition_share",
    "single_share",
)
INSTRUMENT = "instrument"


@dataclass(frozen=True)
class Components:
    """Variances of logarithms, None where the design cannot identify them.

    Attributes:
        puzzle: between puzzles; launch: between launches.
        repetition: between repetitions of a launch; includes launches if these are not separable.
        single: between single measurements.
        puzzles, launches, repetitions: the design; repetitions are per launch.
    """

    puzzle: float | None
    launch: float | None
    repetition: float | None
    single: float | None
    puzzles: int
    launches: int
    repetitions: int


def components(logs: Floats, launches: int = 1) -> Components:
    """Return the components of a complete table.

    Args:
        logs: puzzles × replicates, launch by launch, each with the same number of repetitions.

    Raises:
        ValueError: a value is not finite, or launches differ in their number of repetitions.
    """
    puzzles, replicates = logs.shape
    if not np.isfinite(logs).all() or replicates % launches:
        raise ValueError("components need a complete table with the same number of repetitions in each launch")
    repetitions = replicates // launches
    if puzzles < 2 or replicates < 2:
        only = float(logs.var(ddof=1)) if puzzles > 1 else None
        return Components(only, None, None, None, puzzles, launches, repetitions)
    rows, columns, grand = logs.mean(axis=1), logs.mean(axis=0), float(logs.mean())
    rest = logs - rows[:, None] - columns + grand
    of_single = float((rest**2).sum()) / ((puzzles - 1) * (replicates - 1))
    of_puzzles = replicates * float(((rows - grand) ** 2).sum()) / (puzzles - 1)
    puzzle = max(0.0, (of_puzzles - of_single) / replicates)
    by_launch = columns.reshape(launches, repetitions)
    means = by_launch.mean(axis=1, keepdims=True)
    if launches < 2 or repetitions < 2:
        of_columns = puzzles * float(((columns - grand) ** 2).sum()) / (replicates - 1)
        return Components(
            puzzle, None, max(0.0, (of_columns - of_single) / puzzles), of_single, puzzles, launches, repetitions
        )
    of_repetitions = puzzles * float(((by_launch - means) ** 2).sum()) / (launches * (repetitions - 1))
    of_launches = puzzles * repetitions * float(((means - grand) ** 2).sum()) / (launches - 1)
    return Components(
        puzzle,
        max(0.0, (of_launches - of_repetitions) / (puzzles * repetitions)),
        max(0.0, (of_repetitions - of_single) / puzzles),
        of_single,
        puzzles,
        launches,
        repetitions,
    )


def variance(run: RunData) -> pd.DataFrame:
    """Return one row per strategy and collection, columns ``VARIANCE_COLUMNS``, from logarithms of CPU times.

    Only puzzles with every solve finished take part. If any are left out, the variance between puzzles and all shares
    are unknown: the remaining puzzles vary less than all of them.
    """
    noise_variances = noises(run)
    isomorphs = run.manifest.get("suite", {}).get("isomorphs", True)
    rows = []
    for collection, measured in run.cpu.items():
        for number, strategy in enumerate(measured.strategies):
            logs, launches, unfinished = complete(measured, number)
            if not logs.size:
                continue
            parts = components(logs, launches)
            noise = parts.single if not isomorphs else noise_variances.get((collection, strategy))
            row: dict[str, Any] = {"collection": collection, "strategy": strategy, "n_unfinished": unfinished}
            rows.append(row | _figures(parts, noise, all_finished=not unfinished))
    floats = {column: float for column in VARIANCE_COLUMNS if column.endswith(("_sd", "_share"))}
    return pd.DataFrame(rows, columns=list(VARIANCE_COLUMNS)).astype(floats)


def complete(measured: Times, number: int) -> tuple[Floats, int, int]:
    """Return a complete table of a strategy's log times, its number of launches, and the number of unfinished puzzles.

    The table is puzzles × replicates, launch by launch. Puzzles with an unfinished solve are left out, and so are
    replicates in which less than half of the puzzles were measured (in an interrupted run). All launches are cut to the
    number of replicates of the shortest.

    Args:
        number: index of the strategy.
    """
    logs, censored = measured.log_s[number], measured.censored[number]
    known = ~np.isnan(logs)
    by_launch: dict[int, list[int]] = {}
    for place in sorted(range(len(measured.replicates)), key=lambda place: measured.replicates[place]):
        if 2 * known[:, place].sum() >= len(logs):
            by_launch.setdefault(measured.replicates[place][0], []).append(place)
    repetitions = min(map(len, by_launch.values()), default=0)
    replicates = [place for places in by_launch.values() for place in places[:repetitions]]
    unfinished = censored[:, replicates].any(axis=1)
    finished = known[:, replicates].all(axis=1) & ~unfinished
    return logs[np.ix_(finished, replicates)], len(by_launch), int(unfinished.sum())


def noises(run: RunData) -> dict[tuple[str, str], float]:
    """Return the variance of repeated measurements of the same form, by collection and strategy, from placebos."""
    rows = run.measurements
    result = {}
    for (label, collection), placebo in rows[rows["placebo"] == INSTRUMENT].groupby(["strategy", "collection"]):
        name = str(label).partition(") ")[2]
        original = rows[(rows["strategy"] == name) & (rows["collection"] == collection)]
        both = times(pd.concat([original[original["puzzle"].isin(placebo["puzzle"])], placebo]))
        if len(both.strategies) == 2:
            logs = np.where(both.censored, np.nan, both.log_s)
            differences = logs[0] - logs[1]
            differences = differences[np.isfinite(differences).all(axis=1)]
            single = components(differences).single if differences.size else None
            if single is not None:
                result[str(collection), name] = single / 2
    return result


def _figures(parts: Components, noise: float | None, all_finished: bool) -> dict[str, Any]:
    """Return the columns of a strategy's components."""
    variances = {"puzzle": parts.puzzle, "launch": parts.launch, "repetition": parts.repetition, "single": parts.single}
    known = {name: value for name, value in variances.items() if value is not None}
    total = sum(known.values())
    form = max(0.0, parts.single - noise) if noise is not None and parts.single is not None else None
    if not all_finished:
        known.pop("puzzle", None)
    figures = {f"{name}_sd": math.sqrt(value) for name, value in known.items()}
    if all_finished and parts.single is not None and total:
        figures |= {f"{name}_share": value / total for name, value in known.items()}
    form_and_noise = (("form", form), ("noise", noise))
    figures |= {f"{name}_sd": math.sqrt(value) for name, value in form_and_noise if value is not None}
    return figures | {"n_puzzles": parts.puzzles, "launches": parts.launches, "repetitions": parts.repetitions}
