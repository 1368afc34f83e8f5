"""Numbers of the grid: each mark of the page holds what the tables say, and the page as committed is filled in."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from studies.grid import TABLES
from studies.grid_numbers import BOARDS_PAGE, MARK, PAGE, Grid, filled
from sudoku_bench.datasets.errors import InputError

A, B, C, D = "minimal+pairwise@glucose4", "complete+pairwise@glucose4", "order@maplechrono", "augmented@minisat22"
NOTHING = {"ratio_lo": None, "ratio_hi": None, "at_least": None, "at_most": None}
MACHINE = {"cpu": "a processor", "python": "3.11.7", "python_sat": "1.9", "started": "2026-01-02T03:04:05"}
HERE = {"block": "16x16", "collection": "size16"}


def line(name: str, **facts: object) -> dict[str, object]:
    encoding, engine = name.split("@")
    return HERE | {"encoding": encoding, "engine": engine, "clues": "units", "unfinished": 0, "solves": 36} | facts


@pytest.fixture
def grid(tmp_path) -> Grid:
    bounds = {"behind_at_least": None}
    tables = {
        "map": [
            line(A, median_s=0.063, gmean_s=0.06, behind=2.1, behind_lo=1.9, standing="slower", **bounds),
            line(B, median_s=0.03, gmean_s=0.03, behind=1.0, standing="fastest", **bounds),
            line(D, median_s=0.04, gmean_s=0.04, behind=1.04, behind_lo=0.98, standing="tied", **bounds),
            line(C, median_s=1.5, gmean_s=1.5, unfinished=3, behind=None, standing="tied", behind_at_least=40.0),
        ],
        "pairs": [
            HERE | {"a": f"sat:{B}", "b": f"sat:{A}", "ratio": 0.5, "verdict": "a_faster"} | NOTHING
            | {"ratio_lo": 0.4, "ratio_hi": 0.625},
            HERE | {"a": f"sat:{A}", "b": f"sat:{C}", "ratio": None, "verdict": "a_faster"} | NOTHING
            | {"at_most": 1 / 12},
            HERE | {"a": f"sat:{C}", "b": f"sat:{B}", "ratio": 1.02, "verdict": "indistinguishable"} | NOTHING
            | {"ratio_lo": 0.97, "ratio_hi": 1.08},
        ],
        "blocks": [{"block": "16x16", "task": "first"} | MACHINE],
    }  # fmt: skip
    columns = ["block", "collection", "encoding", "scheme", "clues", "engine"]
    for name in TABLES:
        table = pd.DataFrame(tables.get(name))
        wanted = columns if name == "map" else ["block"]
        table.reindex(columns=list(dict.fromkeys([*wanted, *table]))).to_csv(tmp_path / f"grid-{name}.csv", index=False)
    return Grid(tmp_path)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (f"cost 16x16 size16 {A} {B}", "2.0 times (1.60 to 2.5; slower)"),
        (f"cost 16x16 size16 {B} {A}", "0.50 times (0.40 to 0.62; faster)"),
        (f"cost 16x16 size16 {C} {A}", "at least 12 times (unfinished solves; slower)"),
        (f"cost 16x16 size16 {C} {B}", "1.02 times (0.97 to 1.08; undecided)"),
        ("fastest 16x16 size16", f"`{B}` (30 ms)"),
        ("widest encoding", f"2.0 times (`{A}` for `{B}` on `size16`)"),
        (f"time 16x16 size16 {A}", "63 ms"),
        (f"time 16x16 size16 {C}", "1.5 s, 3 of 36 unfinished"),
        ("worst minimal+pairwise", "2.0 times (`glucose4` on `size16`, task first)"),
        ("worst minimal+pairwise complete+pairwise order", "1.00 times (`glucose4` on `size16`, task first)"),
        ("machine 16x16", "a processor, Python 3.11.7, python-sat 1.9, 2026-01-02"),
    ],
)
def test_a_mark_is_filled_with_what_the_tables_say(grid: Grid, words: str, text: str) -> None:
    region = "<!-- end of a region -->\n\n"
    for before in ("", "an old text"):
        found = filled(f"{region}It is <!-- {words} -->{before}<!-- -->.", grid)
        assert found == f"{region}It is <!-- {words} -->{text}<!-- -->."


@pytest.mark.parametrize(
    "words",
    [
        *("guess 16x16 size16", f"cost 16x16 size9 {A} {B}", "time 16x16 size16 log@glucose4"),
        *("machine nothing", "fastest 16x16"),
    ],
)
def test_a_mark_that_names_nothing_is_one_line(grid: Grid, words: str) -> None:
    with pytest.raises(InputError, match=words.split()[0]) as caught:
        filled(f"<!-- {words} --><!-- -->", grid)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("page", "least"), [(PAGE, 10), (BOARDS_PAGE, 1)])
def test_a_page_shows_the_stored_tables(page: Path, least: int) -> None:
    text = page.read_text(encoding="utf-8")
    marks = MARK.findall(text)
    assert len(marks) >= least
    assert filled(text, Grid()) == text
    # It recommends nothing that a verdict contradicts: costs are those of the slower strategy.
    assert all(found.endswith("; slower)") for words, _, found in marks if words == "cost")
