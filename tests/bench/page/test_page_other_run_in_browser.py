"""A second run dropped onto the page: medians side by side over what both have."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.say.phrases import seconds
from bench.verdicts.run_tables import Run
from tests.bench.page.opened import Opened, in_seconds
from tests.bench.page.runs import html

pytestmark = pytest.mark.slow

MISSING = "family0:model2@engine"
DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "report.html", { type: "text/html" }));
  for (const kind of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
  }
}"""


@pytest.fixture(scope="module")
def second(run: Run) -> Run:
    """Another launch: other times, one strategy and some puzzles fewer, a larger limit, and a changed grid."""
    rows = run.measurements[(run.measurements["strategy"] != MISSING) & (run.measurements["puzzle"] != "tier1-0003")]
    factor = np.random.default_rng(3).uniform(1, 3, len(rows))
    suite = run.manifest["suite"] | {"timeout_s": 0.05, "title": "Second <b>run</b>"}
    grids = run.puzzles["grid"].mask(run.puzzles["puzzle"] == "tier1-0004", "1" + "." * 80)
    return dataclasses.replace(
        run,
        manifest=run.manifest | {"suite": suite},
        measurements=rows.assign(cpu_s=rows["cpu_s"] * factor, limit_s=0.05),
        puzzles=run.puzzles.assign(grid=grids),
    )


@pytest.fixture(scope="module")
def second_page(second: Run) -> str:
    return html(second)


@pytest.fixture
def both(page: Opened, second_page: str) -> Iterator[Opened]:
    """The page of the run with the other one dropped onto it."""
    page.page.evaluate(DROP, second_page)
    page.page.locator("#other-table tbody tr").first.wait_for()
    yield page
    if page.page.locator("#other-remove").is_visible():
        page.page.locator("#other-remove").click()


def test_medians_are_over_the_puzzles_of_both(both: Opened, run: Run, second: Run) -> None:
    lines = {(line["Strategy"], line["Collection"]): line for line in both.table("other-table")}
    tables = [one.per_puzzle[one.per_puzzle["collection"] != "tier0"] for one in (run, second)]
    both = tables[0].merge(tables[1], on=["strategy", "collection", "puzzle"])
    both = both[both["puzzle"] != "tier1-0004"]
    groups = both.groupby(["strategy", "collection"])
    assert set(lines) == set(groups.groups)
    for (strategy, collection), group in groups:
        line = lines[str(strategy), str(collection)]
        assert line["Puzzles in both"] == str(len(group)) == ("10" if collection == "tier1" else "12")
        medians = [float(np.median(group[column])) for column in ("cpu_s_x", "cpu_s_y")]
        for words, value, limit in zip((line["Median here"], line["Median there"]), medians, ("20", "50"), strict=True):
            if math.isfinite(value):
                assert in_seconds(words) == pytest.approx(in_seconds(seconds(value)), rel=0.006)
            else:
                assert words == f"> {limit} ms"
        if all(map(math.isfinite, medians)):
            assert float(line["There / here"]) == pytest.approx(medians[1] / medians[0], rel=0.006)
        else:
            assert line["There / here"] == "–"
        assert line["Finished there"] == f"{np.isfinite(group['cpu_s_y']).sum()} of {len(group)}"


def test_the_page_says_that_times_of_two_launches_are_no_verdicts(both: Opened) -> None:
    words = both.page.locator("#other-result").inner_text()
    assert "not verdicts" in words
    assert "sudoku-bench compare RUN RUN" in words
    assert "The time limits differ: 20 ms here, 50 ms there." in words
    assert f"Not in the other run: {MISSING}." in words
    assert both.page.locator("#other-title").text_content() == "Second <b>run</b>"


def test_the_comparison_follows_the_filters(both: Opened) -> None:
    both.choose("collections", "tier2")
    both.choose("strategies", "family0:model0@engine", MISSING)
    [line] = both.table("other-table")
    assert (line["Strategy"], line["Collection"]) == ("family0:model0@engine", "tier2")
    both.choose("strategies", MISSING)
    assert "no strategy and puzzle of this selection in common" in both.page.locator("#other-note").text_content()


def test_a_link_names_the_other_run(both: Opened, opens: Any, run_page: str) -> None:
    address = both.page.evaluate("location.hash")
    lines = both.table("other-table")
    both.reset()
    assert both.page.locator("#other-result").is_hidden()
    both.go(address)
    assert both.table("other-table") == lines
    elsewhere = opens(run_page, address=address)
    asked = elsewhere.page.locator("#other-asked").text_content()
    assert "“Second <b>run</b>”. Drop its report.html" in asked
    assert elsewhere.page.locator("#other-result").is_hidden()
    both.page.locator("#other-remove").click()
    assert "other=" not in both.page.evaluate("location.hash")


def test_a_file_that_is_no_report_is_refused_in_words(page: Opened, run_page: str, tmp_path: Path) -> None:
    other = tmp_path / "notes.html"
    other.write_text("<p>nothing")
    page.page.locator("#other-file").set_input_files(other)
    page.page.wait_for_function("document.getElementById('other-problem').textContent")
    assert "notes.html is not the report.html of a run" in page.page.locator("#other-problem").text_content()
    assert page.page.locator("#other-result").is_hidden()
    report = tmp_path / "report.html"
    report.write_text(run_page)
    page.page.locator("#other-file").set_input_files(report)
    page.page.locator("#other-table tbody tr").first.wait_for()
    assert {line["There / here"] for line in page.table("other-table")} <= {"1", "–"}
    page.page.locator("#other-remove").click()
    assert page.page.locator("#other-result").is_hidden()
