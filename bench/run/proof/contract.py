"""Check what a plug-in registers: ``bench/worker/start.py sudoku_bench.bench.run.proof.contract FILE.py [NUMBER]``.

It prints JSON as its last line: without a number the labels of all checks, with one the result of that check, after a
line for each puzzle that it tries. Each check is made in a separate process (``sudoku-bench check-plugin``), which
plug-in code may crash or block forever.

Encodings, schemes and engines are held to the same contract as those of the project: exact sizes, the right solutions
in terms of cells whatever the auxiliary variables, the same answers as the search kernel under every clue handling.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from sudoku_bench.bench.run import proof
from sudoku_bench.bench.worker import describe
from sudoku_bench.bench.worker.messages import error_line
from sudoku_bench.bench.worker.stopwatch import require_grids, solved_at_once
from sudoku_bench.datasets import search
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.isomorphs import form, random_isomorph
from sudoku_bench.datasets.making.generator import full_grids
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat import engines
from sudoku_bench.solvers.sat.amo import SCHEMES, Pattern
from sudoku_bench.solvers.sat.encodings import CLUE_SUFFIXES, ORDINARY_ONLY, WITH_SCHEME, build
from sudoku_bench.solvers.sat.encodings import sizes as sizes_of
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.encodings.parts import Part
from sudoku_bench.solvers.strategy import UNIQUE, GaveUp, Strategy, Task, Unsupported, prepared

ENGINE = "glucose4"  # decides formulas; it accepts assumptions
ANSWER = 97  # file descriptor
NINE = Shape(3, 3)
SHAPES = (Shape(2, 2), Shape(2, 3), NINE, Shape(4, 4))
PROVED = (*SHAPES[:3], Shape(3, 2), Shape(2, 4), Shape(3, 4), Shape(4, 4), Shape(5, 5))
JIGSAW = "jigsaw=aaabacbbccdbcddd"
LAYOUTS = (Shape(2, 2, JIGSAW), *(Shape(3, 3, layout) for layout in ("latin", "x", "windoku", "unit=0,10,20")))
LIMIT_S = 60  # of each half of a proof
SOLVE_LIMIT_S = 20  # wall seconds of a solve with its preparation
MOST_SLOW = 3  # solves that reach it before the first answer, after which no more are tried
BASES, MOST_GRIDS, LARGEST_PAIRED = 20, 20_000, 16  # full grids, whose isomorphs are tried; of boards up to N pairs are
LARGEST_GROUP = 25  # literals of a scheme
COLLECTIONS = ("size4", "size6", "hard", "multiple", "contradictory")  # one puzzle of each of the first three shapes


class WrongAnswer(Exception):
    """An incorrect answer."""


class Slow(BaseException):  # plug-ins may catch every Exception
    """There was no answer within ``SOLVE_LIMIT_S``."""


class Check(NamedTuple):
    """A check: what it is about, and a function that returns what it found, or raises what is wrong."""

    label: str
    run: Callable[[], str]


def main(path: str, number: str = "") -> None:
    os.dup2(1, ANSWER)
    os.dup2(2, 1)  # keeps output of the plug-in out of the answer
    signal.signal(signal.SIGALRM, _too_slow)
    registry.load_builtin()
    try:
        checks = list(checks_of(describe.load(path)))
        reply = result(checks[int(number)]) if number else {"labels": [check.label for check in checks]}
    except InputError as error:
        reply = {"error": str(error)}
    os.write(ANSWER, json.dumps(reply).encode())


def result(check: Check) -> dict[str, str]:
    """Make a check: what was ``found``, or the ``fault``."""
    try:
        return {"found": check.run()}
    except (WrongAnswer, proof.Violation, Unsupported, Slow) as fault:
        return {"fault": str(fault)}
    except Exception as error:
        return {"fault": error_line(error)}


def checks_of(strategies: Iterable[str]) -> Iterator[Check]:
    """Yield the checks of what this process has registered beyond the project's own."""
    extensions = sys.modules.get("sudoku_bench.solvers.sat.extensions")
    own: dict[str, list[str]] = extensions.own() if extensions else {"encodings": [], "schemes": [], "engines": []}
    for scheme in own["schemes"]:
        yield Check(f"scheme {scheme}: at most one, exactly one", partial(models_of_scheme, scheme))
        yield Check(f"scheme {scheme}: solutions", partial(solutions, f"complete+{scheme}"))
    for encoding in own["encodings"]:
        for name in (
            [f"{encoding}+{scheme}" for scheme in ("pairwise", "product")] if encoding in WITH_SCHEME else [encoding]
        ):
            yield Check(f"encoding {name}: sizes", partial(sizes, name))
            for shape in PROVED + (() if encoding in ORDINARY_ONLY else LAYOUTS):
                yield Check(f"encoding {name}: {shape.name}", partial(equivalence, name, shape))
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
        try:
            encoding = build(name, shape)
        except Unsupported:
            continue
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
    require(texts != [], f"none of {', '.join(shape.name for shape in SHAPES)} is supported")
    return "; ".join(texts)


def equivalence(name: str, shape: Shape) -> str:
    """Every model is a grid, and every grid is part of a model; also where clues are substituted."""
    try:
        encoding = build(name, shape)
    except Unsupported as reason:
        return f"unsupported ({reason})"
    require_code(encoding)
    for part in encoding.parts:
        if part.remake:
            require_remade(shape, part, part.remake)
    return proof.prove(encoding, hard_to_pass(shape), LIMIT_S)


def require_code(encoding: Encoding) -> None:
    """The variables of a cell state the value that is decoded from them, and no other."""
    for value, truth in enumerate(encoding.code.truth, start=1):
        model = [x if true else -x for x, true in enumerate(truth, start=1)]
        stated = [v for v in range(1, len(encoding.code.truth) + 1) if {*encoding.value_literals(0, v)} <= {*model}]
        text = f"{encoding.shape.name}: the variables of a cell that holds {value}"
        require(encoding.decode(model)[0] == value, f"{text} are decoded as {encoding.decode(model)[0]}")
        require(stated == [value], f"{text} state {stated}")


def require_remade(shape: Shape, part: Part, remake: Callable[[int], Pattern]) -> None:
    """A pattern for fewer literals allows the same as the whole pattern if all others are false."""
    from pysat.solvers import Solver

    width = len(part.table[0])
    for n in range(1, width + 1):
        singles = [[x if x == one else -x for x in range(1, n + 1)] for one in range(n + 1)]  # the first: none
        with (
            Solver(name=ENGINE, bootstrap_with=[*part.pattern, [width, -width]]) as whole,
            Solver(name=ENGINE, bootstrap_with=[*remake(n), [n, -n]]) as remade,
        ):
            for chosen in [*singles, *map(list, combinations(range(1, n + 1), 2))]:
                is_same = whole.solve(assumptions=[*chosen, *range(-width, -n)]) == remade.solve(assumptions=chosen)
                true = [x for x in chosen if x > 0]
                require(
                    is_same, f"{shape.name}: {part.meaning}: remake({n}) differs from the pattern if {true} are true"
                )


def hard_to_pass(shape: Shape) -> Iterator[Sequence[int]]:
    """Yield random full grids; on boards that are not large, until each two cells had all values that they can have."""
    rng = random.Random(f"grids of a contract/{shape.name}")
    bases = list(islice(full_grids(shape, "contract"), BASES))
    n, seen = shape.size, None
    if n <= LARGEST_PAIRED:
        seen = np.zeros((shape.n_cells * n,) * 2, dtype=bool)
        peers = sum(map(len, shape.peers))
        left = shape.n_cells * n + peers * n * (n - 1) + (shape.n_cells * (shape.n_cells - 1) - peers) * n * n
    for number in range(MOST_GRIDS):
        grid = form(bases[number % BASES], random_isomorph(shape, rng)).cells
        yield grid
        if seen is not None:
            chosen = np.arange(shape.n_cells) * n + np.array(grid) - 1
            block = np.ix_(chosen, chosen)
            left -= int((~seen[block]).sum())
            seen[block] = True
            if not left:
                return


def solutions(name: str, engine: str = ENGINE) -> str:
    """The empty 4x4 board has its 288 grids, each once."""
    _require_answer(registry.get(f"sat:{name}@{engine}"), parse("." * 16), Task("count", 300), "the empty 4x4 board")
    return "288 grids of the empty 4x4 board"


def agreement(name: str) -> str:
    """Puzzles with one, several and no solutions, under every clue handling."""
    supported = {row["shape"] for row in sizes_of([name], SHAPES)}
    boards = [puzzle for puzzle in puzzles() if puzzle.shape.name in supported]
    for clues in CLUE_SUFFIXES:
        strategy = registry.get(f"sat:{name}{clues}@{ENGINE}")
        for puzzle in boards:
            _require_answer(strategy, puzzle, Task("count", 3), f"{puzzle.text} {clues}")
    return f"{len(boards)} puzzles"


def of_engine(engine: str) -> str:
    """All grids of the empty 4x4 board; and a full grid, whose clues leave a formula without clauses."""
    aliases = [alias for names in engines.pysat_engines().values() for alias in names]
    require(engine not in aliases, f"{engine} is another name of an engine of python-sat; choose another")
    ways: list[str] = []
    for clues in CLUE_SUFFIXES:
        with contextlib.suppress(InputError):  # what it refuses
            strategy = registry.get(f"sat:complete+pairwise{clues}@{engine}")
            _require_answer(strategy, parse("4312213412433421"), UNIQUE, f"a full grid {clues}")
            ways += [clues, solutions(f"complete+pairwise{clues}", engine)]
    require(ways != [], "takes no clauses")
    return f"a full grid; {ways[1]}; under units{', '.join(ways[::2])}"


def answers(strategy: type[Strategy]) -> str:
    """Puzzles of every size with one, several and no solutions, under every task; slow answers are not checked."""
    shapes: dict[str, str] = {}
    slow: list[str] = []
    for puzzle in puzzles():
        for asked in _tasks(strategy):
            try:
                _require_answer(strategy, puzzle, asked, f"{puzzle.text} {asked}")
                shapes[puzzle.shape.name] = puzzle.shape.name
            except Unsupported as reason:
                shapes[puzzle.shape.name] = f"{puzzle.shape.name} unsupported ({reason})"
            except Slow as late:
                slow.append(str(late))
                if len(slow) == MOST_SLOW and not any(name == shown for name, shown in shapes.items()):
                    raise WrongAnswer(slow[0]) from None
            except WrongAnswer as fault:
                raise WrongAnswer(f"{fault}{_for_one_size(strategy, puzzle.shape)}") from fault
    if slow and not any(name == shown for name, shown in shapes.items()):
        raise WrongAnswer(slow[0])
    solved = [shape for shape in SHAPES if shapes.get(shape.name) == shape.name and not slow]
    notes = dict.fromkeys(note for shape in solved for note in _state(strategy, shape))
    return "; ".join([", ".join(shapes.values()), ", ".join(strategy.tasks), *slow, *notes])


def _tasks(strategy: type[Strategy]) -> list[Task]:
    return [Task("count", 3) if task == "count" else Task.parse(task) for task in strategy.tasks]


def _for_one_size(strategy: type[Strategy], shape: Shape) -> str:
    """Return how a strategy that is right on 9x9 boards says that it is for these alone."""
    try:
        for puzzle in (puzzle for puzzle in puzzles() if puzzle.shape == NINE != shape):
            _require_answer(strategy, puzzle, _tasks(strategy)[0], puzzle.text)
    except (WrongAnswer, Unsupported, Slow):
        return ""
    how = 'if shape.size != 9: raise sudoku_bench.Unsupported("9x9 only")'
    return "" if shape == NINE else f"; it is right on 9x9: if it is for these boards alone, say so in prepare: {how}"


def _state(strategy: type[Strategy], shape: Shape) -> list[str]:
    """Require that what an instance has solved changes no answer: a puzzle twice, the others, and that puzzle again.

    Return a note on what it keeps nevertheless.
    """
    first, *others = (puzzle for puzzle in puzzles() if puzzle.shape == shape)
    solver: Strategy | None = None
    notes: list[str] = []
    for asked in _tasks(strategy):
        before: dict[str, int] = {}
        for number, puzzle in enumerate((first, first, *others, first)):
            try:
                solver = _require_answer(strategy, puzzle, asked, f"{puzzle.text} {asked}", solver)
            except WrongAnswer as fault:
                raise WrongAnswer(
                    f"{fault}, after other puzzles; a new instance answers right, so it keeps state from puzzle to"
                    " puzzle: undo in release what a solve adds; if it is meant to learn, also set persistent = True"
                ) from fault
            held = _held(solver)
            grown = [name for name, size in held.items() if before.get(name, size) < size]
            if number == 1 and grown and not strategy.persistent:
                notes.append(f"{grown[0]} grows with each puzzle: clear it, or set persistent = True")
            before = held
    return notes


def _held(solver: Strategy) -> dict[str, int]:
    """Return the sizes of what an instance and its class keep."""
    kept = {**vars(type(solver)), **vars(solver)}
    sizes = {name: len(value) for name, value in kept.items() if isinstance(value, list | dict | set)}
    engines = {name: value for name, value in kept.items() if hasattr(value, "nof_clauses")}
    return sizes | {name: engine.nof_clauses() or 0 for name, engine in engines.items() if not isinstance(engine, type)}


def _require_answer(
    strategy: type[Strategy], puzzle: Puzzle, task: Task, what: str, solver: Strategy | None = None
) -> Strategy:
    """Require the right answer of an instance, by default a new one, which is returned."""
    os.write(ANSWER, f"{what}\n".encode())
    signal.setitimer(signal.ITIMER_REAL, SOLVE_LIMIT_S)
    try:
        solver = solver or prepared(strategy, puzzle.shape)
        [found] = solved_at_once(solver, [puzzle], task)
        require_grids([found], len(found), puzzle.shape)
        answer = [list(map(int, cells)) for cells in found]
    except GaveUp:
        require(not strategy.complete, f"{what}: gave up, but is not declared incomplete")
        assert solver is not None
        with contextlib.suppress(Exception):  # there may be nothing to release
            solver.release()
        return solver
    except Slow:
        raise Slow(f"{what}: no answer within {SOLVE_LIMIT_S} s") from None
    except Unsupported:
        raise
    except Exception as error:
        raise WrongAnswer(f"{what}: {error_line(error)}") from error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    expected = len(search.solve(puzzle, task.limit).solutions)
    if fault := answer_fault(puzzle, answer, expected):
        raise WrongAnswer(f"{what}: {fault}")
    return solver


def _too_slow(*_: object) -> None:
    raise Slow


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
