"""Files of every kind that is read, damaged at random: each is read, or refused in one line.

A damage has a random generator of its own, so that it can be made again by its number.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import resource
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from studies import edited_runs
from studies.document import TOP
from sudoku_bench.bench.commands import claims, importing
from sudoku_bench.bench.plan import suite
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.reading import reader

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

READ = "read"
DEEP = 3000  # brackets
SIGNS = (b"1", b".", b"0", b",", b"\n", b"[", b"{", b'"', b"]", b"}", b":", b"#", b"  ", b"A", b"-", b"=", b"<", b"&")
PIECES = (
    *(*SIGNS, b"\0", b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\x1b[1m", b"puzzle", b"null", b"true", b"nan", b"1e999"),
    *(b"9" * 5000, b"99999999999999999999", b"-1", b"[" * DEEP, b'{"a":' * DEEP, b"<a>" * DEEP, b"utf-99", b"&amp;"),
)
EXAMPLES = TOP / "tests" / "bench" / "run" / "foreign" / "data"
Read = Callable[[Path], object]


class Kind(NamedTuple):
    """A kind of file: its ending, the bytes of a whole one, and what reads it."""

    ending: str
    whole: bytes
    read: Read


def kinds() -> Mapping[str, Kind]:
    """Return the kinds of files by name."""
    items = catalogue.load("easy").items[:5]
    grids = [item.puzzle.text for item in items]
    solutions = [grid.replace(".", "1") for grid in grids]
    frame = pd.DataFrame({"id": range(5), "puzzle": grids, "solution": solutions})
    cells = np.array([[int(sign.replace(".", "0")) for sign in grid] for grid in grids], dtype=np.int8)
    lists = [row.reshape(9, 9).tolist() for row in cells]
    lines, table = "\n".join(grids).encode(), frame.to_csv(index=False).encode()
    f_puzzle = {"size": 9, "grid": [[{"value": v, "given": True} if v else {} for v in row] for row in lists[0]]}
    cell = {"cell_type": "markdown", "source": ["It has 30<!-- puzzles --> puzzles.\n"]}
    of_puzzles = {
        "lines": (".txt", lines),
        "grids": (".sdk", "\n\n".join("\n".join(g[k : k + 9] for k in range(0, 81, 9)) for g in grids).encode()),
        "CSV": (".csv", table),
        "TSV": (".tsv", frame.to_csv(index=False, sep="\t").encode()),
        "JSON": (".json", json.dumps(lists).encode()),
        "JSON lines": (".jsonl", frame.to_json(orient="records", lines=True).encode()),
        "Parquet": (".parquet", _saved(lambda file: frame.to_parquet(file))),
        "Excel": (".xlsx", _saved(lambda file: frame.to_excel(file, index=False))),
        "f-puzzles": (".txt", json.dumps(f_puzzle).encode()),
        "gzip": (".csv.gz", gzip.compress(table, mtime=0)),
        "bzip2": (".txt.bz2", bz2.compress(lines)),
        "xz": (".txt.xz", lzma.compress(lines)),
        "zstd": (".txt.zst", zstd.compress(lines)),
        "zip": (".zip", _saved(partial(_zipped, table))),
    }
    options = 'datasets = ["easy"]\nstrategies = ["seed:norvig"]\nlimit = 3\n'
    suites = f'{options}[[commands]]\nname = "a"\ncommand = "cat"\n'.encode()
    benchexec, hyperfine = ((EXAMPLES / name).read_bytes() for name in ("benchexec-3.35.xml", "hyperfine-1.15.json"))
    notebook = json.dumps({"cells": [cell, cell], "nbformat": 4, "metadata": {}}, indent=1).encode()
    return {name: Kind(ending, whole, of_puzzles_in) for name, (ending, whole) in of_puzzles.items()} | {
        "suite": Kind(".toml", suites, suite.read),
        "BenchExec": Kind(".xml", benchexec, importing.read),
        "BenchExec, packed": Kind(".xml.bz2", bz2.compress(benchexec), importing.read),
        "hyperfine": Kind(".json", hyperfine, importing.read),
        "notebook": Kind(".ipynb", notebook, claims.text_of),
    }


def of_puzzles_in(path: Path) -> None:
    for _ in reader.read_file(path):
        pass


def _saved(save: Callable[[Any], object]) -> bytes:
    file = io.BytesIO()
    save(file)
    return file.getvalue()


def _zipped(data: bytes, file: io.BytesIO) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzles.csv", data)


def damaged(whole: bytes, rng: random.Random) -> bytes:
    """Return a file with some of its bytes changed, left out, repeated or put in, or cut short."""
    data = bytearray(whole)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 2, 10, 100)))
        match rng.randrange(6):
            case 0:
                data[at:end] = rng.randbytes(end - at)
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end] * rng.choice((1, 2, 200))
            case 3:
                data[at:end] = rng.choice(PIECES)
            case 4:
                data[at:at] = rng.choice(PIECES)
            case _:
                del data[at if rng.random() < 0.3 else len(data) :]
    return bytes(data)


class Damaged(NamedTuple):
    """What became of damaged files of a kind; ``slowest_s``: wall seconds; ``grown_mib``: of the peak of memory."""

    outcomes: Counter[str]
    slowest_s: float
    grown_mib: float


def read_damaged(kind: Kind, numbers: range, seed: int) -> Damaged:
    """Damage a file once for each number, and read it; outcomes that must not be name the number."""
    outcomes, slowest_s, before_kib = Counter[str](), 0.0, _peak_kib()
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            path = Path(folder) / f"damaged{kind.ending}"
            path.write_bytes(damaged(kind.whole, random.Random(f"{seed} {number}")))
            start_s = wall_s()
            outcome = edited_runs.outcome(partial(_read, kind, path))
            slowest_s = max(slowest_s, wall_s() - start_s)
            outcomes[outcome if outcome in (READ, edited_runs.REFUSED) else f"{outcome} (number {number})"] += 1
    return Damaged(outcomes, slowest_s, (_peak_kib() - before_kib) / 1024)


def _read(kind: Kind, path: Path) -> str:
    kind.read(path)
    return READ


def _peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def held(outcomes: Counter[str]) -> bool:
    return outcomes.keys() <= {READ, edited_runs.REFUSED}


def all_kinds(number: int, seed: int) -> Iterator[tuple[str, Damaged, float]]:
    """Damage a file of each kind so many times; yield the kind, what became of them, and wall seconds."""
    for name, kind in kinds().items():
        start_s = wall_s()
        yield name, read_damaged(kind, range(number), seed), wall_s() - start_s
