"""d4, a model counter: it compiles the clauses into a graph of all models, from which solutions are read.

The graph is a Decision-DNNF (Lagniez & Marquis 2017): a conjunction joins parts without common variables, a disjunction
parts that exclude each other. One pass over it gives the number of models, another one as many solutions as are asked
for. The compilation takes as long for one solution as for all.

The package is d4solver (Université d'Artois). One generator of random numbers serves a whole process, so the same
puzzle can give another graph after other puzzles. By default it decomposes the clauses into a tree before it searches;
that takes a second or more for a 9×9 board and saves no search there, so it is switched off.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, islice, product
from operator import or_
from typing import Any

from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.cnf import CnfStrategy
from sudoku_bench.solvers.strategy import Task

PAGE_BYTES = 1 << 25  # of its cache, which grows by pages; the default reserves 4 GiB at once

Edges = dict[int, list[tuple[int, int]]]  # by parent: child, and the literals of cells that the edge states, as bits


class D4Strategy(CnfStrategy):
    """Lists of numbers, compiled into a graph of all models for each puzzle."""

    requires = ("d4solver",)
    deterministic = False  # the counters
    no_native = no_assumptions = "{engine} takes clauses only, and compiles those of each puzzle"

    def prepare(self, shape: Shape) -> None:
        import py_d4

        self.solver_of = py_d4.Solver
        settings = json.loads(py_d4.dump_options_to_json(py_d4.Solver([[1]], 1).getOptions()))
        settings["branching"]["partialOrder"]["partialOrderMethod"] = "none"
        settings["cache"]["bucket"] |= {"sizeFirstPage": str(PAGE_BYTES), "sizeAdditionalPage": str(PAGE_BYTES)}
        self.settings = py_d4.load_options_from_json(json.dumps(settings))
        super().prepare(shape)

    def load(self, model: Any) -> Any:
        self.counted: dict[str, int] = {}
        if not model.clauses:  # the clues leave nothing open
            return None
        return self.solver_of([list(clause) for clause in model.clauses], model.size.variables, self.settings)

    def search(self, model: Any, task: Task) -> Sequence[Sequence[int]]:
        if model is None:
            return [()]
        graph = model.compile()
        self.counted = counters_of(graph)
        return solutions(graph.getNNFString(), len(self.readout.adds), task.limit)

    def counters(self) -> Mapping[str, int]:
        return {**super().counters(), **self.counted}


def counters_of(graph: Any) -> dict[str, int]:
    """The nodes of the graph, those of them that are decisions, and the models.

    There are more models than grids if auxiliary variables can have several values for a grid.
    """
    return {
        "decision_nodes": graph.getNbDecisionNodes(),
        "diagram_nodes": graph.getNbNodes(),
        "models": int(graph.count([])),
    }


def solutions(text: str, cells: int, limit: int) -> list[list[int]]:
    """Up to ``limit`` models that differ in the variables 1 .. ``cells``, as literals of those.

    Each node gets at most ``limit`` of its models, projected on these variables. That suffices for as many of its
    parents', because both disjunctions and conjunctions have at least as many as each of their satisfiable parts.

    Args:
        text: the graph as d4 writes it; node 1 is the root.
    """
    kinds, edges = parse(text, cells)
    models: dict[int, list[int]] = {}  # two bits for each variable: it is true, it is false
    stated: dict[int, int] = {}  # the variables of all these models: both bits
    parents = Counter(child for children in edges.values() for child, _ in children)
    for node in bottom_up(edges):
        parts = [(both(bits) | stated[child], [bits | x for x in models[child]]) for child, bits in edges.get(node, ())]
        stated[node] = reduce(or_, (variables for variables, _ in parts), 0)
        models[node] = list(islice(models_of(kinds[node], parts, stated[node]), limit))
        for child, _ in edges.get(node, ()):
            parents[child] -= 1
            if not parents[child]:
                del models[child]
    everything = (1 << 2 * cells) - 1
    whole = islice(completed(models[1], everything & ~stated[1]), limit)
    return [[v if model >> 2 * (v - 1) & 1 else -v for v in range(1, cells + 1)] for model in whole]


def parse(text: str, cells: int) -> tuple[dict[int, str], Edges]:
    """The kinds of the nodes (``o``, ``a``, ``t``, ``f``), and their edges with the literals that each states."""
    kinds: dict[int, str] = {}
    edges: Edges = defaultdict(list)
    for line in text.splitlines():
        first, second, *rest = line.split()
        if first.isalpha():
            kinds[int(second)] = first
            continue
        stated = (int(literal) for literal in rest[:-1])
        bits = sum(1 << 2 * (abs(x) - 1) + (x < 0) for x in stated if abs(x) <= cells)
        edges[int(first)].append((int(second), bits))
    return kinds, edges


def bottom_up(edges: Edges) -> Iterator[int]:
    """The nodes below the root and the root itself, each after its children."""
    seen, stack = {1}, [(1, iter(edges.get(1, ())))]
    while stack:
        node, children = stack[-1]
        for child, _ in children:
            if child not in seen:
                seen.add(child)
                stack.append((child, iter(edges.get(child, ()))))
                break
        else:
            stack.pop()
            yield node


def models_of(kind: str, parts: Sequence[tuple[int, list[int]]], stated: int) -> Iterable[int]:
    """The models of a node without repetition, given the variables and the models of each of its parts."""
    if kind == "t":
        return (0,)
    if kind == "f":
        return ()
    if kind == "a":
        return (reduce(or_, chosen) for chosen in product(*(models for _, models in parts)))
    each = (completed(models, stated & ~variables) for variables, models in parts)
    return distinct(chain.from_iterable(each))  # parts can differ in auxiliary variables alone


def completed(models: Iterable[int], missing: int) -> Iterable[int]:
    """The models with every value of variables that they leave open."""
    values = [(1 << place, 2 << place) for place in range(0, missing.bit_length(), 2) if missing >> place & 1]
    if not values:
        return models
    return (reduce(or_, chosen, model) for model in models for chosen in product(*values))


def distinct(models: Iterable[int]) -> Iterator[int]:
    """The models, each once."""
    seen: set[int] = set()
    for model in models:
        if model not in seen:
            seen.add(model)
            yield model


def both(bits: int) -> int:
    """Both bits of each variable that has one."""
    even = int("01" * ((bits.bit_length() + 1) // 2) or "0", 2)
    variables = (bits | bits >> 1) & even
    return variables | variables << 1
