"""Clauses with known variables put in, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise

import numpy as np

from solvers.sat.encodings.parts import Clause


class Reducer:
    """Some clauses, to be reduced again and again by what is known."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.literals = np.array(list(chain.from_iterable(clauses)), dtype=np.int64)
        self.clause = np.repeat(np.arange(len(clauses)), [len(clause) for clause in clauses])
        self.count = len(clauses)

    def reduce(self, known: Sequence[int]) -> list[Clause]:
        """Without satisfied clauses and false literals; an empty clause is a contradiction.

        Args:
            known: by literal, a negative one counting from the end: 1 true, -1 false, 0 open.
        """
        values = np.array(known, dtype=np.int8)[self.literals]
        satisfied = np.zeros(self.count, dtype=bool)
        satisfied[self.clause[values > 0]] = True
        keep = (values == 0) & ~satisfied[self.clause]
        left = np.bincount(self.clause[keep], minlength=self.count)[~satisfied]
        literals = self.literals[keep].tolist()
        return [literals[a:b] for a, b in pairwise(accumulate(left.tolist(), initial=0))]
