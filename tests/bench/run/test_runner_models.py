"""Programs that read a model or linear constraints take part in a run like any strategy."""

from __future__ import annotations

import shutil

import pytest

from tests.bench.conftest import FOURS


@pytest.mark.parametrize(
    ("program", "template", "strategy"),
    [
        ("z3", "z3 -smt2 {smt2}", "command:mine"),
        ("clasp", "clasp {opb}", "sat:complete+native@mine"),
    ],
)
def test_a_program_is_measured_and_judged(measure, puzzles, program: str, template: str, strategy: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed (make setup-solvers)")
    declared = ("--command", f"mine={template}", "--repetitions", 1)
    result = measure("-s", "mine", *declared, "-d", puzzles(*FOURS), "--task", "unique")
    assert result.code == 0, result.err
    assert set(result.statuses()) == {"solved"}
    assert set(result.rows["strategy"]) == {strategy}
