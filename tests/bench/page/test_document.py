"""The page as a file: self-contained, small, reproducible, and without markup from names."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Callable
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.commands import report
from sudoku_bench.bench.figures import catalogue, sheet, time_vs_difficulty, verdict_map, winners
from sudoku_bench.bench.page import document, map_table, sections, strips
from sudoku_bench.bench.page.arrays import COUNTERS, page_arrays
from sudoku_bench.bench.page.gather import SYMBOLS
from sudoku_bench.bench.page.head import checksum
from sudoku_bench.bench.say import ending, terminal
from sudoku_bench.bench.verdicts.difficulty import crossovers
from sudoku_bench.bench.verdicts.run_data import of_strategies
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.summary import time_figures
from tests.bench.figures.cases import CASES, case, simulated
from tests.bench.page.runs import evil, facts, html, times, tried
from tests.conftest import TOP

LOADS = ("src", "href", "action", "data", "poster", "srcset", "formaction", "background")


class Reader(HTMLParser):
    """The tags of a page, its texts, and its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and self.cdata_elem == "script":
            self.scripts.append(data)
        else:
            self.text += data


@pytest.fixture(scope="module")
def usual() -> str:
    return html(case("usual"), files=["summary.csv", "plots/a_figure.svg", "plots/a_figure.png"])


def test_nothing_is_loaded_from_elsewhere(usual: str) -> None:
    reader = Reader(usual)
    loaded = [value for _, attributes in reader.tags for name, value in attributes.items() if name in LOADS and value]
    assert {value for value in loaded if not value.startswith("#")} == {
        *("data:,", "summary.csv", "plots/a_figure.svg", "plots/a_figure.png")
    }
    assert not re.search(r"url\(|@import", (document.HERE / "page.css").read_text(encoding="utf-8"))
    [policy] = [meta["content"] for tag, meta in reader.tags if tag == "meta" and meta.get("http-equiv")]
    assert policy
    assert "default-src 'none'" in policy
    assert "http" not in policy


def test_the_policy_allows_the_script_of_the_page_and_no_other(usual: str) -> None:
    [script] = [script for script in Reader(usual).scripts if "use strict" in script]
    [allowed] = re.findall(r"script-src ([^;]+);", usual)
    assert allowed == f"'{checksum(script)}'"


@pytest.mark.parametrize("name", CASES)
def test_every_run_has_a_page_with_its_verdicts(name: str) -> None:
    run = case(name)
    page = html(run)
    text = " ".join(Reader(page).text.split())
    for line in terminal.verdict_lines(run, len(run.crossovers)):
        assert " ".join(line.split()) in text
    assert "see crossovers.csv" not in text
    names = {strategy["name"] for strategy in facts(page)["strategies"]}
    assert names == set(of_strategies(run.measurements)["strategy"])
    assert len(page) < 1_000_000


def test_names_are_text_and_never_markup() -> None:
    run = evil()
    page = html(run)
    plain = Reader(html(case("usual")))
    odd = Reader(page)
    assert [tag for tag, _ in odd.tags if tag in ("script", "img")] == ["script"] * 3
    assert {tag for tag, _ in odd.tags} <= {tag for tag, _ in plain.tags}
    for name in (*set(run.measurements["strategy"]), *run.collections):
        assert name in odd.text
    names = {strategy["name"] for strategy in facts(page)["strategies"]}
    assert names == set(of_strategies(run.measurements)["strategy"])
    assert facts(page)["collections"] == list(run.collections)


def test_forty_strategies_on_two_thousand_puzzles_fit() -> None:
    """As a quarter of the puzzles fit into a quarter of the size."""
    run = simulated(strategies=40, puzzles=250, collections=2, repetitions=1, limit_s=0.5)
    page = document.page(run)
    assert len(page) < document.MOST_BYTES / 4
    assert len(facts(page.decode())["rows"]["puzzle"]) == 500


def test_a_page_that_would_be_too_large_shows_fewer_puzzles_and_says_so() -> None:
    run = simulated(strategies=3, puzzles=400)
    whole = document.page(run)
    most = len(whole) - 20_000
    small = document.page(run, most_bytes=most)
    assert len(small) <= most
    kept = facts(small.decode())["rows"]
    assert len(kept["puzzle"]) < 1200
    assert f"holds {len(kept['puzzle']):,} of 1,200 puzzles, drawn at random" in small.decode()
    assert "drawn at random" not in whole.decode()
    assert set(kept["collection"]) == {0, 1, 2}
    assert small == document.page(run, most_bytes=most)


def test_times_are_those_of_the_summary() -> None:
    run = tried()
    page = html(run)
    content, seconds = facts(page), times(page)
    for number, collection in enumerate(run.collections):
        rows = np.array(content["rows"]["collection"]) == number
        # A puzzle's time taken as its only measurement has the same median and geometric mean.
        number = rows.sum()
        values = seconds[:, rows, None].astype(float)
        figures = time_figures(values, np.full((4, number, 1), np.nan), np.arange(number))
        lines = run.summary[run.summary["collection"] == collection].set_index("strategy")
        for place, strategy in enumerate(content["strategies"]):
            for figure in ("median_s", "gmean_s"):
                wanted = lines.loc[strategy["name"], figure]
                assert figures[figure][place] == pytest.approx(wanted, rel=1e-5, nan_ok=True)


@pytest.mark.parametrize("name", ["usual", "some timeouts", "several sizes", "sixty strategies"])
def test_the_map_has_the_texts_the_order_and_the_frames_of_the_figure(name: str) -> None:
    run = case(name)
    cells = verdict_map.data(run)
    kinds = {verdict_map.FASTEST: "fastest", verdict_map.SHARED: "shared", "": ""}
    wanted = cells.table.set_index(["strategy", "collection"])
    lines = re.findall(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>', map_table.table(run))
    assert [strategy for strategy, _ in lines] == list(cells.strategies)
    for late in run.summary[run.summary["timeouts"] > 0].to_dict("records"):
        assert f' title="{late["timeouts"]}/{late["n_measurements"]} timeout"' in dict(lines)[late["strategy"]]
    for strategy, line in lines:
        drawn = re.findall(r'<td class="number (\w*)"[^>]*>([^<]*)<small>([^<]*)</small>', line)
        for collection, (kind, first, below) in zip(cells.collections, drawn, strict=True):
            cell = wanted.loc[strategy, collection].to_dict()
            assert ((first, below), kind) == (verdict_map.texts_of(cell), kinds[cell["place"]])


def test_strips_have_the_winners_of_the_figure() -> None:
    run = case("crossing")
    wanted = winners.data(run)
    expected = [
        (name, state, sum(wanted.stretches[place].puzzles for place in places))
        for name in wanted.rows
        for state, places in wanted.bars(name)
    ]
    rows = re.findall(r"<p>([^<]*)</p><ol[^>]*>(.*?)</ol>", strips.strips(run))
    bars = [(name, re.findall(r"\((\d+) puzzles?\): ([^<]*)</b>", bars)) for name, bars in rows]
    assert [(name, state, int(number)) for name, found in bars for number, state in found] == expected
    assert len({name for name, *_ in expected}) > 1


def test_the_answer_begins_with_the_crossovers(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [f"Above {number} guesses, b is faster than a" for number in range(ending.CROSSOVERS + 2)]
    monkeypatch.setattr(crossovers, "sentences", lambda _: told)
    run = tried()
    vars(run)["crossovers"] = pd.DataFrame(index=range(len(told)))
    text = Reader(sections.verdicts(run)).text
    assert text.startswith(f"Which strategy is faster depends on the difficulty:{told[0]}")
    assert (
        text.index("and 2 more crossovers: see all verdicts")
        < text.index(ending.results(run)[0])
        < text.index(told[-1])
    )


@pytest.mark.parametrize("make", [CASES["several sizes"], partial(simulated, strategies=2, growth=-0.3)])
def test_colours_and_crossovers_are_those_of_the_figure(make: Callable[[], Run]) -> None:
    run = make()
    lines = time_vs_difficulty.data(run)
    content = facts(html(run))
    size = content["scopes"][0]["size"]
    names = [strategy["name"] for strategy in content["strategies"]]
    looks = {name: sheet.of_run(run).looks[name] for name in time_vs_difficulty.named(lines)}
    colours = {name: look.colour for name, look in time_vs_difficulty.distinct(looks).items()}
    assert {names[int(place)]: colour for place, colour in content["named"][str(size)].items()} == colours
    assert set(content["named"]) == {str(scope["size"]) for scope in content["scopes"]}
    drawn = [one for one in content["crossings"] if (one["axis"], one["size"]) == ("guesses", size)]
    assert bool(drawn) == bool(lines.crossing) == (len(names) == 2)
    if drawn:
        assert [names[drawn[0][end]] for end in ("below", "above")] == lines.pair
        assert (drawn[0]["at"], drawn[0]["lo"]) == (lines.crossing["crossover"], lines.crossing["lo"])


def test_forms_and_counters_are_those_of_the_rows() -> None:
    run = tried()
    arrays = page_arrays(run)
    names = sorted(set(run.measurements["strategy"]))
    finished = run.measurements[run.measurements["status"] == "solved"]
    for strategy, row in ((0, 0), (1, 20), (3, 30)):
        puzzle = arrays.rows["puzzle"][row]
        own = run.measurements[
            (run.measurements["strategy"] == names[strategy]) & (run.measurements["puzzle"] == puzzle)
        ]
        seconds = own["cpu_s"].where(own["status"] == "solved", np.inf)
        assert arrays.details[: arrays.form_count, strategy, row] == pytest.approx(seconds.to_numpy(), rel=1e-3)
        solved = finished.loc[own.index.intersection(finished.index)]
        medians = [solved[name].median() if name in solved else np.nan for name in COUNTERS]
        assert arrays.details[arrays.form_count :, strategy, row] == pytest.approx(medians, rel=1e-3, nan_ok=True)


def test_looks_are_those_of_the_figures() -> None:
    run = case("sixty strategies")
    looks = sheet.of_run(run).looks
    strategies = facts(html(run))["strategies"]
    in_page = {strategy["name"]: (strategy["colour"], strategy["symbol"]) for strategy in strategies}
    assert in_page == {name: (look.colour, SYMBOLS[look.marker]) for name, look in looks.items()}


@pytest.mark.parametrize("status", ["wrong", "mistimed"])
def test_wrong_and_mistimed_strategies_have_no_times_and_say_why(status: str) -> None:
    run = tried()
    name = "family0:model1@engine"
    first = run.measurements.index[run.measurements["strategy"] == name][0]
    statuses = run.measurements["status"].copy()
    statuses[first] = status
    run = dataclasses.replace(run, measurements=run.measurements.assign(status=statuses))
    page = html(run)
    place = [strategy["name"] for strategy in facts(page)["strategies"]].index(name)
    assert np.isnan(times(page)[place]).all()
    assert not np.isnan(times(page)[0]).all()
    [excluded] = terminal.not_compared(run)
    assert name in excluded
    assert excluded in Reader(page).text


def test_a_run_without_a_measurement_has_a_page() -> None:
    run = tried()
    page = html(dataclasses.replace(run, measurements=run.measurements.iloc[:0]))
    assert facts(page)["strategies"] == []
    assert len(facts(page)["rows"]["puzzle"]) == 36


def test_a_report_has_a_page_that_links_to_its_files(
    small_reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "FIGURES", ())
    shutil.copytree(small_reference, tmp_path, dirs_exist_ok=True)
    shutil.copy(TOP / "results" / "reference" / "encodings.csv", tmp_path)
    report.report(tmp_path)
    reader = Reader((tmp_path / "report.html").read_text(encoding="utf-8"))
    targets = {link["href"] for tag, link in reader.tags if tag == "a"}
    linked = {target for target in targets if not str(target).startswith("#")}
    assert {"measurements.csv", "summary.csv", "pairs.csv"} <= linked
    assert linked == {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("[!.]*.*")} - {"report.html"}


def test_indented_lines_and_notes_stand_below_the_line_before_them() -> None:
    assert sections.grouped(["Fastest:", "  a: x", "  b: y", "When it*", "* a note", "next"]) == [
        ("Fastest:", ["a: x", "b: y"]),
        ("When it*", ["* a note"]),
        ("next", []),
    ]
