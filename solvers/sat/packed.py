"""Clauses in arrays, for compiled code.

Literals are numbered from 0: 2x for the variable x, 2x + 1 for its negation, so ``literal ^ 1`` is the other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]


class Packed(NamedTuple):
    """A formula.

    Attributes:
        literals: the literals of all clauses, clause after clause.
        first_literal: where the literals of each clause begin (one more at the end).
        uses: the clauses that contain each literal, literal after literal.
        first_use: where the clauses of each literal begin (one more at the end).
    """

    literals: Numbers
    first_literal: Numbers
    uses: Numbers
    first_use: Numbers


def pack(clauses: Iterable[Sequence[int]], variables: int) -> Packed:
    """Pack some clauses; repeated literals count once, and tautologies are left out."""
    distinct = map(set, clauses)
    kept = [sorted(map(index, clause)) for clause in distinct if not any(-x in clause for x in clause)]
    lengths = np.fromiter(map(len, kept), dtype=np.int64, count=len(kept))
    literals = np.fromiter(chain.from_iterable(kept), dtype=np.int32, count=int(lengths.sum()))
    of_clause = np.repeat(np.arange(len(kept), dtype=np.int32), lengths)
    uses = of_clause[np.argsort(literals, kind="stable")]
    return Packed(literals, starts(lengths), uses, starts(np.bincount(literals, minlength=2 * variables + 2)))


def index(literal: int) -> int:
    """The number of a literal in packed clauses."""
    return 2 * abs(literal) + (literal < 0)


def indices(literals: Iterable[int]) -> Numbers:
    return np.fromiter(map(index, literals), dtype=np.int32)


def starts(lengths: NDArray[np.int64]) -> Numbers:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
