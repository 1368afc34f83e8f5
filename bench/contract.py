"""Check what a plug-in registers: ``python -P -m bench.contract FILE.py [NUMBER]``.

It prints a line of JSON: without a number the labels of all checks, with one the result of that check. Each check is
made in a separate process (``sudoku-bench check-plugin``), which plug-in code may crash or block forever.

Encodings, schemes and engines are held to the same contract as those of the project: exact sizes, the right solutions
in terms of cells whatever the auxiliary variables, the same answers as the search kernel under every clue handling.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from bench.worker import describe
from bench.worker.messages import error_line
from datasets import search
from datasets.collections import catalogue
from datasets.errors import InputError
from datasets.puzzle import Puzzle
from datasets.reading.reader import parse
from datasets.shape import Shape
from datasets.verify import answer_fault
from solvers import registry
from solvers.sat import engines
from solvers.sat.amo import SCHEMES
from solvers.sat.encodings import CLUE_SUFFIXES, WITH_SCHEME, build
from solvers.strategy import UNIQUE, GaveUp, Strategy, Task, Unsupported

ENGINE = "glucose4"  # decides formulas; it accepts assumptions
SHAPES = (Shape(2, 2), Shape(2, 3), Shape(3, 3), Shape(4, 4))
LARGEST_GROUP = 16  # literals of a scheme
COLLECTIONS = ("size4", "size6", "hard", "multiple", "contradictory")  # one puzzle of each of the first three shapes


class WrongAnswer(Exception):
    """An incorrect answer."""


class Check(NamedTuple):
    """A check: what it is about, and a function that returns what it found, or raises what is wrong."""

    label: str
    run: Callable[[], str]


def main(path: str, number: str = "") -> None:
    answer_fd = os.dup(1)
    os.dup2(2, 1)  # keeps output of the plug-in out of the answer
    registry.load_builtin()
    try:
        checks = list(checks_of(describe.load(path)))
        reply = result(checks[int(number)]) if number else {"labels": [check.label for check in checks]}
    except InputError as error:
        reply = {"error": str(error)}
    os.write(answer_fd, json.dumps(reply).encode())


def result(check: Check) -> dict[str, str]:
    """Make a check: what was ``found``, or the ``fault``."""
    try:
        return {"found": check.run()}
    except (WrongAnswer, Unsupported) as fault:
        return {"fault": str(fault)}
    except Exception as error:
        return {"fault": error_line(error)}


def checks_of(strategies: Iterable[str]) -> Iterator[Check]:
    """Yield the checks of what this process has registered beyond the project's own."""
    extensions = sys.modules.get("solvers.sat.extensions")
    own: dict[str, list[str]] = extensions.own() if extensions else {"encodings": [], "schemes": [], "engines": []}
    for scheme in own["schemes"]:
        yield Check(f"scheme {scheme}: at most one, exactly one", partial(models_of_scheme, scheme))
        yield Check(f"scheme {scheme}: solutions", partial(solutions, f"complete+{scheme}"))
    for encoding in own["encodings"]:
        for name in (
            [f"{encoding}+{scheme}" for scheme in ("pairwise", "product")] if encoding in WITH_SCHEME else [encoding]
        ):
            yield Check(f"encoding {name}: sizes", partial(sizes, name))
            yield Check(f"encoding {name}: solutions", partial(solutions, name))
            yield Check(f"encoding {name}: puzzles, under every clue handling", partial(agreement, name))
    for engine in own["engines"]:
        yield Check(f"engine {engine}: solutions", partial(of_engine, engine))
    for name in strategies:
        yield Check(f"strategy {name}: answers", partial(answers, registry.get(name)))


def models_of_scheme(name: str) -> str:
    """For every n: any one literal and none are allowed, every pair is excluded; exactly one also excludes none."""
    scheme = SCHEMES[name]
    for n in range(2, LARGEST_GROUP + 1):
        for kind, clauses in (("at most one", scheme.at_most_one(n)), ("exactly one", scheme.exactly_one(n))):
            auxiliary = {abs(x) for clause in clauses for x in clause} - set(range(1, n + 1))
            numbers = set(range(n + 1, n + 1 + len(auxiliary)))
            require(
                auxiliary == numbers, f"n = {n}, {kind}: auxiliary variables are not numbered from n+1 on without gaps"
            )
            _require_models(clauses, n, kind)
    return f"n = 2 to {LARGEST_GROUP}; {len(scheme.at_most_one(9))} clauses for 9 literals"


def _require_models(clauses: list[list[int]], n: int, kind: str) -> None:
    from pysat.solvers import Solver

    with Solver(name=ENGINE, bootstrap_with=[*clauses, [n, -n]]) as solver:
        none = [-x for x in range(1, n + 1)]
        require(solver.solve(assumptions=none) is (kind == "at most one"), f"n = {n}, {kind}: no true literal")
        for one in range(1, n + 1):
            only = [x if x == one else -x for x in range(1, n + 1)]
            require(solver.solve(assumptions=only) is True, f"n = {n}, {kind}: literal {one} alone is excluded")
        for a, b in combinations(range(1, n + 1), 2):
            require(
                solver.solve(assumptions=[a, b]) is False, f"n = {n}, {kind}: literals {a} and {b} are both allowed"
            )


def sizes(name: str) -> str:
    """The clauses are as many as the size states, and use all variables without gaps beyond those of the cells."""
    texts = []
    for shape in SHAPES:
        encoding = build(name, shape)
        clauses, size = encoding.clauses(), encoding.size
        literals = [literal for clause in clauses for literal in clause]
        variables = set(map(abs, literals)) | {abs(x) for row in encoding.at_most_ones() for x in row}
        auxiliary = set(range(encoding.cell_variables + 1, size.variables + 1))
        require(0 not in variables and [] not in clauses, f"{shape.name}: a clause is empty or holds a 0")
        require(
            (len(clauses), len(literals)) == (size.clauses, size.literals), f"{shape.name}: a size that is not exact"
        )
        require(auxiliary <= variables <= set(range(1, size.variables + 1)), f"{shape.name}: variables have gaps")
        texts.append(f"{shape.name}: {size.variables} variables, {size.clauses} clauses, {size.literals} literals")
    return "; ".join(texts)


def solutions(name: str, engine: str = ENGINE) -> str:
    """The empty 4x4 board has its 288 grids, each once."""
    _require_answer(registry.get(f"sat:{name}@{engine}"), parse("." * 16), Task("count", 300), "the empty 4x4 board")
    return "288 grids of the empty 4x4 board"


def agreement(name: str) -> str:
    """Puzzles with one, several and no solutions, under every clue handling."""
    boards = puzzles()
    for clues in CLUE_SUFFIXES:
        strategy = registry.get(f"sat:{name}{clues}@{ENGINE}")
        for puzzle in boards:
            _require_answer(strategy, puzzle, Task("count", 3), f"{puzzle.text} {clues}")
    return f"{len(boards)} puzzles"


def of_engine(engine: str) -> str:
    """All grids of the empty 4x4 board; and a full grid, whose clues leave a formula without clauses."""
    aliases = [alias for names in engines.pysat_engines().values() for alias in names]
    require(engine not in aliases, f"{engine} is another name of an engine of python-sat; choose another")
    substituted = registry.get(f"sat:complete+pairwise+substituted@{engine}")
    _require_answer(substituted, parse("4312213412433421"), UNIQUE, "a full grid")
    return f"a full grid; {solutions('complete+pairwise', engine)}"


def answers(strategy: type[Strategy]) -> str:
    """Puzzles of every size with one, several and no solutions, under every task."""
    shapes: dict[str, str] = {}
    for puzzle in puzzles():
        for task in strategy.tasks:
            asked = Task("count", 3) if task == "count" else Task.parse(task)
            try:
                _require_answer(strategy, puzzle, asked, f"{puzzle.text} {asked}")
                shapes[puzzle.shape.name] = puzzle.shape.name
            except Unsupported as reason:
                shapes[puzzle.shape.name] = f"{puzzle.shape.name} unsupported ({reason})"
    return f"{', '.join(shapes.values())}; {', '.join(strategy.tasks)}"


def _require_answer(strategy: type[Strategy], puzzle: Puzzle, task: Task, what: str) -> None:
    solver = strategy()
    solver.prepare(puzzle.shape)
    try:
        answer = [list(map(int, cells)) for cells in solver.solve_many([puzzle], task)[0]]
    except GaveUp:
        require(not strategy.complete, f"{what}: gave up, but is not declared incomplete")
        return
    expected = len(search.solve(puzzle, task.limit).solutions)
    if fault := answer_fault(puzzle, answer, expected):
        raise WrongAnswer(f"{what}: {fault}")


def require(condition: bool, fault: str) -> None:
    if not condition:
        raise WrongAnswer(fault)


def puzzles() -> list[Puzzle]:
    """Puzzles with one, several and no solutions, of 4x4, 6x6 and 9x9."""
    chosen: dict[tuple[str, Shape], Puzzle] = {}
    for name in COLLECTIONS:
        for item in catalogue.load(name).items:
            if item.puzzle.shape in SHAPES[:3]:
                chosen.setdefault((name, item.puzzle.shape), item.puzzle)
    return list(chosen.values())


if __name__ == "__main__":
    main(*sys.argv[1:])
