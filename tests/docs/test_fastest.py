"""Who is called the fastest is so in every table of the repository.

A sentence that calls a strategy the fastest has a hidden mark, ``<!-- fastest COLLECTION STRATEGY -->``. (The marks of
docs/encodings.md name a block of the grid instead, whose text a study writes and tests.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from markdown_it import MarkdownIt

from studies.document import MAKER
from tests.conftest import TOP
from tests.docs.test_docs import PAGES

PHRASE = re.compile(r"\bfastest\b|\bfaster than (all|any|each|every)\b", re.IGNORECASE)
MARK = re.compile(r"<!-- fastest (\S+) (\S+) -->")
NOISE = 1.05  # ratio of medians
TABLES = ("reference/summary.csv", "reference-2/summary.csv", "screening.csv")
RULES = (  # what tables and figures show, not who is fastest
    *(
        "fastest strategies",
        "fastest strategy of each collection",
        "on each collection the fastest strategy",
        "fastest comparable strategy",
        "fastest one of each",
    ),
    *("on which it is the fastest", "it is the fastest (ties shared)", "was fastest there", "are fastest where"),
    *("strategy is fastest on which", "that are fastest on easy and on hard puzzles"),
    *("shown to be faster than", "significantly faster than each", "were fastest on a sample"),
    "fastest families",
    *("between the fastest and the slowest", "fastest kind"),  # of the machine
)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences and cells of a page; neither code nor what a study writes."""
    text = re.sub(rf"<!-- (\S+): {MAKER} -->.*?<!-- end of \1 -->", "", text, flags=re.DOTALL)
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "inline":
            yield from re.split(r"(?<=[.?!|])\s+", " ".join(token.content.split()))


def unmarked(text: str) -> list[str]:
    """Return the sentences that call something the fastest without a mark."""
    claims = [each for each in sentences(text) if PHRASE.search(re.sub("|".join(map(re.escape, RULES)), "", each))]
    return [each for each in claims if not MARK.search(each)]


def faults(text: str, tables: pd.DataFrame) -> list[str]:
    """Return what is faster than a strategy that is called the fastest.

    Args:
        tables: columns ``table``, ``collection``, ``strategy``, ``median_s``.
    """
    result = []
    for collection, strategy in MARK.findall(text):
        if ":" not in strategy:
            continue  # a mark of docs/encodings.md
        rows = tables[tables["collection"] == collection]
        own = rows[rows["strategy"] == strategy].set_index("table")["median_s"].dropna()
        if own.empty:
            result.append(f"{strategy} has no median on {collection}")
            continue
        # In a table without it, its lowest one of the others counts.
        limits = rows["table"].map(own).fillna(own.min()) / NOISE
        faster = rows[rows["median_s"] < limits]
        result += [f"{row.strategy} on {collection} in {row.table}" for row in faster.itertuples()]
    return result


@pytest.fixture(scope="module")
def tables() -> pd.DataFrame:
    paths = {name: path for name in TABLES if (path := TOP / "results" / name).exists()}
    return pd.concat([pd.read_csv(path).assign(table=name) for name, path in paths.items()])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_whatever_is_called_the_fastest_is_so_in_every_table(page: Path, tables: pd.DataFrame) -> None:
    text = page.read_text(encoding="utf-8")
    assert unmarked(text) == []
    assert faults(text, tables) == []


def test_a_claim_needs_a_mark() -> None:
    claim = "On `easy`, `a:1` is the fastest{}, and\n`a:2` takes 3 ms. Next."
    assert unmarked(claim.format(" <!-- fastest easy a:1 -->")) == []
    assert unmarked(claim.format("")) == ["On `easy`, `a:1` is the fastest, and `a:2` takes 3 ms."]
    assert unmarked("| It is faster than\nall others. |") != []
    assert unmarked("The figure shows the fastest strategies.\n\n    fastest = run.summary\n") == []
    assert unmarked(f"<!-- x: {MAKER} -->\n\n- Fastest on easy: `a:1`.\n\n<!-- end of x -->\n") == []


def test_nothing_in_any_table_may_be_faster() -> None:
    rows = [
        ("run", "a:1", 1.0),
        ("run", "b:1", 0.96),
        ("other", "a:1", 2.0),
        ("other", "c:1", 1.5),
        ("third", "d:1", 0.9),
    ]
    tables = pd.DataFrame(rows, columns=["table", "strategy", "median_s"]).assign(collection="easy")
    text = "<!-- fastest easy {} --> <!-- fastest 9x9 easy -->"
    assert faults(text.format("b:1"), tables) == ["d:1 on easy in third"]
    assert faults(text.format("a:1"), tables) == ["c:1 on easy in other", "d:1 on easy in third"]
    assert faults(text.format("a:1"), tables[tables["table"] == "run"]) == []  # within noise
    assert faults(text.format("e:1"), tables) == ["e:1 has no median on easy"]
