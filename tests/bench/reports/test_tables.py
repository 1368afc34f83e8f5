"""The tables of a write-up agree with those of the run, fit on a page and explain their marks."""

from __future__ import annotations

import copy
import dataclasses

import pytest
from matplotlib import cbook
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from sudoku_bench.bench.figures import sheet
from sudoku_bench.bench.reports import tables, tabular
from sudoku_bench.bench.reports.tabular import Table
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.answer import leaders
from sudoku_bench.bench.verdicts.selection import select
from tests.bench.figures.cases import CASES, case


def by_name(name: str) -> dict[str, Table]:
    return {table.name: table for table in tables.tables(case(name))}


def cells(table: Table) -> list[list[str]]:
    """Return the rows without those that head a group."""
    return [list(row) for group in table.groups for row in group if len(row) > 1]


def test_medians_are_those_of_the_summary() -> None:
    summary = case("usual").summary.set_index(["strategy", "collection"])["median_s"]
    table = by_name("usual")["medians"]
    for name, *times in cells(table):
        for (collection, _), time in zip(table.columns[1:], times, strict=True):
            assert float(time) == pytest.approx(1e3 * summary[name, collection], rel=0.005)


def test_unfinished_measurements_are_marked_and_explained() -> None:
    summary = case("some timeouts").summary.set_index(["strategy", "collection"])
    table = by_name("some timeouts")["medians"]
    for row in table.groups[0]:
        for (collection, _), cell in zip(table.columns[1:], row[1:], strict=True):
            line = summary.loc[(row[0], collection)]
            expected = line["n_measurements"] - line["solved"]
            known = cell.partition(" ")[2] == (f"({expected})" if expected else "")
            assert known if line["median_s"] > 0 else cell == "t/o"
    for text in (tabular.as_latex(table), tabular.as_markdown(table)):
        assert "In parentheses: number of solves not finished" in text
        assert "t/o: at least half of the solves timed out" in text
    assert "not finished" not in by_name("usual")["medians"].note


@pytest.mark.parametrize("status", ["wrong", "unsupported"])
def test_a_cell_without_a_time_says_why(status: str) -> None:
    run = case("usual")
    name = run.summary["strategy"].iloc[0]
    theirs = (run.measurements["strategy"] == name) & (run.measurements["collection"] == "tier1")
    rows = run.measurements.assign(status=run.measurements["status"].mask(theirs, status))
    [table] = tables.medians(dataclasses.replace(run, measurements=rows))
    text, meaning = tables.STATES[status]
    assert next(row for row in table.groups[0] if row[0] == name)[2] == text
    assert f"{text}: {meaning}" in table.note


def test_the_best_of_a_collection_is_bold() -> None:
    run = case("usual")
    [table] = tables.medians(run)
    bold = {(row[0], name) for row in table.groups[0] for (name, _), cell in zip(table.columns, row, strict=True)
            if isinstance(cell, tabular.Bold)}  # fmt: skip
    assert bold == set(leaders(run))
    assert bold
    assert r"\textbf{" in tabular.as_latex(table)


def test_rows_are_in_the_order_asked_for_under_their_labels() -> None:
    run = case("usual")
    first, second = sorted(set(run.summary["strategy"]))[:2]
    part = select(run, [second, first], {first: "Mine"}, ["tier2", "tier0"])
    [table] = tables.medians(part)
    assert [row[0] for row in table.groups[0]] == [second, "Mine"]
    assert [name for name, _ in table.columns[1:]] == ["tier2", "tier0"]


FONTS = [
    FontProperties(fname=cbook._get_data_path("fonts", "ttf", f"{name}.ttf"), size=8)
    for name in ("cmr10", "STIXGeneral")
]
WIDE = str.maketrans("–≥∞", "->m")  # letters that Computer Modern has among its symbols
COLUMN, PAGE = 241.0, 347.0  # of ACM (sigconf) and LNCS, the narrowest, in points


@pytest.mark.parametrize("name", sorted(set(CASES) - {"long names", "odd names"}))
def test_tables_fit_into_columns_and_pages(name: str) -> None:
    """In letters of Computer Modern and of Times, of 8 points."""
    for within, room in ((sheet.column("single"), COLUMN), (None, PAGE)):
        for table in tables.tables(case(name), within):
            width = max(_width_pt(table, font) for font in FONTS)
            is_narrow = table.name == "nearest" or (table.name == "medians" and len(table.columns) <= tables.FEWEST)
            assert width <= (room if is_narrow else PAGE), table.name


def _width_pt(table: Table, font: FontProperties) -> float:
    rows = [[heading for heading, _ in table.columns], *cells(table)]
    columns = zip(*rows, strict=True)
    widths = [
        max(TextToPath().get_text_width_height_descent(text.translate(WIDE), font, False)[0] for text in column)
        for column in columns
    ]
    return sum(widths) + tabular.GAP_PT * (len(widths) - 1)


def test_a_finding_about_the_nearest_rival_stands_below_it_and_widens_no_column() -> None:
    run = copy.copy(case("usual"))
    undecided = {"verdict": "indistinguishable", "beyond_margin": "", "ratio_lo": 0.9, "ratio_hi": 1.2}
    run.__dict__["quoted"] = run.pairs.assign(**undecided)
    for group in tables.nearest(run).groups:
        assert group[3:] == [["(not decided)", "", ""]]
    assert "\n(not decided) &  &  \\\\\n" in tabular.as_latex(tables.nearest(run))


def test_pairs_are_those_with_the_fastest() -> None:
    table = by_name("sixty strategies")["pairs"]
    assert len(cells(table)) == 2 * 59
    assert r"\begin{longtable}" in tabular.as_latex(table)


def test_collections_that_do_not_fit_are_further_tables() -> None:
    made = {table.name: table for table in tables.medians(case("many collections"), room_pt=250.0)}
    assert list(made) == [f"medians{part}" for part in ("", "-2", "-3")][: len(made)]
    assert len(made) > 1
    assert [name for table in made.values() for name, _ in table.columns[1:]] == [f"tier{n}" for n in range(9)]
    assert all(len(table.columns) > tables.FEWEST for table in list(made.values())[:-1])
    narrow = list(tables.medians(case("many collections"), room_pt=120.0))
    assert [table.columns for table in narrow] == [table.columns for table in tables.medians(case("many collections"))]


@pytest.mark.parametrize("name", CASES)
def test_every_table_says_how_much_it_is_from_and_the_limit(name: str) -> None:
    run = case(name)
    made = list(tables.tables(run))
    assert made
    for table in made:
        assert f"{run.measurements['placebo'].isna().sum():,} measurement" in table.note
        assert f"limit {seconds(run.manifest['suite']['timeout_s'])}" in table.note
        assert all(len(row) == len(table.columns) for row in cells(table))
        assert tabular.as_latex(table).count(r"\toprule") == 1
        assert "nan" not in tabular.as_markdown(table)


def test_markdown_has_a_cell_for_each_column_whatever_the_names() -> None:
    table = by_name("odd names")["medians"]
    lines = [line for line in tabular.as_markdown(table).splitlines() if line.startswith("|")]
    assert {line.replace(r"\|", "").count("|") for line in lines} == {len(table.columns) + 1}
    assert r"\$x\_0\$" in lines[2]
