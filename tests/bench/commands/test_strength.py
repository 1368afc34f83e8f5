"""``sudoku-bench list encodings --strength``: counts and classes, as a table and as JSON."""

from __future__ import annotations

import json

from sudoku_bench.solvers.sat.amo import SCHEMES


def test_the_command_counts_and_groups(command, puzzles) -> None:
    file = puzzles("1.....3..4....2.", "123434122341412.")
    arguments = ("list", "encodings", "{complete+*,log}", "--strength", file)
    code, out, err = command(*arguments)
    assert (code, err) == (0, "")
    assert "complete+*" in out
    [board] = json.loads(command(*arguments, "--json")[1])["boards"]
    assert board["shape"] == "4x4"
    assert {row["encoding"] for row in board["rows"]} == {*(f"complete+{scheme}" for scheme in SCHEMES), "log"}
    [own] = [row for row in board["rows"] if row["encoding"] == "log" and row["collection"] == "own"]
    assert own["states"] == 2
    assert [one["encodings"] for one in board["classes"]][-1] == ["log"]
    [probed] = json.loads(command(*arguments, "--failed", "--json")[1])["boards"]
    assert [row["up_solved"] for row in probed["rows"]] == [row["up_solved"] for row in board["rows"]]
    assert all(row["failed_solved"] >= row["up_solved"] for row in probed["rows"])
    assert f"{own['up_solved']}/2" in command(*arguments, "--failed")[1]


def test_a_pattern_that_matches_nothing_is_one_line(command, puzzles) -> None:
    code, _, err = command("list", "encodings", "nothing*", "--strength", puzzles("1.....3..4....2."))
    assert (code, err.count("\n")) == (2, 1)
    assert "no encoding matches nothing*" in err
