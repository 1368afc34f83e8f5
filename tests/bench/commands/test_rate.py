"""``sudoku-bench rate``: a row per puzzle as soon as it is rated, for people and for programs; and ``puzzles.csv``."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from bench.plan.plan import FORMS_PER_COPY
from bench.run.lane import WARM_UP_FORMS
from bench.run.puzzle_table import PUZZLE_COLUMNS, RATING_FORM
from bench.studies import difficulty_table
from bench.verdicts import run_tables
from datasets.difficulty.rating import rate
from datasets.errors import InputError
from datasets.reading.reader import Entry, parse
from tests.bench.conftest import FOURS
from tests.bench.test_cli import CLASSIC, assert_one_line

COLUMNS = ["collection", "puzzle", "grid", "clues", "guesses", "guesses_se", "te_rounds", "te_depth"]
COLUMNS += ["unsolved_singles", "unsolved_locked", "backdoor", "er", "ep", "ed"]
EASY = ".73...8....413..5..85..631.5...9..3...8.1.5...1..6...7.516..28..4..529....2...64."


def rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out)))


def test_csv_has_the_stable_columns(command, puzzles) -> None:
    code, out, err = command("rate", "--csv", puzzles(CLASSIC, EASY, FOURS[0]))
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == ",".join(COLUMNS)
    classic, easy, four = rows(out)
    assert (classic["collection"], classic["puzzle"], classic["grid"]) == ("own", "own-0001", CLASSIC)
    assert (classic["er"], classic["te_depth"], classic["clues"]) == (">4.4", "2", "21")
    assert (easy["er"], easy["guesses"], easy["guesses_se"]) == ("1.2", "0", "0")
    assert (four["er"], four["ep"], four["ed"]) == ("", "", "")
    assert four["backdoor"]


def test_the_seed_and_the_orders_count(command, puzzles) -> None:
    file = puzzles(CLASSIC)
    first, again, other, more = (
        rows(command("rate", "--csv", file, *options)[1])[0]
        for options in ((), ("--seed", 1), ("--seed", 2), ("--orders", 300))
    )
    assert first == again
    assert first["guesses"] != other["guesses"]
    assert float(more["guesses_se"]) < float(first["guesses_se"])
    assert {c: first[c] for c in first if not c.startswith("guesses")} == {
        c: other[c] for c in other if not c.startswith("guesses")
    }


def test_the_table_is_for_people(command, puzzles) -> None:
    code, out, err = command("rate", puzzles(CLASSIC, EASY))
    assert (code, err) == (0, "")
    heading, classic, easy = out.splitlines()
    assert {"clues", "guesses", "rounds", "depth", "backdoor", "er"} <= set(heading.split())
    assert classic.split()[0] == "own-0001"
    assert ">4.4" in classic.split()
    assert easy.split()[-3:] == ["1.2", "1.2", "1.2"]


def test_an_embedded_collection_by_name(command) -> None:
    code, out, _ = command("rate", "easy", "--csv", "--orders", 2)
    assert code == 0
    assert {row["collection"] for row in rows(out)} == {"easy"}
    assert {row["unsolved_singles"] for row in rows(out)} == {"0"}


def test_puzzles_without_one_solution_have_empty_fields(command, puzzles) -> None:
    code, out, _ = command("rate", "--csv", puzzles("." * 81, "11" + "." * 79))
    assert code == 0
    several, none = rows(out)
    assert (several["te_rounds"], several["backdoor"], several["er"]) == ("", "", "")
    assert several["unsolved_singles"] == "81"
    assert {value for column, value in none.items() if column not in ("collection", "puzzle", "grid", "clues")} == {""}


def test_a_bad_line_is_named_and_the_rest_is_rated(command, puzzles) -> None:
    file = puzzles(EASY, "hello", CLASSIC)
    code, out, err = command("rate", "--csv", file)
    assert code == 2
    assert len(rows(out)) == 2
    assert len(err.splitlines()) == 1
    assert f"{file}:2: " in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("no-such-file.txt",), ("no such file",)),
        (("easy", "--orders", 1), ("--orders must be at least 2",)),
        (("easy", "--seed", "x"), ("--seed",)),
    ],
)
def test_wrong_usage_is_one_line(command, arguments: tuple[object, ...], words: tuple[str, ...]) -> None:
    code, _, err = command("rate", *arguments)
    assert code == 2
    assert_one_line(err, *words)


def test_an_empty_file_is_one_line(command, puzzles) -> None:
    code, out, err = command("rate", puzzles("# nothing"))
    assert (code, out) == (2, "")
    assert_one_line(err, "holds no puzzle")


@pytest.mark.parametrize("options", [(), ("--csv",)])
def test_rows_come_before_the_file_is_read_to_its_end(
    command, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    """A puzzle is rated and told before the next one is asked for."""
    told = []

    def slowly(_path: str) -> Iterator[Entry]:
        yield Entry(parse(EASY), 1)
        told.append(capfd.readouterr().out)
        yield Entry(parse(CLASSIC), 2)

    monkeypatch.setattr("bench.commands.rate.read_file", slowly)
    code, out, _ = command("rate", "long.txt", *options)
    assert code == 0
    assert "long-0001" in told[0]
    assert "long-0001" not in out
    assert "long-0002" in out


# --- puzzles.csv


def test_a_run_has_all_measures_of_its_puzzles(run, puzzles) -> None:
    result = run("-s", "seed:norvig", "-d", puzzles(EASY, CLASSIC, FOURS[0]), "--repetitions", 1)
    with (result.folder / "puzzles.csv").open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    assert tuple(table[0]) == PUZZLE_COLUMNS
    assert list(table[0])[:14] == COLUMNS
    for row in table:
        expected = rate(parse(row["grid"]), seed=1).fields()
        for column, text in expected.items():
            if not column.startswith("guesses"):
                assert row[column] == text
        assert row["guesses"]


def test_guesses_of_a_run_are_counted_on_a_form_that_is_never_timed() -> None:
    assert RATING_FORM not in WARM_UP_FORMS
    assert RATING_FORM < 0 < FORMS_PER_COPY  # timed forms are numbered from 0 on


# --- the study of correlations


def simulated(n: int = 40) -> run_tables.Run:
    """A run in which one strategy's time rises with guesses, one's falls, and one is not finished at the top."""
    table = pd.DataFrame(
        {
            "collection": "made",
            "puzzle": [f"made-{i}" for i in range(n)],
            "grid": [f"{i:016}" for i in range(n)],
            **{column: [str(i) for i in range(n)] for column in ("guesses", "te_rounds", "backdoor", "clues")},
            **dict.fromkeys(("guesses_se", "te_depth", "unsolved_singles", "unsolved_locked", "ep", "ed"), "1"),
            "er": ["1.2"] * (n // 2) + [">4.4"] * (n - n // 2),
        }
    )
    table.loc[0, "te_depth"] = "2"
    up, down = [1.0 + i for i in range(n)], [100.0 - i for i in range(n)]
    stuck = [None if i > n // 2 else 1.0 + i for i in range(n)]
    solves = pd.concat(
        pd.DataFrame({"collection": "made", "puzzle": table["puzzle"], "strategy": name, "cpu_s": times})
        for name, times in (("up", up), ("down", down), ("stuck", stuck))
    )
    solves["status"] = solves["cpu_s"].map(lambda time: "timeout" if pd.isna(time) else "solved")
    return run_tables.Run({"machine": {"cpu": "a test"}}, solves, table)


def test_correlations_of_simulated_data_are_as_made() -> None:
    run = simulated()
    ratings = {f"{i:016}": float(i) for i in range(40)}
    table = difficulty_table.study(run, ratings)
    assert table.loc["guesses", "ER"] == table.loc["guesses", "up"] == pytest.approx(1)
    assert table.loc["guesses", "down"] == pytest.approx(-1)
    assert 0.8 < table.loc["guesses", "stuck"] < 1  # unfinished solves are tied at the top
    assert table.loc["fewer_clues", "up"] == pytest.approx(-1)
    assert 0.8 < table.loc["er", "ER"] < 0.9  # two values
    assert table.loc["te", "ER"] < table.loc["te_rounds", "ER"] == pytest.approx(1)  # depth 2 is above all
    assert table["ER"].isna()["unsolved_locked"]  # all the same: no correlation
    assert pd.isna(table.loc["ER", "ER"])


def test_the_study_needs_rated_puzzles() -> None:
    with pytest.raises(InputError, match="3 puzzles of the run are rated"):
        difficulty_table.study(simulated(), {f"{i:016}": 1.0 for i in range(3)})


def test_the_study_rewrites_its_page(
    run, puzzles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fours = ["".join(str((int(c) + k) % 4 + 1) if c != "." else c for c in four) for four in FOURS for k in range(4)]
    result = run("-s", "seed:norvig", "-d", puzzles(*fours, EASY), "--repetitions", 1)
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("puzzle,ER\n" + "".join(f"{grid},{i}\n" for i, grid in enumerate(fours)), encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text("before\n\n{}\nold\n{}\nafter\n".format(*difficulty_table.MARKS), encoding="utf-8")
    call = ["difficulty_study", str(result.folder), str(ratings), "--page", str(page)]
    monkeypatch.setattr(sys, "argv", call)
    assert difficulty_table.main() == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n\n" + difficulty_table.MARKS[0])
    assert text.endswith(difficulty_table.MARKS[1] + "\nafter\n")
    assert "old" not in text
    assert "| mean guesses |" in text
    assert "20 puzzles" in text
    assert difficulty_table.main() == 0
    assert page.read_text(encoding="utf-8") == text
    for broken, words in (
        ("grid,ER\n", "no column puzzle"),
        ("puzzle,ER\nhello,1\n", "ratings.csv:2"),
        (f"puzzle,ER\n{EASY},hard\n", "ratings.csv:2: ER is 'hard'"),
    ):
        ratings.write_text(broken, encoding="utf-8")
        capfd.readouterr()
        assert difficulty_table.main() == 2
        assert words in capfd.readouterr().err


def test_the_interval_of_a_correlation() -> None:
    """Fisher's z, widened as for ranks: .5 in 100 puzzles may be .33."""
    assert difficulty_table.half_width(0.5, 100) == pytest.approx(0.17, abs=0.005)
    assert difficulty_table.half_width(0.9, 100) < difficulty_table.half_width(0.5, 100)
