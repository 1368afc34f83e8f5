"""``sudoku-bench solve FILE``: a worker solves a whole list; what it cannot solve is a line, not the end."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.bench.commands import solve
from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.run import solve_list
from sudoku_bench.bench.run.solve_list import ListSolver
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.puzzle import Packed, Puzzle
from sudoku_bench.datasets.reading.reader import Entry, parse, read_lines
from sudoku_bench.datasets.search import solve as kernel
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import solved
from sudoku_bench.solvers.strategy import Task
from tests.bench.conftest import FOURS
from tests.datasets.rules import PRINTED, board

Command = Callable[..., tuple[int, str, str]]

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
MOODY = """
    from pathlib import Path

    @register
    class Moody(Backtracker):
        name = "test:moody"

        def prepare(self, shape):
            with Path(__file__).with_name("starts").open("a") as stream:
                stream.write(f"{shape.name}\\n")

        def search(self, puzzle, task):
            mood = puzzle.cells[:4]
            if mood == (1, 1, 1, 1):
                os._exit(3)
            if mood == (2, 2, 2, 2):
                while True:
                    pass
            if mood == (3, 3, 3, 3):
                raise GaveUp("too hard")
            if mood == (4, 4, 4, 4):
                raise RuntimeError("no idea")
            if mood == (1, 1, 2, 2):
                return [(1,) * 16]
            if mood == (1, 1, 3, 3):
                return [(1,) * 15]
            return super().search(puzzle, task)
"""
MOODS = {
    "1111": "error: solve: the process exited with code 3",
    "2222": "timeout: solve: more than 0.3 s of CPU time",
    "3333": "gave_up: too hard",
    "4444": "error: RuntimeError: no idea (plugin.py:56)",
    "1122": "wrong answer of test:moody: a solution has 1 at r1c3, where the clue is 2",
    "1133": "wrong: malformed answer: ValueError: 15 cells where 16 were requested",
}


def many(number: int) -> list[str]:
    """Puzzles with one solution: forms of the 4×4 puzzles."""
    puzzles = [parse(text) for text in FOURS]
    numbered = zip(range(number), itertools.cycle(puzzles))
    return [form(puzzle, isomorph(1, puzzle, n)).text for n, puzzle in numbered]


def solutions(texts: list[str]) -> list[str]:
    return [Puzzle(parse(text).shape, kernel(parse(text)).solutions[0]).text for text in texts]


def test_a_list_is_solved_in_order_by_one_worker(command: Command, puzzles, plugin) -> None:
    file, texts = plugin(MOODY), many(500)
    arguments = ("solve", puzzles(*texts), "-s", "test:moody", "--plugin", file, "--lines")
    assert command(*arguments) == (0, "\n".join(solutions(texts)) + "\n", "")
    assert file.with_name("starts").read_text() == "4x4\n"


def test_a_fault_is_a_line_and_not_the_end(command: Command, puzzles, plugin) -> None:
    """Each fault in the middle of many puzzles, at places where batches are long."""
    texts = many(400)
    due = solutions(texts)
    for place, (mood, fault) in zip(range(90, 400, 55), MOODS.items(), strict=True):
        texts[place] = mood + "." * 12
        due[place] = f"line {place + 1}: {fault}"
    arguments = ("solve", puzzles(*texts), "-s", "test:moody", "--plugin", plugin(MOODY), "--timeout", 0.3, "--lines")
    code, out, err = command(*arguments)
    assert (code, err) == (1, "")
    assert out.splitlines() == due


POOL = (*FOURS, "." * 16, "11" + "." * 14, HARD, HARD[::-1], f"{HARD} named", "55" + "." * 79, "." * 81, "# none", "")


@settings(max_examples=5, deadline=None)
@given(st.lists(st.sampled_from(POOL), min_size=20, max_size=60), st.sampled_from(["first", "unique", "count:3"]))
def test_a_list_is_answered_like_its_lines_one_by_one(lines: list[str], task: str) -> None:
    """Whatever follows on what: batches of one board, others, faults and comments."""

    def answers(puzzles: list[str]) -> list[str]:
        info = strategies.exact("seed:norvig")
        items = read_lines(puzzles)
        packed = (solve.packed(item.puzzle, 1) for item in items if isinstance(item, Entry))
        found = solve.answered(lambda _: info, packed, Task.parse(task), 60.0)
        return [text for batch, each in found for text in solve._texts(batch, each, Task.parse(task), True, True)]

    single = {line: answers([line]) for line in set(lines)}
    assert answers(lines) == [text for line in lines for text in single[line]]


WRONG = """
    @register
    class Wrong(Strategy):
        name = "test:wrong"

        def search(self, puzzle, task):
            return [[1] * 16]
"""


def test_what_is_given_takes_part_or_the_line_says_why_not(command: Command, puzzles, plugin) -> None:
    file, own = puzzles(*FOURS), plugin(WRONG)
    assert command("solve", file, "--plugin", own, "--lines")[0] == 1
    assert command("solve", file, "--command", "c=/bin/false", "--lines")[0] == 1
    dry = ("run", "-d", file, "--dry-run", "--json")
    given = ("--plugin", own, "--command", "c=cat")
    for options, expected in (
        (given, ["command:c", "test:wrong"]),
        ((*given, "-s", "seed:norvig"), ["command:c", "seed:norvig", "test:wrong"]),
        ((*given, "-s", "c", "-s", "test:*"), ["command:c", "test:wrong"]),
    ):
        assert sorted(json.loads(command(*dry, *options)[1])["strategies"]) == expected
    for refused in (
        ("solve", file, "-s", "seed:norvig", "--plugin", own),
        ("solve", file, "--steps", "--plugin", own),
        ("list", "datasets", "--plugin", own),
        ("encode", FOURS[0], "--plugin", own),
    ):
        code, out, err = command(*refused)
        assert (code, out, len(err.splitlines())) == (2, "", 1), refused


def test_bad_lines_are_skipped_on_request(command: Command, puzzles) -> None:
    file = puzzles(FOURS[0], "12345", FOURS[1])
    assert command("solve", file, "--lines")[0] == 2
    code, out, err = command("solve", file, "--lines", "--skip-bad")
    assert (code, out.splitlines()) == (0, solutions(list(FOURS[:2])))
    assert err.startswith(f"note: skipped {file}:2: 5 characters")


def test_lines_contain_all_solutions_of_a_puzzle(command: Command, puzzles) -> None:
    path = puzzles(FOURS[0], "." * 16, "11" + "." * 14)
    code, out, _ = command("solve", path, "-s", "seed:norvig", "--task", "unique", "--lines")
    first, second, third = out.splitlines()
    assert (code, first, third) == (1, *solutions([FOURS[0]]), "no solution")
    assert len(set(second.split())) == 2


def test_the_answers_before_a_late_fault_of_the_file_are_printed(
    command: Command, puzzles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "AHEAD", 10)
    texts = many(300)
    path = puzzles(*texts, "12345")
    code, out, err = command("solve", path, "-s", "seed:norvig", "--lines")
    assert (code, out.splitlines()) == (2, solutions(texts))
    assert err.startswith(f"sudoku-bench: {path}:301: 5 characters")


def test_batches_are_checked_like_single_answers() -> None:
    shape, puzzles = Shape(3, 3), b"".join(board(text).cell_bytes for text, _ in PRINTED.values())
    grids = [bytes(board(solution).cells) for _, solution in PRINTED.values()]
    assert all(solved(shape, puzzles, b"".join(grids)))
    for place in range(81):
        for digit in (0, 10, 255, grids[0][place] % 9 + 1):
            wrong = grids[0][:place] + bytes([digit]) + grids[0][place + 1 :]
            assert solved(shape, puzzles, b"".join([wrong, *grids[1:]])) == [False, *[True] * (len(grids) - 1)]
    swapped = grids[0].translate(bytes([0, 2, 1, *range(3, 256)]))  # a valid grid with other clues
    assert not solved(shape, puzzles[:81], swapped)[0]


def test_missing_solutions_are_found_in_batches() -> None:
    """Puzzles of 9×9 by one kernel, others by another."""
    for several in (board(f"{'.' * 81}"), parse("." * 16)):
        unique = board(PRINTED["004"][0]) if several.shape.size == 9 else parse(FOURS[0])
        grids = {puzzle: [*map(bytes, kernel(puzzle, limit=2).solutions)] for puzzle in (unique, several)}
        one, two, only = *grids[several], *grids[unique]
        batch = [(several, [one, two]), (several, [one]), (several, [one, one]), (several, [])]
        batch += [(unique, [only]), (unique, []), (unique, [one]), (unique, [only, one])]
        solver = ListSolver(strategies.exact("seed:norvig"), Task("unique", 2), 1.0)
        cells = b"".join(puzzle.cell_bytes for puzzle, _ in batch)
        grids = [grid for _, grids_of in batch for grid in grids_of]
        answers = solve_list.Answers([len(grids_of) for _, grids_of in batch], b"".join(grids))
        checked = solver._checked(Packed(several.shape, cells, range(8)), answers)
        assert [*checked.faults] == [1, 2, 3, 5, 6, 7]
        assert "1 solution returned, but the puzzle has more (2 expected)" in checked.faults[1]
        assert [*checked.of_each()] == [[one, two], [], [], [], [only], [], [], []]
