"""Comparisons and crossovers that documents quote of the reference run stood in its second run, too.

A number of the second run has a hidden mark, ``<!-- again COLLECTION A B -->`` (of a crossover ``AXIS/SHAPE``).
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from studies import readme
from studies.document import region
from tests.conftest import TOP
from tests.docs.test_docs import PAGES

RESULTS = TOP / "results"
MARK = re.compile(r"<!-- (ratio|crossover)\w*/(\S+)/(\S+)/(\S+) -->")
AGAIN = re.compile(r"(\d[\d.]*)<!-- again (\S+) (\S+) (\S+) -->")


@pytest.fixture(scope="module")
def repeated() -> pd.DataFrame:
    return pd.read_csv(RESULTS / "reference" / "repeated.csv")


def rows_of(repeated: pd.DataFrame, place: str, pair: set[str]) -> pd.DataFrame:
    """Return the row of a pair on a collection (CPU time), or of its crossover along ``AXIS/SHAPE``."""
    axis, _, name = place.rpartition("/")
    rows = repeated[(repeated["collection"] == name) & (repeated["clock"] == (axis or "cpu"))]
    return rows.loc[[{row.a, row.b} == pair for row in rows.itertuples()], :]


def unconfirmed(text: str, repeated: pd.DataFrame) -> list[str]:
    """Return the marks of ratios and crossovers whose verdict did not stand; ``repeated`` is the table of that name."""
    marks = [(match[0], rows_of(repeated, match[2], {match[3], match[4]})) for match in MARK.finditer(text)]
    return [mark for mark, rows in marks if list(rows["stood"]) != ["yes"]]


def misquoted(text: str, repeated: pd.DataFrame) -> list[str]:
    """Return the numbers that are not those of the second run."""
    faults = []
    for number, place, *pair in AGAIN.findall(text):
        [row] = rows_of(repeated, place, set(pair)).itertuples()
        value = 1 / row.ratio_2 if row.kind == "pair" and row.a != pair[0] else row.ratio_2
        if f"{value:.{len(number.partition('.')[2])}f}" != number:
            faults.append(f"{number}: {value} ({place} {' '.join(pair)})")
    return faults


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_quoted_stood_in_a_second_run(page: Path, repeated: pd.DataFrame) -> None:
    text = page.read_text(encoding="utf-8")
    assert unconfirmed(text, repeated) == []
    assert misquoted(text, repeated) == []


@pytest.mark.thorough
def test_the_readme_has_the_answer_of_the_reference_runs() -> None:
    assert region(readme.PAGE, "answer") == readme.text(RESULTS / "reference", RESULTS / "reference-2")
