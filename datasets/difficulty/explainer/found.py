"""Records of the chains and cycles of single links that a search finds: the best one, or the best for each conclusion.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.difficulty.explainer.grid import Ints, put

MAX_FOUND = 1 << 14
MAX_STEPS = 1 << 20
TABLE = 1 << 16
CYCLE, CHAIN = 0, 1
COUNT, STEPS, FULL = 0, 1, 2  # places in ``Found.size``


class Found(NamedTuple):
    """Chains and cycles, each with its path from the conclusion back to the assumption.

    Attributes:
        rating: rating as the original computes it: tenths are added one by one, and rounding decides ties.
        length: number of different literals in the path.
        rank: tie-break between equal lengths.
        kind: cycle or chain.
        mark: what the conclusion is known by; two with the same mark eliminate the same candidates.
        order: in which order they were found.
        begin, end: the path in ``path`` and ``cause``.
        path: literals from the conclusion to the assumption; a cycle begins and ends with the same one.
        cause: the link that leads to each literal from the next one of the path; -1 at its end.
        table: hash table of marks.
        size: number of records, used part of ``path``, and whether a record did not fit.
    """

    rating: NDArray[np.float64]
    length: Ints
    rank: Ints
    kind: Ints
    mark: Ints
    order: Ints
    begin: Ints
    end: Ints
    path: NDArray[np.int16]
    cause: NDArray[np.int8]
    table: NDArray[np.int32]
    size: Ints


def new_found() -> Found:
    """Allocate room for records."""
    return Found(
        np.zeros(MAX_FOUND),
        *(np.zeros(MAX_FOUND, dtype=np.int64) for _ in range(7)),
        np.zeros(MAX_STEPS, dtype=np.int16),
        np.zeros(MAX_STEPS, dtype=np.int8),
        np.zeros(TABLE, dtype=np.int32),
        np.zeros(4, dtype=np.int64),
    )


@njit(cache=True)
def length_tenths(length: int) -> int:
    """Return how many tenths the length of a chain adds to its rating: 0 up to 6 literals, 1 up to 8, 2 up to 10 ...

    The steps are 4, 6, 8, 12, 16, 24, 32, ... links.
    """
    tenths, ceiling, odd = 0, 4, False
    while length - 2 > ceiling:
        tenths += 1
        ceiling = ceiling * 4 // 3 if odd else ceiling * 3 // 2
        odd = not odd
    return tenths


@njit(cache=True)
def rating_of(base: float, length: int) -> float:
    """Return the rating of a chain, with the rounding of the original: tenths are summed first."""
    added = 0.0
    for _ in range(length_tenths(length)):
        added += 0.1
    return base + added


@njit(cache=True)
def is_better(rating: float, length: int, rank: int, found: Found, record: int) -> bool:
    """Return whether a chain comes before a record."""
    if rating != found.rating[record]:
        return bool(rating < found.rating[record])
    if length != found.length[record]:
        return bool(length < found.length[record])
    return bool(rank < found.rank[record])


@njit(cache=True)
def clear_found(found: Found) -> None:
    """Remove all records."""
    found.size[COUNT] = found.size[STEPS] = 0
    put(found.table, -1)


@njit(cache=True)
def place_for(found: Found, keep_all: bool, rating: float, length: int, rank: int, mark: int) -> int:
    """Return the record that a chain may take; -1 if the one it competes with is at least as good.

    It competes with the chain of the same conclusion (``keep_all``), or with the only record.
    """
    slot = (mark & 0x7FFFFFFFFFFFFFFF) % TABLE if keep_all else 0
    while found.table[slot] >= 0 and keep_all and found.mark[found.table[slot]] != mark:
        slot = (slot + 1) % TABLE
    record = found.table[slot]
    if record >= 0:
        return record if is_better(rating, length, rank, found, record) else -1
    record = found.size[COUNT]
    if record == MAX_FOUND:
        found.size[FULL] = 1
        return -1
    found.table[slot] = record
    found.size[COUNT] += 1
    return record


@njit(cache=True)
def in_order(found: Found) -> Ints:
    """Return the records, best first; those found first come first among equals."""
    n = found.size[COUNT]
    records = np.argsort(found.order[:n], kind="mergesort")
    records = records[np.argsort(found.rank[records], kind="mergesort")]
    records = records[np.argsort(found.length[records], kind="mergesort")]
    return records[np.argsort(found.rating[records], kind="mergesort")]
