"""A function of an object is computed once for each object and each of its further arguments."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from sudoku_bench.bench.verdicts.once import once


@dataclass(frozen=True)
class Numbers:
    values: list[int]


calls: list[tuple[object, ...]] = []


@once
def total(numbers: Numbers, factor: int = 1) -> int:
    """Return the sum."""
    calls.append((*numbers.values, factor))
    return factor * sum(numbers.values)


@once
def longest(numbers: Numbers) -> int:
    return len(numbers.values)


def test_it_is_computed_once_for_each_object_and_arguments() -> None:
    calls.clear()
    one = Numbers([1, 2])
    assert [total(one), total(one), total(one, 3), total(one, 3), longest(one)] == [3, 3, 9, 9, 2]
    assert calls == [(1, 2, 1), (1, 2, 3)]
    other = dataclasses.replace(one, values=[5])
    assert [total(other), longest(other), total(one)] == [5, 1, 3]
    assert total.__doc__ == "Return the sum."
