"""The search near hard puzzles for puzzles that are hard for clause learning."""

from __future__ import annotations

import pytest

from datasets.bits import random_state
from datasets.collections.catalogue import load
from datasets.making import vicinity
from datasets.making.canonical import canonical
from datasets.making.climb import residual
from datasets.making.generator import redundant
from datasets.making.vicinity import LEAST_LEFT, neighbour, search
from datasets.search import solve

pytestmark = pytest.mark.thorough

START = next(item.puzzle for item in load("hardest").items if item.name == "hardest-033")


def test_neighbours_are_minimal_and_look_ahead_does_not_solve_them() -> None:
    found = neighbour(START, solve(START).solutions[0], random_state(3))
    assert found is not None
    puzzle, solution = found
    assert puzzle != START
    assert solve(puzzle).solutions == (solution,)
    assert redundant(puzzle) == []
    assert residual(puzzle) >= LEAST_LEFT


def test_a_puzzle_without_such_neighbours_has_none() -> None:
    easy = load("easy").items[0].puzzle
    assert neighbour(easy, solve(easy).solutions[0], random_state(1)) is None


def test_a_search_finds_different_puzzles_and_depends_on_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vicinity, "FIRST_FORMS", 2)
    found = list(search([START], 1, 30))
    assert len(found) > 1
    assert len({canonical(one.puzzle).text for one in found}) == len(found)
    assert found[0].puzzle == START
    assert {hard.start for hard in found} == {START}
    assert found == list(search([START], 1, 30))
    assert found[1:] != list(search([START], 2, 30))[1:]
