"""Encodings whose models are not exactly the grids are found out; those of the project are proved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Any

import pytest

from sudoku_bench.bench.run.proof import Violation, prove
from sudoku_bench.bench.run.proof.contract import WrongAnswer, hard_to_pass, require_code, require_remade
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers.sat.amo import SCHEMES, Clause
from sudoku_bench.solvers.sat.encodings import build, every_name, refusal
from sudoku_bench.solvers.sat.encodings.parts import Part
from sudoku_bench.solvers.sat.library import of_clauses

FOUR, SIX, NINE, TWELVE, SIXTEEN = Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4)
LIMIT_S = 300
TRIED = {"diagrams": (NINE, TWELVE), "hall-pairs": (TWELVE, SIXTEEN)}  # too much work to prove that all fit


def x(shape: Shape, cell: int, value: int) -> int:
    return cell * shape.size + value


def rules(shape: Shape) -> Iterator[Clause]:
    return iter(build("complete+pairwise", shape).clauses())


def without_boxes_above_12(shape: Shape) -> Iterator[Clause]:
    return with_boxes(shape, shape.boxes if shape.size <= 12 else ())


def without_the_first_box(shape: Shape) -> Iterator[Clause]:
    return with_boxes(shape, shape.boxes[1:])


def with_boxes(shape: Shape, boxes: Sequence[Sequence[int]]) -> Iterator[Clause]:
    for clause in rules(shape):
        cells = {(abs(literal) - 1) // shape.size for literal in clause}
        if any(cells <= set(unit) for unit in (*shape.rows, *shape.columns, *boxes)):
            yield clause


def a_clause_too_many_at_9x9(shape: Shape) -> Iterator[Clause]:
    yield from [*rules(shape), [-x(shape, 0, 1), -x(shape, 13, 2), -x(shape, 80, 3)]]


def a_clause_too_many_over_defined_variables(shape: Shape) -> Iterator[Clause]:
    """The first cell does not hold 1 or 2 where the last one holds 3 or 4."""
    *_, holds, _ = (encoding := build("hall-pairs", shape)).parts
    yield from [*encoding.clauses(), [-holds.first, -holds.first - 35 * holds.auxiliary - 9]]


def no_cell_needs_a_value(shape: Shape) -> Iterator[Clause]:
    """Nor does any unit need all values: the empty board is allowed."""
    return (clause for clause in rules(shape) if min(clause) < 0)


def boxes_of_the_other_orientation(shape: Shape) -> Iterator[Clause]:
    return rules(Shape(shape.box_cols, shape.box_rows))


WRONG = [
    (without_boxes_above_12, SIXTEEN, r"16x16: the clauses allow (no|more than one) \d+ in box \d+: (.*)"),
    (a_clause_too_many_at_9x9, NINE, r"9x9: the clause \((.*)\) excludes the grid (.*)"),
    (a_clause_too_many_over_defined_variables, SIX, r"6x6: \((not r.*)\) follows, which excludes the grid (.*)"),
    *((without_boxes_above_12, shape, "") for shape in (FOUR, NINE)),
    (without_the_first_box, NINE, ""),  # still right: the other boxes of its band leave one of each value
    (no_cell_needs_a_value, NINE, r"9x9: the clauses allow no value in r1c1: (.*)"),
    (boxes_of_the_other_orientation, SIX, r"6x6: the clauses allow (no|more than one) \d in box \d: (.*)"),
]


@pytest.mark.parametrize(
    ("clauses", "shape", "fault"),
    [pytest.param(*each, marks=pytest.mark.thorough if each[1].size > 9 else ()) for each in WRONG],
)
def test_wrong_encodings_are_found_out(clauses: Callable[[Shape], Iterator[Clause]], shape: Shape, fault: str) -> None:
    encoding = of_clauses("mine", shape, clauses(shape))
    if not fault:
        assert prove(encoding, [], LIMIT_S) == "proved that every model is a grid; proved that every grid is a model"
        return
    with pytest.raises(Violation) as found:
        prove(encoding, [], LIMIT_S)
    match = re.fullmatch(fault, str(found.value))
    assert match, str(found.value)
    if "excludes the grid" in fault:  # which is one
        grid = parse(match[2])
        assert answer_fault(grid, [list(grid.cells)], 1) is None


def test_patterns_for_substituted_clues_and_meanings_of_variables_are_checked() -> None:
    product = SCHEMES["product"].exactly_one
    part = Part("cells", [list(range(1, 10))], product(9), 10)
    require_remade(NINE, part, product)
    with pytest.raises(WrongAnswer, match=r"9x9: cells: remake\(6\) differs from the pattern if \[2, 5\] are true"):
        require_remade(NINE, part, lambda n: [c for c in SCHEMES["pairwise"].exactly_one(n) if n != 6 or c != [-2, -5]])
    log = build("log", NINE)
    require_code(log)
    swapped = (log.code.truth[1], log.code.truth[0], *log.code.truth[2:])
    with pytest.raises(WrongAnswer, match="9x9: the variables of a cell that holds 1 are decoded as 2"):
        require_code(replace(log, code=replace(log.code, truth=swapped)))


def encodings_and_boards() -> Iterator[Any]:
    """Every encoding on boards from 4×4 to 16×16; proofs that take longer than some seconds are thorough."""
    for name, shape in product(every_name(), (FOUR, SIX, NINE, TWELVE, SIXTEEN)):
        marks = pytest.mark.thorough if shape.size > 6 or (name, shape) == ("diagrams", SIX) else ()
        yield pytest.param(name, shape, marks=marks, id=f"{name}-{shape.name}")


@pytest.mark.parametrize(("name", "shape"), list(encodings_and_boards()))
def test_every_encoding_is_proved(name: str, shape: Shape) -> None:
    if not refusal(name, shape):
        told = prove(build(name, shape), islice(hard_to_pass(shape), 50), LIMIT_S)
        assert told.startswith("proved that every model is a grid; ")
        ends = ("; proved that every grid is a model", "grids are models")
        assert told.endswith(ends[: 1 + (shape in TRIED.get(name, ()))])
