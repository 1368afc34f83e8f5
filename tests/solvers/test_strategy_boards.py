"""Every strategy on every layout, with clues and with pencilmarks: solved, or unsupported with a reason."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from sudoku_bench.bench.plan.strategies import known
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat.amo import SCHEMES
from sudoku_bench.solvers.sat.encodings import WITH_SCHEME, WITHOUT_SCHEME
from sudoku_bench.solvers.strategy import Strategy, Unsupported
from sudoku_bench.solvers.strategy import prepared as prepared_for
from tests.datasets.all_grids import FURTHER
from tests.solvers.boards import cases
from tests.solvers.solving import answer

LAYOUTS = list(FURTHER)
NO_BOXES = [layout for layout in LAYOUTS if layout.startswith(("latin", "jigsaw"))]
ORDINARY_ONLY = ("seed:", "local-search:", "bitboard:bands")
NEED_BOXES = ("sat:augmented", "sat:complete-augmented", "sat:irredundant")


@pytest.mark.thorough
@pytest.mark.parametrize("name", list(known()))
def test_a_strategy_solves_each_board_or_says_why_not(name: str, solver_of) -> None:
    with solver_of(name) as solver:
        tasks = registry.get(name).tasks
        task, limit = next((t, k) for t, k in (("count:3", 3), ("unique", 2), ("first", 1)) if t.split(":")[0] in tasks)
        for layout in LAYOUTS:
            for pencilmarks in (False, True):
                boards = [(p, k) for p, k in cases(layout, pencilmarks) if k or registry.get(name).complete]
                reply = solver.worker.prepare(boards[0][0].shape)
                if refused(name, layout, pencilmarks):
                    assert reply["status"] == "unsupported", (layout, pencilmarks)
                    assert "only" in reply["reason"]
                    continue
                assert reply["status"] == "ok", (layout, pencilmarks, reply)
                for puzzle, number in boards:
                    solver.prepared[puzzle.shape] = reply
                    found = solver.solutions(puzzle, task)
                    fault = None if found is None else answer_fault(puzzle, found, min(limit, number))
                    assert fault is None, (puzzle.shape.name, puzzle.text)


def refused(name: str, layout: str, pencilmarks: bool) -> bool:
    if name == "bitboard:bands":
        return True  # 4×4
    if name.startswith(ORDINARY_ONLY):
        return bool(layout or pencilmarks)
    return name.startswith(NEED_BOXES) and layout in NO_BOXES


def encodings() -> Iterator[tuple[str, str]]:
    """Every encoding, and native constraints, under every handling of clues; every scheme under one."""
    names = [f"{name}+pairwise@cadical195" for name in WITH_SCHEME] + [f"{name}@cadical195" for name in WITHOUT_SCHEME]
    names += [f"{name}+native@minicard" for name in ("complete", "minimal", "irredundant")]
    yield from itertools.product(names, ("", "+substituted", "+reduced", "+assumptions"))
    yield from ((f"complete+{name}@cadical195", "") for name in SCHEMES if name not in ("pairwise", "native"))


@pytest.mark.parametrize(("name", "handling"), list(encodings()))
def test_an_encoding_states_all_units_and_all_pencilmarks(name: str, handling: str) -> None:
    pytest.importorskip("pysat")
    model, _, engine = name.partition("@")
    if handling == "+assumptions" and engine == "cadical195":
        engine = "glucose4"
    full_name = f"sat:{model}{handling}@{engine}"
    registry.load_builtin()
    strategy = registry.get(full_name)
    for layout in LAYOUTS:
        for pencilmarks in (False, True):
            puzzles = cases(layout, pencilmarks)
            codes = model.split("+")[0] in ("order", "order-hints", "log", "log-difference")
            if refused(full_name, layout, False) or (codes and pencilmarks and handling == "+assumptions"):
                with pytest.raises(Unsupported, match=r"only|excludes a value alone"):
                    prepared_for(strategy, puzzles[0][0].shape)
                continue
            solver = prepared_for(strategy, puzzles[0][0].shape)
            for puzzle, number in puzzles:
                found = answer(solver, puzzle, "count:3")
                assert answer_fault(puzzle, found, number) is None, (puzzle.shape.name, puzzle.text)


def test_a_strategy_of_the_first_contract_is_asked_for_ordinary_boards_alone() -> None:
    class Old(Strategy):
        name = "old:search"

        def prepare(self, shape: Shape) -> None:
            self.prepared_for = shape

    assert prepared_for(Old, Shape(3, 3)).prepared_for == Shape(3, 3)  # type: ignore[attr-defined]
    for shape in (Shape(3, 3, "x"), Shape(3, 3, "", pencilmarks=True)):
        with pytest.raises(Unsupported, match="only"):
            prepared_for(Old, shape)


@pytest.mark.parametrize("name", ["bitboard:bands", "bitboard:cells", "propagation:bitmask", "portfolio:probe"])
def test_pencilmarks_of_9x9_boards_are_solved_like_the_clauses_are(name: str) -> None:
    pytest.importorskip("pysat")
    registry.load_builtin()
    rng = random.Random(3)
    solution = [(3 * row + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9)]
    shape = Shape(3, 3, "", pencilmarks=True)
    solver = prepared_for(registry.get(name), shape)
    sat = prepared_for(registry.get("sat:complete+pairwise+substituted@cadical195"), shape)
    for share in (0.05, 0.1, 0.15, 0.2, 0.3, 0.45):
        for _ in range(3):
            masks = [sum(1 << v for v in range(9) if v + 1 == value or rng.random() > share) for value in solution]
            puzzle = Puzzle.of_candidates(shape, masks)
            right = answer(sat, puzzle, "count:3")
            assert answer_fault(puzzle, answer(solver, puzzle, "count:3"), len(right)) is None
    assert answer(solver, Puzzle.of_candidates(shape, [0, *[511] * 80]), "unique") == []
