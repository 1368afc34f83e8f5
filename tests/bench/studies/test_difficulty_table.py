"""Correlations of difficulty measures with ratings and times, and the page that shows them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench.studies import difficulty_table
from bench.verdicts import run_tables
from datasets.errors import InputError
from tests.bench.conftest import FOURS

EASY = ".73...8....413..5..85..631.5...9..3...8.1.5...1..6...7.516..28..4..529....2...64."


def simulated(n: int = 40) -> run_tables.Run:
    """Return a run of three strategies: times that rise with guesses, times that fall, and timeouts at the top."""
    table = pd.DataFrame(
        {
            "collection": "simulated",
            "puzzle": [f"simulated-{i}" for i in range(n)],
            "grid": [f"{i:016}" for i in range(n)],
            **{column: [str(i) for i in range(n)] for column in ("guesses", "te_rounds", "backdoor", "clues")},
            **dict.fromkeys(("guesses_se", "conflicts", "conflicts_se", "lookahead", "lookahead_se"), "1"),
            **dict.fromkeys(("te_depth", "unsolved_singles", "unsolved_locked", "ed"), "1"),
            "ep": [f"{1 + i / 10:.1f}" for i in range(n // 2)] + [">9.4"] * (n - n // 2),
            "er": ["1.2"] * (n // 2) + [">4.4"] * (n - n // 2),
        }
    )
    table.loc[0, "te_depth"] = "2"
    up, down = [1.0 + i for i in range(n)], [100.0 - i for i in range(n)]
    stuck = [None if i > n // 2 else 1.0 + i for i in range(n)]
    solves = pd.concat(
        pd.DataFrame({"collection": "simulated", "puzzle": table["puzzle"], "strategy": name, "cpu_s": times})
        for name, times in (("up", up), ("down", down), ("stuck", stuck))
    )
    solves["status"] = solves["cpu_s"].map(lambda time: "timeout" if pd.isna(time) else "solved")
    return run_tables.Run({"machine": {"cpu": "a test"}}, solves, table)


def test_correlations_of_simulated_data_are_those_of_the_model() -> None:
    run = simulated()
    ratings = {f"{i:016}": float(i) for i in range(40)}
    table = difficulty_table.study(run, ratings)
    assert table.loc["guesses", "ER"] == table.loc["guesses", "up"] == pytest.approx(1)
    assert table.loc["guesses", "down"] == pytest.approx(-1)
    assert 0.8 < table.loc["guesses", "stuck"] < 1  # unfinished solves are tied at the top
    assert table.loc["fewer_clues", "up"] == pytest.approx(-1)
    assert 0.8 < table.loc["er", "ER"] < 0.9  # two values
    assert 0.9 < table.loc["ep", "ER"] < 1  # bounds are tied above all known ratings
    assert table.loc["te", "ER"] < table.loc["te_rounds", "ER"] == pytest.approx(1)  # depth 2 ranks above depth 1
    assert table["ER"].isna()["unsolved_locked"]  # a constant has no correlation
    assert pd.isna(table.loc["ER", "ER"])


def test_ceilings_follow_from_the_errors_of_both_sides() -> None:
    """Times that repeat exactly leave the errors of the measure, times without any agreement leave nothing."""
    ratings = {f"{i:016}": float(i) for i in range(40)}
    run = simulated()
    twice = pd.concat([run.measurements.assign(repetition=number) for number in (1, 2)], ignore_index=True)
    reversed_times = (twice["strategy"] == "down") & (twice["repetition"] == 2)
    twice.loc[reversed_times, "cpu_s"] = twice.loc[reversed_times, "cpu_s"].to_numpy()[::-1]
    ceilings = difficulty_table.ceilings(run_tables.Run(run.manifest, twice, run.puzzles), ratings)
    assert ceilings.loc["te_rounds", "up"] == pytest.approx(1)
    assert ceilings.loc["te_rounds", "ER"] == 1
    assert ceilings.loc["te_rounds", "down"] == 0
    x = np.arange(40.0)
    reliability = 1 - np.mean((1 / (1 + x)) ** 2) / np.log1p(x).var(ddof=1)
    assert ceilings.loc["guesses", "up"] == pytest.approx(reliability**0.5)
    once = run_tables.Run(run.manifest, run.measurements.assign(repetition=1), run.puzzles)
    assert difficulty_table.ceilings(once, ratings)["up"].isna().all()


def test_tables_of_conflicts_and_of_the_hardest() -> None:
    """A strategy that counts no conflicts has no column, and the puzzles of most guesses have tables of their own."""
    run = simulated()
    solves = run.measurements.assign(repetition=1, search_cpu_s=run.measurements["cpu_s"])
    learns = solves["strategy"] == "up"
    solves["conflicts"] = solves["puzzle"].str.removeprefix("simulated-").astype(float).where(learns)
    easy_reversed = learns & (solves["conflicts"] < 30)
    solves.loc[easy_reversed, "conflicts"] = 29 - solves.loc[easy_reversed, "conflicts"]
    ratings = {f"{i:016}": 1.0 if i < 30 else 9.0 + i / 100 for i in range(40)}
    text = difficulty_table.as_markdown(run_tables.Run(run.manifest, solves, run.puzzles), ratings)
    tables = {part.splitlines()[0]: part for part in text.split("\n\n") if part.startswith("|")}
    everything = tables["| ρ with its conflicts | ER | `up` |"]
    hardest = tables["| ρ with its conflicts, hardest quarter by guesses | ER | `up` |"]
    rho = 1 - 6 * 30 * (30**2 - 1) / 3 / (40 * (40**2 - 1))  # the ranks of 30 of 40 are reversed
    assert f"| {rho:.2f} |".replace("0.", ".") in everything.split("mean guesses")[1].splitlines()[0]
    assert "| 1.00 |" in hardest.split("mean guesses")[1].splitlines()[0]
    assert "about .90 with 40 puzzles and " in text
    assert text.endswith("about .90 with 10 puzzles.\n")


def test_the_median_of_times_and_the_mean_of_counts() -> None:
    values = pd.Series([1.0, 2.0, 6.0])
    rows = pd.DataFrame({"cpu_s": values, "conflicts": values, "collection": "c", "puzzle": "p", "strategy": "s"})
    rows["status"] = "solved"
    assert difficulty_table.per_puzzle(rows, "cpu_s").loc[("c", "p"), "s"] == 2
    assert difficulty_table.per_puzzle(rows, "conflicts").loc[("c", "p"), "s"] == 3
    rows.loc[2, "status"] = "timeout"
    assert difficulty_table.per_puzzle(rows, "cpu_s").loc[("c", "p"), "s"] == 2
    assert difficulty_table.per_puzzle(rows, "conflicts").loc[("c", "p"), "s"] == float("inf")


def test_too_few_rated_puzzles_are_an_error() -> None:
    with pytest.raises(InputError, match="3 puzzles of the run are rated"):
        difficulty_table.study(simulated(), {f"{i:016}": 1.0 for i in range(3)})


def test_the_page_is_rewritten_and_bad_ratings_are_one_line(
    run, puzzles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fours = ["".join(str((int(c) + k) % 4 + 1) if c != "." else c for c in four) for four in FOURS for k in range(4)]
    result = run("-s", "seed:norvig", "-d", puzzles(*fours, EASY), "--repetitions", 1)
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("puzzle,ER\n" + "".join(f"{grid},{i}\n" for i, grid in enumerate(fours)), encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text("before\n\n{}\nold\n{}\nafter\n".format(*difficulty_table.MARKS), encoding="utf-8")
    call = ["difficulty_table", str(result.folder), str(ratings), "--page", str(page)]
    monkeypatch.setattr(sys, "argv", call)
    assert difficulty_table.main() == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n\n" + difficulty_table.MARKS[0])
    assert text.endswith(difficulty_table.MARKS[1] + "\nafter\n")
    assert "old" not in text
    assert "| mean guesses |" in text
    assert "20 puzzles, " in text
    assert "| ρ with the time of the whole solve | ER | `seed:norvig` |" in text
    assert "its conflicts" not in text  # this strategy counts none
    assert difficulty_table.main() == 0
    assert page.read_text(encoding="utf-8") == text
    for broken, message in (
        ("grid,ER\n", "no column puzzle"),
        ("puzzle,ER\nhello,1\n", "ratings.csv:2"),
        (f"puzzle,ER\n{EASY},hard\n", "ratings.csv:2: ER is 'hard'"),
    ):
        ratings.write_text(broken, encoding="utf-8")
        capfd.readouterr()
        assert difficulty_table.main() == 2
        assert message in capfd.readouterr().err


def test_the_interval_of_a_correlation() -> None:
    """Fisher's z, widened as for ranks: .5 in 100 puzzles may be .33."""
    assert difficulty_table.half_width(0.5, 100) == pytest.approx(0.17, abs=0.005)
    assert difficulty_table.half_width(0.9, 100) < difficulty_table.half_width(0.5, 100)
