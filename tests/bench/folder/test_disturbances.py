"""Disturbances of a run, in words."""

from __future__ import annotations

from sudoku_bench.bench.folder import disturbances


def test_a_run_was_disturbed_for_the_time_that_all_its_runners_saw() -> None:
    """As in a run that was resumed, or on two hosts; kinds may overlap, and some are unknown on a host."""
    looks = [
        {"seconds": 3000.0, "disturbed_s": 500.0, "kinds": kinds(load=450.0, steal=60.4, heat=None)},
        {"seconds": 30.3, "disturbed_s": 16.8, "kinds": kinds(load=16.4, steal=0.0, swapping=0.4)},
    ]
    assert disturbances.lasted({"disturbance": looks}) == (516.8, 3030.3)
    causes = "other programs 466 s, other virtual machines 60 s"
    assert disturbances.words({"disturbance": looks}) == f"The machine disturbed 517 of 3,030 s of this run: {causes}"
    assert disturbances.words({"disturbance": [looks[0] | {"disturbed_s": 0.0}]}) == ""
    assert disturbances.words({}) == ""


def kinds(**disturbed_s: float | None) -> dict[str, dict[str, float | None]]:
    return {name: {"disturbed_s": seconds} for name, seconds in disturbed_s.items()}
