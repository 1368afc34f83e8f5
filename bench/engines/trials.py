"""Test one SAT engine: ``trials ENGINE PROBE...`` prints a line of JSON per probe.

It runs in a separate process (see ``bench.engines.probes``), which an engine may crash or block forever. ``names``
instead of an engine prints all engines. ``--plugin=SOURCE`` at the end imports the file, or the entry point, that
registers the engine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from bench.worker.messages import error_line
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
GRIDS = 288  # number of solutions of the empty 4×4 board
STATISTICS = ("conflicts", "decisions", "propagations")  # must increase on a pigeonhole formula

Clauses = list[list[int]]


class WrongAnswer(Exception):
    """An incorrect answer."""


def solves(engine: str) -> None:
    """Puzzles with one, many and no solutions are answered correctly through the project's strategy."""
    for text, task, expected in ((NINE, UNIQUE, 1), (EMPTY, Task("count", 20), 20), (CONTRADICTION, UNIQUE, 0)):
        check_strategy(f"sat:complete+pairwise@{engine}", parse(text), task, expected)


def again(engine: str) -> None:
    """One solver is called repeatedly, with a clause added each time: all grids of the empty 4×4 board."""
    with solver_of(engine, rules().clauses) as solver:
        grids: Clauses = []
        while len(grids) <= GRIDS and solver.solve():
            model = [x for x in solver.get_model() if 0 < x <= 64]
            grids.append(rules().encoding.decode(model))
            solver.add_clause([-x for x in model])
    if fault := answer_fault(parse(EMPTY), grids, GRIDS):
        raise WrongAnswer(fault)


def assumptions(engine: str) -> None:
    """Assumed clues apply to one call only."""
    with solver_of(engine, rules().clauses) as solver:
        for text, expected in ((FOUR, True), (CONTRADICTION, False), (FULL, True)):
            puzzle = parse(text)
            require(
                solver.solve(assumptions=rules().clue_literals(puzzle.cells)) is expected, "assumptions are ignored"
            )
            if expected:
                check(puzzle, [rules().encoding.decode(solver.get_model())], 1)


def statistics(engine: str) -> None:
    """Conflicts, decisions and propagations are counted."""
    with solver_of(engine, pigeonhole(5)) as solver:
        require(solver.solve() is False, "reports a solution of a pigeonhole formula")
        counts = solver.accum_stats() or {}
    zero = [name for name in STATISTICS if not counts.get(name)]
    if len(zero) == len(STATISTICS):
        raise NotImplementedError
    require(not zero, f"{' and '.join(zero)} stay 0")


def native(engine: str) -> None:
    """At-most-one constraints are accepted natively."""
    for text, expected in ((FOUR, 1), (EMPTY, GRIDS), (CONTRADICTION, 0)):
        check_strategy(f"sat:complete+native@{engine}", parse(text), Task("count", 300), expected)


def nothing(engine: str) -> None:
    """A formula without clauses is satisfiable and does not crash the engine."""
    if engine in engines.OTHER_ENGINES:
        check_strategy(f"sat:complete+pairwise+substituted@{engine}", parse(FULL), UNIQUE, 1)
        return
    with solver_of(engine, []) as solver:
        require(solver.solve() is True, "reports a formula without clauses as unsatisfiable")


PROBES: dict[str, Callable[[str], None]] = {
    "solves": solves,
    "again": again,
    "assumptions": assumptions,
    "statistics": statistics,
    "native": native,
    "empty": nothing,
}
PLUGIN = "--plugin="
WORKS = "solves"  # an engine that fails this probe gets no others
BY_STRATEGY = ("solves", "empty")  # probes that also apply to engines outside python-sat


def main(arguments: Sequence[str]) -> None:
    engine, *probes = arguments
    if engine == "names":
        print_line({**engines.pysat_engines(), **{name: (name,) for name in engines.OTHER_ENGINES}})
        return
    registry.load_builtin()
    if probes and probes[-1].startswith(PLUGIN):
        source = probes.pop().removeprefix(PLUGIN)
        (registry.load_plugin if source.endswith(".py") else registry.load_entry_point)(source)
    for name in probes:
        answer, reason = result_of(engine, name)
        print_line({"probe": name, "answer": answer, "reason": reason})
        if name == WORKS and answer != "yes":
            return


def print_line(facts: Any) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def result_of(engine: str, name: str) -> tuple[str, str]:
    """Run a probe; return its result, and the reason if it is not yes."""
    if engine in engines.OTHER_ENGINES and name not in BY_STRATEGY:
        return "", ""
    try:
        PROBES[name](engine)
    except WrongAnswer as fault:
        return "wrong", f"{name}: {fault}"
    except NotImplementedError:  # raised by python-sat
        return "no", ""
    except Unsupported as fault:
        return "no", str(fault) if name == WORKS else ""
    except Exception as error:
        return "no", f"{name}: {error_line(error)}"
    return "yes", ""


def solver_of(engine: str, clauses: Clauses) -> Any:
    from pysat.solvers import Solver

    return Solver(name=engine, bootstrap_with=clauses)


def rules() -> Rules:
    """Return the rules of 4×4 boards."""
    return Rules(build("complete", Shape(2, 2)))


def check_strategy(name: str, puzzle: Puzzle, task: Task, expected: int) -> None:
    """Solve a puzzle and check the answer."""
    strategy = registry.get(name)()
    strategy.prepare(puzzle.shape)
    answer = strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), task))
    strategy.release()
    check(puzzle, answer, expected)


def check(puzzle: Puzzle, answer: Sequence[Sequence[int]], expected: int) -> None:
    if fault := answer_fault(puzzle, answer, expected):
        raise WrongAnswer(fault)


def require(condition: bool, fault: str) -> None:
    if not condition:
        raise WrongAnswer(fault)


def pigeonhole(holes: int) -> Clauses:
    """Return the formula of placing one pigeon more than holes, one per hole: unsatisfiable and hard to refute."""
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    return [*at, *([-a[hole], -b[hole]] for hole in range(holes) for a, b in combinations(at, 2))]


if __name__ == "__main__":
    main(sys.argv[1:])
