"""SAT solvers as external programs: parsing of answers, and installed solvers under many encodings."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sudoku_bench import GaveUp
from sudoku_bench.bench.plan.strategies import programs, select
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers.external.cnf_programs import fault_of, parse_answer
from sudoku_bench.solvers.external.program import CommandFault

REAL = ("cadical", "picosat", "minisat")  # of Debian


@pytest.mark.parametrize(
    ("code", "text", "model"),
    [
        (10, "s SATISFIABLE\nv 1 -2\nv 3 0\n", [1, -2, 3]),
        (10, "c hello\nc v 7 0\nv 1 -2 0\ns SATISFIABLE\nc 9 0\n", [1, -2]),
        (0, "s SATISFIABLE\r\nv -1 0\r\n", [-1]),
        (10, "SAT\n1 -2 3 0\n", [1, -2, 3]),
        (10, "SAT\n1 -2 3\n-4 0\n", [1, -2, 3, -4]),
        (10, "s SATISFIABLE\nv 0\n", []),
        (20, "s UNSATISFIABLE\n", None),
        (0, "c hello\ns UNSATISFIABLE\nc bye\n", None),
        (20, "UNSAT\n", None),
        (20, "UNSATISFIABLE\n", None),
        (0, "sat\n1 -2 3\n", [1, -2, 3]),
        (0, "unsat\n", None),
    ],
)
def test_both_output_formats_are_accepted(code: int, text: str, model: list[int] | None) -> None:
    assert parse_answer(code, text.encode()) == model


@pytest.mark.parametrize(
    ("code", "text", "fault"),
    [
        (20, "s SATISFIABLE\nv 1 0\n", "reports SATISFIABLE but ended with exit code 20"),
        (10, "s UNSATISFIABLE\n", "reports UNSATISFIABLE but ended with exit code 10"),
        (10, "s UNKNOWN\n", "reports UNKNOWN but ended with exit code 10"),
        (1, "s SATISFIABLE\nv 1 0\n", "the solver ended with exit code 1$"),
        (-11, "s SATISFIABLE\nv 1 0\n", "the solver was killed by SIGSEGV"),
        (10, "", "ended with exit code 10 and reports neither"),
        (0, "c hello\nv 1 0\ns MAYBE\n", r"reports neither .*; got: 'c hello"),
        (20, "\xff\x00\n", "reports neither"),
        (10, "s SATISFIABLE\n", "prints no model"),
        (10, "SAT\n", "prints no model"),
        (10, "s SATISFIABLE\nv 1 -2\n", "model has no end"),
        (10, "SAT\n1 -2", "model has no end"),
        (10, "s SATISFIABLE\nv 1 - 0\n", "something other than literals"),
        (10, "s SATISFIABLE\nv 1 --2 0\n", "something other than literals"),
        (10, f"s SATISFIABLE\nv {'1' * 10_000} 0\n", "something other than literals"),
        (10, "s SATISFIABLE\nv 1 x 0\n", "something other than literals"),
    ],
)
def test_a_malformed_answer_is_reported(code: int, text: str, fault: str) -> None:
    with pytest.raises(CommandFault, match=fault):
        parse_answer(code, text.encode("latin-1"))


@pytest.mark.parametrize(
    "text", ["s UNKNOWN\n", "c UNKNOWN\n", "unknown\n", "INDET\n", "c limit reached\ns INDETERMINATE\n"]
)
def test_a_solver_that_reports_unknown_gives_up(text: str) -> None:
    with pytest.raises(GaveUp):
        parse_answer(0, text.encode())


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("sat:complete+native@/cadical", "a DIMACS file holds no native at-most-one constraints"),
        ("sat:complete+pairwise+assumptions@/cadical", "takes no assumptions"),
        ("sat:complete+pairwise+units@/cadical", "leave out"),
        ("sat:complete@/cadical", "say which at-most-one scheme"),
        ("sat:nothing@/cadical", "no encoding is called 'nothing'"),
        ("sat:complete+pairwise@/nobody", "programs called by their name are cadical, glucose, kissat"),
        ("sat:complete+pairwise@/", "programs called by their name"),
    ],
)
def test_an_invalid_name_is_reported(name: str, fault: str) -> None:
    with pytest.raises(InputError) as refused:
        select([name])
    assert fault in str(refused.value)
    assert name in str(refused.value)


def test_a_well_known_program_that_is_missing_is_unsupported(monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    [info] = select(["sat:log@/kissat"])
    assert info.reason == "the program kissat is not on the PATH"
    [info] = select(["sat:log@/cadical"])
    assert info.reason == "the program cadical is not on the PATH (Debian: apt install cadical)"
    assert programs("sat:*@/*") == {}


def test_a_program_that_only_has_the_name_of_a_solver_is_unavailable(tmp_path: Path, monkeypatch) -> None:
    script = tmp_path / "picosat"
    script.write_text("#!/bin/sh\necho usage >&2\nexit 1\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    fault_of.cache_clear()
    [info] = select(["sat:log@/picosat"])
    assert info.reason == "the program picosat on the PATH is no such solver: the solver ended with exit code 1"
    assert "sat:complete+pairwise@/picosat" not in programs("sat:*@/*")
    fault_of.cache_clear()


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("echo s SATISFIABLE; echo v 1 0; exit 10", ""),
        ("echo s SATISFIABLE; echo v -1 0; exit 10", "solves a formula of one clause wrongly"),
        ("echo s UNSATISFIABLE; exit 20", "solves a formula of one clause wrongly"),
        ("echo hello", "is no such solver: the solver ended with exit code 0 and reports neither"),
    ],
)
def test_a_solver_is_tried_on_a_formula_of_one_clause(script: str, fault: str) -> None:
    assert fault_of(("sh", "-c", script, "{cnf}")).startswith(fault)
    assert bool(fault_of(("sh", "-c", script, "{cnf}"))) == bool(fault)


@pytest.fixture(params=REAL)
def program(request) -> str:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed (make setup-solvers)")
    return request.param


@pytest.mark.parametrize("model", ["complete+pairwise", "minimal+product+substituted", "log", "order"])
def test_real_solvers_answer_correctly_under_many_encodings(solver_of, puzzles, program: str, model: str) -> None:
    due = {"easy": 1, "hard": 1, "full": 1, "two_solutions": 2, "same_clue_in_a_row": 0, "deep_contradiction": 0}
    with solver_of(f"sat:{model}@/{program}") as solver:
        for kind, number in due.items():
            puzzle = puzzles["9x9"][kind]
            assert answer_fault(puzzle, solver.solutions(puzzle, "unique"), number) is None, kind
        puzzle = puzzles["6x6"]["empty"]
        assert answer_fault(puzzle, solver.solutions(puzzle, "count:20"), 20) is None
