"""Records of the chains and cycles of single links that a search finds: the best one, or the best for each conclusion.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.difficulty.explainer.grid import Ints, put
from sudoku_bench.datasets.kernels import njit

MAX_FOUND = 1 << 13
MAX_STEPS = 1 << 18
TABLE = 1 << 14
CYCLE, CHAIN = 0, 1
RATING, LENGTH, RANK, KIND, MARK, ORDER, BEGIN, END, SLOT = range(9)  # columns of ``record``
LITERAL, CAUSE = 0, 1  # columns of ``path``
COUNT, STEPS, FULL, LAST_ORDER = range(4)  # places in ``size``
LENGTHS = np.array(sorted(links << doublings for doublings in range(12) for links in (4, 6)))  # see ``length_tenths``


class Found(NamedTuple):
    """Chains and cycles, each with its path from the conclusion back to the assumption.

    Attributes:
        record: of each one its rating in tenths; the number of different literals in its path; its rank, which decides
            between equal lengths; cycle or chain; what its conclusion is known by (two with the same mark eliminate the
            same candidates); in which order it was found; where it begins and ends in ``path``; its slot in ``table``.
        path: literals from the conclusion to the assumption (a cycle begins and ends with the same one), and the link
            that leads to each from the next one of the path; -1 at its end.
        table: hash table of marks: the record; -1 if none.
        size: number of records; used part of ``path``; whether a record did not fit; order of the last record.
    """

    record: Ints
    path: NDArray[np.int16]
    table: NDArray[np.int32]
    size: Ints


def new_found() -> Found:
    """Allocate room for records."""
    return Found(
        np.zeros((MAX_FOUND, 9), dtype=np.int64),
        np.zeros((MAX_STEPS, 2), dtype=np.int16),
        np.full(TABLE, -1, dtype=np.int32),
        np.zeros(4, dtype=np.int64),
    )


@njit()
def length_tenths(length: int) -> int:
    """Return how many tenths the length of a chain adds to its rating: 0 up to 6 literals, 1 up to 8, 2 up to 10 ...

    The steps are at 4, 6, 8, 12, 16, 24, 32, ... links.
    """
    tenths = 0
    while LENGTHS[tenths] < length - 2:
        tenths += 1
    return tenths


@njit()
def is_better(rating: int, length: int, rank: int, record: Ints) -> bool:
    """Return whether a chain comes before a record."""
    return bool((rating, length, rank) < (record[RATING], record[LENGTH], record[RANK]))


@njit()
def clear_found(found: Found) -> None:
    """Remove all records."""
    for k in range(found.size[COUNT]):
        found.table[found.record[k, SLOT]] = -1
    put(found.size, 0)


@njit()
def place_for(found: Found, keep_all: bool, rating: int, length: int, rank: int, mark: int) -> int:
    """Return the record that a chain may take; -1 if the one it competes with is at least as good.

    It competes with the chain of the same conclusion (``keep_all``), or with the only record.
    """
    slot = (mark & 0x7FFFFFFFFFFFFFFF) % TABLE if keep_all else 0
    while keep_all and found.table[slot] >= 0 and found.record[found.table[slot], MARK] != mark:
        slot = (slot + 1) % TABLE
    number = found.table[slot]
    if number >= 0:
        return int(number) if is_better(rating, length, rank, found.record[number]) else -1
    if found.size[COUNT] == MAX_FOUND:
        found.size[FULL] = 1
        return -1
    number = found.size[COUNT]
    found.table[slot], found.record[number, SLOT] = number, slot
    found.size[COUNT] += 1
    return int(number)


@njit()
def in_order(found: Found) -> Ints:
    """Return the records, best first; those found first come first among equals."""
    n = found.size[COUNT]
    keys = np.empty(n, dtype=np.int64)
    for k in range(n):
        record = found.record[k]
        keys[k] = (record[RATING] << 48) + (record[LENGTH] << 32) + (record[RANK] << 28) + record[ORDER]
    return np.argsort(keys)
