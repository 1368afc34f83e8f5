"""Trying out one SAT engine: ``python -P -m bench.engines.trials ENGINE PROBE...`` prints a line of JSON per probe.

It runs in a process of its own (see ``bench.engines.probes``), which an engine may crash or hold for ever. ``names`` in
place of an engine prints all engines.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from bench.worker.server import error_line
from datasets.puzzle import Puzzle
from datasets.reading.reader import parse
from datasets.shape import Shape
from datasets.verify import answer_fault
from solvers import registry
from solvers.sat import engines
from solvers.sat.encodings import build
from solvers.sat.encodings.clues import Rules
from solvers.strategy import UNIQUE, Task, Unsupported

NINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
FOUR = "432.........2.4."
FULL = "4312213412433421"
CONTRADICTION = "432.2.3.1.4....1"
EMPTY = "." * 16
GRIDS = 288  # of the empty 4×4 board
TOLD = ("conflicts", "decisions", "propagations")  # must move when pigeons are put into holes
HARD_HOLES = 12  # enough to keep any engine busy until it is interrupted
INTERRUPT_S = 0.1

Clauses = list[list[int]]


class Wrong(Exception):
    """An answer that is not right."""


class Not(Exception):
    """It cannot be done."""


def solves(engine: str) -> None:
    """Puzzles with one, many and no solutions are answered right, through the project's own strategy."""
    for text, task, expected in ((NINE, UNIQUE, 1), (EMPTY, Task("count", 20), 20), (CONTRADICTION, UNIQUE, 0)):
        check_strategy(f"sat:complete+pairwise@{engine}", parse(text), task, expected)


def again(engine: str) -> None:
    """One solver is asked again and again, with more clauses each time: all grids of the empty 4×4 board."""
    with solver_of(engine, rules().clauses) as solver:
        grids: Clauses = []
        while len(grids) <= GRIDS and solver.solve():
            model = [x for x in solver.get_model() if 0 < x <= 64]
            grids.append(rules().encoding.decode(model))
            solver.add_clause([-x for x in model])
    if fault := answer_fault(parse(EMPTY), grids, GRIDS):
        raise Wrong(fault)


def assumptions(engine: str) -> None:
    """Clues hold for one call, and are gone in the next."""
    with solver_of(engine, rules().clauses) as solver:
        for text, expected in ((FOUR, True), (CONTRADICTION, False), (FULL, True)):
            puzzle = parse(text)
            must(solver.solve(assumptions=rules().clue_literals(puzzle.cells)) is expected, "assumptions are ignored")
            if expected:
                check(puzzle, [rules().encoding.decode(solver.get_model())], 1)


def statistics(engine: str) -> None:
    """Conflicts, decisions and propagations are counted."""
    with solver_of(engine, pigeons(5)) as solver:
        must(solver.solve() is False, "more pigeons than holes are put into holes")
        told = solver.accum_stats() or {}
    still = [name for name in TOLD if not told.get(name)]
    if len(still) == len(TOLD):
        raise NotImplementedError
    must(not still, f"{' and '.join(still)} stay 0")


def interruption(engine: str) -> None:
    """Another thread can stop a search that takes long."""
    with solver_of(engine, pigeons(HARD_HOLES)) as solver:
        solver.interrupt()  # raises where it is not implemented
        solver.clear_interrupt()
        timer = threading.Timer(INTERRUPT_S, solver.interrupt)
        timer.start()
        found = solver.solve_limited(expect_interrupt=True)
        timer.join()
        must(found is not True, "more pigeons than holes are put into holes")
        if found is False:
            raise Not("was done before it was interrupted")


def native(engine: str) -> None:
    """At-most-one constraints are taken as they are."""
    for text, expected in ((FOUR, 1), (EMPTY, GRIDS), (CONTRADICTION, 0)):
        check_strategy(f"sat:complete+native@{engine}", parse(text), Task("count", 300), expected)


def proof(engine: str) -> None:
    """What it says to prove that there is no solution holds when it is checked, clause by clause."""
    clauses = pigeons(4)
    with solver_of(engine, clauses, with_proof=True) as solver:
        must(solver.solve() is False, "more pigeons than holes are put into holes")
        lines = solver.get_proof() or []
    if not lines:
        raise NotImplementedError
    steps = [[int(x) for x in line.split()[:-1]] for line in lines if not line.startswith("d")]
    must(follows(clauses, steps), "does not hold when it is checked by unit propagation")


def nothing(engine: str) -> None:
    """A formula without clauses is satisfiable, and nothing crashes."""
    if engine in engines.OTHER_ENGINES:
        check_strategy(f"sat:complete+pairwise+substituted@{engine}", parse(FULL), UNIQUE, 1)
        return
    with solver_of(engine, []) as solver:
        must(solver.solve() is True, "a formula without clauses has no solution")


PROBES: dict[str, Callable[[str], None]] = {
    "solves": solves,
    "again": again,
    "assumptions": assumptions,
    "statistics": statistics,
    "interruption": interruption,
    "native": native,
    "proof": proof,
    "empty": nothing,
}
WORKS = "solves"  # an engine that does not is asked no more
BY_STRATEGY = ("solves", "empty")  # what is asked of engines outside python-sat too


def main(arguments: Sequence[str]) -> None:
    engine, *probes = arguments
    if engine == "names":
        print_line({**engines.pysat_engines(), **{name: (name,) for name in engines.OTHER_ENGINES}})
        return
    registry.load_builtin()
    for name in probes:
        answer, reason = ask(engine, name)
        print_line({"probe": name, "answer": answer, "reason": reason})
        if name == WORKS and answer != "yes":
            return


def print_line(facts: Any) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def ask(engine: str, name: str) -> tuple[str, str]:
    """The answer of a probe, and the reason if it is not yes."""
    if engine in engines.OTHER_ENGINES and name not in BY_STRATEGY:
        return "", ""
    try:
        PROBES[name](engine)
    except Wrong as fault:
        return "wrong", f"{name}: {fault}"
    except NotImplementedError:  # python-sat says so
        return "no", ""
    except Not as fault:
        return "no", f"{name}: {fault}"
    except Unsupported as fault:
        return "no", str(fault) if name == WORKS else ""
    except Exception as error:
        return "no", f"{name}: {error_line(error)}"
    return "yes", ""


def solver_of(engine: str, clauses: Clauses, **settings: bool) -> Any:
    from pysat.solvers import Solver

    return Solver(name=engine, bootstrap_with=clauses, **settings)


def rules() -> Rules:
    """Of 4×4 boards."""
    return Rules(build("complete", Shape(2, 2)))


def check_strategy(name: str, puzzle: Puzzle, task: Task, expected: int) -> None:
    """Solve a puzzle and judge the answer."""
    strategy = registry.get(name)()
    strategy.prepare(puzzle.shape)
    answer = strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), task))
    strategy.release()
    check(puzzle, answer, expected)


def check(puzzle: Puzzle, answer: Sequence[Sequence[int]], expected: int) -> None:
    if fault := answer_fault(puzzle, answer, expected):
        raise Wrong(fault)


def must(holds: bool, fault: str) -> None:
    if not holds:
        raise Wrong(fault)


def pigeons(holes: int) -> Clauses:
    """One pigeon more than holes, each in a hole, no two in one: no solution, and hard to refute."""
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    return [*at, *([-a[hole], -b[hole]] for hole in range(holes) for a, b in combinations(at, 2))]


def follows(clauses: Clauses, steps: Iterable[list[int]]) -> bool:
    """Does each step follow from what is before it by unit propagation, and a contradiction from all of them?

    That is a check by reverse unit propagation (Goldberg & Novikov 2003); deletions need no heed, as more clauses only
    propagate more.
    """
    known = list(clauses)
    for step in steps:
        if not refuted(known, [-x for x in step]):
            return False
        known.append(step)
    return refuted(known, [])


def refuted(clauses: Clauses, assumed: Iterable[int]) -> bool:
    """Does unit propagation of the assumed literals run into a contradiction?"""
    true = set(assumed)
    found = True
    while found:
        found = False
        for clause in clauses:
            if not any(x in true for x in clause):
                left = {x for x in clause if -x not in true}
                if not left:
                    return True
                if len(left) == 1:
                    true |= left
                    found = True
    return False


if __name__ == "__main__":
    main(sys.argv[1:])
