"""No process solves a form twice: repeated solves of a puzzle would train the process (hot-set bias)."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.reading.reader import parse

# 9×9, so that no two forms are the same by chance; nearly full, so that anything solves them. One is there twice.
EASY = (
    "..7369825632158947958724316825437169791586432346912758289643571573291684164875293",
    ".1736982563215894795872431682543716979158643234691275828964357157329168416487529.",
    "..7369825632158947958724316825437169791586432346912758289643571573291684164875293",
)

# Each process keeps a diary of what it was shown.
SEER = """
    class Seer(Backtracker):
        def encode(self, puzzle):
            with open(os.environ["DIARY"], "a", encoding="ascii") as diary:
                diary.write(f"{self.name} {os.getpid()} {''.join(map(str, puzzle.cells))}\\n")
            return puzzle

    for letter in "ab":
        register(type("Seer", (Seer,), {"name": f"test:{letter}"}))
"""

Diary = pd.DataFrame


@pytest.fixture
def watched(measure_all, plugin, puzzles, tmp_path, monkeypatch) -> Callable[..., tuple[pd.DataFrame, Diary]]:
    """The rows of a run, and a log of its solves: strategy, process, grid."""

    def call(*arguments: object, source: str = SEER) -> tuple[pd.DataFrame, Diary]:
        diary = tmp_path / "diary"
        diary.unlink(missing_ok=True)
        monkeypatch.setenv("DIARY", str(diary))
        settings = ("-s", "test:*", "--plugin", plugin(source), "-d", puzzles(*EASY), *arguments)
        result = measure_all(*settings)
        assert result.code == 0, result.err
        assert set(result.all_rows["status"]) == {"solved"}
        return result.all_rows, pd.read_csv(diary, sep=" ", names=["strategy", "process", "grid"], dtype=str)

    return call


def shown(row: pd.Series) -> list[str]:
    """Return the grids of a row, derived from the number of its first form."""
    puzzle = parse(EASY[int(row["puzzle"].rpartition("-")[2]) - 1])
    numbers = range(row["isomorph"], row["isomorph"] + row["loops"])
    return ["".join(map(str, form(puzzle, isomorph(1, puzzle, number)).cells)) for number in numbers]


def test_no_form_is_solved_twice_in_a_process(watched) -> None:
    """Across warm-up, pilot, measurements, phases and placebos."""
    rows, diary = watched("--repetitions", 3)
    assert diary.groupby("process")["grid"].nunique().equals(diary.groupby("process").size())
    assert (rows["loops"] >= 1).all()
    assert (rows["phases"] == "apart").any()
    # A repetition with the same form would be enough to fail: each row's own forms are in the diary, each once.
    timed = rows[rows["strategy"] == "test:a"].apply(shown, axis=1).explode()
    assert timed.is_unique
    assert set(timed) <= set(diary["grid"])


def test_processes_that_keep_state_solve_no_form_twice(watched) -> None:
    source = SEER.replace("def encode", "persistent = True\n\n        def encode")
    _, diary = watched("--repetitions", 4, "--launches", 2, source=source)
    solves = diary.groupby("process").size()
    assert solves.max() > 4 * len(EASY)
    assert diary.groupby("process")["grid"].nunique().equals(solves)


def test_forms_of_warm_up_phases_and_placebos_are_those_that_define_them(watched) -> None:
    rows, diary = watched("--repetitions", 2, "--loops", 3)
    timed = {grid for _, row in rows.iterrows() for grid in shown(row)}
    first = set(diary.groupby("process").head(3)["grid"])
    assert len(first) == 3  # the same for all processes
    assert not first & timed
    assert set(rows["phases"]) == {"apart"}
    others = set(diary["grid"]) - timed - first
    # 3 puzzles (one of them is no other) × 2 rounds × 3 forms, of the strategies and of the presentation placebos.
    assert len(others) == 2 * 3 * 2 * 3
    assert len(timed) == 2 * 3 * 2 * 3

    key = ["puzzle", "launch", "repetition"]
    grids = {
        label: {tuple(row[key]): set(shown(row)) for _, row in group.iterrows()}
        for label, group in rows.groupby("strategy")
    }
    assert grids["test:a"] == grids["test:b"] == grids["(instrument) test:a"] == grids["(instrument) test:b"]
    assert grids["(presentation) test:a"] == grids["(presentation) test:b"]
    assert grids["(presentation) test:a"].keys() == grids["test:a"].keys()
    everything = set().union(*grids["test:a"].values())
    assert not everything & set().union(*grids["(presentation) test:a"].values())
    for (name, _, _), group in grids["(presentation) test:a"].items():  # of the same puzzles
        clues = len(EASY[int(name[-1]) - 1].replace(".", ""))
        assert {len(grid.replace("0", "")) for grid in group} == {clues}
