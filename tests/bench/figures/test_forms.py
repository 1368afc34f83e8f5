"""Spread over forms: ratios to the median of the puzzle, by hand."""

from __future__ import annotations

import dataclasses
import math

import matplotlib as mpl
import numpy as np
import pytest

from bench.figures import forms, looks, style
from bench.figures.style import NothingToDrawError, Sheet
from bench.verdicts.run_tables import Run
from tests.bench.figures.cases import case, picture
from tests.bench.verdicts.simulated_runs import a_run, together


def run_of(seconds: list, names: str = "abcdef", isomorphs: bool = True, **more) -> Run:
    """Strategies × puzzles × forms."""
    times = np.array(seconds, dtype=float)
    run = a_run(times, list(names[: len(times)]), np.ones(times.shape[1]), **more)
    suite = run.manifest["suite"] | {"isomorphs": isomorphs}
    return dataclasses.replace(run, manifest=run.manifest | {"suite": suite})


def test_a_ratio_is_the_time_of_a_form_over_the_median_of_its_puzzle() -> None:
    # Ratios 1/2, 1, 2 and 1/3, 1, 3: of six values in a row, quantiles lie between them.
    [bar] = forms.data(run_of([[[1, 2, 4], [10, 30, 90]]])).bars.to_dict("records")
    logs = np.log([1 / 3, 1 / 2, 1, 1, 2, 3])
    assert bar["n"] == 6
    assert [bar[share] for share in forms.QUANTILES] == pytest.approx(np.quantile(logs, forms.QUANTILES))


def test_strategies_with_the_least_spread_come_first() -> None:
    wide, narrow = [[1, 2, 4], [1, 3, 9]], [[1, 1.1, 1.2], [2, 2.1, 2.2]]
    assert forms.data(run_of([wide, narrow])).bars["strategy"].tolist() == ["b", "a"]


def test_collections_and_spread_are_ordered_by_number_where_names_are_categories() -> None:
    wide, narrow = [[1, 2, 4], [1, 3, 9]], [[1, 1.1, 1.2], [2, 2.1, 2.2]]
    both = together(run_of([wide, narrow], collection="z"), run_of([wide, narrow], collection="a"))
    rows = both.measurements.astype({"strategy": "category", "collection": "category"})
    bars = forms.data(dataclasses.replace(both, measurements=rows)).bars
    assert list(zip(bars["strategy"], bars["collection"], strict=True)) == [
        ("b", "z"), ("b", "a"), ("a", "z"), ("a", "a"),
    ]  # fmt: skip


def test_puzzles_with_an_unfinished_form_are_left_out_and_counted() -> None:
    result = forms.data(run_of([[[1, 2, 4], [1, 2, 99]], [[1, 2, 4], [1, 2, 4]]], limit_s=10.0))
    assert result.left_out == 1
    assert result.bars.set_index("strategy")["n"].to_dict() == {"a": 3, "b": 6}
    assert "unfinished form: 1." in forms.caption(result, sheet())


def test_stored_grids_and_single_forms_have_no_spread() -> None:
    with pytest.raises(NothingToDrawError, match="stored grids"):
        forms.data(run_of([[[1, 2]]], isomorphs=False))
    with pytest.raises(NothingToDrawError, match="two forms"):
        forms.data(run_of([[[1], [2]]]))


def test_measurement_noise_comes_from_the_instrument_placebo() -> None:
    rng = np.random.default_rng(3)
    times = np.exp(0.5 * rng.standard_normal((400, 4)))
    run = run_of([times.tolist()])
    rows, noisy = run.measurements, np.exp(0.1 * rng.standard_normal(1600))
    again = rows.assign(strategy="(instrument) a", placebo="instrument", cpu_s=rows["cpu_s"] * noisy)
    both = dataclasses.replace(
        run, measurements=together(run, dataclasses.replace(run, measurements=again)).measurements
    )
    # Half of the variance between the two is each one's; a ratio to the median of four has 3/4 of that.
    assert forms.data(both).noise["a"] == pytest.approx(1.645 * 0.1 / math.sqrt(2) * math.sqrt(3 / 4), rel=0.1)


def test_bars_end_at_their_quantiles_within_the_axis() -> None:
    result = forms.data(run_of([[[1, 2, 4], [10, 30, 90]], [[1, 1.1, 1.2], [2, 2.1, 2.2]]]))
    with mpl.rc_context(sheet().rc):
        [axes] = forms.draw(result, sheet()).axes
    ends = [line.get_xdata() for line in axes.lines if line.get_marker() == "o"]
    wanted = [np.exp([bar[0.05], bar[0.95]]) for bar in result.bars.to_dict("records")]
    assert np.allclose(ends, wanted)
    low, high = axes.get_xlim()
    assert low < np.min(wanted)
    assert high > np.max(wanted)
    assert low * high == pytest.approx(1)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "a"]


def test_many_bars_are_joined_over_collections() -> None:
    assert set(forms.data(case("usual")).bars["collection"]) == {"tier0", "tier1", "tier2"}
    runs = [run_of([[[1, 2]], [[1, 3]]], collection=f"c{number:02d}") for number in range(40)]
    result = forms.data(together(*runs))
    assert result.bars["collection"].tolist() == [forms.ALL] * 2
    assert result.bars["n"].tolist() == [80, 80]


def test_collections_differ_by_marker_and_colour() -> None:
    [axes] = picture(forms, case("usual")).axes
    looks = {(line.get_marker(), line.get_color()) for line in axes.lines if line.get_marker() in style.MARKERS}
    assert len(looks) == len({marker for marker, _ in looks}) == 3


def sheet() -> Sheet:
    return Sheet(looks.looks(list("abcdef")), ("own",), 10.0, "n, limit, clock, machine")
