"""The table of correlations: numbers, order and what fits."""

from __future__ import annotations

from bench.figures import predictors, sheet
from bench.figures.predictors import data, written
from tests.bench.figures.cases import case, picture


def test_cells_are_the_correlations_with_their_intervals() -> None:
    run = case("usual")
    shown = data(run)
    figure = picture(predictors, run)
    [axes] = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == shown.strategies
    texts = {
        (round(x - 0.5), int(y), y % 1 > 0.5): text.get_text() for text in axes.texts for x, y in [text.get_position()]
    }
    for line in shown.table.to_dict("records"):
        place = shown.measures.index(line["measure"]), names.index(line["strategy"])
        assert texts[(*place, False)] == written(line["rho"])
        assert texts[(*place, True)] == written(line["rho_lo"], line["rho_hi"])


def test_the_strongest_of_a_strategy_is_bold_if_its_interval_excludes_zero() -> None:
    run = case("usual")
    bold = [text.get_text() for text in picture(predictors, run).axes[0].texts if text.get_fontweight() == "bold"]
    table = data(run).table
    strong = table[table["rho_lo"] * table["rho_hi"] > 0]
    assert len(bold) == strong["strategy"].nunique()
    assert set(bold) <= {written(rho) for rho in strong["rho"]}


def test_measures_are_ordered_by_what_they_predict() -> None:
    shown = data(case("usual"))
    assert shown.measures[0] == "guesses"
    best = shown.table.assign(strength=shown.table["rho"].abs()).groupby("strategy")["strength"].max()
    assert best[shown.strategies].tolist() == sorted(best, reverse=True)


def test_a_column_without_room_says_so() -> None:
    run, narrow = case("usual"), sheet.of_run(case("usual"), sheet.column("single"))
    assert "with 95% interval" in predictors.caption(data(run), sheet.of_run(run))
    assert "interval between" not in predictors.caption(data(run), narrow)


def test_a_column_has_the_best_predictors_with_their_numbers() -> None:
    run, column = case("usual"), sheet.column("single")
    shown, narrow = data(run), sheet.of_run(run, column)
    kept = predictors.layout(shown, narrow).measures
    assert 2 < len(kept) < len(shown.measures) == len(predictors.NAMES)
    assert kept == shown.measures[: len(kept)]
    left_out = ", ".join(predictors.NAMES[name] for name in shown.measures[len(kept) :])
    assert f"Not shown: {left_out}." in predictors.caption(shown, narrow)
    numbers = [text.get_text() for text in picture(predictors, run, column).axes[0].texts]
    assert numbers == [written(rho) for rho in shown.table.loc[shown.table["measure"].isin(kept), "rho"]]
    assert predictors.layout(shown, sheet.of_run(run)).measures == shown.measures


def test_minus_signs_are_minus_signs() -> None:
    assert written(-0.5) == "−0.50"
    assert written(-0.5, 0.25) == "−0.50, 0.25"
    assert written(-0.001) == "0.00"
