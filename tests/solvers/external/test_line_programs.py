"""Commands that read puzzle lines: their input, and which answers are accepted."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from sudoku_bench.datasets.puzzle import Puzzle, cells_text
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import GaveUp, Task, Unsupported
from sudoku_bench.solvers.external.command import Command
from sudoku_bench.solvers.external.line_programs import LinesStrategy
from sudoku_bench.solvers.external.program import LONGEST_OUTPUT, CommandFault, run
from sudoku_bench.solvers.external.strategies import strategy_of

PYTHON = f"{shlex.quote(sys.executable)} -I -S -c"
FIRST, UNIQUE = Task.parse("first"), Task.parse("unique")
FOUR = Shape(2, 2)
PUZZLE = Puzzle(FOUR, (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0))
SOLUTION = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]


def prepared(source: str, shape: Shape = FOUR, **settings) -> LinesStrategy:
    """The strategy of a Python program, prepared."""
    command = Command("mine", f"{PYTHON} {shlex.quote(source)}", **settings)
    strategy = strategy_of("command:mine", command)()
    strategy.prepare(shape)
    return strategy


def each(write: str) -> str:
    """A program that does something with each ``line``."""
    return f"import os, sys\nfor line in iter(sys.stdin.readline, ''):\n    line = line.rstrip('\\n')\n    {write}"


def answer(strategy: LinesStrategy, puzzle: Puzzle = PUZZLE, task: Task = FIRST) -> list[list[int]]:
    return strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), task))


ROWS = ("1 2 | 3 4", "3 4 | 1 2", "2 1 | 4 3", "4 3 | 2 1")
DRAWN = "\n".join(["+-----+-----+", *(f"| {row} |" for row in ROWS), "+-----+-----+"])
S, OTHER = "1234341221434321", "1243431221343421"  # the solution, and a grid that does not fit the clues
JOINED = [list(map(int, row.replace("|", "").split())) for row in ROWS]
RIGHT = {  # what right programs write
    "plain": S,
    "CRLF": f"  {S} \r",
    "after the puzzle": f"{PUZZLE.text} {S}",
    "after the puzzle and a tab": f"{PUZZLE.text}\t{S}",
    "with colons": f"{PUZZLE.text}:1:{S}",
    "with statistics": f"{S} 0.0012 s",
    "with statistics below": f"{S}\n# guesses 12",
    "below the puzzle": f"Puzzle\n{PUZZLE.text}\nSolved\n{S}",
    "prompt": f"Enter puzzle: {S}",
    "JSON": f'{{"solution": "{S}", "time_ms": 1.5}}',
    "list": str(JOINED),
    "list in JSON": f'{{"status": "solved", "rows": {JOINED}, "ms": 1.5}}',
    "named rows": "\n".join(f"{name} | {row} |" for name, row in zip("ABCD", ROWS, strict=True)),
    "box": DRAWN,
    "box of other signs": DRAWN.replace("|", "║").replace("-", "═"),
    "below its columns": f"1 2 | 3 4\n{DRAWN}",
    "both drawn": f"{DRAWN.replace('1 |', '. |')}\n\nSolution:\n{DRAWN}\nSteps: 12",
    "colours": "\n".join(re.sub(r"(\d)", "\x1b[1;34m\\1\x1b[0m", row) for row in ROWS),
    "another grid, too": f"{OTHER} {S}",
}
MALFORMED = {  # what is an error, and how it is shown
    "123": "no complete grid; got: '123",
    "no way": "no complete grid; got: 'no way",
    "12\n12": "no complete grid; got: '12",
    PUZZLE.text: "no complete grid; got: '123434122143432.",
    "1.0?-*94321432-*": "no complete grid; got: '1.0?-*",
    "0" * 16: "no complete grid; got: '0000",
    "?" * 99: f"got: '{'?' * 60}' ...",
    f"{S} {S}": "prints 2 grids for a puzzle",
}


@pytest.mark.parametrize("habit", RIGHT)
def test_what_right_programs_write_is_right_in_every_line(habit: str) -> None:
    strategy = prepared(each(f"os.write(1, {(RIGHT[habit] + chr(10)).encode()!r})"))
    assert [answer(strategy) for _ in range(3)] == [[SOLUTION]] * 3


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_malformed_is_an_error_in_every_line(text: str) -> None:
    strategy = prepared(each(f"os.write(1, {(text + chr(10)).encode()!r})"))
    for _ in range(2):
        with pytest.raises(CommandFault) as fault:
            answer(strategy)
        assert MALFORMED[text] in str(fault.value)


def test_a_wrong_grid_is_an_answer_and_so_is_none() -> None:
    assert answer(prepared(each(f"print('{OTHER}', flush=True)"))) == [list(map(int, OTHER))]
    assert answer(prepared(each("print('Puzzle has no solution.', flush=True)"))) == []
    assert answer(prepared(each("print(flush=True)"))) == []
    both = prepared(each(f"print('{S} {S}', flush=True)"), task="unique")
    assert answer(both, task=UNIQUE) == [SOLUTION, SOLUTION]


@pytest.mark.parametrize("text", ["gave up", "UNKNOWN"])
def test_a_command_has_a_word_for_giving_up(text: str) -> None:
    with pytest.raises(GaveUp):
        answer(prepared(each(f"print('{text}', flush=True)")))


@pytest.mark.parametrize("read", ["for line in sys.stdin:", "for line in sys.stdin.readlines():"])
def test_a_program_that_holds_its_answer_back_is_told_how_to_flush(read: str) -> None:
    with pytest.raises(
        CommandFault, match=r"answers only when its input ends: write .*stdbuf -oL.*got: '1234341221434321"
    ):
        answer(prepared(f"import sys\n{read} print('1234341221434321')"))


def test_a_puzzle_is_a_line_of_its_cells(tmp_path: Path) -> None:
    for shape in (FOUR, Shape(3, 3), Shape(4, 4), Shape(5, 7)):
        puzzle = Puzzle(shape, tuple(cell % (shape.size + 1) for cell in range(shape.n_cells)))
        strategy = prepared(each("os.write(1, line.replace('.', '1').encode() + b'\\n')"), shape)
        assert answer(strategy, puzzle) == [[cell or 1 for cell in puzzle.cells]]
        once = prepared(
            f"import sys; print(sys.argv[1]) if sys.stdin.read() == {puzzle.text + chr(10)!r} else 1", shape
        )
        assert once.encode(puzzle).decode() == cells_text(shape, puzzle.cells)


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (Shape(6, 7), "more digits than there are characters"),
        (Shape(3, 2), "a puzzle line cannot express that boxes have 3 rows"),
        (Shape(2, 3), "declared for 4x4, 9x9 boards only"),
    ],
)
def test_boards_that_a_line_cannot_express_are_unsupported(shape: Shape, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        prepared(each("pass"), shape, shapes=("4x4", "9x9"))


@pytest.mark.parametrize(
    ("write", "fault"),
    [
        ("sys.exit(3)", "the command ended with exit code 3"),
        ("sys.exit()", "exit code 0; if it solves one puzzle and ends, put {puzzle} into the command"),
        ("os.kill(os.getpid(), 11)", "the command was killed by SIGSEGV"),
        ("os.kill(os.getpid(), 40)", "the command was killed by (signal 40|SIG)"),
        ("os.write(1, b'12'); os._exit(0)", "the command ended with exit code 0 in the middle of a line"),
        ("os.close(1); sys.stdin.read()", "the command closed its output"),
        (f"os.write(1, b'{S}\\n{S}\\n')", "the command prints 2 grids for a puzzle"),
        ("os.write(1, b'1' * 5000)", "the command writes more than .* bytes for 1 puzzles"),
    ],
)
def test_a_malformed_answer_is_reported(write: str, fault: str) -> None:
    with pytest.raises(CommandFault, match=fault):
        answer(prepared(each(write)))


def answer_twice(strategy: LinesStrategy) -> None:
    """The second puzzle follows when the command has written everything."""
    answer(strategy)
    strategy.stream._output_ready.poll(60_000)
    answer(strategy)


@pytest.mark.parametrize("between", ["'); os.write(1, b'", ""], ids=["written alone", "written at once"])
def test_an_extra_line_is_found_before_the_next_puzzle(between: str) -> None:
    strategy = prepared(f"import os; input(); os.write(1, b'{S}\\n{between}{S}\\n'); input()")
    with pytest.raises(CommandFault, match=r"more than one line|2 grids"):
        answer_twice(strategy)


def test_a_large_batch_is_answered_in_order() -> None:
    """More than pipes hold, in both directions, with a command that answers immediately."""
    puzzles = [Puzzle(FOUR, tuple((number >> k) % 5 for k in range(16))) for number in range(20_000)]
    strategy = prepared(each("sys.stdout.write(line.replace('.', '1') + '\\n')\n    sys.stdout.flush()"))
    answers = strategy.solve_many(puzzles, FIRST)
    assert answers == [[[cell or 1 for cell in puzzle.cells]] for puzzle in puzzles]
    assert strategy.solve_many([], FIRST) == []


def test_a_program_that_runs_once_is_read_to_its_end() -> None:
    python = [sys.executable, "-I", "-S", "-c"]
    assert run([*python, "print(input() * 2); raise SystemExit(7)"], b"ab\n") == (7, b"abab\n")
    assert run([*python, "pass"], b"unread\n" * 1000) == (0, b"")
    assert run([*python, "import os; os.write(2, b'x' * 10**6); os.kill(os.getpid(), 9)"]) == (-9, b"")
    assert run([*python, "print('x' * 10**6)"]) == (0, b"x" * 10**6 + b"\n")
    with pytest.raises(CommandFault, match="more than 1000 bytes"):
        run([*python, "while True: print('x' * 10**6)"], most=1000)
    assert LONGEST_OUTPUT > 10**7


def test_a_command_started_for_each_puzzle_gets_it_twice() -> None:
    source = "import sys; print(sys.argv[1][:-1] + '1', input()[:-1] + '1')"
    command = Command("mine", f"{PYTHON} {shlex.quote(source)} {{puzzle}}", task="unique")
    strategy = strategy_of("command:mine", command)()
    strategy.prepare(FOUR)
    assert answer(strategy, task=UNIQUE) == [SOLUTION, SOLUTION]
