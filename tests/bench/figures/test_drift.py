"""The drift figure: points, running medians and disturbances."""

from __future__ import annotations

import dataclasses
import math

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from bench.figures import drift, style
from bench.figures.drift import ALL, Drift, data
from bench.figures.sheet import looks
from tests.bench.figures.cases import case, legend_names, picture
from tests.bench.verdicts.spread.test_drift import by_hand, clocked


def sheet_of() -> style.Sheet:
    return style.Sheet(looks(["fast", "middle", "s", "slow"]), ("own",), 10.0, "n, limit, clock, machine")


def picture_of(result: Drift) -> Figure:
    with mpl.rc_context(sheet_of().rc):
        return drift.draw(result, sheet_of())


def lines_of(axes, number: int) -> list[np.ndarray]:
    return [line.get_xydata() for line in axes.lines if len(line.get_xdata()) == number]


def test_each_measurement_is_a_point_at_its_minute_and_ratio() -> None:
    run = case("usual")
    result = data(run)
    [cloud, _] = picture(drift, run).axes
    drawn = np.concatenate([line.get_xydata() for line in cloud.lines if line.get_linestyle() == "None"])
    assert len(drawn) == len(result.points) == 1080
    inside = np.abs(np.log(drawn[:, 1])) < np.log(drawn[:, 1]).max()
    wanted = np.column_stack([result.points["started_s"] / 60, np.exp(result.points["log_ratio"])])
    for point in drawn[inside][::20]:
        assert np.isclose(wanted, point).all(axis=1).any()


def test_a_slower_second_half_is_seen_in_the_running_median() -> None:
    result = data(clocked(1.2))
    whole = result.trends[result.trends["strategy"] == ALL]
    [_, medians] = picture_of(result).axes
    [line] = [line for line in lines_of(medians, len(whole)) if np.allclose(line[:, 1], np.exp(whole["log_ratio"]))]
    third = len(line) // 3
    assert line[-third:, 1].mean() / line[:third, 1].mean() == pytest.approx(1.2, rel=0.05)
    assert line[-1, 0] > line[0, 0]
    text = drift.caption(result, sheet_of())
    assert f"from {line[:, 1].min():.3f} to {line[:, 1].max():.3f}" in text


def test_the_steadiest_strategies_are_in_colour_with_their_running_medians() -> None:
    run = case("usual")
    spread = data(run).points["log_ratio"].abs().groupby(data(run).points["strategy"]).median()
    shown = data(run).shown
    assert shown == spread.sort_values().index[:3].tolist()
    assert set(shown) < set(legend_names(picture(drift, run)))


def test_each_launch_has_its_own_running_median() -> None:
    result = data(clocked(1.0, repetitions=4, launches=2))
    assert "2 launches" in drift.caption(result, sheet_of())
    [_, medians] = picture_of(result).axes
    sizes = [len(launch_rows) for _, launch_rows in result.trends[result.trends["strategy"] == ALL].groupby("launch")]
    widest = max(line.get_linewidth() for line in medians.lines)
    assert len([line for line in medians.lines if line.get_linewidth() == widest]) == len(sizes) == 2


def test_disturbances_are_shaded_where_the_manifest_says_when_they_were() -> None:
    run = by_hand([[1.0, 4.0], [9.0, 9.0]])
    parts = [{"began_s": 0.0, "spans_s": [[1, 2.5]]}, {"began_s": 100.0, "spans_s": [[0, 3]]}, {"seconds": 7.0}]
    result = data(dataclasses.replace(run, manifest=run.manifest | {"disturbance": parts}))
    assert result.spans.to_numpy().tolist() == [[1, 2.5], [100, 103]]
    assert "machine disturbed, 4 s" in drift.caption(result, sheet_of())  # 4.5, to the even
    shaded = [patch.get_extents() for axes in picture_of(result).axes for patch in axes.patches]
    assert len(shaded) == 4


def test_outliers_stand_on_the_edge_and_are_not_dropped() -> None:
    seconds = np.exp(0.01 * np.random.default_rng(1).standard_normal((300, 2)))
    seconds[0, 1] = 1e4
    result = data(by_hand(seconds.tolist()))
    [cloud, _] = picture_of(result).axes
    up = [line for line in cloud.lines if line.get_marker() == "^"]
    assert [len(line.get_xdata()) for line in up] == [1]
    assert up[0].get_ydata()[0] < cloud.get_ylim()[1] < 10
    assert math.isfinite(up[0].get_ydata()[0])
