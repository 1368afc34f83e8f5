"""The order of encodings by how clauses reach the solver, for docs/encodings.md.

It is the answer to three readers: who writes python-sat, who loads clauses past its loop, and who writes DIMACS files
for a program. *Search alone* is what is left of the first if clauses were there already.
"""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from bench.say.phrases import seconds
from bench.studies.document import fill, table
from bench.studies.grid import BLOCKS, STORE, STORED_ROWS, place
from bench.studies.grid_numbers import PAGE, factor
from bench.studies.grid_rows import unpacked
from bench.verdicts.comparable import CPU
from bench.verdicts.pairs.decision import B_FASTER
from bench.verdicts.run_tables import Run
from bench.verdicts.selection import select
from datasets.collections import catalogue
from datasets.puzzle import Puzzle
from solvers import registry
from solvers.strategy import prepared

NAMES = ("ways-9x9", "ways-16x16", "ways-25x25")  # of blocks
RATIOS = ("ratio", "ratio_lo", "ratio_hi")
SEARCH = "search_cpu_s"
READ_ONLY = {"/cadical": ("-c", "0"), "/minisat": ("-no-pre", "-no-solve")}  # options with which a program only reads
PUZZLES, REPEATS = 5, 3  # of each board, for reading alone


@dataclass(frozen=True)
class Way:
    """A way of loading: the end of the names of its strategies, and the column of the time that counts."""

    title: str
    suffix: str
    clock: str = "cpu_s"


WAYS = (
    Way("python-sat, `minisat22`", "@minisat22"),
    Way("loaded directly", "+direct@minisat22"),
    Way("search alone", "@minisat22", SEARCH),
    Way("DIMACS, `minisat`", "@/minisat"),
    Way("python-sat, `cadical195`", "@cadical195"),
    Way("loaded directly", "+direct@cadical195"),
    Way("search alone", "@cadical195", SEARCH),
    Way("DIMACS, `cadical`", "@/cadical"),
)


def write() -> None:
    """Write the order of the encodings by way of loading into docs/encodings.md, from the rows of their blocks."""
    found = [order | {"block": name} for name in NAMES for order in orders(unpacked(STORED_ROWS / name), name)]
    pd.DataFrame(found).to_csv(STORE / "ways.csv", index=False, lineterminator="\n", float_format="%.4g")
    fill(PAGE, "ways", "\n\n".join(markdown(pd.DataFrame(found), name) for name in NAMES))


def orders(run: Run, block: str) -> Iterator[dict[str, Any]]:
    """Yield how far each encoding of a block is behind the best one under each way.

    Columns: ``way``, ``suffix``, ``clock``, ``encoding``, ``ratio`` with 95% interval, ``slower`` (yes: shown to be).
    """
    for way in WAYS:
        names = {f"sat:{encoding}{way.suffix}": encoding for encoding in BLOCKS[block].factors["encoding"]}
        part = select(run, list(names))
        if way.clock != "cpu_s":
            part = replace(part, measurements=part.measurements.assign(cpu_s=part.measurements[way.clock]))
        rows = part.pairs[part.pairs["clock"] == CPU]
        facts = {"way": way.title, "suffix": way.suffix, "clock": way.clock}
        yield facts | {
            "encoding": names[rows["b"].iloc[0]],
            "ratio": 1.0,
            "ratio_lo": 1.0,
            "ratio_hi": 1.0,
            "slower": "",
        }
        for row in rows.to_dict("records"):
            slower = "yes" if row["verdict"] == B_FASTER else ""
            figures = {key: row[key] for key in ("ratio", "ratio_lo", "ratio_hi")}
            yield facts | {"encoding": names[row["a"]], **figures, "slower": slower}


def markdown(found: pd.DataFrame, block: str) -> str:
    """Return the table of a block: a row for each encoding, a column for each way; bold: not shown to be slower."""
    rows = found[found["block"] == block]
    encodings = BLOCKS[block].factors["encoding"]
    cells = {(row["suffix"], row["clock"], row["encoding"]): cell(row) for row in rows.to_dict("records")}
    lines = [[f"`{name}`", *(cells[way.suffix, way.clock, name] for way in WAYS)] for name in encodings]
    return f"**{block.partition('-')[2]}**\n\n{table(('encoding', *(way.title for way in WAYS)), lines)}"


def cell(row: Any) -> str:
    text = factor(row["ratio"])
    if row["ratio_lo"] != row["ratio_hi"]:
        text += f" ({factor(row['ratio_lo'])} to {factor(row['ratio_hi'])})"
    return text if row["slower"] else f"**{text}**"


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
