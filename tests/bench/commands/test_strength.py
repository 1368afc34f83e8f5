"""``sudoku-bench strength``: counts and classes, as a table and as JSON."""

from __future__ import annotations

import json

import pytest

from sudoku_bench.solvers.sat.amo import SCHEMES


def test_the_command_counts_and_groups(command, puzzles) -> None:
    file = puzzles("1.....3..4....2.", "123434122341412.")
    arguments = ("strength", file, "-e", "complete+*", "-e", "log")
    code, out, err = command(*arguments)
    assert (code, err) == (0, "")
    assert "complete+*" in out
    [board] = json.loads(command(*arguments, "--json")[1])["boards"]
    assert board["shape"] == "4x4"
    assert {row["encoding"] for row in board["rows"]} == {*(f"complete+{scheme}" for scheme in SCHEMES), "log"}
    [own] = [row for row in board["rows"] if row["encoding"] == "log" and row["collection"] == "own"]
    assert own["states"] == 2
    assert [one["encodings"] for one in board["classes"]][-1] == ["log"]


@pytest.mark.parametrize(
    ("arguments", "fault"), [(("-e", "nothing*"), "no encoding matches nothing"), (("--limit", "0"), "--limit must be")]
)
def test_a_wrong_option_is_one_line(command, puzzles, arguments, fault) -> None:
    code, _, err = command("strength", puzzles("1.....3..4....2."), *arguments)
    assert code == 2
    assert fault in err
    assert err.count("\n") == 1
