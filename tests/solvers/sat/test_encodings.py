"""Encodings: exact sizes, the numbering of variables, and conversion of grids to variables and back."""

from __future__ import annotations

from math import ceil, comb, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.encodings import (
    DEFAULTS,
    build,
    every_name,
)
from sudoku_bench.solvers.sat.encodings.parts import peer_pairs

NINE = Shape(3, 3)
SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(1, 3), NINE]
CODES = ("complete", "order", "log")

PUBLISHED = {  # at 9×9: variables, clauses, literals
    "minimal": (729, 8829, 18225),
    "natural": (729, 11745, 24057),
    "no-cell-amo": (729, 9072, 20412),
    "complete": (729, 11988, 26244),
    "augmented": (1215, 7695, 17253),
    "complete-augmented": (1215, 19683, 43497),
    "complete+seqcounter": (3321, 7776, 17820),
    "complete+ladder": (3321, 10368, 23004),
    "complete+pysat-ladder": (3969, 11988, 28836),
    "complete+commander": (1701, 8100, 20412),
    "complete+product": (2673, 8100, 18468),
    "complete+bitwise": (2025, 11988, 26244),
    "complete+bimander": (1377, 9072, 20412),
    "complete+heule": (1701, 7128, 16524),
    "complete+tree": (2997, 7452, 17172),
    "complete+totalizer": (10125, 21708, 57024),
    "complete+mtotalizer": (9153, 18792, 52164),
    "complete+kmtotalizer": (5913, 10692, 28836),
    "complete+cardnetwrk": (12069, 17496, 42120),
    "complete+sortnetwrk": (41877, 62208, 146448),
    "complete+native": (729, 324, 2916),
    "order": (648, 7857, 27054),
    "direct-order": (1377, 11583, 25434),
    "direct-log": (1053, 13203, 31428),
    "log": (324, 7857, 60588),
    "log-difference": (3564, 7857, 24948),
    "support": (729, 17577, 137781),
    "irredundant": (729, 9990, 21870),
    "order-hints": (648, 7911, 27540),
    "hall-pairs": (18225, 86832, 255636),
    "diagrams": (76707, 218916, 595188),
}


def counted(clauses: list[list[int]]) -> tuple[int, int, int]:
    return max(abs(x) for clause in clauses for x in clause), len(clauses), sum(map(len, clauses))


def size_of(encoding) -> tuple[int, int, int]:
    return encoding.size.variables, encoding.size.clauses, encoding.size.literals


def test_the_listed_encodings_are_the_published_ones():
    assert set(DEFAULTS) == set(PUBLISHED)
    assert len(DEFAULTS) == len(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_sizes_at_9x9(name):
    encoding = build(name, NINE)
    assert counted(encoding.clauses()) == PUBLISHED[name]
    assert size_of(encoding) == PUBLISHED[name]
    assert encoding.size.at_mosts == (324 if name == "complete+native" else 0)


@pytest.mark.parametrize(("name", "exact"), [("minimal", 7371), ("natural", 10287), ("complete", 10530)])
def test_distinct_clauses_at_9x9(name, exact):
    assert len(set(map(frozenset, build(name, NINE).clauses()))) == exact


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_clauses_follow_the_general_formulas(n):
    rows = n * n
    cells, c, b = rows**2, comb(rows, 2), ceil(log2(rows))
    p = cells * (3 * rows - 2 * n - 1) // 2
    formulas = {
        "minimal": cells + 3 * cells * c,
        "natural": cells + 4 * cells * c,
        "no-cell-amo": 4 * cells + 3 * cells * c,
        "complete": 4 * cells * (1 + c),
        "augmented": cells * (1 + c) + 2 * n * cells * (1 + comb(n + 1, 2)) + 4 * cells * (1 + comb(n, 2)),
        "order": cells * (rows - 2) + p * rows,
        "direct-order": cells * (4 * rows - 4) + 3 * cells * (1 + c),
        "direct-log": cells * (rows * b + 2**b) + 3 * cells * (1 + c),
        "log": cells * (2**b - rows) + p * rows,
        "log-difference": cells * (2**b - rows) + p * (2 * b + 1),
        "support": cells * (1 + c) + 2 * p * rows,
        "irredundant": cells * (1 + c) + (3 * rows - 2 * n) * rows * (1 + c),
        "order-hints": cells * (rows - 2) + p * rows + 6 * rows,
        "hall-pairs": 4 * cells * (1 + c) + cells * c * (rows + 2) + 3 * rows * c * (6 * rows - 10),
        "complete+ladder": 4 * cells * (4 * rows - 4),
        "complete+native": 4 * cells,
    }
    formulas["complete-augmented"] = formulas["complete"] + formulas["augmented"]
    shape = Shape(n, n)
    assert {name: build(name, shape).size.clauses for name in formulas} == formulas
    assert len(peer_pairs(shape)) == p
    assert build("complete+native", shape).size.at_mosts == 4 * cells


def test_diagrams_of_large_boards_are_refused():
    with pytest.raises(InputError, match="diagrams: boards up to 12x12"):
        build("diagrams", Shape(4, 4))


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(1, 3)], ids=lambda s: s.name)
def test_sizes_are_those_of_the_clauses_and_numbers_have_no_gaps(shape):
    for name in every_name():
        encoding = build(name, shape)
        clauses = encoding.clauses()
        literals = [x for clause in clauses + encoding.at_most_ones() for x in clause]
        assert set(map(abs, literals)) == set(range(1, encoding.size.variables + 1)), name
        assert (len(clauses), sum(map(len, clauses))) == (encoding.size.clauses, encoding.size.literals), name
        assert len(encoding.at_most_ones()) == encoding.size.at_mosts, name
        assert all(clauses), name
        if "sortnetwrk" not in name:  # PySAT's networks repeat literals if n is not a power of 2
            assert all(len(clause) == len(set(map(abs, clause))) for clause in clauses), name
        assert all(type(x) is int for x in literals), name  # not every solver accepts NumPy's integers


@pytest.mark.parametrize(
    "name", [name for name in every_name() if name not in ("order", "order-hints", "log", "log-difference")]
)
def test_cell_variables_are_numbered_row_by_row_and_value_by_value(name):
    encoding = build(name, Shape(2, 2))
    numbers = [encoding.value_literals(4 * r + c, v) for r in range(4) for c in range(4) for v in range(1, 5)]
    assert numbers == [[number] for number in range(1, 65)]


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_a_grid_is_converted_to_variables_and_back(name, shape):
    encoding = build(name, shape)

    @given(st.lists(st.integers(1, shape.size), min_size=shape.n_cells, max_size=shape.n_cells))
    def check(cells):
        true = model(encoding, cells)
        assert encoding.decode(true) == cells
        assert encoding.decode(reversed([*true, 10**6, -(10**6)])) == cells

    check()


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        *(("nothing", "list encodings"), ("", "list encodings"), ("+pairwise", "list encodings")),
        *(("complete+", "choose one of pairwise"), ("complete+nothing", "choose one of pairwise")),
        *(("log+pairwise", "say log"), ("complete+product+product", "choose one of pairwise")),
    ],
)
def test_a_wrong_name_is_an_input_error_with_the_fix(name, fix):
    with pytest.raises(InputError, match=fix.replace("+", r"\+")) as refused:
        build(name, NINE)
    assert "\n" not in str(refused.value)


def model(encoding, cells) -> list[int]:
    """The literals of the cell variables for these cells, from the literals that state each value."""
    stated = {x for cell, value in enumerate(cells) for x in encoding.value_literals(cell, value)}
    if encoding.code.one_hot:
        return [x if x in stated else -x for x in range(1, encoding.cell_variables + 1)]
    if encoding.name == "order":  # more than v - 1 is more than all below
        steps = encoding.shape.size - 1
        return [
            cell * steps + k if k < value else -(cell * steps + k)
            for cell, value in enumerate(cells)
            for k in range(1, steps + 1)
        ]
    return sorted(stated, key=abs)
