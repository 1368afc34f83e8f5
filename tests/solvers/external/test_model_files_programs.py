"""Programs that read OPB, MiniZinc or FlatZinc files: parsing of answers, and installed solvers."""

from __future__ import annotations

import re
import shutil

import pytest

from sudoku_bench.bench.plan.strategies import select
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import GaveUp, registry
from sudoku_bench.solvers.external.cnf_programs import parse_opb_answer
from sudoku_bench.solvers.external.command import Command
from sudoku_bench.solvers.external.model_files import solution_in
from sudoku_bench.solvers.external.program import CommandFault
from sudoku_bench.solvers.external.strategies import strategy_of
from tests.conftest import TOP
from tests.solvers.solving import answer

TWO = Shape(1, 2)
FOUR = Shape(2, 2)

PROGRAMS = {  # of Debian; what docs/external.md shows
    "clasp": "clasp {opb}",
    "minizinc": "sh -c 'minizinc --solver gecode - < {mzn}'",
    "fzn-gecode": "fzn-gecode {fzn}",
}


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("[1, 2, 2, 1]\n----------\n", [1, 2, 2, 1]),
        ("x = array1d(1..4, [1, 2, 2, 1]);\n----------\n", [1, 2, 2, 1]),
        ("=====UNSATISFIABLE=====\n", None),
    ],
)
def test_answers_of_each_language(text: str, cells: list[int] | None) -> None:
    assert solution_in(text, TWO, "ended") == cells


@pytest.mark.parametrize("text", ["", "[1, 2]", "[1, 0, 0, 1]", "Error"])
def test_half_an_answer_is_reported(text: str) -> None:
    with pytest.raises(CommandFault, match="the solver ended and prints neither a whole solution nor"):
        solution_in(text, TWO, "ended")


def test_a_solver_that_does_not_know_gives_up() -> None:
    with pytest.raises(GaveUp):
        solution_in("=====UNKNOWN=====\n", TWO, "ended")


@pytest.mark.parametrize(
    ("text", "model"),
    [
        (b"c hello\ns SATISFIABLE\nv x1 -x2\nv x3\n", [1, -2, 3]),
        (b"s OPTIMUM FOUND\nv -x1\n", [-1]),
        (b"s UNSATISFIABLE\n", None),
    ],
)
def test_answers_of_pseudo_boolean_solvers(text: bytes, model: list[int] | None) -> None:
    assert parse_opb_answer(0, text) == model


def test_the_programs_are_those_of_the_page() -> None:
    page = (TOP / "docs" / "external.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [\w-]+ \| `([^`]*\{(?:opb|mzn|fzn)\}.*?)` \|", page, flags=re.MULTILINE)
    assert rows == list(PROGRAMS.values())
    assert set(PROGRAMS) <= set(registry.DEBIAN)


def test_kinds_of_commands() -> None:
    assert Command("a", "clasp {opb}").strategy == "sat:complete+native@a"
    assert Command("a", "clasp {opb}").goes_by("sat:order@a")
    assert Command("a", "gecode {fzn}").strategy == "command:a"
    assert Command("cp:a", "gecode {fzn}").strategy == "cp:a"
    assert Command("a", "gecode {fzn}").tasks == ("first", "unique", "count")
    assert not Command("a", "gecode {fzn}").streams
    for command, fault in [
        ("solve {cnf} {opb}", "{cnf} and {opb} cannot be combined"),
        ("solve {fzn} {puzzle}", "{fzn} and {puzzle} cannot be combined"),
        ("solve {fz}", "did you mean {fzn}"),
        ("solve {out}", "add the file that it reads"),
    ]:
        with pytest.raises(InputError) as refused:
            Command("a", command)
        assert fault in str(refused.value)
    with pytest.raises(InputError, match="takes no assumptions"):
        select(["sat:complete+native+assumptions@a"], (), [Command("a", "clasp {opb}")])


@pytest.fixture(params=PROGRAMS)
def command(request) -> Command:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed (make setup-solvers)")
    return Command(f"my-{request.param}", PROGRAMS[request.param])


def test_real_solvers_solve_refute_and_count(command: Command, puzzles) -> None:
    strategy = strategy_of(command.strategy, command)()
    strategy.prepare(Shape(3, 3))
    for kind, number in (("hard", 1), ("deep_contradiction", 0)):
        puzzle = puzzles["9x9"][kind]
        assert answer_fault(puzzle, answer(strategy, puzzle, "unique"), number) is None, kind
    strategy.prepare(FOUR)
    for kind, number in (("two_solutions", 2), ("full", 1)):
        puzzle = puzzles["4x4"][kind]
        assert answer_fault(puzzle, answer(strategy, puzzle, "count:3"), number) is None, kind
