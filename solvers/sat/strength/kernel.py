"""Unit propagation with undo, compiled: each clause counts its false literals.

Literals are numbered as in ``solvers/sat/packed``. Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.kernels import njit
from sudoku_bench.solvers.sat.packed import Numbers, pack


class Net(NamedTuple):
    """A formula and its current partial assignment.

    Attributes:
        literals, first_literal, uses, first_use: as in ``Packed``.
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
    """Make the net of some clauses, with nothing assigned."""
    packed = pack(clauses, variables)
    return Net(
        *packed,
        falses=np.zeros(len(packed.first_literal) - 1, dtype=np.int32),
        true=np.zeros(len(packed.first_use) - 1, dtype=np.bool_),
        trail=np.empty(variables + 1, dtype=np.int32),
        ends=np.zeros(2, dtype=np.int32),
    )


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
