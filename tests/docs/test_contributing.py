"""The examples of CONTRIBUTING.md work as written."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from types import ModuleType

import numpy as np
import pytest

from bench.figures import catalogue
from bench.worker.stopwatch import solve
from bench.writeup import bibliography
from datasets.reading.reader import parse
from datasets.shape import Shape
from datasets.verify import answer_fault
from solvers.sat import amo
from solvers.sat.cnf import cnf_strategy
from solvers.strategy import Task
from tests.bench.conftest import FOURS
from tests.bench.figures import cases
from tests.conftest import TOP
from tests.docs.code_blocks import blocks

pytestmark = pytest.mark.slow

PAGE = TOP / "CONTRIBUTING.md"
STRATEGY, ENCODING, SCHEME, ENTRY, ENGINE, FIGURE = blocks(PAGE, "python")


def module(name: str, code: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return a module of the project with this code, importable for this test only."""
    made = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, made)
    exec(compile(code, name, "exec", dont_inherit=True), made.__dict__)
    return made


def test_the_strategy_solves(command, tmp_path) -> None:
    file = tmp_path / "naive.py"
    file.write_text(STRATEGY, encoding="utf-8")
    code, out, err = command("solve", FOURS[0], "-s", "naive:backwards", "--plugin", file, "--task", "unique")
    assert (code, err) == (0, "")
    assert "exactly one solution" in out


def test_the_encoding_has_the_size_that_the_page_states(monkeypatch) -> None:
    made = module("solvers.sat.encodings.conflict", ENCODING, monkeypatch).conflict(Shape(3, 3))
    size = made.size
    stated = f'"{made.name}": ({size.variables}, {size.clauses}, {size.literals})'
    assert stated in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("n", [2, 4, 5, 7])
def test_the_scheme_allows_at_most_one(n: int) -> None:
    namespace = dict(vars(amo))
    exec(SCHEME, namespace)
    [scheme] = eval(ENTRY, namespace)
    clauses = scheme.pattern(n)
    variables = max(abs(literal) for clause in clauses for literal in clause)
    allowed = {
        values[:n]
        for values in itertools.product((False, True), repeat=variables)
        if all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
    }
    assert allowed == {values for values in itertools.product((False, True), repeat=n) if sum(values) <= 1}


def test_the_engine_solves(monkeypatch) -> None:
    if importlib.util.find_spec("pycryptosat") is None:
        pytest.skip("pycryptosat is not installed")
    made = module("solvers.sat.cnf_cryptominisat", ENGINE, monkeypatch)
    strategy = cnf_strategy("sat:complete+pairwise@pycryptosat", made.CryptoMiniSatStrategy)()
    puzzle = parse(FOURS[0])
    strategy.prepare(puzzle.shape)
    assert answer_fault(puzzle, solve(strategy, puzzle, Task.parse("unique")), 1) is None


def test_the_entry_is_that_of_the_bibliography() -> None:
    [entry] = blocks(PAGE, "bibtex")
    [(_, key, body)] = bibliography.ENTRY.findall(entry)
    shown = dict(bibliography.FIELD.findall(body))
    assert shown.items() <= bibliography.fields()[key].items()
    assert {"author", "title", "year", "for"} <= set(shown)


def test_the_figure_is_drawn(monkeypatch) -> None:
    made = module("bench.figures.par2", FIGURE, monkeypatch)
    run = cases.small(np.outer([0.01, 0.02], np.ones(6)), ["a:x", "b:y"])
    figure = cases.picture(made, run)
    assert catalogue.name(made) == "par2"
    assert {label.get_text() for label in figure.axes[0].get_yticklabels()} == {"a:x", "b:y"}
