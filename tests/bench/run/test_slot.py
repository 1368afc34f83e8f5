"""No process solves a form of the run twice: repeated solves of a puzzle would train the process (hot-set bias)."""

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

# Each process keeps a diary of what it was shown of the run. The puzzles of lead-ins have far more empty cells.
SEER = """
    from sudoku_bench.solvers.search.propagation import Bitmask

    class Seer(Bitmask):
        def encode(self, puzzle):
            if puzzle.cells.count(0) < 9:
                with open(os.environ["DIARY"], "a", encoding="ascii") as diary:
                    diary.write(f"{self.name} {os.getpid()} {''.join(map(str, puzzle.cells))}\\n")
            return super().encode(puzzle)

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
        settings = ("-s", "test:*", "--plugin", plugin(source), "-d", puzzles(*EASY * 3), *arguments)
        result = measure_all(*settings)
        assert result.code == 0, result.err
        assert set(result.all_rows["status"]) == {"solved"}
        return result.all_rows, pd.read_csv(diary, sep=" ", names=["strategy", "process", "grid"], dtype=str)

    return call


def shown(row: pd.Series) -> list[str]:
    """Return the grids of a row, derived from the number of its first form."""
    puzzle = parse(EASY[(int(row["puzzle"].rpartition("-")[2]) - 1) % 3])
    numbers = range(row["isomorph"], row["isomorph"] + row["loops"])
    return ["".join(map(str, form(puzzle, isomorph(1, puzzle, number)).cells)) for number in numbers]


@pytest.mark.parametrize("settings", [("--repetitions", 3), ("--repetitions", 2, "--launches", 2, "--loops", 3)])
@pytest.mark.parametrize("persistent", [False, True])
def test_no_form_is_solved_twice_in_a_process(watched, settings: tuple[object, ...], persistent: bool) -> None:
    """Across probe, measurements and placebos, which solve the forms of their strategy in processes of their own."""
    source = SEER.replace("def encode", "persistent = True\n\n        def encode") if persistent else SEER
    rows, diary = watched(*settings, source=source)
    assert diary.groupby("process")["grid"].nunique().equals(diary.groupby("process").size())
    key = ["puzzle", "launch", "repetition"]
    timed = {name: {tuple(row[key]): shown(row) for _, row in own.iterrows()} for name, own in rows.groupby("strategy")}
    assert timed["test:a"] == timed["test:b"]
    for name in ("test:a", "test:b"):
        placebo = timed[f"(instrument) {name}"]
        assert 0 < len(placebo) < len(timed[name])
        assert placebo.items() <= timed[name].items()
        forms = [grid for grids in timed[name].values() for grid in grids]
        assert len(set(forms)) == len(forms)
        assert set(forms) < set(diary.loc[diary["strategy"] == name, "grid"])  # and one of the probe
