"""Any text is read in a time that grows as its length does: twice as much takes at most 2.5 times as long."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from sudoku_bench.datasets import InputError
from sudoku_bench.datasets.reading.reader import read_file

pytestmark = pytest.mark.thorough

REPEATED = ("=", ",", "[", "{", "|", "-", "\n", "1 ", "1.", "a(", ' "', "\\n,", "let \n", "<game ", "[1,", "_")
HEADS = ("", "x", "puzzle\n", "[", '{"puzzle": "', "a(", "1e", '{"size": 9, "grid": ')
KB = 1000
SHORTEST_S = 0.02  # below it, what a reader does once counts
TRIES = 5


def cpu_s(path: Path, text: str) -> float:
    path.write_text(text)
    begin = time.process_time()
    with contextlib.suppress(InputError):
        list(read_file(path))
    return time.process_time() - begin


@pytest.mark.parametrize("sign", REPEATED)
@pytest.mark.parametrize("name", ["mine.txt", "mine.json", "mine.csv", "mine.jsonl", "mine.sdk"])
def test_repeated_signs_are_read_in_linear_time(tmp_path: Path, sign: str, name: str) -> None:
    path = tmp_path / name
    for head, tail in [*((head, "") for head in HEADS), ("", "1"), ("1", "x")]:
        texts = [head + sign * (size * KB // len(sign)) + tail for size in (10, 20, 40)]
        for _ in range(TRIES):  # another program may disturb one
            short, middle, long = (cpu_s(path, text) for text in texts)
            if long < SHORTEST_S or (middle <= 2.5 * max(short, SHORTEST_S) and long <= 2.5 * max(middle, SHORTEST_S)):
                break
        else:
            pytest.fail(f"{head!r} and {sign!r} again and again: {short:.3f}, {middle:.3f}, {long:.3f} s")
