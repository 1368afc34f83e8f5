"""Numbers of the guide: each mark of the page holds what the tables say, and the page as committed is filled in."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from studies.document import region
from studies.grid import BASE, BEST, COMPILED, store
from studies.grid_numbers import BOARDS_PAGE, MARK, NOTHING, PAGE, Grid, cell, cpp_table, filled, guide
from sudoku_bench.datasets.errors import InputError

BLOCK, HERE = "16x16", f"16x16 {COMPILED}"


def line(encoding: str, clock: str = "solve", **facts: object) -> dict[str, object]:
    ends = {f"{to}_{end}": None for to in ("ratio", "behind") for end in ("lo", "hi", "at_least", "verdict")}
    place = {"seed": 1, "block": BLOCK, "way": COMPILED, "encoding": encoding, "clock": clock}
    return place | {"ratio": 1.0, "behind": 1.2, "solved": 60, "n_measurements": 60, "median_s": 0.03} | ends | facts


LINES = [
    line(BASE, behind_verdict="b_faster"),
    line("augmented", ratio=0.5, ratio_lo=0.4, ratio_hi=0.625, ratio_verdict="a_faster", behind=1.0)
    | {"median_s": 0.015, "behind_verdict": BEST},
    line(BASE, "load", median_s=0.024),
    line("complete+heule", ratio=1.02, ratio_lo=0.97, ratio_hi=1.08, ratio_verdict="indistinguishable", behind=1.02)
    | {"behind_verdict": "indistinguishable"},
    line("order", ratio=None, ratio_lo=12.0, ratio_verdict="b_faster", behind=None, solved=57, median_s=1.5)
    | {"behind_verdict": "b_faster"},
]


@pytest.fixture
def grid(tmp_path: Path) -> Grid:
    for seed in (1, 2):
        rows = pd.DataFrame(LINES).assign(seed=seed)
        rows.loc[(rows["encoding"] == "order") & (seed == 2), "ratio_verdict"] = "indistinguishable"
        store({"ratios": rows}, tmp_path)
    facts = {"cpu": "a processor", "python": "3.11.7", "python_sat": "1.9", "started": "2026-01-02T03:04:05"}
    store({"blocks": pd.DataFrame([{"seed": 1, "block": BLOCK} | facts])}, tmp_path)
    return Grid(tmp_path)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (f"cost {HERE} augmented", "0.50 times (0.40 to 0.62; faster)"),
        (f"cost {HERE} complete+heule", "1.02 times (0.97 to 1.08; undecided)"),
        (f"cost {HERE} order", "at least 12 times (unfinished solves; slower)"),
        (f"cost {HERE} augmented search", NOTHING),
        (f"time {HERE} augmented", "15 ms"),
        (f"time {HERE} order", "1.5 s, 57 of 60 solved"),
        (f"share {HERE}", "80%"),
        (f"machine {BLOCK}", "a processor, Python 3.11.7, python-sat 1.9, 2026-01-02"),
        ("machine 9x9-easy", NOTHING),
        ("stood all", "1 of 2 verdicts stood, none was reversed"),
    ],
)
def test_a_mark_is_filled_with_what_the_tables_say(grid: Grid, words: str, text: str) -> None:
    around = "<!-- end of a region -->\n\n"
    for before in ("", "an old text"):
        found = filled(f"{around}It is <!-- {words} -->{before}<!-- -->.", grid)
        assert found == f"{around}It is <!-- {words} -->{text}<!-- -->."


@pytest.mark.parametrize(
    "words",
    [
        *(f"guess {HERE}", f"cost 7x7 {COMPILED} order", f"cost {BLOCK} @nothing order", f"time {HERE} log"),
        *(f"cost {HERE} order lunch", f"cost {HERE}"),
    ],
)
def test_a_mark_that_names_nothing_is_one_line(grid: Grid, words: str) -> None:
    with pytest.raises(InputError, match=words.split()[0]) as caught:
        filled(f"<!-- {words} --><!-- -->", grid)
    assert "\n" not in str(caught.value)


def test_a_cell_names_the_best_its_ratio_to_the_base_and_what_is_not_decided(grid: Grid) -> None:
    assert cell(grid.order(BLOCK, COMPILED)) == "**`augmented`** 0.50 [0.40, 0.62]; undecided: `heule`"
    assert f"| {BLOCK} | {NOTHING} | {NOTHING} | **`augmented`** 0.50" in guide(grid)
    assert cpp_table(Grid(Path("nowhere"))).count(NOTHING) == 27


@pytest.mark.parametrize(("page", "least"), [(PAGE, 5), (BOARDS_PAGE, 1)])
def test_a_page_shows_the_stored_tables(page: Path, least: int) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(MARK.findall(text)) >= least
    assert filled(text, Grid()) == text
    if page == PAGE:
        assert region(page, "guide") == guide(Grid())
