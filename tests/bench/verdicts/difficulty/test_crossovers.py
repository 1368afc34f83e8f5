"""Crossovers of simulated pairs with known curves."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from bench.verdicts.difficulty.crossovers import CROSSOVER_COLUMNS, crossovers, of_axis, words
from bench.verdicts.difficulty.fields import GUESSES
from bench.verdicts.run_tables import Run
from datasets.collections.catalogue import mined
from tests.bench.verdicts import simulated_difficulty as simulation
from tests.bench.verdicts.simulated_difficulty import Floats, flat, rated, rising, simulated, spread_out
from tests.bench.verdicts.simulated_runs import Spread

pytestmark = pytest.mark.slow

TRUE = 12.0
CURVES = {"a": rising(1e-3, TRUE), "b": flat(1e-3)}  # b is faster than a above 12 guesses
BOTH_RISE = {"a": rising(1e-3, TRUE, 1.5), "b": rising(1e-3, TRUE, 0.5)}
SKEW = Spread(draw=lambda rng, shape: rng.exponential(1, shape) - np.log(2))


def of(run: Run, axis: str = "guesses") -> pd.DataFrame:
    table = crossovers(run)
    return table[table["axis"] == axis].reset_index(drop=True)


def a_run(seed: int = 1, n: int = 120, sign: tuple[int, int] = (1, 1)) -> Run:
    rng = np.random.default_rng(seed)
    return rated(simulated(CURVES, spread_out(n, rng), rng), rng, sign)


@pytest.mark.parametrize(
    ("curves", "n", "spread", "late", "error", "found"),
    [
        (CURVES, 80, Spread(), 0.0, 0.0, 0.95),
        (CURVES, 200, SKEW, 0.2, 0.12, 0.95),
        (BOTH_RISE, 200, Spread(taste=0.5), 0.2, 0.12, 0.95),
        (CURVES, 200, Spread(), 0.4, 0.12, 0.7),
    ],
    ids=["80", "200 skew, 20% late", "200, both rise, 20% late", "200, 40% late"],
)
def test_the_interval_of_a_known_crossover_has_its_nominal_coverage(
    curves: dict[str, simulation.Curve], n: int, spread: Spread, late: float, error: float, found: float
) -> None:
    rng = np.random.default_rng(1)
    tables = [
        pd.DataFrame(of_axis([simulation.a_field(curves, spread_out(n, rng), rng, spread, late, error)], GUESSES))
        for _ in range(150)
    ]
    assert np.mean([len(table) == 1 for table in tables]) >= found
    lines = pd.concat(tables)
    assert set(lines["faster_below"]) == {"a"}
    assert set(lines["faster_above"]) == {"b"}
    assert ((lines["lo"] <= lines["crossover"]) & (lines["crossover"] <= lines["hi"])).all()
    assert 0.92 <= ((lines["lo"] <= TRUE) & (lines["hi"] >= TRUE)).mean() <= 0.99
    assert lines["crossover"].median() == pytest.approx(TRUE, rel=0.1)
    assert (lines["hi"] / lines["lo"]).median() < 5  # it is informative


@pytest.mark.parametrize("ratio", [1.0, 1.2])
def test_constant_ratios_give_false_crossovers_at_the_nominal_rate(ratio: float) -> None:
    """15 pairs in each of 200 runs, every second one with timeouts: at most 5% of the runs may claim any."""
    rng = np.random.default_rng(2)
    claims = 0
    for number in range(200):
        curves = {f"s{i}": rising(1e-3 * ratio**i, 10, 0.8) for i in range(6)}
        field = simulation.a_field(curves, spread_out(80, rng), rng, late=0.3 * (number % 2), error=0.12)
        claims += any(of_axis([field], GUESSES))
    assert claims <= 10


def test_a_strategy_that_only_draws_level_gives_no_crossover() -> None:
    """Slower on easy puzzles, equal on hard ones: false crossovers are rare."""
    rng = np.random.default_rng(3)
    level = {"a": flat(1e-3), "b": lambda guesses: 1e-3 * np.maximum(1, 5 / (1 + guesses))}
    claims = sum(any(of_axis([simulation.a_field(level, spread_out(150, rng), rng)], GUESSES)) for _ in range(200))
    assert claims <= 10


def test_order_of_rows_and_names_do_not_matter() -> None:
    run = a_run()
    one = crossovers(run)
    assert tuple(one.columns) == CROSSOVER_COLUMNS
    assert set(one["axis"]) == {"guesses", "te_rounds", "unsolved_locked"}
    pd.testing.assert_frame_equal(one, crossovers(simulation.shuffled(run, 3)))
    names = {"a": "z", "b": "b"}
    swapped = dataclasses.replace(run, measurements=run.measurements.replace({"strategy": names}))
    other = crossovers(swapped)
    assert set(other["a"]) == {"b"}
    assert set(other["faster_below"]) == {"z"}
    pd.testing.assert_frame_equal(other[["crossover", "lo", "hi", "p_holm"]], one[["crossover", "lo", "hi", "p_holm"]])


def test_two_changes_of_lead_are_two_crossovers() -> None:
    rng = np.random.default_rng(5)

    def hill(guesses: Floats) -> Floats:
        return 1e-3 * np.exp(2 - 2 * np.abs(np.log1p(guesses) - 3) ** 2)

    found = of(simulated({"a": hill, "b": flat(1e-3)}, spread_out(600, rng, 400), rng))
    assert list(found["faster_above"]) == ["b", "a"]
    for line, truth in zip(found.to_dict("records"), np.expm1([2.0, 4.0]), strict=True):
        assert line["lo"] <= truth <= line["hi"]


def test_a_crossover_is_reported_if_other_axes_agree() -> None:
    agreed = of(a_run())
    assert agreed[["agrees", "told", "note"]].values.tolist() == [["te_rounds unsolved_locked", "yes", ""]]
    [line] = words(agreed)
    assert line.startswith(f"Above {agreed['crossover'][0]:.3g} guesses [{agreed['lo'][0]:.3g}, {agreed['hi'][0]:.3g}]")
    assert line.endswith("b is faster than a")


@pytest.mark.parametrize(("sign", "against"), [((-1, 1), "te_rounds"), ((-1, -1), "te_rounds and unsolved_locked")])
def test_a_crossover_is_not_reported_if_another_axis_disagrees(sign: tuple[int, int], against: str) -> None:
    found = of(a_run(sign=sign))
    assert found["told"].tolist() == [""]
    assert found["note"].tolist() == [f"moves the other way along {against}"]
    assert words(found) == []


def test_a_crossover_is_not_reported_without_another_axis() -> None:
    rng = np.random.default_rng(1)
    found = of(simulated(CURVES, spread_out(120, rng), rng))
    assert found[["told", "note"]].values.tolist() == [["", "no other axis confirms it"]]


def test_a_crossover_on_mined_puzzles_alone_is_not_reported() -> None:
    rng = np.random.default_rng(4)
    easy, hard = spread_out(120, rng, 10), 60 * np.exp(0.5 * rng.standard_normal(150))
    guesses = np.concatenate([easy, hard])
    run = rated(simulated(CURVES, guesses, rng), rng)

    def with_hard_ones_from(collection: str) -> Run:
        names = [*run.puzzles["puzzle"][:120], *(puzzle.name for puzzle in mined()[:150])]
        moved = dict(zip(run.puzzles["puzzle"], names, strict=True))
        puzzles = run.puzzles.assign(puzzle=names, collection=["own"] * 120 + [collection] * 150)
        rows = run.measurements.assign(puzzle=run.measurements["puzzle"].map(moved))
        rows["collection"] = rows["puzzle"].map(dict(zip(names, puzzles["collection"], strict=True)))
        return dataclasses.replace(run, measurements=rows, puzzles=puzzles)

    only_mined, others = of(with_hard_ones_from("hardest")), of(with_hard_ones_from("other"))
    assert others["told"].tolist() == ["yes"]
    assert only_mined["note"].tolist() == ["rests on hardest alone"]
    assert only_mined["told"].tolist() == [""]


def test_one_timeout_counts_for_the_other_strategy_and_two_for_neither() -> None:
    run = a_run(n=150)
    limit_s = 2e-3  # b is always faster than that
    late = run.measurements["cpu_s"] > limit_s
    cut = run.measurements.assign(limit_s=limit_s, status=run.measurements["status"].mask(late, "timeout"))
    cut["cpu_s"] = cut["cpu_s"].mask(late)
    found = of(dataclasses.replace(run, measurements=cut))
    unlimited = of(run)
    assert found["crossover"][0] == pytest.approx(unlimited["crossover"][0], rel=0.15)
    neither = cut.assign(status=cut["status"].mask(cut["puzzle"].isin(cut.loc[late, "puzzle"]), "timeout"))
    assert of(dataclasses.replace(run, measurements=neither)).empty


def test_a_strategy_that_reports_guesses_is_marked() -> None:
    run = a_run()
    run.measurements.loc[run.measurements["strategy"] == "a", "guesses"] = 3
    table = crossovers(run)
    assert set(table.loc[table["axis"] == "guesses", "marked"]) == {"a"}
    assert set(table.loc[table["axis"] != "guesses", "marked"]) == {""}
    assert words(table)[0].endswith("b is faster than a*")


def test_words_fit_the_terminal() -> None:
    rng = np.random.default_rng(1)
    names = [f"sat:complete+pairwise+substituted@cadical195-number-{i:02}" for i in range(9)]
    curves = {name: rising(1e-3, 4 + 3 * i, 0.3 + 0.2 * i) for i, name in enumerate(names)}
    lines = words(crossovers(rated(simulated(curves, spread_out(300, rng), rng), rng)))
    assert len(lines) > 12
    assert max(map(len, lines)) <= 80
    assert "more crossovers" in lines[-1]


@pytest.mark.parametrize("case", simulation.degenerate())
def test_degenerate_runs_give_an_empty_table(case: str) -> None:
    table = crossovers(simulation.degenerate()[case])
    assert table.empty
    assert tuple(table.columns) == CROSSOVER_COLUMNS
    assert words(table) == []
