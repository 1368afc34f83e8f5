"""The cost model, on rounds whose cost is known."""

from __future__ import annotations

import pandas as pd
import pytest

from bench.studies.run_cost import lines, rounds_of


def measured(rounds: int, solve_s: float = 0.01, beside_s: float = 0.002, start_s: float = 0.5) -> pd.DataFrame:
    """Return rows of two strategies on ten puzzles; the first solve of a process waits for its start."""
    rows, now_s, worker = [], 0.0, 0
    for number in range(1, rounds + 1):
        started: dict[str, int] = {}
        for puzzle in range(10):
            for strategy in "ab":
                if strategy not in started:
                    worker += 1
                    started[strategy] = worker
                    now_s += start_s
                late = puzzle == 9 and strategy == "b"
                rows.append(
                    {
                        **{"strategy": strategy, "collection": "own", "puzzle": f"p{puzzle}"},
                        **{"launch": 1, "round": number},
                        **{"status": "timeout" if late else "solved", "wall_s": None if late else solve_s, "loops": 1},
                        **{"reason": "not repeated: ..." if late and number > 1 else None, "worker": started[strategy]},
                        **{"started_s": now_s},
                    }
                )
                now_s += beside_s + (solve_s if not late else 10.0 if number == 1 else 0.0)
    return pd.DataFrame(rows)


def test_the_constants_of_a_round_are_found() -> None:
    first, second, *_ = rounds_of(measured(3))
    assert (first.rows, first.puzzles, first.processes) == (20, 10, 2)
    assert first.beside_s == pytest.approx(0.002)
    assert first.start_s == pytest.approx(0.5)
    assert first.solves_s == pytest.approx(0.19)
    # The last timeout of a round is followed by the start of the next round's first process.
    assert first.late_s == pytest.approx(10.002 + 0.5)
    assert second.late_s == 0.0


def test_the_model_predicts_the_later_rounds_and_extrapolates() -> None:
    costs = rounds_of(measured(3))
    constants, check, total = lines(costs, puzzles=3_600_000, repetitions=2, slots=10)
    assert constants.startswith("first round: 20 measurements, 0 s of solves, 2.0 ms beside each (median), 0.50 s")
    assert check.startswith("the 2 later rounds: 2 s predicted, 2 s measured")
    # 3.6 million puzzles × (2 × (0.019 + 0.004) + 1.0502) s + 2 × 10 × 2 × 0.5 s
    assert total == "3,600,000 such puzzles × 2 repetitions: 1,096.2 core-hours, 109.62 hours on 10 slots"


def test_a_run_on_two_slots_costs_twice_the_time_of_one() -> None:
    one = measured(3)
    other = one.assign(puzzle="q" + one["puzzle"], worker=one["worker"] + 100, started_s=one["started_s"] + 0.001)
    both = rounds_of(pd.concat([one, other]))
    for cost, alone in zip(both, rounds_of(one), strict=True):
        assert (cost.slots, alone.slots) == (2, 1)
        assert (cost.rows, cost.puzzles, cost.processes) == (2 * alone.rows, 2 * alone.puzzles, 2 * alone.processes)
        assert cost.elapsed_s == pytest.approx(2 * alone.elapsed_s)
        assert (cost.beside_s, cost.start_s) == pytest.approx((alone.beside_s, alone.start_s))
    assert lines(both, 1000, 5, 10)[2].partition(":")[2] == lines(rounds_of(one), 1000, 5, 10)[2].partition(":")[2]
    assert "summed over 2 slots" in lines(both, 1000, 5, 10)[1]
