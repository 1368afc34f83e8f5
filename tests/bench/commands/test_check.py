"""``check``: isomorphs, redundant clues, stated counts and expected numbers of solutions."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from sudoku_bench.bench.commands import check
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.isomorphs import form, random_isomorph
from sudoku_bench.datasets.reading.reader import parse

MINIMAL = "1.....3..4....2."  # 4×4
HARD = load("hard").items[0].puzzle


def isomorph_of(text: str, seed: int = 1) -> str:
    puzzle = parse(text)
    return form(puzzle, random_isomorph(puzzle.shape, random.Random(seed))).text


def test_an_isomorph_is_named_with_both_lines(command, puzzles) -> None:
    path = puzzles("# mine", HARD.text, MINIMAL, isomorph_of(HARD.text), MINIMAL)
    code, out, err = command("check", path)
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [
        f"{path}:4: note: is an isomorph of the puzzle of line 2",
        f"{path}:5: note: is identical to the puzzle of line 3",
    ]
    assert out.endswith("4 puzzles, 4 with exactly one solution, 0 bad, 2 isomorphic to an earlier one\n")


def test_redundant_clues_are_a_note(command, puzzles) -> None:
    cell = next(cell for cell, value in enumerate(HARD.cells) if not value)
    from sudoku_bench.datasets.search import solve

    value = solve(HARD).solutions[0][cell]
    path = puzzles(HARD.text[:cell] + str(value) + HARD.text[cell + 1 :])
    place = f"r{cell // 9 + 1}c{cell % 9 + 1}"
    code, out, _ = command("check", path)
    assert code == 0
    assert out.startswith(f"{path}:1: note: has redundant clues (each can be removed alone): ")
    assert place in out.splitlines()[0]
    assert out.endswith("1 puzzle, 1 with exactly one solution, 0 bad, 1 with redundant clues\n")


def test_quiet_says_faults_only(command, puzzles) -> None:
    clash = "55" + "." * 79
    path = puzzles(HARD.text, isomorph_of(HARD.text), clash)
    code, out, err = command("check", path, "--quiet")
    assert (code, err) == (1, "")
    assert out.startswith(f"{path}:3: 5 occurs 2 times in row 1")
    assert out.count("\n") == 1
    assert command("check", puzzles(HARD.text, HARD.text), "--quiet") == (0, "", "")
    code, out, err = command("check", path, "--quiet", "--json")
    assert (code, out) == (2, "")
    assert "--quiet: has no effect on --json" in err


def test_puzzles_of_many_batches_are_reported_in_order(command, puzzles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "BATCH", 3)
    clash = "55" + "." * 79
    lines = [HARD.text, clash, "x" * 81, MINIMAL, *(isomorph_of(HARD.text, seed) for seed in range(8)), clash]
    path = puzzles(*lines)
    code, out, err = command("check", path, "--jobs", 3)
    assert code == 2
    assert err.startswith(f"{path}:3: ")
    faults = [line.split(": ", 1)[0] for line in out.splitlines()[:-1]]
    assert faults == [f"{path}:{number}" for number in (2, 13, *range(5, 13))]
    assert out.endswith(
        "12 puzzles, 10 with exactly one solution, 2 bad, 1 unreadable, 8 isomorphic to an earlier one\n"
    )
    assert command("check", path, "--jobs", 1) == (code, out, err)


def test_how_a_file_was_read_and_wrong_solutions_are_said(command, puzzles) -> None:
    puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    solved = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
    wrong = solved[:1] + solved[2] + solved[1] + solved[3:]
    code, out, _ = command("check", puzzles(puzzle, solved, wrong, f"{puzzle.replace('.', '-')} {wrong}"))
    assert code == 1
    assert "note: 1 of 3 are complete grids, not puzzles" in out
    assert ":4: the solution given with it is wrong: " in out
    assert 'read as: 9x9, digits 1-9, . 0 * _ empty (1), 9x9, digits 1-9, "-" empty (1); 2 puzzles' in out


def test_where_the_search_gives_up_a_sat_solver_decides(command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(check, "MAX_GUESSES", 1)
    grids = [load("hardest").items[0].puzzle.text, load("size16").items[0].puzzle.text]
    (tmp_path / "hard.txt").write_text("\n".join(grids))
    code, out, err = command("check", tmp_path / "hard.txt", "--json")
    document = json.loads(out)
    assert (code, document["good"], document["undecided"]) == (0, 2, 0), err
    (tmp_path / "bad.txt").write_text(f"{grids[0]}\n12345\n{'.' * 81}\n")
    code, out, err = command("check", tmp_path / "bad.txt", "--json")
    assert (code, err) == (2, "")
    faults = [(each["line"], each["fault"]) for each in json.loads(out)["findings"]]
    assert faults[0][1].startswith("5 characters")
    assert faults[1] == (3, "has more than one solution")
