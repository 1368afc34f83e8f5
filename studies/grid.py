"""The grid of encodings and engines: blocks of crossed factors, measured and analysed.

Each block crosses the levels of its factors on the same puzzles under one task, in a run of its own that goes on where
it was stopped. On each collection of a block follow a map of all combinations with how far each is behind the fastest,
and the verdicts on pairs that differ in one factor or involve the fastest.
"""

from __future__ import annotations

import itertools
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from studies.copies import measured
from studies.document import TOP
from studies.simulation import Rows
from sudoku_bench.bench.folder.seal import TABLES as TABLES_OF_A_RUN
from sudoku_bench.bench.folder.store import MANIFEST
from sudoku_bench.bench.verdicts.between_runs.compatibility import counted_rows
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.pairs.decision import B_FASTER
from sudoku_bench.bench.verdicts.run_tables import Run, load
from sudoku_bench.bench.verdicts.times import Times, times
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.sat.encodings import CLUE_SUFFIXES

STORE = TOP / "results" / "encodings"
PUZZLES = STORE / "puzzles"
STORED_ROWS = STORE / "rows"
SUFFIX = ".xz"  # has no time stamp: the same rows give the same bytes
RUNS = TOP / "results" / "grid"
FACTORS = ("encoding", "scheme", "clues", "engine")
TABLES = ("map", "pairs", "blocks")
PAIR_COLUMNS = (
    *("collection", "a", "b", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "at_least", "at_most"),
    *("estimator", "n_censored", "p_holm", "verdict", "family"),
)
FASTEST, TIED, SLOWER = "fastest", "tied", "slower"
NEAR = 1.1  # ratio; above it, a strategy without a verdict is uncertain, and not called tied
UNITS = "units"  # clues as unit clauses, whose level is empty


@dataclass(frozen=True)
class Block:
    """A crossed design, measured in a run of its own.

    Attributes:
        factors: the levels of each factor, as parts of the names of strategies: a name is ``sat:`` and a level of
            each factor, in their order.
        datasets: names of collections, or of files in ``PUZZLES``.
        sample: number of puzzles of each collection.
    """

    name: str
    factors: Mapping[str, tuple[str, ...]]
    datasets: tuple[str, ...]
    sample: int = 18  # a verdict on each of the pairs of a block needs so many
    task: str = "first"
    timeout_s: float = 4.0
    repetitions: int = 3
    launches: int = 1

    @property
    def cells(self) -> dict[str, dict[str, str]]:
        """The level of each factor, as tables show it, of each strategy; levels of the last factor in turn first."""
        return {
            f"sat:{''.join(levels)}": dict(zip(self.factors, map(level_name, levels), strict=True))
            for levels in itertools.product(*self.factors.values())
        }

    @property
    def options(self) -> Iterator[object]:
        """The arguments of ``run``."""
        yield from itertools.chain.from_iterable(("-s", name) for name in self.cells)
        yield from itertools.chain.from_iterable(("-d", place(name)) for name in self.datasets)
        yield from ("--sample", self.sample, "--task", self.task, "--timeout", self.timeout_s)
        yield from ("--repetitions", self.repetitions, "--launches", self.launches)


def place(name: str) -> str:
    """Return the path of a file in ``PUZZLES``; the name of any other collection as it is."""
    path = PUZZLES / f"{name}.txt"
    return str(path) if path.exists() else name


def level_name(level: str) -> str:
    """Return a level as tables show it: without what joins it to the rest of a strategy's name."""
    return level.lstrip("+@") or UNITS


def led_by(sign: str, *names: str) -> tuple[str, ...]:
    return tuple(sign + name for name in names)


ENGINES = led_by("@", "cadical195", "glucose4", "minisat22", "maplechrono", "mergesat3")
THREE = led_by("@", "cadical195", "glucose4", "minisat22")
TWO = led_by("@", "cadical195", "glucose4")
NINE_ONLY = ("log", "hall-pairs", "diagrams")  # too slow, or too large, beyond 9x9
COMPLETE = ("complete+pairwise", "complete+product", "complete+heule")
SEVEN = ("minimal+pairwise", "irredundant+pairwise", *COMPLETE, "augmented", "order")
LARGE = ("minimal+pairwise", *COMPLETE, "augmented")
STRONG = (*COMPLETE, "augmented")
FEW = ("complete+pairwise", "augmented", "order")
SCHEMES = led_by("+", "pairwise", "seqcounter", "ladder", "commander", "product", "bimander", "heule", "tree")
QUASIGROUP = ("minimal+pairwise", "minimal+product", "complete+pairwise", "complete+product")
AMO = ("complete+pairwise", "complete+product", "complete+native")
NATIVE = led_by("@", "minicard", "gluecard3", "gluecard4")  # accept at-most-one constraints
CLUES = {"encoding": FEW, "clues": CLUE_SUFFIXES, "engine": TWO}
NINES = ("minimal", "hardest")
BOTH = ("hardest", "size16")
SIXTEENS = ("size16", "16x16-105", "16x16-125")
TWENTY_FIVES = ("size25", "25x25-320")
# How clauses reach the solver: by python-sat's own loop, past it, or as a file for a program.
WAYS = ("@minisat22", "+direct@minisat22", "@/minisat", "@cadical195", "+direct@cadical195", "@/cadical")
WAYS_ENCODINGS = ("minimal+pairwise", *COMPLETE, "augmented", "order")

BLOCKS = {
    block.name: block
    for block in (
        Block("9x9", {"encoding": (*SEVEN, *NINE_ONLY), "engine": ENGINES}, NINES, sample=22),  # some are alike
        Block("9x9-unique", {"encoding": SEVEN, "engine": ENGINES}, NINES, task="unique"),
        Block("9x9-count", {"encoding": FEW, "engine": ENGINES}, ("9x9-several",), task="count:100"),
        Block("12x12", {"encoding": SEVEN, "engine": ENGINES}, ("size12",)),
        Block("16x16", {"encoding": SEVEN, "engine": ENGINES}, SIXTEENS),
        Block("25x25", {"encoding": LARGE, "engine": THREE}, TWENTY_FIVES),
        Block("36x36", {"encoding": STRONG, "engine": TWO}, ("36x36-700",), timeout_s=20.0),
        Block("schemes", {"encoding": ("minimal", "complete"), "scheme": SCHEMES, "engine": TWO}, BOTH),
        Block("clues", CLUES, BOTH, repetitions=1, launches=3),
        Block("native", {"encoding": AMO, "engine": NATIVE}, ("hardest", "size16", "size25")),
        Block("ways-9x9", {"encoding": WAYS_ENCODINGS, "engine": WAYS}, ("hardest",)),
        Block("ways-16x16", {"encoding": WAYS_ENCODINGS, "engine": WAYS}, ("size16",)),
        Block("ways-25x25", {"encoding": LARGE, "engine": WAYS}, ("25x25-320",), timeout_s=10.0),
        Block("latin30", {"encoding": QUASIGROUP, "engine": THREE}, ("latin30",)),  # for docs/boards.md
    )
}


def measure_blocks(*blocks: str) -> None:
    """Measure blocks of the grid of encodings and engines (default: all), or what is missing, and analyse them."""
    for name in known(blocks) or BLOCKS:
        measured(RUNS / name, *BLOCKS[name].options)
        pack(RUNS / name, STORED_ROWS / name)
        make_tables(name)


def make_tables(*blocks: str) -> None:
    """Make the tables of blocks of the grid (default: all whose rows are there) from the rows in results/encodings."""
    for name in known(blocks) or [name for name in BLOCKS if (STORED_ROWS / name).exists()]:
        tables = analyse(BLOCKS[name], unpacked(STORED_ROWS / name))
        store(tables, STORE)
        print(tables["blocks"].to_string(index=False), flush=True)


def known(blocks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of blocks.

    Raises:
        InputError: there is no such block.
    """
    if unknown := [name for name in blocks if name not in BLOCKS]:
        raise InputError(f"no block is called {unknown[0]}; choose from {', '.join(BLOCKS)}")
    return blocks


def analyse(block: Block, run: Run) -> dict[str, pd.DataFrame]:
    """Return the rows of a block in each of ``TABLES``."""
    rows = counted_rows(run)
    best_pairs, every_pair = (table[table["clock"] == CPU] for table in (run.pairs, run.all_pairs))
    found: dict[str, Rows] = {name: [] for name in TABLES}
    for collection in rows["collection"].unique():  # decoys have one of their own
        against, pairs = (table[table["collection"] == collection] for table in (best_pairs, every_pair))
        best = str(against["b"].iloc[0])
        of_collection: dict[str, Any] = {
            "map": map_rows(block, times(rows[rows["collection"] == collection]), against, best),
            "pairs": telling(block, pairs, best).to_dict("records"),
        }
        for name, part in of_collection.items():
            found[name] += [row | {"collection": collection} for row in part]
    found["blocks"].append(facts(block, run))
    return {name: pd.DataFrame(part).assign(block=block.name) for name, part in found.items() if part}


def map_rows(block: Block, table: Times, against: pd.DataFrame, best: str) -> Rows:
    """Return each combination: mean and median time, how far it is behind the fastest, and whether verdicts say so.

    Unfinished solves enter the means as the limit, so these are lower bounds then; ``behind`` and its interval are
    those of the pair with the fastest, which take censoring into account.

    Args:
        table: times on one collection; puzzles without a time under some strategy are left out.
        against: each combination against the best of the collection.
    """
    places = [table.strategies.index(name) for name in block.cells]
    full = np.isfinite(table.log_s[places]).all(axis=(0, 2))
    rows = {row["a"]: row for row in against.to_dict("records")}
    return [
        {
            **cell,
            "median_s": float(np.exp(np.median(log_s.mean(axis=-1)))),
            "gmean_s": float(np.exp(log_s.ravel().mean())),
            "unfinished": int(table.censored[number, full].sum()),
            "solves": log_s.size,
            **({"behind": 1.0} if name == best else behind(rows[name])),
            "standing": FASTEST if name == best else SLOWER if rows[name]["verdict"] == B_FASTER else TIED,
        }
        for number, log_s, (name, cell) in zip(places, table.log_s[places][:, full], block.cells.items(), strict=True)
    ]


def behind(row: Mapping[Any, Any]) -> dict[str, float]:
    """Return how many times as long as the best a strategy takes, with interval and, if unfinished, its bound."""
    keys = {"ratio": "behind", "ratio_lo": "behind_lo", "ratio_hi": "behind_hi", "at_least": "behind_at_least"}
    return {name: float(row[key]) for key, name in keys.items()}


def near(row: Mapping[Any, Any]) -> bool:
    """Return whether a row of the map is of the fastest, or of a strategy without a verdict whose ratio is near it."""
    return row["standing"] == FASTEST or (row["standing"] == TIED and bool(row["behind"] <= NEAR))


def telling(block: Block, pairs: pd.DataFrame, best: str) -> pd.DataFrame:
    """Return the pairs that involve the fastest, or differ in one factor only."""
    cells = block.cells
    tells = [
        best in (a, b) or sum(cells[a][factor] != cells[b][factor] for factor in block.factors) == 1
        for a, b in zip(pairs["a"], pairs["b"], strict=True)
    ]
    return pairs.loc[tells, list(PAIR_COLUMNS)]


def facts(block: Block, run: Run) -> dict[str, Any]:
    """Return what was measured, and where."""
    manifest, rows = run.manifest, run.measurements
    return {
        "collections": " ".join(run.all_pairs["collection"].unique()),
        "strategies": len(block.cells),
        "rows": len(rows),
        "task": block.task,
        "limit_s": block.timeout_s,
        "replicates": block.repetitions * block.launches,
        "wrong": int((rows["status"] == "wrong").sum()),
        "pairs": len(run.all_pairs),
        "started": manifest["started"],
        "cpu": manifest["machine"].get("cpu") or "an unnamed machine",
        "python": manifest["machine"].get("python"),
        "python_sat": manifest["packages"].get("python-sat"),
    }


def store(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write the rows of a block into the tables of all blocks, in place of its rows there."""
    for name, rows in tables.items():
        path = folder / f"grid-{name}.csv"
        leading = ["block", "collection", *(FACTORS if "encoding" in rows else ())]
        rows = rows.reindex(columns=list(dict.fromkeys([*leading, *rows])))
        if path.exists():
            stored = pd.read_csv(path)
            rows = pd.concat([stored[~stored["block"].isin(rows["block"])], rows])
        rows = rows.sort_values("block", key=lambda names: names.map(list(BLOCKS).index), kind="stable")
        rows.to_csv(path, index=False, lineterminator="\n", float_format="%.4g")


def pack(run: Path, folder: Path) -> None:
    """Write each file of a run folder that makes tables, compressed, into another folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (MANIFEST, *TABLES_OF_A_RUN):
        if (run / name).exists():
            (folder / f"{name}{SUFFIX}").write_bytes(lzma.compress((run / name).read_bytes(), preset=9))


def unpacked(folder: Path) -> Run:
    """Return the run whose files were packed into a folder; the checksums of its manifest still tell edits.

    Raises:
        InputError: it is not a run.
        LZMAError: a file is damaged.
    """
    with TemporaryDirectory() as place:
        for path in folder.glob(f"*{SUFFIX}"):
            (Path(place) / path.name.removesuffix(SUFFIX)).write_bytes(lzma.decompress(path.read_bytes()))
        return load(place)
