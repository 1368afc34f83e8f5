"""Speed of ``bitboard:bands`` on one core: ``make perf``.

Puzzles per CPU second and guesses per puzzle: in one call of the kernel with arrays (array), in one call of the
strategy (batch), and one by one (stream); for one solution and for two (one is found, a second refuted). A batch takes
turns with its kernel, with two threads, and with a batch that converts each cell, as earlier versions did; the best
other solvers callable from Python take turns with the strategy. So ratios hold although absolute numbers depend on the
machine. All puzzles are seeded random forms, each timed once per round. Public benchmark lists are used if they lie
beside the checkout, otherwise the embedded tiers. No test depends on a time, only on correct answers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from datasets import Puzzle, Shape, search
from datasets.collections import catalogue
from datasets.isomorphs import form, isomorph
from datasets.making import bands
from solvers import registry
from solvers.search.bitboard import Compiled
from solvers.strategy import FIRST, UNIQUE, Strategy, Task
from tests.conftest import SHARED_DATA
from tests.datasets.rules import board, is_solution

NINE = Shape(3, 3)
FAST = "bitboard:bands"
RIVALS = (
    *("bitboard:cells", "sat:complete+pairwise+assumptions@glucose4", "seed:norvig"),
    *("exact-cover:xcover", "cp:choco", "propagation:bitmask"),
)
RATING = "datasets.making.bands"  # the kernel of generator and mining: given a solution, it searches for another
ROUNDS = 5

# List: file beside the checkout, embedded tier otherwise used, number of timed forms, and of those for rivals.
LISTS = {
    "easy": ("norvig_easy50.txt", "easy", 2000, 200),
    "17-clue": ("tdoku_17_clue.txt", "minimal", 4000, 200),
    "top95": ("norvig_top95.txt", "hard", 1900, 100),
    "top1465": ("tdoku_magictour_top1465.txt", "expert", 2930, 100),
    "hardest": ("tdoku_forum_hardest_1106.txt", "hardest", 1125, 40),
}

SEVERAL, FEWER = "many solutions", 3  # the 17-clue list without three clues of each puzzle

COLD = """
import json, sys, time
start = time.process_time()
from solvers import registry
from datasets.shape import Shape
registry.load_builtin()
strategy = registry.get(sys.argv[1])()
loaded = time.process_time()
strategy.prepare(Shape(3, 3))
print(json.dumps([loaded - start, time.process_time() - loaded]))
"""

pytestmark = pytest.mark.benchmark(group="bitboard: one pass over a list", timer=time.process_time)


@cache
def puzzles_of(name: str) -> tuple[Puzzle, ...]:
    """Return forms of the puzzles of a list, in random order."""
    if name == SEVERAL:
        return tuple(without_clues(puzzle, number) for number, puzzle in enumerate(puzzles_of("17-clue")))
    file, tier, number, _ = LISTS[name]
    if (SHARED_DATA / file).exists():
        lines = (SHARED_DATA / file).read_text(encoding="utf-8").splitlines()
        stored = [board(line[:81]) for line in lines if line and not line.startswith("#")]
    else:
        stored = [item.puzzle for item in catalogue.load(tier).items]
    order = np.random.default_rng(1).permutation(len(stored))
    picks = [(stored[order[k % len(stored)]], 1 + k // len(stored)) for k in range(number)]
    return tuple(form(puzzle, isomorph(1, puzzle, copy)) for puzzle, copy in picks)


def without_clues(puzzle: Puzzle, seed: int) -> Puzzle:
    """Return a puzzle with a few clues less, so that it has many solutions."""
    rng = np.random.default_rng(seed)
    clues = [cell for cell, value in enumerate(puzzle.cells) if value]
    removed = set(rng.choice(clues, FEWER, replace=False).tolist())
    return Puzzle(puzzle.shape, tuple(0 if cell in removed else value for cell, value in enumerate(puzzle.cells)))


@cache
def strategy_of(name: str) -> Strategy:
    registry.load_builtin()
    strategy = registry.get(name)()
    strategy.prepare(NINE)
    return strategy


def kernel() -> Any:
    fast = strategy_of(FAST)
    assert isinstance(fast, Compiled)
    return fast.kernel


def stream(strategy: Strategy, puzzles: Sequence[Puzzle], task: Task) -> list[Any]:
    answers = []
    for puzzle in puzzles:
        answers.append(strategy.decode(strategy.search(strategy.load(strategy.encode(puzzle)), task)))
        strategy.release()
    return answers


def check(puzzles: Sequence[Puzzle], answers: Sequence[Sequence[Sequence[int]]]) -> None:
    for puzzle, answer in zip(puzzles, answers, strict=True):
        assert len(answer) == 1, puzzle.text
        assert is_solution(puzzle, answer[0]), puzzle.text


def guesses_per_puzzle(puzzles: Sequence[Puzzle], task: Task) -> float:
    strategy = strategy_of(FAST)
    assert isinstance(strategy, Compiled)
    total = 0.0
    for puzzle in puzzles:
        strategy.search(strategy.encode(puzzle), task)
        total += strategy.counters()["guesses"]
    return total / len(puzzles)


@pytest.mark.parametrize("task", [UNIQUE, FIRST], ids=str)
@pytest.mark.parametrize("name", LISTS)
def test_array(benchmark: Any, name: str, task: Task) -> None:
    puzzles = puzzles_of(name)
    cells, out, tally = arrays(puzzles, task)
    benchmark.pedantic(kernel(), args=(cells, out, tally), rounds=ROUNDS, warmup_rounds=1)
    assert (tally[:, 0] == 1).all()
    check(puzzles, out[: len(puzzles), None].tolist())
    report(benchmark, name, f"array, {task}", puzzles, task)


@pytest.mark.parametrize("task", [UNIQUE, FIRST], ids=str)
@pytest.mark.parametrize("name", LISTS)
def test_batch(benchmark: Any, name: str, task: Task) -> None:
    puzzles = puzzles_of(name)
    answers = benchmark.pedantic(strategy_of(FAST).solve_many, args=(puzzles, task), rounds=ROUNDS, warmup_rounds=1)
    check(puzzles, answers)
    report(benchmark, name, f"batch, {task}", puzzles, task)


@pytest.mark.parametrize("task", [UNIQUE, FIRST], ids=str)
@pytest.mark.parametrize("name", LISTS)
def test_stream(benchmark: Any, name: str, task: Task) -> None:
    puzzles = puzzles_of(name)
    answers = benchmark.pedantic(stream, args=(strategy_of(FAST), puzzles, task), rounds=ROUNDS, warmup_rounds=1)
    check(puzzles, answers)
    report(benchmark, name, f"stream, {task}", puzzles, task)


@pytest.mark.parametrize(
    ("name", "task"), [*((name, UNIQUE) for name in (*LISTS, SEVERAL)), (SEVERAL, Task("count", 1000))], ids=str
)
def test_batch_relative_to_its_kernel(benchmark: Any, name: str, task: Task) -> None:
    """Time of a batch relative to its kernel alone: medians over interleaved rounds."""
    puzzles = puzzles_of(name)[: 500_000 // task.limit]
    fast = strategy_of(FAST)
    assert isinstance(fast, Compiled)
    ways: dict[str, Callable[[], Any]] = {
        "kernel": partial(fast.kernel, *arrays(puzzles, task)),
        "batch": partial(fast.solve_many, puzzles, task),
        "batch, each cell converted": partial(with_each_cell_converted, fast.kernel, puzzles, task),
    }
    times = benchmark.pedantic(interleaved, args=(ways,), rounds=1)
    alone, guesses = times["kernel"], guesses_per_puzzle(puzzles, task)
    guess_ns = alone / len(puzzles) / guesses * 1e9
    benchmark.extra_info |= {"guesses_per_puzzle": guesses, "guess_ns": guess_ns}
    print(f"\n{name}, {task}: {guesses:.2f} guesses per puzzle, {guess_ns:.0f} ns of the kernel for each")
    for way, spent in times.items():
        benchmark.extra_info[way] = spent / alone
        each_us = spent / len(puzzles) * 1e6
        print(f"\n{name}, {task}: {way}: {each_us:.2f} µs per puzzle, {spent / alone:.2f} of the kernel")
    assert fast.solve_many(puzzles, task) == with_each_cell_converted(fast.kernel, puzzles, task)


def test_threads(benchmark: Any) -> None:
    """Wall time of two threads relative to one."""
    puzzles = puzzles_of("hardest")
    fast = strategy_of(FAST)
    assert isinstance(fast, Compiled)
    ways = {str(number): partial(fast.solve_many, puzzles, UNIQUE, threads=number) for number in (1, 2)}
    times = benchmark.pedantic(interleaved, args=(ways, time.perf_counter), rounds=1)
    benchmark.extra_info["two_threads"] = times["2"] / times["1"]
    print(f"\nhardest: two threads take {times['2'] / times['1']:.2f} of the time of one")


def arrays(puzzles: Sequence[Puzzle], task: Task) -> tuple[Any, Any, Any]:
    """The arguments of the kernel."""
    cells = np.array([puzzle.cells for puzzle in puzzles], dtype=np.uint8)
    out = np.zeros((len(puzzles) * task.limit, 81), dtype=np.uint8)
    return cells, out, np.zeros((len(puzzles), 4), dtype=np.int64)


def with_each_cell_converted(kernel: Any, puzzles: Sequence[Puzzle], task: Task) -> list[tuple[bytes, ...]]:
    """A batch from tuples of integers in one large block, its solutions cut out one by one."""
    cells = np.frombuffer(bytearray().join([bytes(puzzle.cells) for puzzle in puzzles]), dtype=np.uint8)
    out, tally = np.zeros((len(puzzles) * task.limit, 81), dtype=np.uint8), np.zeros((len(puzzles), 4), dtype=np.int64)
    kernel(cells.reshape(-1, 81), out, tally)
    view, answers, start = out.reshape(-1).data, [], 0
    for count in tally[:, 0].tolist():
        answers.append(tuple(view[k : k + 81].tobytes() for k in range(start, start + 81 * count, 81)))
        start += 81 * count
    return answers


def interleaved(ways: dict[str, Callable[[], Any]], clock: Callable[[], float] = time.process_time) -> dict[str, float]:
    """Median seconds of each way; they take turns."""
    rounds: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(ROUNDS + 1):
        for way, run in ways.items():
            spent = seconds(run, clock)
            if turn:  # the first round is a warm-up
                rounds[way].append(spent)
    return {way: float(np.median(times)) for way, times in rounds.items()}


def report(benchmark: Any, name: str, mode: str, puzzles: Sequence[Puzzle], task: Task) -> None:
    rate, guesses = len(puzzles) / benchmark.stats.stats.min, guesses_per_puzzle(puzzles, task)
    benchmark.extra_info |= {"puzzles_per_cpu_s": rate, "guesses_per_puzzle": guesses}
    print(f"\n{name}: {mode}: {rate:,.0f} puzzles per CPU second, {guesses:.2f} guesses per puzzle")


@pytest.mark.parametrize("name", LISTS)
def test_ratio_to_the_best_others(benchmark: Any, name: str) -> None:
    """CPU time of rivals relative to this strategy, same puzzles, two solutions: medians over interleaved rounds."""
    ratios = benchmark.pedantic(compared, args=(name,), rounds=1)
    benchmark.extra_info |= ratios
    for rival, ratio in ratios.items():
        print(f"\n{name}: {FAST} is {ratio:,.2f} times as fast as {rival}")


def compared(name: str) -> dict[str, float]:
    puzzles, few = puzzles_of(name), LISTS[name][3]
    fast, rating = strategy_of(FAST), rating_kernel(puzzles)
    rivals = [strategy_of(rival) for rival in RIVALS]
    ratios: dict[str, list[float]] = {}
    for turn in range(ROUNDS + 1):
        part = puzzles[few * turn : few * (turn + 1)]  # different each time, as persistent solvers remember puzzles
        ours = seconds(partial(stream, fast, part, UNIQUE))
        times = {f"{rival.name} (stream)": seconds(partial(stream, rival, part, UNIQUE)) / ours for rival in rivals}
        times[f"{RATING} (batch)"] = seconds(rating) / seconds(partial(fast.solve_many, puzzles, UNIQUE))
        for rival, ratio in times.items():
            ratios.setdefault(rival, []).append(ratio)
    return {rival: float(np.median(rounds[1:])) for rival, rounds in ratios.items()}  # the first round is a warm-up


def seconds(run: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    run()
    return clock() - start


def rating_kernel(puzzles: Sequence[Puzzle]) -> Callable[[], None]:
    """Return a function that proves uniqueness with the kernel of generator and mining."""
    solved = [(np.array(search.solve(p).solutions[0]), np.array(p.cells) > 0) for p in puzzles]
    state, workspace, other = np.zeros(1, dtype=np.uint64), bands.make_workspace(), np.zeros(81, dtype=np.int64)

    def run() -> None:
        for grid, given in solved:
            assert not bands.other_solution(grid, given, state, workspace, other)

    return run


def test_start(benchmark: Any) -> None:
    """CPU seconds until ready in a new process: the first of an installation, which compiles, and later ones."""
    times = benchmark.pedantic(lambda: dict(started(FAST)), rounds=1)
    benchmark.extra_info |= times
    print("\n" + ", ".join(f"{step} {seconds:.2f} s" for step, seconds in times.items()))


def started(name: str) -> Iterator[tuple[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        for state in ("compiling", "compiled before"):
            process = subprocess.run(
                [sys.executable, "-c", COLD, name],
                env={**os.environ, "NUMBA_CACHE_DIR": folder},
                capture_output=True,
                text=True,
                check=True,
            )
            loaded, prepared = json.loads(process.stdout)
            yield f"registry ({state})", loaded
            yield f"prepare ({state})", prepared
