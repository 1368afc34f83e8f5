"""The consequences of assumptions: a flat store of literals, each with the literals that it follows from.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.difficulty.explainer.grid import N_LITERALS, Ints, put
from sudoku_bench.datasets.kernels import njit

MAX_NODES = 1 << 20
MAX_PARENTS = 1 << 23
MAX_NESTS = 1 << 17
LITERAL, CAUSE, NEST, FIRST_PARENT, END_PARENT, ANCESTORS, HAS_NEST, MARK, TODO = range(9)  # columns of ``node``
BEGIN, END, TRUE_END, FALSE_END = range(N_LITERALS, N_LITERALS + 4)  # columns of ``source`` after those of literals
LENGTH, FINGERPRINT = range(2)  # columns of ``nest``
NODES, PARENTS, NESTS, TRUE, FALSE, LAST_MARK, FULL, WORK = range(8)  # places in ``size``
ASSUMED, BY_LOCKED, BY_HIDDEN_PAIR, BY_NAKED_PAIR, BY_X_WING, BY_CHAIN = -1, 4, 5, 6, 7, 8  # causes other than links

Indices = NDArray[np.int32]


class Store(NamedTuple):
    """Consequences of each assumption (a *source*: a literal), as nodes.

    Attributes:
        node: of each node its literal; its cause: the link that it follows by (0 cell, 1 box, 2 row, 3 column) or one
            of the causes above; the nested chain that it follows by (-1: none); where its parents, the nodes that it
            follows from, begin and end in ``parent``; the number of nodes that it follows from, with itself (0: not
            counted yet); if counted, whether one of these follows by a nested chain; room for counting.
        parent: parents of all nodes.
        source: of each source the node of each literal (-1: the literal does not follow); its first node and the end of
            its nodes, in the order in which they were found; the true and the false node of the contradiction that
            ended its search (-1: none did). Only the earlier one of these is among the nodes of the source.
        nest: of each nested chain its length, and a fingerprint of its literals.
        size: number of nodes, parents and nested chains; the next true and false node to follow up; the last mark;
            whether something did not fit; nodes made since this was set to zero.
    """

    node: Indices
    parent: Indices
    source: Indices
    nest: Ints
    size: Ints


def new_store() -> Store:
    """Allocate a store; memory that is not used costs nothing."""
    return Store(
        np.zeros((MAX_NODES, 9), dtype=np.int32),
        np.zeros(MAX_PARENTS, dtype=np.int32),
        np.zeros((N_LITERALS, N_LITERALS + 4), dtype=np.int32),
        np.zeros((MAX_NESTS, 2), dtype=np.int64),
        np.zeros(8, dtype=np.int64),
    )


@njit()
def clear_store(store: Store) -> None:
    """Forget all nodes."""
    store.size[NODES] = store.size[PARENTS] = store.size[NESTS] = 0


@njit()
def assume(store: Store, source: int) -> None:
    """Begin with the consequences of a literal."""
    put(store.source[source], -1)
    n = store.size[NODES]
    store.source[source, BEGIN] = store.source[source, END] = store.size[TRUE] = store.size[FALSE] = n
    add_node(store, source, source, ASSUMED, -1)


@njit()
def add_node(store: Store, source: int, literal: int, cause: int, nest: int) -> int:
    """Add a consequence, still without parents; return its node."""
    node = add_loose(store, literal, cause, nest)
    store.source[source, literal] = node
    store.source[source, END] = node + 1
    return node


@njit()
def add_loose(store: Store, literal: int, cause: int, nest: int) -> int:
    """Add a node that is not among those of the source."""
    number = store.size[NODES]
    node = store.node[number]
    node[LITERAL], node[CAUSE], node[NEST], node[ANCESTORS] = literal, cause, nest, 0
    node[FIRST_PARENT] = node[END_PARENT] = store.size[PARENTS]
    store.size[WORK] += 1
    if number + 1 < MAX_NODES:
        store.size[NODES] = number + 1
    else:
        store.size[FULL] = 1
    return int(number)


@njit()
def add_parent(store: Store, node: int, parent: int) -> None:
    """Add a parent of the newest node."""
    n = store.size[PARENTS]
    if n == MAX_PARENTS:
        store.size[FULL] = 1
        return
    store.parent[n] = parent
    store.node[node, END_PARENT] = store.size[PARENTS] = n + 1


@njit()
def next_node(store: Store, source: int, queue: int) -> int:
    """Return the next true or false node to follow up (``queue`` is ``TRUE`` or ``FALSE``); -1 if there is none."""
    node, end = store.size[queue], store.source[source, END]
    while node < end and (store.node[node, LITERAL] & 1) != (queue == TRUE):
        node += 1
    store.size[queue] = min(node + 1, end)
    return node if node < end else -1


@njit()
def _new_mark(store: Store) -> int:
    """Return a mark that no node has."""
    store.size[LAST_MARK] += 1
    if store.size[LAST_MARK] == 2**31 - 1:
        for node in range(MAX_NODES):
            store.node[node, MARK] = 0
        store.size[LAST_MARK] = 1
    return int(store.size[LAST_MARK])


@njit()
def count_ancestors(store: Store, node: int) -> int:
    """Return the number of nodes that a node follows from, with itself."""
    nodes = store.node
    if nodes[node, ANCESTORS] == 0:
        mark, n, count, has_nest = _new_mark(store), 1, 0, False
        nodes[0, TODO], nodes[node, MARK] = node, mark
        while n:
            n -= 1
            at = nodes[n, TODO]
            count += 1
            has_nest |= nodes[at, NEST] >= 0
            for k in range(nodes[at, FIRST_PARENT], nodes[at, END_PARENT]):
                parent = store.parent[k]
                if nodes[parent, MARK] != mark:
                    nodes[n, TODO], nodes[parent, MARK] = parent, mark
                    n += 1
        nodes[node, ANCESTORS], nodes[node, HAS_NEST] = count, has_nest
    return int(nodes[node, ANCESTORS])


@njit()
def chain_of(store: Store, node: int, chain: Ints) -> int:
    """Write the nodes that a node follows from, itself first, the nearest before others; return their number."""
    mark, n, at = _new_mark(store), 1, 0
    chain[0], store.node[node, MARK] = node, mark
    while at < n:
        for k in range(store.node[chain[at], FIRST_PARENT], store.node[chain[at], END_PARENT]):
            parent = store.parent[k]
            if store.node[parent, MARK] != mark:
                chain[n], store.node[parent, MARK] = parent, mark
                n += 1
        at += 1
    return n


@njit()
def nested_length(store: Store, ends: Ints) -> int:
    """Return the total length of the different nested chains that some nodes need; their ancestors must be counted."""
    length, n_known = 0, 0
    if store.size[NESTS] == 0:
        return 0
    known = np.empty(1024, dtype=np.int64)
    chain = np.empty(N_LITERALS + 1, dtype=np.int64)
    for end in ends:
        if not store.node[end, HAS_NEST]:
            continue
        for i in range(chain_of(store, end, chain)):
            nest = store.node[chain[i], NEST]
            if nest < 0:
                continue
            fingerprint, is_new = store.nest[nest, FINGERPRINT], True
            for j in range(n_known):
                is_new &= known[j] != fingerprint
            if is_new and n_known < known.shape[0]:
                known[n_known] = fingerprint
                n_known += 1
                length += store.nest[nest, LENGTH]
    return length
