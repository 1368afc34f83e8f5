"""The consequences of assumptions: a flat store of literals with the literals that each follows from.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.difficulty.explainer.grid import N_LITERALS, Ints, put

MAX_NODES = 1 << 20
MAX_PARENTS = 1 << 23
MAX_NESTED = 1 << 17
ASSUMED, BY_LOCKED, BY_HIDDEN_PAIR, BY_NAKED_PAIR, BY_X_WING, BY_CHAIN = -1, 4, 5, 6, 7, 8  # causes other than links
NODES, PARENTS, NESTS, TRUE, FALSE, TOKEN, FULL, WORK = range(8)  # places in ``Store.size``


class Store(NamedTuple):
    """Consequences of each assumption (a *source*: a literal), as nodes.

    Attributes:
        literal: literal of each node.
        cause: the link that it follows by (0 cell, 1 box, 2 row, 3 column), or one of the causes above.
        nested: the nested chain that it follows by; -1 if none.
        first, last: its parents, the nodes that it follows from, in ``parent``.
        ancestors: number of nodes that it follows from, with itself; 0 if not counted yet.
        through: whether one of these follows by a nested chain, if they are counted.
        where: node of each literal under each source; -1 if it does not follow.
        begin, end: nodes of each source, in the order in which they were found.
        absurd: the true and the false node of the contradiction that ended the search of a source; -1 if none did.
            The one that would have been added has no entry in ``where`` and lies outside ``begin`` .. ``end``.
        nest: of each nested chain: length, fingerprint, kind, origin and conclusion (as in ``Hints``).
        mark, stack: room for counting.
        size: number of nodes, parents and nested chains; the next true and false node to follow up; the last mark;
            whether something did not fit; nodes made so far.
    """

    literal: NDArray[np.int16]
    cause: NDArray[np.int8]
    nested: NDArray[np.int32]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    parent: NDArray[np.int32]
    ancestors: NDArray[np.int32]
    through: NDArray[np.bool_]
    where: NDArray[np.int32]
    begin: NDArray[np.int32]
    end: NDArray[np.int32]
    absurd: NDArray[np.int32]
    nest: Ints
    mark: NDArray[np.int32]
    stack: NDArray[np.int32]
    size: Ints


def new_store() -> Store:
    """Allocate a store; memory that is not used costs nothing."""
    return Store(
        np.empty(MAX_NODES, dtype=np.int16),
        np.empty(MAX_NODES, dtype=np.int8),
        *(np.empty(MAX_NODES, dtype=np.int32) for _ in range(3)),
        np.empty(MAX_PARENTS, dtype=np.int32),
        np.empty(MAX_NODES, dtype=np.int32),
        np.empty(MAX_NODES, dtype=np.bool_),
        np.empty((N_LITERALS, N_LITERALS), dtype=np.int32),
        *(np.empty(N_LITERALS, dtype=np.int32) for _ in range(2)),
        np.empty((N_LITERALS, 2), dtype=np.int32),
        np.empty((MAX_NESTED, 5), dtype=np.int64),
        np.zeros(MAX_NODES, dtype=np.int32),
        np.empty(MAX_NODES, dtype=np.int32),
        np.zeros(8, dtype=np.int64),
    )


@njit(cache=True)
def clear_store(store: Store) -> None:
    """Forget all nodes."""
    store.size[NODES] = store.size[PARENTS] = store.size[NESTS] = 0


@njit(cache=True)
def assume(store: Store, source: int) -> None:
    """Begin with the consequences of a literal."""
    put(store.where[source], -1)
    put(store.absurd[source], -1)
    n = store.size[NODES]
    store.begin[source] = store.end[source] = store.size[TRUE] = store.size[FALSE] = n
    add_node(store, source, source, ASSUMED, -1)


@njit(cache=True)
def add_node(store: Store, source: int, literal: int, cause: int, nested: int) -> int:
    """Add a consequence, still without parents; return its node."""
    node = add_loose(store, literal, cause, nested)
    store.where[source, literal] = node
    store.end[source] = node + 1
    return node


@njit(cache=True)
def add_loose(store: Store, literal: int, cause: int, nested: int) -> int:
    """Add a node that the source does not know."""
    node = store.size[NODES]
    if node == MAX_NODES - 1:
        store.size[FULL] = 1
        return node
    store.literal[node], store.cause[node], store.nested[node] = literal, cause, nested
    store.first[node] = store.last[node] = store.size[PARENTS]
    store.ancestors[node] = 0
    store.size[NODES] = node + 1
    store.size[WORK] += 1
    return node


@njit(cache=True)
def add_parent(store: Store, node: int, parent: int) -> None:
    """Add a parent of the newest node."""
    n = store.size[PARENTS]
    if n == MAX_PARENTS:
        store.size[FULL] = 1
        return
    store.parent[n] = parent
    store.last[node] = store.size[PARENTS] = n + 1


@njit(cache=True)
def next_true(store: Store, source: int) -> int:
    """Return the next true literal to follow up; -1 if there is none."""
    return _next(store, source, TRUE, 1)


@njit(cache=True)
def next_false(store: Store, source: int) -> int:
    """Return the next false literal to follow up; -1 if there is none."""
    return _next(store, source, FALSE, 0)


@njit(cache=True)
def _next(store: Store, source: int, queue: int, value: int) -> int:
    node = store.size[queue]
    while node < store.end[source] and store.literal[node] & 1 != value:
        node += 1
    store.size[queue] = node + 1 if node < store.end[source] else node
    return node if node < store.end[source] else -1


@njit(cache=True)
def new_mark(store: Store) -> int:
    """Return a mark that no node has."""
    store.size[TOKEN] += 1
    if store.size[TOKEN] == 2**31 - 1:
        put(store.mark, 0)
        store.size[TOKEN] = 1
    return int(store.size[TOKEN])


@njit(cache=True)
def count_ancestors(store: Store, node: int) -> int:
    """Return the number of literals that a node follows from, with itself."""
    if store.ancestors[node] == 0:
        token, n, count, through = new_mark(store), 1, 0, False
        store.stack[0] = node
        store.mark[node] = token
        while n:
            n -= 1
            at = store.stack[n]
            count += 1
            through |= store.nested[at] >= 0
            for k in range(store.first[at], store.last[at]):
                parent = store.parent[k]
                if store.mark[parent] != token:
                    store.mark[parent] = token
                    store.stack[n] = parent
                    n += 1
        store.ancestors[node], store.through[node] = count, through
    return int(store.ancestors[node])


@njit(cache=True)
def chain_of(store: Store, node: int, chain: NDArray[np.int32]) -> int:
    """Write the nodes that a node follows from, itself first, the nearest before others; return their number."""
    token, n, at = new_mark(store), 1, 0
    chain[0] = node
    store.mark[node] = token
    while at < n:
        for k in range(store.first[chain[at]], store.last[chain[at]]):
            parent = store.parent[k]
            if store.mark[parent] != token:
                store.mark[parent] = token
                chain[n] = parent
                n += 1
        at += 1
    return n


@njit(cache=True)
def nested_length(store: Store, nodes: NDArray[np.int32], n: int) -> int:
    """Return the length of the different nested chains that some nodes follow from, all in all."""
    length = 0
    if store.size[NESTS] == 0:
        return 0
    seen = [np.int64(0) for _ in range(0)]
    chain = np.empty(N_LITERALS + 1, dtype=np.int32)
    for k in range(n):
        count_ancestors(store, nodes[k])
        if not store.through[nodes[k]]:
            continue
        for i in range(chain_of(store, nodes[k], chain)):
            nest = store.nested[chain[i]]
            if nest < 0:
                continue
            known = False
            for other in seen:
                known |= other == store.nest[nest, 1]
            if known:
                continue
            seen.append(store.nest[nest, 1])
            length += store.nest[nest, 0]
    return length
