"""``+compiled``: compiled code passes the clauses, and answers and conflicts are those of the same solver elsewhere."""

from __future__ import annotations

import subprocess

import pytest

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat import cnf_compiled, names
from sudoku_bench.solvers.strategy import UNIQUE, Unsupported
from tests.datasets.rules import PRINTED, board
from tests.solvers.solving import answer, prepared

PUZZLES = [board(PRINTED["001"][0]), board("." * 81), parse("11" + "." * 14)]
NAME = "sat:complete+pairwise+compiled@cadical153"
built = pytest.mark.parametrize(
    "engine",
    [
        pytest.param(name, marks=pytest.mark.skipif(not path.exists(), reason="needs `make compiled`"))
        for name in names.COMPILED_ENGINES
        for path in [cnf_compiled.LIBRARIES / f"{name}.so"]
    ],
)


@built
@pytest.mark.parametrize("model", ["complete+heule", "augmented", "log"])
def test_answers_are_those_of_the_engine_of_python_sat(engine: str, model: str) -> None:
    for puzzle in PUZZLES:
        solved = []
        for suffix in ("", "+compiled"):
            strategy = prepared(f"sat:{model}{suffix}@{engine}", puzzle.shape)
            solved.append((len(answers := answer(strategy, puzzle, UNIQUE)), strategy.counters()))
            assert len({tuple(cells) for cells in answers}) == len(answers)
        assert solved[0][0] == solved[1][0]
        sizes = [{key: counters[key] for key in ("variables", "clauses", "literals")} for _, counters in solved]
        assert sizes[0] == sizes[1]


@pytest.mark.parametrize("name", ["+compiled@glucose4", "+compiled@/cadical", "+substituted+compiled@minisat22"])
def test_what_no_compiled_code_loads_is_refused(name: str) -> None:
    registry.load_builtin()
    with pytest.raises(InputError, match="is for unit clauses and cadical153 or minisat22 without options"):
        registry.get(f"sat:complete+pairwise{name}")


def test_a_library_that_is_not_there_or_is_none_is_told(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(cnf_compiled, "LIBRARIES", tmp_path)
    for _ in range(2):
        with pytest.raises(Unsupported, match=r"cadical153 is not compiled .*; `make compiled` in a checkout"):
            prepared(NAME, PUZZLES[0].shape)
        (tmp_path / "cadical153.so").write_text("none")


def test_make_says_in_one_line_that_there_is_no_compiler(tmp_path) -> None:
    target = tmp_path / "cadical153.so"
    command = ["make", f"COMPILED={tmp_path}", str(target), "SHELL=/bin/sh", "PATH=/nowhere"]
    done = subprocess.run(["/usr/bin/env", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("sudoku-bench: no g++, or no library of CaDiCaL; on Debian: apt install")
