"""Where the variance of times comes from: puzzles, launches, repetitions, forms, and the measuring itself.

The logarithm of a time is taken as a sum of random effects: of the puzzle, of the launch, of the repetition within it
(each has fresh processes, which are as fast as they happen to be), and of the single measurement. The components are
estimated from mean squares (Henderson 1953; Searle, Casella & McCulloch 1992), and are 0 where that comes out negative.

What a design cannot tell apart stays empty. A single measurement has both a form of its own and noise of its own. They
are told apart by the instrument placebo, which solves the same forms again: what differs then is noise alone. Without
isomorphs there are no other forms, and all of it is noise. A launch is told from a repetition where there are two of
each at least.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.verdicts.run_data import RunData
from bench.verdicts.times import Times, times

VARIANCE_COLUMNS = (
    "collection",
    "strategy",
    "n_puzzles",  # with every solve finished; the others take no part
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

Logs = NDArray[np.float64]


@dataclass(frozen=True)
class Components:
    """Variances of logarithms, None where the design cannot tell.

    Attributes:
        puzzle: of puzzles; launch: of launches.
        repetition: of repetitions in a launch; where launches cannot be told from them, of both together.
        single: of a single measurement.
        puzzles, launches, repetitions: the design; repetitions are per launch.
    """

    puzzle: float | None
    launch: float | None
    repetition: float | None
    single: float | None
    puzzles: int
    launches: int
    repetitions: int


def components(logs: Logs, launches: int = 1) -> Components:
    """The components of a complete table.

    Args:
        logs: puzzles × replicates, launch by launch, each with as many repetitions.

    Raises:
        ValueError: a value is not finite, or the launches are of different length.
    """
    puzzles, replicates = logs.shape
    if not np.isfinite(logs).all() or replicates % launches:
        raise ValueError("components need a complete table, and as many repetitions in each launch")
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
    """One row per strategy and collection, columns ``VARIANCE_COLUMNS``, from logarithms of CPU times.

    Only puzzles whose every solve was finished take part. Where others had to be left out, what differs between
    puzzles is not known, and so are all shares: the puzzles that are left differ less than all of them.
    """
    noise = noises(run)
    isomorphs = run.manifest.get("suite", {}).get("isomorphs", True)
    lines = []
    for collection, measured in run.cpu.items():
        for number, strategy in enumerate(measured.strategies):
            logs, launches, unfinished = complete(measured, number)
            if not logs.size:
                continue
            found = components(logs, launches)
            own = found.single if not isomorphs else noise.get((collection, strategy))
            line: dict[str, Any] = {"collection": collection, "strategy": strategy, "n_unfinished": unfinished}
            lines.append(line | _figures(found, own, whole=not unfinished))
    floats = {column: float for column in VARIANCE_COLUMNS if column.endswith(("_sd", "_share"))}
    return pd.DataFrame(lines, columns=list(VARIANCE_COLUMNS)).astype(floats)


def complete(measured: Times, number: int) -> tuple[Logs, int, int]:
    """The logarithms of a strategy's times without gaps, puzzles × replicates, launch by launch; how many launches
    these are; and how many puzzles are left out because a solve was not finished.

    Replicates in which less than half of the puzzles were measured (of a run that was interrupted) are left out, and
    launches that have fewer replicates than others are cut to those.
    """
    logs, censored = measured.log_s[number], measured.censored[number]
    known = ~np.isnan(logs)
    by_launch: dict[int, list[int]] = {}
    for place in sorted(range(len(measured.replicates)), key=lambda place: measured.replicates[place]):
        if 2 * known[:, place].sum() >= len(logs):
            by_launch.setdefault(measured.replicates[place][0], []).append(place)
    repetitions = min(map(len, by_launch.values()), default=0)
    chosen = [place for places in by_launch.values() for place in places[:repetitions]]
    late = censored[:, chosen].any(axis=1)
    finished = known[:, chosen].all(axis=1) & ~late
    return logs[np.ix_(finished, chosen)], len(by_launch), int(late.sum())


def noises(run: RunData) -> dict[tuple[str, str], float]:
    """The variance of measuring the same thing again, from instrument placebos: (collection, strategy) -> variance."""
    rows = run.measurements
    found = {}
    for (label, collection), placebo in rows[rows["placebo"] == INSTRUMENT].groupby(["strategy", "collection"]):
        name = str(label).partition(") ")[2]
        original = rows[(rows["strategy"] == name) & (rows["collection"] == collection)]
        both = times(pd.concat([original[original["puzzle"].isin(placebo["puzzle"])], placebo]))
        if len(both.strategies) == 2:
            difference = np.where(both.censored, np.nan, both.log_s)
            paired = difference[0] - difference[1]
            paired = paired[np.isfinite(paired).all(axis=1)]
            single = components(paired).single if paired.size else None
            if single is not None:
                found[str(collection), name] = single / 2
    return found


def _figures(found: Components, noise: float | None, whole: bool) -> dict[str, Any]:
    parts = {"puzzle": found.puzzle, "launch": found.launch, "repetition": found.repetition, "single": found.single}
    known = {name: part for name, part in parts.items() if part is not None}
    total = sum(known.values())
    form = max(0.0, found.single - noise) if noise is not None and found.single is not None else None
    if not whole:
        known.pop("puzzle", None)
    figures = {f"{name}_sd": math.sqrt(part) for name, part in known.items()}
    if whole and found.single is not None and total:
        figures |= {f"{name}_share": part / total for name, part in known.items()}
    figures |= {f"{name}_sd": math.sqrt(part) for name, part in (("form", form), ("noise", noise)) if part is not None}
    return figures | {
        "n_puzzles": found.puzzles,
        "launches": found.launches,
        "repetitions": found.repetitions,
    }
