"""The figure of encodings: ratios of the whole solve are those of pairs.csv, those of search are of searches alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sudoku_bench.bench.figures import encodings, sheet
from sudoku_bench.bench.verdicts.encodings import SEARCH, WHOLE, base, of_search, ratios, ways
from sudoku_bench.bench.verdicts.pairs.evidence import turned
from sudoku_bench.bench.verdicts.selection import select
from tests.bench.figures.cases import case, encoded, faults, picture, simulated

BASE = "sat:complete+pairwise@a"


def test_encodings_are_compared_under_the_same_solver_and_loader() -> None:
    run = case("encodings")
    assert {way.name: list(way.strategies) for way in ways(run)} == {
        "@a": ["augmented", "complete+pairwise", "order"],
        "+compiled@b": ["augmented", "complete+pairwise"],
    }
    table = ratios(run, base(run))
    for row in table.to_dict("records"):
        assert row["a"].partition("@")[2] == row["b"].partition("@")[2]
        assert row["b"].startswith("sat:complete+pairwise")
    own = table[(table["part"] == WHOLE) & (table["a"] == "sat:augmented@a")].set_index("collection")
    for row in map(turned, run.pairs[run.pairs["a"] == BASE].to_dict("records")):
        columns = ["ratio", "ratio_lo", "ratio_hi", "verdict", "family"]
        assert own.loc[row["collection"], columns].to_list() == pytest.approx([row[column] for column in columns])


def test_search_alone_is_the_mean_ratio_of_searches() -> None:
    run = case("encodings")
    rows = run.measurements[run.measurements["collection"] == "tier0"]
    wide = rows.pivot(index=["puzzle", "repetition"], columns="strategy", values="search_cpu_s")
    expected = np.exp(np.log(wide["sat:order@a"] / wide[BASE]).mean())
    table = ratios(run, base(run)).set_index(["part", "collection", "a"])
    assert table.loc[(SEARCH, "tier0", "sat:order@a"), "ratio"] == pytest.approx(expected)


def test_an_unfinished_search_took_at_least_what_loading_left_of_the_limit() -> None:
    run = case("encodings")
    rows, searched = run.measurements, of_search(run).measurements
    late = rows["status"] == "timeout"
    beside = (rows["cpu_s"] - rows["search_cpu_s"])[~late].groupby([rows["strategy"], rows["collection"]]).max()
    assert late.any()
    for row in searched[late].to_dict("records"):
        assert row["limit_s"] == pytest.approx(max(1e-9, 0.02 - beside.get((row["strategy"], row["collection"]), 0.02)))
    unknown = rows.assign(search_cpu_s=rows["search_cpu_s"].mask(rows["strategy"] == BASE))
    assert BASE not in set(of_search(dataclasses.replace(run, measurements=unknown)).measurements["strategy"])


def test_marks_are_filled_for_the_whole_solve_and_unfinished_solves_are_named() -> None:
    run = case("encodings")
    panels = encodings.data(run)
    drawn = picture(encodings, run)
    for axes, panel in zip(drawn.axes, panels.panels, strict=True):
        marks = [line for line in axes.lines if line.get_marker() in "os" and len(line.get_xdata()) == 1]
        known = panel.rows[panel.rows["ratio"].between(*axes.get_xlim())]
        assert sorted(float(mark.get_xdata()[0]) for mark in marks) == pytest.approx(sorted(known["ratio"]))
        filled = [mark for mark in marks if mark.get_markerfacecolor() != "#ffffff"]
        assert len(filled) == int((known["part"] == WHOLE).sum())
    late = run.measurements[run.measurements["status"] == "timeout"]
    model = late["strategy"].str.removeprefix("sat:").str.partition("@")[0].str.removesuffix("+compiled")
    counts = late.groupby(["collection", model]).size().to_dict()
    told = {(panel.head, name): text for panel in panels.panels for name, text in panel.ended.items()}
    assert told == {place: f"{number} ran out of time" for place, number in counts.items()}


def test_without_pairwise_the_reference_is_the_encoding_with_most_pairs_and_two_runs_share_a_figure() -> None:
    run = case("encodings")
    rest = dataclasses.replace(run, measurements=run.measurements[run.measurements["strategy"] != BASE])
    rest = dataclasses.replace(rest, measurements=rest.measurements.query("not strategy.str.contains('compiled')"))
    assert encodings.data(rest).scope == "relative to augmented"
    unique = dataclasses.replace(run, manifest=run.manifest | {"suite": run.manifest["suite"] | {"task": "unique"}})
    heads = [panel.head for panel in encodings.data(run, unique).panels]
    assert heads == [f"tier{tier}, {task}" for task in ("first", "unique") for tier in range(4)]
    with pytest.raises(encodings.NothingToDrawError, match="same solver and loader"):
        encodings.data(simulated())
    one = case("encodings")
    rows = one.measurements[one.measurements["puzzle"] == one.measurements["puzzle"].iloc[0]]
    with pytest.raises(encodings.NothingToDrawError, match="too few puzzles"):
        encodings.data(dataclasses.replace(one, measurements=rows))


def test_the_axis_label_of_narrow_panels_begins_at_its_panel() -> None:
    """In the middle of a panel of a third of a column it left the figure."""
    run = select(encoded(collections=7), [BASE, "sat:order@a"])
    assert faults(picture(encodings, run, sheet.column("single"))) == []
