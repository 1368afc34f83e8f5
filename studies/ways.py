"""The order of encodings by how clauses reach the solver, for docs/encodings.md.

It is the answer to three readers: who calls python-sat as its users do, who loads clauses past its loop, and who writes
DIMACS files for a program. *Search alone* is what is left of the first if clauses were there already.
"""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from studies.document import fill, table
from studies.grid import BLOCKS, FASTEST, SLOWER, STORE, STORED_ROWS, TIED, behind, near, place
from studies.grid_figures import HEADINGS
from studies.grid_numbers import PAGE, Grid, multiple
from studies.grid_rows import unpacked
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.pairs.decision import B_FASTER
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.selection import select
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import prepared

NAMES = ("ways-9x9", "ways-16x16", "ways-25x25")  # of blocks
SEARCH = "search_cpu_s"
READ_ONLY = {"/cadical": ("-c", "0"), "/minisat": ("-no-pre", "-no-solve")}  # options with which a program only reads
PUZZLES, REPEATS = 5, 3  # of each board, for reading alone


@dataclass(frozen=True)
class Way:
    """A way of loading: who uses it, the end of the names of its strategies, and the column of the time that counts."""

    reader: str
    suffix: str
    clock: str = "cpu_s"


WAYS = (
    Way("python-sat", "@minisat22"),
    Way("python-sat", "@cadical195"),
    Way("directly", "+direct@minisat22"),
    Way("directly", "+direct@cadical195"),
    Way("DIMACS", "@/minisat"),
    Way("DIMACS", "@/cadical"),
    Way("search alone", "@minisat22", SEARCH),
    Way("search alone", "@cadical195", SEARCH),
)


def write() -> None:
    """Write the order of the encodings by way of loading into docs/encodings.md, from the rows of their blocks."""
    stored = [name for name in NAMES if (STORED_ROWS / name).exists()]
    found = [order | {"block": name} for name in stored for order in orders(unpacked(STORED_ROWS / name), name)]
    pd.DataFrame(found).to_csv(STORE / "ways.csv", index=False, lineterminator="\n", float_format="%.4g")
    fill(PAGE, "ways", markdown(Grid().ways))


def orders(run: Run, block: str) -> Iterator[dict[str, Any]]:
    """Yield how far each encoding of a block is behind the best one under each way.

    Columns: those of ``Way``, ``encoding``, those of ``behind``, ``standing``. The best of a way comes first.
    """
    for way in WAYS:
        names = {f"sat:{encoding}{way.suffix}": encoding for encoding in BLOCKS[block].factors["encoding"]}
        part = select(run, list(names))
        if way.clock != "cpu_s":
            part = replace(part, measurements=part.measurements.assign(cpu_s=part.measurements[way.clock]))
        rows = part.pairs[part.pairs["clock"] == CPU]
        facts = asdict(way)
        yield facts | {"encoding": names[rows["b"].iloc[0]], "behind": 1.0, "standing": FASTEST}
        for row in rows.to_dict("records"):
            standing = SLOWER if row["verdict"] == B_FASTER else TIED
            yield facts | {"encoding": names[row["a"]], **behind(row), "standing": standing}


def markdown(found: pd.DataFrame) -> str:
    """Return a row for each way, a column for each block: its best encoding, those tied with it, and the last one."""
    blocks = found["block"].unique()
    lines = []
    for way in WAYS:
        rows = found[(found["suffix"] == way.suffix) & (found["clock"] == way.clock)]
        title = f"{way.reader}, `{way.suffix.rpartition('@')[2]}`"
        lines.append([title, *(cell(rows[rows["block"] == block]) for block in blocks)])
    return table(["clauses arrive", *(HEADINGS[BLOCKS[block].datasets[0]] for block in blocks)], lines)


def cell(order: pd.DataFrame) -> str:
    best, *others = pd.concat([order[:1], order[1:].sort_values("behind")]).to_dict("records")
    named = [(f"`{row['encoding']}` ({multiple(row)})", row) for row in others]
    tied = [text for text, row in named if near(row)]
    uncertain = [text for text, row in named if row["standing"] == TIED and not near(row)]
    last = [named[-1][0]] if others[-1]["standing"] == SLOWER else []
    parts = {"": [f"**`{best['encoding']}`**", *tied], "too uncertain ": uncertain, "last ": last}
    return "; ".join(f"{word}{', '.join(texts)}" for word, texts in parts.items() if texts)


def reading() -> None:
    """Print how long programs take to read the files of each encoding, without solving them: median CPU time."""
    lines = []
    for block in map(BLOCKS.__getitem__, NAMES):
        puzzles = [item.puzzle for item in catalogue.load(place(block.datasets[0])).first(PUZZLES).items]
        for encoding in block.factors["encoding"]:
            times = [seconds(read_s(f"sat:{encoding}@{program}", puzzles)) for program in READ_ONLY]
            lines.append([block.name, f"`{encoding}`", *times])
    print(table(("block", "encoding", *READ_ONLY), lines))


def read_s(name: str, puzzles: list[Puzzle]) -> float:
    """Return the median CPU seconds of a program that reads a file and stops."""
    strategy: Any = prepared(registry.get(name), puzzles[0].shape)
    options = READ_ONLY[name.partition("@")[2]]
    times = []
    for puzzle in puzzles:
        strategy.load(strategy.encode(puzzle))
        for _ in range(REPEATS):
            command = [strategy.program.command[0], *options, *strategy.program.command[1:]]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = 0  # it has been waited for
            times.append(used.ru_utime + used.ru_stime)
    strategy.release()
    return statistics.median(times)
