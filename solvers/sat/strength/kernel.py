"""Unit propagation with undo, compiled: each clause counts its false literals.

Literals are numbered from 0: 2x for the variable x, 2x + 1 for its negation, so ``literal ^ 1`` is the other one.
Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.kernels import njit

Numbers = NDArray[np.int32]


class Net(NamedTuple):
    """A formula and its current partial assignment.

    Attributes:
        literals: the literals of all clauses, clause after clause.
        first_literal: where the literals of each clause begin (one more at the end).
        uses: the clauses that contain each literal, literal after literal.
        first_use: where the clauses of each literal begin (one more at the end).
        falses: for each clause, how many of its literals are false.
        true: for each literal whether it is true.
        trail: the true literals, in the order of their assignment.
        ends: how many literals of the trail have been propagated, and how many there are.
    """

    literals: Numbers
    first_literal: Numbers
    uses: Numbers
    first_use: Numbers
    falses: Numbers
    true: NDArray[np.bool_]
    trail: Numbers
    ends: Numbers


def net_of(clauses: Iterable[Sequence[int]], variables: int) -> Net:
    """Make the net of some clauses, with nothing assigned; repeated literals count once, tautologies are left out."""
    distinct = map(set, clauses)
    kept = [sorted(map(index, clause)) for clause in distinct if not any(-x in clause for x in clause)]
    lengths = np.fromiter(map(len, kept), dtype=np.int64, count=len(kept))
    literals = np.fromiter(chain.from_iterable(kept), dtype=np.int32, count=int(lengths.sum()))
    of_clause = np.repeat(np.arange(len(kept), dtype=np.int32), lengths)
    return Net(
        literals,
        first_literal=starts(lengths),
        uses=of_clause[np.argsort(literals, kind="stable")],
        first_use=starts(np.bincount(literals, minlength=2 * variables + 2)),
        falses=np.zeros(len(kept), dtype=np.int32),
        true=np.zeros(2 * variables + 2, dtype=np.bool_),
        trail=np.empty(variables + 1, dtype=np.int32),
        ends=np.zeros(2, dtype=np.int32),
    )


def index(literal: int) -> int:
    """The number of a literal."""
    return 2 * abs(literal) + (literal < 0)


def indices(literals: Iterable[int]) -> Numbers:
    return np.fromiter(map(index, literals), dtype=np.int32)


def starts(lengths: NDArray[np.int64]) -> Numbers:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


@njit()
def assume(net: Net, literals: Numbers) -> bool:
    """Make literals true and propagate; return False on a conflict, after which ``undo`` is due."""
    for literal in literals:
        if net.true[literal ^ 1]:
            return False
        if not net.true[literal]:
            _push(net, literal)
    return _propagate(net)


@njit()
def undo(net: Net, length: int) -> None:
    """Take back all but the first ``length`` literals of the trail."""
    for place in range(length, net.ends[1]):
        literal = net.trail[place]
        net.true[literal] = False
        if place < net.ends[0]:
            for k in range(net.first_use[literal ^ 1], net.first_use[(literal ^ 1) + 1]):
                net.falses[net.uses[k]] -= 1
    net.ends[:] = length


@njit()
def assume_failed(net: Net, probes: Numbers) -> bool:
    """Assume each probe in turn, and make the negation of each that leads to a conflict true, until none does.

    Return False on a conflict.
    """
    since_last, place = 0, 0
    while since_last < len(probes):
        literal = probes[place]
        place = (place + 1) % len(probes)
        since_last += 1
        if net.true[literal] or net.true[literal ^ 1]:
            continue
        length = net.ends[1]
        _push(net, literal)
        fails = not _propagate(net)
        undo(net, length)
        if fails:
            since_last = 0
            _push(net, literal ^ 1)
            if not _propagate(net):
                return False
    return True


@njit()
def _push(net: Net, literal: int) -> None:
    net.true[literal] = True
    net.trail[net.ends[1]] = literal
    net.ends[1] += 1


@njit()
def _propagate(net: Net) -> bool:
    """Propagate to the end or to the first literal that leads to a conflict (and that one in full, for ``undo``)."""
    fine = True
    while fine and net.ends[0] < net.ends[1]:
        false = net.trail[net.ends[0]] ^ 1
        net.ends[0] += 1
        for k in range(net.first_use[false], net.first_use[false + 1]):
            clause = net.uses[k]
            net.falses[clause] += 1
            left = net.first_literal[clause + 1] - net.first_literal[clause] - net.falses[clause]
            if left <= 1 and not _settle(net, clause):
                fine = False
    return fine


@njit()
def _settle(net: Net, clause: int) -> bool:
    """Make the last literal of a clause true if all others are false; return False if all are."""
    last = -1
    for k in range(net.first_literal[clause], net.first_literal[clause + 1]):
        literal = net.literals[k]
        if net.true[literal]:
            return True
        if not net.true[literal ^ 1]:
            last = literal
    if last < 0:
        return False
    _push(net, last)
    return True
