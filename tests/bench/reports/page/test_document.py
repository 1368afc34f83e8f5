"""The page as a file: self-contained, reproducible, with the numbers of the run, and without markup from names."""

from __future__ import annotations

import math
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sudoku_bench.bench.commands import report
from sudoku_bench.bench.figures import catalogue, time_vs_difficulty
from sudoku_bench.bench.reports.page import pictures, sections, tables
from sudoku_bench.bench.say import speech, terminal
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.pairs.evidence import evidence
from sudoku_bench.bench.verdicts.pairs.pairs import all_pairs
from sudoku_bench.bench.verdicts.run_data import of_strategies
from tests.bench.figures.cases import CASES, case, simulated
from tests.bench.reports.page.runs import data, evil, html, rows, tried
from tests.conftest import TOP

LOADS = ("src", "action", "data", "poster", "srcset", "formaction", "background", "xlink:href")


class Reader(HTMLParser):
    """The tags of a page, and its text without scripts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += "" if self.cdata_elem else data


def test_nothing_is_loaded_and_no_other_script_may_run() -> None:
    page = html(case("usual"), files=["summary.csv"])
    reader = Reader(page)
    loaded = {value for _, attributes in reader.tags for name, value in attributes.items() if name in LOADS and value}
    assert {value for value in loaded if not value.startswith(("#", "data:"))} == set()
    assert not re.search(r"url\([^#]|@import", page)
    [policy] = [meta["content"] for _, meta in reader.tags if meta.get("http-equiv")]
    assert policy
    assert "default-src 'none'; script-src 'sha256-" in policy
    assert page == html(case("usual"), files=["summary.csv"])


@pytest.mark.parametrize("name", CASES)
def test_every_run_has_a_page_with_its_verdicts_and_strategies(name: str) -> None:
    run = case(name)
    page = html(run)
    text = " ".join(Reader(page).text.split())
    for line in terminal.verdict_lines(run, len(run.crossovers)):
        assert " ".join(line.split()) in text
    assert set(data(page)["strategies"]) == set(of_strategies(run.measurements)["strategy"])


def test_names_are_text_and_never_markup() -> None:
    run = evil()
    page, plain = html(run), Reader(html(case("usual")))
    odd = Reader(page)
    assert [tag for tag, _ in odd.tags if tag in ("script", "img")] == ["script"] * 2
    assert {tag for tag, _ in odd.tags} <= {tag for tag, _ in plain.tags}
    for name in (*set(run.measurements["strategy"]), *run.collections):
        assert name in odd.text


def test_a_page_that_would_be_too_large_lists_fewer_puzzles_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    run = simulated(strategies=3, puzzles=40)
    monkeypatch.setattr(tables, "MOST_TIMES", len(run.measurements) // 4)
    page = html(run)
    assert len(data(page)["boards"]) == 30
    assert "lists 30 of 120 puzzles, drawn at random" in page
    assert page == html(run)


def test_times_and_counters_are_those_of_the_run() -> None:
    run = tried()
    content = data(html(run))
    limit = f"> {seconds(run.manifest['suite']['timeout_s'])}"
    medians = run.per_puzzle.set_index(["strategy", "puzzle"])["cpu_s"]
    for number, line in enumerate(rows(content["puzzles"])):
        for name, solved in zip(content["strategies"], content["solves"][number], strict=True):
            median = medians[name, line["Puzzle"]]
            assert line[name] == (limit if math.isinf(median) else pytest.approx(median, rel=1e-3))
            own = run.measurements.query("strategy == @name and puzzle == @line['Puzzle']")
            done = own["status"] == "solved"
            known = [value if is_done else limit for value, is_done in zip(own["cpu_s"], done, strict=True)]
            assert solved[0] == [one if one == limit else pytest.approx(one, rel=1e-3) for one in known]
            assert solved[1] == (pytest.approx(own["conflicts"][done].median(), rel=1e-3) if done.any() else None)
    assert rows(content["puzzles"])[0]["ER"] == ">9.4"


@pytest.mark.parametrize("baseline", ["", "family0:model1@engine"])
def test_pairs_are_the_evidence_of_the_run(baseline: str) -> None:
    run = tried()
    pairs = all_pairs(run, baseline) if baseline else run.pairs
    for line, row in zip(rows(data(html(run, baseline=baseline))["pairs"]), pairs.to_dict("records"), strict=True):
        shown = evidence(row)
        assert (line["A"], line["B"], line["A is"]) == (row["a"], row["b"], shown.finding)
        assert (line["95% interval"] or "", line["Time of A / time of B"] or "") == (shown.interval, shown.ratio)


def test_curves_have_parts_for_every_strategy_and_collection_and_show_those_of_print() -> None:
    run = case("crossing")
    lines, names = time_vs_difficulty.data(run), list(pictures.of_page(run).looks)
    drawn = pictures.curves(run).partition('data-board="9×9"')[2].partition("</figure>")[0]
    points = re.findall(r'<g class="points(?: off)?"[^>]* data-strategy="(\d+)" data-collection="(\d+)"', drawn)
    known = lines.points[["strategy", "collection"]].drop_duplicates().itertuples(index=False)
    places = {(str(names.index(strategy)), str(run.collections.index(collection))) for strategy, collection in known}
    assert set(points) == places
    shown = {names[int(number)] for number in re.findall(r'"curve" data-named="yes" data-strategy="(\d+)"', drawn)}
    assert shown == {name for name in lines.strategies if pictures.of_page(run).is_named(name)}


def test_a_report_has_a_page_with_links_to_its_files_and_a_second_run(
    small_reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "FIGURES", ())
    first, second = tmp_path / "first", tmp_path / "second"
    shutil.copytree(small_reference, first)
    shutil.copytree(small_reference, second)
    shutil.copy(TOP / "results" / "reference" / "encodings.csv", first)
    report.report(first, second=second)
    page = (first / "report.html").read_text(encoding="utf-8")
    linked = {link["href"] for tag, link in Reader(page).tags if tag == "a" and "#" not in str(link["href"])}
    assert linked == {path.relative_to(first).as_posix() for path in first.rglob("[!.]*.*")} - {"report.html"}
    assert {line["Stood"] for line in rows(data(page)["second"])} - {None} == {"yes"}
    report.report(first)
    assert (first / "report.html").read_text(encoding="utf-8") == page


def test_the_answer_is_that_of_the_terminal_and_notes_stand_below_their_lines() -> None:
    run = case("crossing")
    assert Reader(sections.verdicts(run)).text.startswith(speech.results(run)[0])
    assert sections.grouped(["Fastest:", "  a: x", "  b: y", "When it*", "* a note", "next"]) == [
        ("Fastest:", ["a: x", "b: y"]),
        ("When it*", ["* a note"]),
        ("next", []),
    ]
