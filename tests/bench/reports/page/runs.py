"""Runs for the tests of the page, and access to the data embedded in a page."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from sudoku_bench.bench.reports.page import document
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import simulated

SMALL = "..34.412.3..2..1"  # a board of 4×4
EVIL = (
    'evil:</script><script>window.hacked="a"</script>',
    "evil:<img src=x onerror=window.hacked=1>",
    "evil:\"'&amp;\u2028\u2029]]><!--",
    "evil:$script ${numbers} $$",
)
DATA = '<script type="application/json" id="data">'


def tried() -> Run:
    """Four strategies on three collections, the first of 4×4 boards; some time out."""
    run = simulated(puzzles=12, limit_s=0.02)
    small = run.puzzles["collection"] == "tier0"
    ratings = [">9.4", ">4.4", *run.puzzles["er"][2:]]
    puzzles = run.puzzles.assign(grid=run.puzzles["grid"].mask(small, SMALL), er=ratings)
    return dataclasses.replace(run, puzzles=puzzles)


def evil() -> Run:
    """A run whose title, strategies and collections are markup."""
    run = simulated(puzzles=6, collections=2)
    names = dict(zip(sorted(set(run.measurements["strategy"])), EVIL, strict=True))
    collections = {"tier0": EVIL[0], "tier1": EVIL[1]}
    measurements = run.measurements.replace({"strategy": names, "collection": collections})
    suite = run.manifest["suite"] | {"title": EVIL[1]}
    return Run(run.manifest | {"suite": suite}, measurements, run.puzzles.replace({"collection": collections}))


def html(run: Run, **options: Any) -> str:
    """Return the page of a run."""
    return document.page(run, **options).decode()


def data(page: str) -> dict[str, Any]:
    """Return the data embedded in a page."""
    result: dict[str, Any] = json.loads(page.partition(DATA)[2].partition("</script>")[0])
    return result


def rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of an embedded table, by the titles of its columns."""
    titles = [column["title"] for column in table["columns"]]
    return [dict(zip(titles, row, strict=True)) for row in table["rows"]]
