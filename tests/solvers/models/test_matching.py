"""The models with matchings: what they remove, and how far shaving leads."""

from __future__ import annotations

from itertools import permutations
from random import Random

from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.models.matching import Propagator, in_perfect_matchings
from sudoku_bench.solvers.strategy import UNIQUE

NINE = Shape(3, 3)


def test_edges_in_perfect_matchings_are_those_of_some_permutation() -> None:
    random = Random(1)
    results = set()
    for _ in range(300):
        n = random.randint(1, 5)
        domains = [random.getrandbits(n) | random.getrandbits(n) for _ in range(n)]
        found = [p for p in permutations(range(n)) if all(domains[i] >> j & 1 for i, j in enumerate(p))]
        expected = [sum({1 << p[i] for p in found}) for i in range(n)] if found else None
        assert in_perfect_matchings(domains) == expected
        results.add(expected is None)
    assert results == {True, False}


def test_an_x_wing_is_found() -> None:
    """Value 1 only in columns 1 and 5 of rows 1 and 5: not elsewhere in these columns."""
    propagator = Propagator(NINE)
    masks = [0b111111111] * 81
    for row in (0, 4):
        for column in range(9):
            if column not in (0, 4):
                masks[9 * row + column] &= ~1
    assert propagator.settle(masks, range(len(propagator.rules)))
    assert [row for row in range(9) if masks[9 * row] & 1] == [0, 4]
    assert [row for row in range(9) if masks[9 * row + 4] & 1] == [0, 4]


def test_shaving_needs_fewer_guesses() -> None:
    registry.load_builtin()
    guesses = {}
    for name in ("cp:flow", "cp:flow+shaving"):
        strategy = registry.get(name)()
        strategy.prepare(NINE)
        total = 0
        for item in catalogue.load("hard", catalogue.Choice(limit=4)).items:
            [solution] = strategy.decode(strategy.search(strategy.encode(item.puzzle), UNIQUE))
            assert len(solution) == 81
            total += strategy.counters()["guesses"]
        guesses[name] = total
    assert guesses["cp:flow+shaving"] == 0 < guesses["cp:flow"]
