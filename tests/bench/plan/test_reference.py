"""References, against which answers are judged, and decoys."""

from __future__ import annotations

import contextlib
import dataclasses
import random
from pathlib import Path

import pytest

from sudoku_bench.bench.plan import kept, plan, reference
from sudoku_bench.bench.plan.reference import Reference
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape
from tests.bench.conftest import FOURS


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "folder", lambda: tmp_path)


def test_numbers_of_solutions_are_established_by_two_strategies() -> None:
    named = [("empty", parse("." * 16)), ("one", parse(FOURS[0])), ("none", parse("11" + "." * 14))]
    references = reference.establish(named, limit=1000)
    assert [r.solutions for r in references] == [288, 1, 0]
    assert [r.sources for r in references] == [2, 2, 2]
    assert references[0].solution is None
    assert references[1].solution == solve(parse(FOURS[0])).solutions[0]


def test_any_completion_of_a_latin_square_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is counted beyond the first, unless the task asks for more; a known one is not even looked for."""
    shape = Shape.of_size(4, "latin")
    named = [("open", Puzzle(shape, [0] * 16)), ("none", Puzzle(shape, [1, 1, *[0] * 14]))]
    for _ in range(2):  # the second time from what was kept
        first = reference.establish(named, limit=1)
        assert [(r.solutions, r.solution, r.sources) for r in first] == [(1, None, 2), (0, None, 2)]
    assert [r.solutions for r in reference.establish(named, limit=2)] == [2, 0]
    collection = catalogue.load("latin40", catalogue.Choice(limit=3))
    assert collection.solvable
    known, asked = [item.puzzle for item in collection.items], Suite(strategies=("seed:norvig",), datasets=("latin40",))
    monkeypatch.setattr(reference, "_establish", lambda *_: pytest.fail("established"))
    made = plan.make(dataclasses.replace(asked, limit=3))
    assert [(p.puzzle, p.reference) for p in made.puzzles] == [(puzzle, Reference(1, None, 0)) for puzzle in known]
    assert all(planned.sampled for planned in made.puzzles)


def test_any_completion_of_a_grid_with_random_cells_is_an_answer_if_its_file_gives_one(tmp_path: Path) -> None:
    path, full = tmp_path / "random.csv", "1234341221434321"
    path.write_text(f"puzzle,solution\n12{'.' * 14},{full}\n1{'.' * 15},\n.23434122143432.,{full}\n")
    asked = Suite(strategies=("seed:norvig",), datasets=(str(path),))
    assert [planned.reference.solutions for planned in plan.make(asked).puzzles] == [1, 2, 1]
    counting = dataclasses.replace(asked, task="count:4")
    assert [p.reference.solutions for p in plan.make(counting).puzzles if not p.decoy] == [4, 4, 1]


def test_the_classics_have_the_published_solutions() -> None:
    items = catalogue.load("classics").items
    references = reference.establish([(item.name, item.puzzle) for item in items], limit=2)
    assert ["".join(map(str, r.solution or ())) for r in references] == [
        "173529864694138752285476319567294138428713596319865427951647283846352971732981645",
        "614382579953764812827591436742635198168279354395418627286157943579843261431926785",
        "385621497179584326426739518762395841534812769891476253917253684243168975658947132",
        "812753649943682175675491283154237896369845721287169534521974368438526917796318452",
        "628534917519872436437916258865247193392185764741693582254369871176458329983721645",
        "417369825632158947958724316825437169791586432346912758289643571573291684164875293",
    ]


def test_two_strategies_that_disagree_stop_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference.SecondStrategy, "solve", lambda *_: [])
    with pytest.raises(InputError, match="one: the two reference strategies disagree"):
        reference.establish([("one", parse(FOURS[0]))], limit=2)


def test_a_puzzle_that_neither_strategy_decides_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "MAX_GUESSES", 0)
    monkeypatch.setattr(reference.SecondStrategy, "solve", lambda *_: None)
    with pytest.raises(InputError, match="could not be established"):
        reference.establish([("open", parse("." * 81))], limit=2)


def test_what_only_one_strategy_knows_is_recorded_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        with monkeypatch.context() as patch:
            if number == 1:
                patch.setattr(reference.SecondStrategy, "solve", lambda *_: None)
            [found] = reference.establish([("one", parse(FOURS[0]))], limit=2)
        assert (found.solutions, found.sources) == (1, number)


def test_what_two_strategies_agree_on_is_not_established_again(monkeypatch: pytest.MonkeyPatch) -> None:
    named = [("one", parse(FOURS[0])), ("none", parse("11" + "." * 14))]
    before = reference.establish(named, limit=2)
    monkeypatch.setattr(reference, "_establish", lambda *_: pytest.fail("established again"))
    assert reference.establish(named, limit=2) == before
    with pytest.raises(pytest.fail.Exception):
        reference.establish(named, limit=3)


@pytest.mark.parametrize("damage", [[1, [1] * 16, 2], [1, None, 2], [2, [1] * 16, 2], [1, [1], 2], "text", [1, "x", 2]])
def test_a_kept_solution_that_is_wrong_is_established_again(damage: object) -> None:
    named = [("one", parse(FOURS[0]))]
    [before] = reference.establish(named, limit=2)
    with contextlib.closing(kept.opened()) as file:
        kept.keep(file, reference.key_of(named[0][1], 2), damage)
    assert reference.establish(named, limit=2) == [before]


@pytest.mark.parametrize("seed", range(10))
def test_decoys_have_several_solutions_or_none(seed: int) -> None:
    items = [*catalogue.load("easy").items, *catalogue.load("expert").items]
    named = [(i.name, i.puzzle, Reference(1, solve(i.puzzle).solutions[0], 2)) for i in items]
    made = list(reference.decoys(named, random.Random(seed)))
    assert [kind for kind, _, _ in made] == ["several", "none", "several"]
    originals = {item.name: item.puzzle for item in items}
    for kind, name, puzzle in made:
        number = len(solve(puzzle, limit=2).solutions)
        assert number == {"several": 2, "none": 0}[kind]
        assert not list(puzzle.clashes())  # no visible conflict
        changed = sum(a != b for a, b in zip(puzzle.cells, originals[name].cells, strict=True))
        assert changed >= 1


def test_only_tasks_with_more_than_one_solution_have_decoys() -> None:
    def decoys(task: str) -> set[str]:
        asked = Suite(strategies=("seed:norvig",), datasets=("classics",), task=task)
        return {planned.decoy for planned in plan.make(asked).puzzles} - {""}

    assert decoys("first") == set()
    assert decoys("unique") == {"several", "none"}
    assert decoys("count:3") == {"several", "none"}
