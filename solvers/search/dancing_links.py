"""``exact-cover:dancing-links``: the exact cover of a Sudoku on doubly linked lists in plain Python.

Knuth's Algorithm DLX on arrays: the neighbours of a node are four integers. Each step chooses the item with the fewest
options, the leftmost if there are several. All options have equally many nodes: where a cell is in fewer units than
others, its options have items of their own, which are not among the heads and so need not be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.search.cover import AlgorithmX, Items, padded


class Links:
    """Nodes 1 .. m are the heads of items, node 0 is the head of all heads; an option has ``width`` consecutive nodes.

    Attributes:
        nodes: options chosen so far.
        backtracks: items abandoned so far, because all of their options had been tried.
    """

    def __init__(self, options: list[Items], needed: int, items: int, allowed: list[int]) -> None:
        """Link the options that are allowed; the other arguments are as ``padded`` returns them."""
        self.width = len(options[0])
        linked, heads = 1 + needed, 1 + items
        self.left = [linked - 1, *range(linked - 1), *range(linked, heads)]
        self.right: list[int] = [*range(1, linked), 0, *range(linked, heads)]
        self.up, self.down = list(range(heads)), list(range(heads))
        self.head = list(range(heads))
        self.count = [0] * heads
        self.allowed, self.first = allowed, heads
        for option in allowed:
            for item in options[option]:
                self.append(item + 1)
        self.nodes = self.backtracks = 0

    def append(self, head: int) -> None:
        """Append a node below all others of an item."""
        node, last = len(self.up), self.up[head]
        self.up.append(last)
        self.down.append(head)
        self.head.append(head)
        self.down[last] = self.up[head] = node
        self.count[head] += 1

    def others(self, node: int) -> list[int]:
        """The other nodes of a node's option, cyclically to the right."""
        start = node - (node - self.first) % self.width
        return [*range(node + 1, start + self.width), *range(start, node)]

    def covers(self) -> Iterator[list[int]]:
        """All exact covers, each as its options. ``path`` contains a node for each item that was chosen."""
        path: list[int] = [self.down[self.choose()]]
        while path:
            node = path[-1]
            if node < self.first:  # back at the head
                self.uncover(node)
                path.pop()
                self.backtracks += 1
            else:
                for other in self.others(node):
                    self.cover(self.head[other])
                self.nodes += 1
                if self.right[0]:
                    path.append(self.down[self.choose()])
                    continue
                yield [self.allowed[(chosen - self.first) // self.width] for chosen in path]
            if path:
                self.advance(path)

    def advance(self, path: list[int]) -> None:
        """Undo the last choice and proceed to the node below."""
        node = path[-1]
        for other in reversed(self.others(node)):
            self.uncover(self.head[other])
        path[-1] = self.down[node]

    def choose(self) -> int:
        """Cover an item with the fewest options."""
        right, count = self.right, self.count
        best = item = right[0]
        while item:
            if count[item] < count[best]:
                best = item
            item = right[item]
        self.cover(best)
        return best

    def cover(self, head: int) -> None:
        """Remove an item from the row of heads, and its options from all other items."""
        left, right, up, down, count = self.left, self.right, self.up, self.down, self.count
        right[left[head]], left[right[head]] = right[head], left[head]
        node = down[head]
        while node != head:
            for other in self.others(node):
                up[down[other]], down[up[other]] = up[other], down[other]
                count[self.head[other]] -= 1
            node = down[node]

    def uncover(self, head: int) -> None:
        """Undo ``cover`` in reverse order."""
        left, right, up, down, count = self.left, self.right, self.up, self.down, self.count
        node = up[head]
        while node != head:
            for other in reversed(self.others(node)):
                count[self.head[other]] += 1
                up[down[other]] = down[up[other]] = other
            node = up[node]
        right[left[head]] = left[right[head]] = head


@register
class DancingLinks(AlgorithmX):
    """Exact cover with options and items on linked lists, in arrays (Knuth 2000)."""

    name = "exact-cover:dancing-links"

    def prepare(self, shape: Shape) -> None:
        super().prepare(shape)
        self.options, self.needed, self.items = padded(self.options)

    def load(self, model: list[int]) -> Any:
        self.sets = Links(self.options, self.needed, self.items, model)
        return self.sets
