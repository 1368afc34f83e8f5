"""Speed of solving long lists, and of starting commands: ``make perf``. No test depends on a time.

A whole ``solve FILE`` is compared with reading and with the kernel of ``bitboard:bands``, the start of a command with a
Python process that does nothing. The list is the embedded one of 17 clues, several times with other digits.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.reading.reader import load_file
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import FIRST
from tests.conftest import TOP
from tests.perf.in_turn import cpu_s, interleaved

FAST = "bitboard:bands"
MANY = 1_000_000
STARTS = {
    "--help": ("--help",),
    "list datasets": ("list", "datasets"),
    "list strategies": ("list", "strategies"),
    "status": ("status", "results/reference"),
    "solve": ("solve", "1.....3..4....2."),
}


def texts(number: int) -> list[str]:
    """Return that many different puzzles."""
    stored = [item.puzzle.text for item in catalogue.load("minimal").items]
    rng, digits, lists = random.Random(1), "123456789", []
    for _ in range(-(-number // len(stored))):
        relabelled = str.maketrans(digits, "".join(rng.sample(digits, 9)))
        lists.append([text.translate(relabelled) for text in stored])
    return list(itertools.chain.from_iterable(lists))[:number]


def kernel_call(puzzles: list[str]) -> Callable[[], None]:
    """Return a call that solves puzzles with the kernel alone."""
    registry.load_builtin()
    strategy: Any = registry.get(FAST)()
    strategy.prepare(Shape(3, 3))
    cells = np.frombuffer("".join(puzzles).replace(".", "0").encode(), dtype=np.uint8).reshape(-1, 81) - ord("0")
    out, tally = np.zeros((len(cells), 81), dtype=np.uint8), np.zeros((len(cells), 4), dtype=np.int64)
    return lambda: strategy.kernel(cells, out, tally)


def test_solve_a_million_puzzles_of_a_file(benchmark: Any, tmp_path: Path) -> None:
    puzzles = texts(MANY)
    path = tmp_path / "many.txt"
    path.write_text("\n".join(puzzles), encoding="ascii")
    kernel_s = cpu_s(kernel_call(puzzles))
    reading_s = cpu_s(lambda: sum(1 for _ in load_file(path)))
    command = [sys.executable, "-m", "sudoku_bench", "solve", str(path), "-s", FAST, "--task", str(FIRST)]
    for options in ([], ["--lines"]):
        with (tmp_path / "answers").open("wb") as answers:
            start = time.perf_counter()
            spent_s = cpu_s(lambda: subprocess.run([*command, *options], stdout=answers, cwd=TOP, check=True))  # noqa: B023
            wall_s = time.perf_counter() - start
        name = "solve FILE " + " ".join(options)
        benchmark.extra_info[name] = {"wall_s": wall_s, "cpu_s": spent_s}
        print(f"\n{name}: {MANY:,} puzzles in {wall_s:.1f} s, {spent_s:.1f} CPU s")
        print(f"{spent_s / kernel_s:.1f} of the kernel ({kernel_s:.1f} s), {spent_s / reading_s:.1f} of reading")
    with (tmp_path / "answers").open(encoding="utf-8") as answers:
        for text, answer in zip(puzzles, answers, strict=True):
            assert all(clue in (".", digit) for clue, digit in zip(text, answer.strip(), strict=True))
    benchmark.pedantic(lambda: None, rounds=1)


def test_start(benchmark: Any) -> None:
    """CPU seconds of short commands, relative to a Python process that does nothing."""
    ways = {"python": lambda: subprocess.run([sys.executable, "-c", ""], check=True)}
    for name, arguments in STARTS.items():
        command = [sys.executable, "-m", "sudoku_bench", *arguments]
        ways[name] = lambda command=command: subprocess.run(command, stdout=subprocess.DEVNULL, cwd=TOP, check=True)
    times = benchmark.pedantic(interleaved, args=(ways,), rounds=1)
    for way, spent in times.items():
        benchmark.extra_info[way] = spent
        print(f"\n{way}: {spent:.2f} CPU s, {spent / times['python']:.1f} of an empty Python process")
