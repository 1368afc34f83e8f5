"""The cost of a run: check the model of docs/scale.md against a run, and extrapolate it.

    python -m bench.studies.run_cost RUN [--puzzles P] [--repetitions R] [--slots W]

The first round of a run gives the constants of the model: the wall time of the solves, what the harness takes beside
each (median), and what starting a process takes. The model then predicts the later rounds, which are compared with what
they took. Timeouts are left out of this comparison: the first round has most of them, and none is repeated.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from bench.say.phrases import counted
from bench.verdicts.run_data import RunData, read

HOUR_S = 3600


@dataclass(frozen=True)
class Cost:
    """What a round of a run cost, in wall seconds, summed over its slots.

    Attributes:
        rows, puzzles: measurements and puzzles; slots: that measured side by side.
        processes: that were started, without those that replace one that ended.
        solves_s: of all solves that ended in time; late_s: of all others.
        beside_s: median per measurement, beside the solve; start_s: mean of what starting a process adds.
        elapsed_s: of the round.
    """

    rows: int
    puzzles: int
    slots: int
    processes: int
    solves_s: float
    late_s: float
    beside_s: float
    start_s: float
    elapsed_s: float

    @property
    def modelled_s(self) -> float:
        """Duration of such a round without timeouts."""
        return self.solves_s + self.rows * self.beside_s + self.processes * self.start_s


def rounds_of(measurements: pd.DataFrame) -> list[Cost]:
    """Return the cost of each round of a run, in order."""
    rows = measurements.sort_values("started_s", ignore_index=True)
    rows = rows.assign(slot=slots_of(rows)).sort_values(["slot", "started_s"], kind="stable", ignore_index=True)
    of_slots = rows.groupby("slot")
    solve_s = rows["wall_s"] * rows["loops"]
    until_next_s = -of_slots["started_s"].diff(-1)
    starts = rows["worker"].notna() & ~rows.duplicated("worker")
    late = rows["status"].eq("timeout") & ~rows["reason"].fillna("").str.startswith("not repeated")
    rows = rows.assign(
        solve_s=solve_s,
        until_next_s=until_next_s,
        beside_s=until_next_s - solve_s,  # a process is started before the next solve begins
        starts=starts,
        before_start=starts.groupby(rows["slot"]).shift(-1, fill_value=False),
        late=late,
    )
    return [cost_of(part) for _, part in rows.groupby("round")]


def slots_of(rows: pd.DataFrame) -> NDArray[np.int64]:
    """Return the slot of each row, from 0: workers that solved the same puzzle in a round are of one slot.

    Args:
        rows: in the order of time. Slots are numbered in each round by their first row.
    """
    rounds = rows.groupby(["launch", "round"], sort=False).ngroup()
    puzzles = rows.groupby(["launch", "round", "collection", "puzzle"], sort=False).ngroup().to_numpy()
    workers, names = pd.factorize(rows["worker"])
    known, number = workers >= 0, len(names) + len(rows)
    edges = (np.ones(known.sum()), (workers[known], len(names) + puzzles[known]))
    _, labels = connected_components(coo_matrix(edges, shape=(number, number)), directed=False)
    parts = pd.Series(labels[len(names) + puzzles])
    slots: NDArray[np.int64] = parts.groupby(rounds).transform(lambda each: pd.factorize(each)[0]).to_numpy()
    return slots


def cost_of(rows: pd.DataFrame) -> Cost:
    finished = rows[rows["solve_s"].notna()]
    beside_s = float(finished.loc[~finished["before_start"], "beside_s"].median())
    start_s = float(finished.loc[finished["before_start"], "beside_s"].mean()) - beside_s
    processes = len(rows.loc[rows["starts"], ["slot", "strategy"]].drop_duplicates())
    puzzles = len(rows[["collection", "puzzle"]].drop_duplicates())
    late_s = float(rows.loc[rows["late"], "until_next_s"].sum())
    elapsed_s = float(rows["until_next_s"].sum())
    solves_s, slots = float(rows["solve_s"].sum()), rows["slot"].nunique()
    return Cost(len(rows), puzzles, slots, processes, solves_s, late_s, beside_s, start_s, elapsed_s)


def lines(costs: list[Cost], puzzles: int, repetitions: int, slots: int) -> list[str]:
    """Return the constants, the check, and the extrapolation as sentences."""
    first, later = costs[0], costs[1:]
    in_time_s = (first.solves_s + first.rows * first.beside_s) / first.puzzles
    starts_s = repetitions * slots * first.processes / first.slots * first.start_s
    total_s = puzzles * (repetitions * in_time_s + first.late_s / first.puzzles) + starts_s
    predicted_s, took_s = len(later) * first.modelled_s, sum(cost.elapsed_s - cost.late_s for cost in later)
    side_by_side = f", summed over {counted(first.slots, 'slot')}" if first.slots > 1 else ""
    return [
        f"first round: {first.rows:,} measurements, {first.solves_s:.0f} s of solves,"
        f" {first.beside_s * 1e3:.1f} ms beside each (median), {first.start_s:.2f} s for starting a process,"
        f" {first.late_s:.0f} s of timeouts",
        f"the {len(later)} later rounds: {predicted_s:,.0f} s predicted, {took_s:,.0f} s measured (without timeouts)"
        f"{side_by_side}",
        f"{puzzles:,} such puzzles × {repetitions} repetitions: {total_s / HOUR_S:,.1f} core-hours,"
        f" {total_s / slots / HOUR_S:,.2f} hours on {counted(slots, 'slot')}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("run", type=Path)
    for name, number in (("puzzles", 50_000), ("repetitions", 5), ("slots", 1000)):
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args()
    measurements = read(options.run, RunData).measurements
    for line in lines(rounds_of(measurements), options.puzzles, options.repetitions, options.slots):
        print(line)


if __name__ == "__main__":
    main()
