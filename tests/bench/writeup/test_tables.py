"""The tables of a write-up agree with those of the run, fit on a page and explain their marks."""

from __future__ import annotations

import copy

import pytest

from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.writeup import tables, tabular
from sudoku_bench.bench.writeup.tabular import Table
from tests.bench.figures.cases import CASES, case


def by_name(name: str) -> dict[str, Table]:
    return {table.name: table for table in tables.tables(case(name))}


def cells(table: Table) -> list[list[str]]:
    return [list(row) for group in table.groups for row in group]


def test_medians_are_those_of_the_summary() -> None:
    summary = case("usual").summary.set_index(["strategy", "collection"])["median_s"]
    table = by_name("usual")["medians"]
    for name, *times in cells(table):
        for (collection, _), time in zip(table.columns[1:], times, strict=True):
            assert float(time) == pytest.approx(1e3 * summary[name, collection], rel=0.005)


def test_unfinished_measurements_are_marked_and_explained() -> None:
    run = case("some timeouts")
    unfinished = run.summary.set_index(["strategy", "collection"]).eval("n_measurements - solved")
    table = by_name("some timeouts")["medians"]
    for row in table.groups[0]:
        for (collection, _), cell in zip(table.columns[1:], row[1:], strict=True):
            expected = unfinished[row[0], collection]
            assert cell.partition(" ")[2] == (f"({expected} t/o)" if expected else "")  # all of them timed out
    for text in (tabular.as_latex(table), tabular.as_markdown(table)):
        assert "In parentheses: number of unfinished measurements (t/o: timed out)" in text
    assert "unfinished" not in by_name("usual")["medians"].note


def test_pairs_have_the_slower_one_first() -> None:
    run = case("usual")
    rows = cells(by_name("usual")["pairs"])
    assert len(rows) == 3 * run.summary["collection"].nunique()  # the others of four strategies
    assert all(float(row[3]) >= 1 for row in rows)
    assert not [row for row in rows if row[-1] == "faster"]


def test_the_nearest_rival_is_compared_with_the_fastest() -> None:
    run = case("usual")
    for of_best, of_rival, *_ in by_name("usual")["nearest"].groups:
        collection, faster, *_ = of_best
        _, slower, ratio, _ = of_rival
        par2_s = run.summary[run.summary["collection"] == collection].set_index("strategy")["par2_s"]
        assert faster == par2_s.idxmin()
        both = run.pairs[run.pairs["collection"] == collection]
        with_it = both[(both["a"] == faster) | (both["b"] == faster)]
        sizes = with_it["ratio"].where(with_it["b"] == faster, 1 / with_it["ratio"])
        assert float(ratio) == pytest.approx(sizes.min(), rel=0.005)
        assert slower != faster


def test_a_finding_about_the_nearest_rival_stands_below_it_and_widens_no_column() -> None:
    run = copy.copy(case("usual"))
    undecided = {"verdict": "indistinguishable", "beyond_margin": "", "ratio_lo": 0.9, "ratio_hi": 1.2}
    run.__dict__["quoted"] = run.pairs.assign(**undecided)
    for group in tables.nearest(run).groups:
        assert group[2:] == [["", "(not decided)", "", ""]]
    assert "\n & (not decided) &  &  \\\\\n" in tabular.as_latex(tables.nearest(run))


def test_pairs_are_those_with_the_fastest() -> None:
    table = by_name("sixty strategies")["pairs"]
    assert table.rows == 2 * 59
    assert r"\begin{longtable}" in tabular.as_latex(table)


def test_many_collections_are_several_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ABREAST", 4)
    made = by_name("many collections")
    assert [len(made[name].columns) - 1 for name in ("medians", "medians-2", "medians-3")] == [4, 4, 1]


@pytest.mark.parametrize("name", CASES)
def test_every_table_says_how_much_it_is_from_and_the_limit(name: str) -> None:
    run = case(name)
    made = list(tables.tables(run))
    assert made
    for table in made:
        assert f"{run.measurements['placebo'].isna().sum():,} measurement" in table.note
        assert f"limit {seconds(run.manifest['suite']['timeout_s'])}" in table.note
        assert all(len(row) == len(table.columns) for group in table.groups for row in group)
        assert tabular.as_latex(table).count(r"\toprule") == 1
        assert "nan" not in tabular.as_markdown(table)


def test_markdown_has_a_cell_for_each_column_whatever_the_names() -> None:
    table = by_name("odd names")["medians"]
    lines = [line for line in tabular.as_markdown(table).splitlines() if line.startswith("|")]
    assert {line.replace(r"\|", "").count("|") for line in lines} == {len(table.columns) + 1}
    assert r"\$x\_0\$" in lines[2]
