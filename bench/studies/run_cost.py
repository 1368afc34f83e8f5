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

import pandas as pd

from bench.say.phrases import counted
from bench.verdicts.run_data import read

HOUR_S = 3600


@dataclass(frozen=True)
class Cost:
    """What a round of a run cost, in wall seconds.

    Attributes:
        rows, puzzles: measurements and puzzles; processes: that were started.
        solves_s: of all solves that ended in time; late_s: of all others.
        beside_s: median per measurement, beside the solve; start_s: mean of what starting a process adds.
        elapsed_s: of the round.
    """

    rows: int
    puzzles: int
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
    """Return the cost of each round of a run measured on one core, in order."""
    rows = measurements.sort_values("started_s", ignore_index=True)
    solve_s = rows["wall_s"] * rows["loops"]
    until_next_s = rows["started_s"].diff().shift(-1)
    starts = rows["worker"].notna() & rows["worker"].ne(rows.groupby("strategy")["worker"].shift())
    late = rows["status"].eq("timeout") & ~rows["reason"].fillna("").str.startswith("not repeated")
    rows = rows.assign(
        solve_s=solve_s,
        until_next_s=until_next_s,
        beside_s=until_next_s - solve_s,  # a process is started before the next solve begins
        starts=starts,
        before_start=starts.shift(-1, fill_value=False),
        late=late,
    )
    return [cost_of(part) for _, part in rows.groupby("round")]


def cost_of(rows: pd.DataFrame) -> Cost:
    finished = rows[rows["solve_s"].notna()]
    beside_s = float(finished.loc[~finished["before_start"], "beside_s"].median())
    start_s = float(finished.loc[finished["before_start"], "beside_s"].mean()) - beside_s
    strategies = rows.loc[rows["starts"], "strategy"].nunique()
    puzzles = len(rows[["collection", "puzzle"]].drop_duplicates())
    late_s = float(rows.loc[rows["late"], "until_next_s"].sum())
    elapsed_s = float(rows["until_next_s"].sum())
    return Cost(len(rows), puzzles, strategies, float(rows["solve_s"].sum()), late_s, beside_s, start_s, elapsed_s)


def lines(costs: list[Cost], puzzles: int, repetitions: int, slots: int) -> list[str]:
    """Return the constants, the check, and the extrapolation as sentences."""
    first, later = costs[0], costs[1:]
    in_time_s = (first.solves_s + first.rows * first.beside_s) / first.puzzles
    starts_s = repetitions * slots * first.processes * first.start_s
    total_s = puzzles * (repetitions * in_time_s + first.late_s / first.puzzles) + starts_s
    predicted_s, took_s = len(later) * first.modelled_s, sum(cost.elapsed_s - cost.late_s for cost in later)
    return [
        f"first round: {first.rows:,} measurements, {first.solves_s:.0f} s of solves,"
        f" {first.beside_s * 1e3:.1f} ms beside each (median), {first.start_s:.2f} s for starting a process,"
        f" {first.late_s:.0f} s of timeouts",
        f"the {len(later)} later rounds: {predicted_s:,.0f} s predicted, {took_s:,.0f} s measured (without timeouts)",
        f"{puzzles:,} such puzzles × {repetitions} repetitions: {total_s / HOUR_S:,.1f} core-hours,"
        f" {total_s / slots / HOUR_S:,.2f} hours on {counted(slots, 'slot')}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("run", type=Path)
    for name, number in (("puzzles", 50_000), ("repetitions", 5), ("slots", 1000)):
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args()
    _, measurements, *_ = read(options.run)
    for line in lines(rounds_of(measurements), options.puzzles, options.repetitions, options.slots):
        print(line)


if __name__ == "__main__":
    main()
