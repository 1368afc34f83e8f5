"""Ways to lead a strategy in before a measurement, by what they cost in three respects.

*Company*: the time of a solve beside others over that alone, with Student's interval over rounds (Gosset 1908). *A/A*:
the standard deviation over rounds of the mean log ratio of two copies. *Time*: of a round of all copies. Rounds of all
ways follow each other in random order, on one core, on the same forms.
"""

from __future__ import annotations

import contextlib
import math
import mmap
import multiprocessing
import random
import statistics
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from studies.document import TOP
from sudoku_bench.bench.machine.system import usable_cores
from sudoku_bench.bench.plan import lead_in
from sudoku_bench.bench.worker import boards, confine, server, stopwatch
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.isomorphs import form, isomorph
from sudoku_bench.datasets.making.generator import full_grid, strip
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.search import solve
from sudoku_bench.datasets.shape import Shape

NAMES = ("bitboard:bands", "propagation:bitmask", "sat:complete+native@minicard", "seed:pycosat")
ALONE = NAMES[:2]
RUN_IN = NAMES[:3]  # the strategies that were fast enough for one, of the same puzzle, in earlier versions
COLLECTION, PUZZLES, FORMS = "hard", 40, 8
NINE = Shape(3, 3)
EASY_CLUES = 40  # of puzzles that no strategy needs to guess in
STORED = TOP / "results" / "validation" / "lead_in.csv"
COLUMNS = ("way", "strategy", "solve_us", "company", "company_lo", "company_hi", "aa_percent", "round_s", "rounds")


class Way(NamedTuple):
    """What comes before ``every`` measurements: a lead-in of so many seconds on such puzzles."""

    seconds: float
    puzzles: str
    every: int = 1


WAYS = {
    "none": Way(0.0, "made"),
    "8 forms of the same puzzle, for fast strategies": Way(0.0, "run-in"),
    "1 ms": Way(0.001, "made"),
    "2 ms": Way(0.002, "made"),
    "4 ms": Way(0.004, "made"),
    "2 ms, without guesses": Way(0.002, "easy"),
    "2 ms, forms of what is timed": Way(0.002, "timed"),
    "2 ms, two measurements in succession": Way(0.002, "made", 2),
}


def measure(*, rounds: int = 12) -> None:
    """Measure the ways in turn (20 minutes), and store the table."""
    puzzles = [item.puzzle for item in catalogue.load(COLLECTION).items[:PUZZLES]]
    pools, context = pools_for(puzzles), multiprocessing.get_context("spawn")
    found: dict[str, list[Round]] = {way: [] for way in WAYS}
    for number in range(1, rounds + 1):
        for name in random.Random(number).sample(list(WAYS), len(WAYS)):
            found[name].append(Round.of(WAYS[name], pools, puzzles, number, context))
    rows = [(name, strategy, *figures(strategy, found[name])) for name in WAYS for strategy in NAMES]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame.to_csv(STORED, index=False, float_format="%.4g")
    print(frame.to_string(index=False))


def pools_for(puzzles: Sequence[Puzzle]) -> dict[str, list[tuple[Puzzle, bytes]]]:
    rng = random.Random(1)
    grids = [full_grid(NINE, rng) for _ in range(lead_in.PUZZLES)]
    timed = [form(puzzle, isomorph(0, puzzle, number)) for puzzle in puzzles for number in range(1, FORMS + 1)]
    return {
        "made": lead_in.make(NINE),
        "easy": [(strip(grid, rng, EASY_CLUES), grid.cell_bytes) for grid in grids],
        "timed": [(puzzle, bytes(solve(puzzle, 1).solutions[0])) for puzzle in timed],
    }


class Round(NamedTuple):
    """Log CPU seconds of each puzzle, by copy (``NAME#1``, ``NAME#2``) and alone; wall seconds of all copies."""

    beside: dict[str, list[float]]
    alone: dict[str, list[float]]
    seconds: float

    @classmethod
    def of(cls, way: Way, pools: Any, puzzles: Sequence[Puzzle], number: int, context: Any) -> Round:
        start_s = wall_s()
        beside = measured([f"{name}#{copy}" for name in NAMES for copy in (1, 2)], way, pools, puzzles, number, context)
        seconds = wall_s() - start_s
        alone = {name: measured([name], way, pools, puzzles, number, context)[name] for name in ALONE}
        return cls(beside, alone, seconds)


def measured(
    names: Sequence[str], way: Way, pools: Any, puzzles: Sequence[Puzzle], number: int, context: Any
) -> dict[str, list[float]]:
    """Measure all puzzles with these strategies in turn; return log CPU seconds in the order of the puzzles."""
    logs = {name: [math.nan] * len(puzzles) for name in names}
    rng, places = random.Random(f"{number}"), list(range(len(puzzles)))
    rng.shuffle(places)
    with contextlib.ExitStack() as ends:
        pool = pools.get(way.puzzles, pools["made"])
        asks = {name: ends.enter_context(worker(name.partition("#")[0], way.seconds, pool, context)) for name in names}
        for start in range(0, len(places), way.every):
            for name in rng.sample(names, len(names)):
                for offset, place in enumerate(places[start : start + way.every]):
                    puzzle = puzzles[place]
                    if way.puzzles == "run-in" and name.partition("#")[0] in RUN_IN:
                        asks[name]([form(puzzle, isomorph(number, puzzle, -k)) for k in range(1, FORMS + 1)], False)
                    timed = form(puzzle, isomorph(number, puzzle, 1))
                    cpu_s = asks[name]([timed], way.seconds > 0 and not offset)["cpu_s"]
                    logs[name][place] = math.log(max(cpu_s, 1e-7))
    return logs


@contextlib.contextmanager
def worker(name: str, seconds: float, pool: Sequence[tuple[Puzzle, bytes]], context: Any) -> Iterator[Any]:
    """Provide a worker with a strategy that is prepared: a function of forms, and whether they are led in."""
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(there, seconds), daemon=True)
    process.start()

    def ask(message: dict[str, Any]) -> dict[str, Any]:
        here.send(message | {"number": 1})
        reply: dict[str, Any] = here.recv()
        assert reply["status"] == "ok", reply
        return reply

    def solve_forms(forms: Sequence[Puzzle], lead: bool) -> dict[str, Any]:
        text = boards.text_of(forms)
        return ask({"solve": text, "shape": NINE.arguments, "task": "first", "how": "warm", "lead_in": lead})

    ask({"strategy": name, **dict.fromkeys(("plugin", "command", "memory_mib", "cores")), "gc": "on"})
    texts = boards.text_of(puzzle for puzzle, _ in pool), b"".join(solution for _, solution in pool).hex()
    ask({"prepare": NINE.arguments, "lead_in": texts[0], "solutions": texts[1]})
    try:
        yield solve_forms
    finally:
        here.send(None)
        process.join()


def serve(connection: Connection, seconds: float) -> None:
    confine.pin((max(usable_cores()),))
    stopwatch.LEAD_IN_S = seconds
    progress = mmap.mmap(-1, stopwatch.PROGRESS_BYTES)
    for reply in server.StrategyServer(progress).serve(iter(connection.recv, None)):
        connection.send(reply)


def figures(name: str, found: Sequence[Round]) -> tuple[float, ...]:
    """Return the values of ``COLUMNS`` after the first two; company is NaN if the strategy was not measured alone."""
    copies = [mean_difference(each.beside[f"{name}#1"], each.beside[f"{name}#2"]) for each in found]
    solve_us = 1e6 * math.exp(statistics.fmean(value for each in found for value in each.beside[f"{name}#1"]))
    company = (math.nan, math.nan, math.nan)
    if name in ALONE:
        moved = [mean_difference(each.beside[f"{name}#1"], each.alone[name]) for each in found]
        centre, half = statistics.fmean(moved), stats.t.isf(0.025, len(moved) - 1) * stats.sem(moved)
        company = (math.exp(centre), math.exp(centre - half), math.exp(centre + half))
    seconds = statistics.fmean(each.seconds for each in found)
    return (solve_us, *company, 100 * float(np.std(copies, ddof=1)), seconds, len(found))


def mean_difference(a: Sequence[float], b: Sequence[float]) -> float:
    return statistics.fmean(x - y for x, y in zip(a, b, strict=True))
