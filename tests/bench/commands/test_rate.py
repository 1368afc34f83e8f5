"""``sudoku-bench rate``: one row per puzzle as soon as it is rated, as a table or CSV; and ``puzzles.csv``."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest

from sudoku_bench.datasets.reading.reader import Entry, parse
from tests.bench.commands.test_cli import CLASSIC
from tests.bench.conftest import FOURS

COLUMNS = [
    *("collection", "puzzle", "grid", "clues", "guesses", "guesses_se", "conflicts", "conflicts_se"),
    *("te_rounds", "te_depth", "unsolved_singles", "unsolved_locked", "er", "ep", "ed"),
]
EASY = ".73...8....413..5..85..631.5...9..3...8.1.5...1..6...7.516..28..4..529....2...64."


def rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out)))


def test_csv_has_the_stable_columns(command, puzzles) -> None:
    code, out, err = command("rate", "--csv", puzzles(CLASSIC, EASY, FOURS[0]))
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == ",".join(COLUMNS)
    classic, easy, four = rows(out)
    assert (classic["collection"], classic["puzzle"], classic["grid"]) == ("own", "own-0001", CLASSIC)
    assert (classic["te_depth"], classic["clues"]) == ("2", "21")
    assert all(float(classic[rating].removeprefix(">")) > 4.4 for rating in ("er", "ep", "ed"))
    assert (easy["er"], easy["guesses"], easy["guesses_se"]) == ("1.2", "0", "0")
    assert easy["conflicts"] == "0"
    assert float(classic["conflicts"]) > float(classic["conflicts_se"]) > 0
    assert (four["er"], four["ep"], four["ed"]) == ("", "", "")
    assert four["te_rounds"]


@pytest.mark.parametrize("options", [(), ("--csv",)])
def test_rows_are_printed_before_the_file_is_read_to_its_end(
    command, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    """A puzzle is rated and printed before the next one is read."""
    printed = []

    def slowly(_path: str) -> Iterator[Entry]:
        yield Entry(parse(EASY), 1)
        printed.append(capfd.readouterr().out)
        yield Entry(parse(FOURS[0]), 2)

    monkeypatch.setattr("sudoku_bench.bench.commands.rate.read_file", slowly)
    code, out, _ = command("rate", "long.txt", *options)
    assert code == 0
    assert "long-0001" in printed[0]
    assert "long-0001" not in out
    assert "long-0002" in out


# --- puzzles.csv
