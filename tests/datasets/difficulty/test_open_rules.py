"""The rules that the clues leave open have the conflicts of all rules."""

from __future__ import annotations

import pytest

from datasets.collections.catalogue import load
from datasets.difficulty import conflicts
from datasets.difficulty.open_rules import FIRST_REDUCTION
from datasets.isomorphs import form, isomorph
from datasets.puzzle import Puzzle
from tests.datasets.rules import board

FORMS = range(1, 4)


def both(puzzle: Puzzle) -> tuple[list[int | None], list[int]]:
    """The conflicts of forms with the open rules, and with all rules."""
    symmetries = [isomorph(2, puzzle, number) for number in FORMS]
    clues = [conflicts._clues(form(puzzle, symmetry)) for symmetry in symmetries]
    return (
        conflicts._with_open_rules(puzzle, symmetries, clues),
        conflicts._with_all_rules(conflicts.ENGINE, puzzle.shape, clues),
    )


@pytest.mark.parametrize("name", ["size6", "size12", "minimal", "hardest", "multiple"])
def test_the_rules_that_the_clues_leave_open_have_the_conflicts_of_all_rules(name: str) -> None:
    for item in load(name).items[:5]:
        open_rules, all_rules = both(item.puzzle)
        assert open_rules == all_rules


def test_forms_whose_solver_reduces_its_clauses_need_all_rules() -> None:
    open_rules, all_rules = both(load("size16").items[1].puzzle)
    assert [count is None for count in open_rules] == [count >= FIRST_REDUCTION for count in all_rules]
    assert None in open_rules
    assert open_rules != [None] * 3
    assert conflicts._conflicts(load("size16").items[1].puzzle, 2, FORMS, conflicts.ENGINE) == all_rules


def test_clues_that_contradict_each_other_need_all_rules() -> None:
    puzzle = board("11" + "." * 79)
    assert both(puzzle) == ([None] * 3, [0] * 3)
    assert conflicts._conflicts(puzzle, 2, FORMS, conflicts.ENGINE) == [0] * 3
