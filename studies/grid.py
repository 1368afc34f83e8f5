"""The blocks behind the guide to encodings: encodings under each solver and way of loading, measured and compared.

A *way* is the end of the names of strategies: a solver, and how clauses reach it. Each encoding is compared with
``BASE`` and with the best one of its way, a family for each way and collection: of the whole solve, and of its loading
and search alone. Each block is a run of its own, which goes on where it was stopped.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from studies.copies import measured
from studies.document import TOP
from sudoku_bench.bench.figures import catalogue, encodings
from sudoku_bench.bench.figures.rendering import render
from sudoku_bench.bench.figures.sheet import column, of_run
from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.folder.store import MANIFEST
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.pairs.pairs import all_pairs
from sudoku_bench.bench.verdicts.run_data import of_strategies
from sudoku_bench.bench.verdicts.run_tables import Run, load
from sudoku_bench.bench.verdicts.selection import select
from sudoku_bench.datasets.errors import InputError

STORE = TOP / "results" / "encodings"
PUZZLES = STORE / "puzzles"
STORED_ROWS = STORE / "rows"
SUFFIX = ".xz"  # has no time stamp: the same rows give the same bytes
RUNS = TOP / "results" / "grid"
TABLES = ("ratios", "blocks")
KEYS = ["seed", "block"]
BASE = "complete+pairwise"
SOLVE, LOAD, SEARCH = "solve", "load", "search"
BEST = "best"
CLOCKS = {SOLVE: "cpu_s", LOAD: "load_cpu_s", SEARCH: "search_cpu_s"}
LEAST_S = 1e-9  # of a phase: 0 has no logarithm

COMPLETE = (BASE, "complete+product", "complete+heule")
SCHEMES = (*COMPLETE, *(f"complete+{scheme}" for scheme in ("seqcounter", "commander", "bimander", "tree")))
SIXTEEN = (*SCHEMES, "minimal+pairwise", "augmented", "order")
NINE = (*SIXTEEN, "hall-pairs")
MARKED = (*SCHEMES, "minimal+pairwise", "augmented")
LATIN = (*SCHEMES, "minimal+pairwise")
FEW = (*COMPLETE, "augmented")
LARGE = (*FEW, "complete+commander", "complete+bimander")
NATIVE = (BASE, "complete+product", "complete+native")
# The same two solvers three times: through python-sat, as programs that read a file, and by compiled code.
PYSAT, FILE, COMPILED = "@cadical153", "@/cadical", "+compiled@cadical153"
PYSAT_MINISAT, FILE_MINISAT, COMPILED_MINISAT = "@minisat22", "@/minisat", "+compiled@minisat22"
MINICARD = "@minicard"
BOTH = (COMPILED, COMPILED_MINISAT)


@dataclass(frozen=True)
class Block:
    """Encodings by way, measured in a run.

    Attributes:
        ways: the encodings under each way.
        dataset: the name of a collection, or of a file in ``PUZZLES``.
        sample: number of puzzles.
    """

    name: str
    ways: Mapping[str, tuple[str, ...]]
    dataset: str
    sample: int = 60
    task: str = "first"
    timeout_s: float = 4.0
    repetitions: int = 3

    @property
    def strategies(self) -> list[str]:
        return [strategy(encoding, way) for way, encodings in self.ways.items() for encoding in encodings]

    def options(self, seed: int) -> Iterator[object]:
        """The arguments of ``run``."""
        yield from chain.from_iterable(("-s", name) for name in self.strategies)
        yield from ("-d", place(self.dataset), "--sample", self.sample)
        yield from ("--task", self.task, "--timeout", self.timeout_s)
        yield from ("--repetitions", self.repetitions, "--seed", seed, "--figures", "off")


def strategy(encoding: str, way: str) -> str:
    return f"sat:{encoding}{way}"


def place(name: str) -> str:
    """Return the path of a file in ``PUZZLES``; the name of any other collection as it is."""
    path = PUZZLES / f"{name}.txt"
    return str(path) if path.exists() else name


def of(encodings: tuple[str, ...], *ways: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(ways, encodings)


FEW_FILES, NATIVES = of(FEW, FILE, FILE_MINISAT), of(NATIVE, MINICARD)
ALL_WAYS = of(NINE, PYSAT, PYSAT_MINISAT, *BOTH) | FEW_FILES | NATIVES
PICTURED, SHOWN = ("9x9-easy", "9x9-cdcl", "16x16", "16x16-unique", "25x25", "latin"), (PYSAT, COMPILED)
BLOCKS = {
    block.name: block
    for block in (
        Block("9x9-easy", ALL_WAYS, "easy"),
        Block("9x9-easy-unique", of(NINE, PYSAT, *BOTH) | NATIVES, "easy", task="unique"),
        Block("9x9-cdcl", ALL_WAYS, "9x9-cdcl"),
        Block("9x9-cdcl-unique", of(NINE, PYSAT, *BOTH) | NATIVES, "9x9-cdcl", task="unique"),
        Block("9x9-hardest", of(FEW, COMPILED), "hardest"),
        Block("pencilmarks-unique", of(MARKED, *BOTH), "pencilmark", sample=24, task="unique", timeout_s=2.0),
        Block("16x16", of(SIXTEEN, PYSAT, *BOTH) | FEW_FILES | NATIVES, "size16", sample=30),
        Block("16x16-unique", of(SIXTEEN, *BOTH) | NATIVES, "size16", sample=30, task="unique"),
        Block("25x25", of(LARGE, PYSAT, *BOTH) | of(FEW, FILE) | NATIVES, "size25", sample=20, timeout_s=10.0),
        Block("25x25-unique", of(LARGE, COMPILED), "size25", sample=20, task="unique", timeout_s=10.0),
        Block("latin", of(LATIN, *BOTH) | NATIVES, "latin26", sample=20),
        Block("latin-unique", of(LATIN, COMPILED), "latin26", sample=16, task="unique"),
    )
}


def measure_blocks(*blocks: str, seed: int = 1) -> None:
    """Measure blocks of the guide to encodings (default: all), or what is missing, and compare their encodings."""
    for name in known(blocks, BLOCKS) or BLOCKS:
        run, rows = (folder / str(seed) / name for folder in (RUNS, STORED_ROWS))
        measured(run, *BLOCKS[name].options(seed))
        pack(run, rows)
        make_tables(name)


def make_tables(*blocks: str) -> None:
    """Make the tables of blocks (default: all whose rows are there) from the rows in results/encodings."""
    for name in known(blocks, BLOCKS) or BLOCKS:
        for folder in sorted(STORED_ROWS.glob(f"*/{name}")):
            tables = analyse(BLOCKS[name], unpacked(folder))
            store({kind: table.assign(seed=int(folder.parent.name)) for kind, table in tables.items()}, STORE)
            print(tables["blocks"].to_string(index=False), flush=True)


def draw() -> None:
    """Draw the picture of the guide: encodings through python-sat and by compiled code, on the main blocks."""
    runs = [pictured(BLOCKS[name]) for name in PICTURED]
    picture = catalogue.picture(encodings, encodings.data(*runs), of_run(runs[0], column("double")))
    for kind in ("png", "pdf"):
        (STORE / f"encodings.{kind}").write_bytes(render(picture, kind))


def pictured(block: Block) -> Run:
    """Return the first measurement of a block with the ways that the picture shows."""
    ways = {way: names for way, names in block.ways.items() if way in SHOWN}
    return select(unpacked(STORED_ROWS / "1" / block.name), list(replace(block, ways=ways).strategies))


def known(blocks: tuple[str, ...], among: Collection[str]) -> tuple[str, ...]:
    """Return the names of blocks.

    Raises:
        InputError: there is no such block.
    """
    if unknown := [name for name in blocks if name not in among]:
        raise InputError(f"no block is called {unknown[0]}; choose from {', '.join(among)}")
    return blocks


def analyse(block: Block, run: Run) -> dict[str, pd.DataFrame]:
    """Return the rows of a block in each of ``TABLES``."""
    rows = [
        row
        for clock, column in CLOCKS.items()
        for way, encodings in block.ways.items()
        for row in ratios(clocked(run, column), way, encodings, clock)
    ]
    manifest, measured_rows = run.manifest, of_strategies(run.measurements)
    facts = {
        "dataset": block.dataset,
        "task": block.task,
        "puzzles": measured_rows["puzzle"].nunique(),
        "independent": run.puzzles["group"].nunique(),
        "limit_s": block.timeout_s,
        "wrong": int((measured_rows["status"] == "wrong").sum()),
        "started": manifest["started"],
        "cpu": manifest["machine"].get("cpu") or "an unnamed machine",
        "python": manifest["machine"].get("python"),
        "python_sat": manifest["packages"].get("python-sat"),
    }
    tables = {"ratios": pd.DataFrame(rows), "blocks": pd.DataFrame([facts])}
    return {name: table.assign(block=block.name) for name, table in tables.items()}


def clocked(run: Run, column: str) -> Run:
    """Return a run whose times are those of a column."""
    return replace(run, measurements=run.measurements.assign(cpu_s=run.measurements[column].clip(lower=LEAST_S)))


def ratios(run: Run, way: str, encodings: Iterable[str], clock: str) -> Iterator[dict[str, Any]]:
    """Yield for each encoding of a way its median time, and its ratios to ``BASE`` and to the best one.

    Columns: ``ratio`` to ``BASE``, ``behind`` the best one, with those of ``interval``; empty if not compared. The
    family is all encodings but ``BASE``, or all pairs: which one is best is not known beforehand.
    """
    names = {strategy(encoding, way): encoding for encoding in encodings}
    part, base = select(run, list(names)), strategy(BASE, way)
    best = next(iter(part.pairs["b"]), base)
    to_base, to_best = (
        {row["a"]: row for row in pairs[pairs["clock"] == CPU].to_dict("records")}
        for pairs in (all_pairs(part, baseline=base), part.pairs)
    )
    for row in part.summary.to_dict("records"):
        name = row["strategy"]
        yield {
            **{"way": way, "encoding": names[name], "clock": clock},
            **{key: row[key] for key in ("median_s", "solved", "n_measurements", "par2_s")},
            **(interval(to_base[name]) if name in to_base else {"ratio": 1.0} if name == base else {}),
            **({"behind": 1.0, "behind_verdict": BEST} if name == best else {}),
            **(interval(to_best[name], "behind") if name in to_best else {}),
        }


def interval(pair: Mapping[Any, Any], prefix: str = "ratio") -> dict[str, Any]:
    """Return the ratio of a pair with its interval, a bound if unfinished solves leave it open, and the verdict."""
    ends = {f"{prefix}{end}": pair[f"ratio{end}"] for end in ("", "_lo", "_hi")}
    return ends | {f"{prefix}_at_least": pair["at_least"], f"{prefix}_verdict": pair["verdict"]}


def store(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write the rows of a block into the tables of all blocks, in place of its rows there."""
    for name, rows in tables.items():
        path = folder / f"{name}.csv"
        rows = rows[[*KEYS, *(column for column in rows if column not in KEYS)]]
        if path.exists():
            stored = pd.read_csv(path)
            is_old = stored["block"].isin(rows["block"]) & stored["seed"].isin(rows["seed"])
            rows = pd.concat([stored[~is_old], rows])
        rows = rows.sort_values("block", key=lambda names: names.map(list(BLOCKS).index), kind="stable")
        rows = rows.sort_values("seed", kind="stable")
        rows.to_csv(path, index=False, lineterminator="\n", float_format="%.4g")


def pack(run: Path, folder: Path) -> None:
    """Write each file of a run folder that makes tables, compressed, into another folder; paths become relative."""
    folder.mkdir(parents=True, exist_ok=True)
    before = (run / MANIFEST).read_text(encoding="utf-8")
    manifest = json.loads(before.replace(f"{TOP}/", ""))
    if not seal.edited(run, json.loads(before)):
        manifest = seal.sealed(run, manifest)
    texts = {MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False).encode()}
    texts |= {name: (run / name).read_bytes() for name in seal.TABLES if (run / name).exists()}
    for name, text in texts.items():
        (folder / f"{name}{SUFFIX}").write_bytes(lzma.compress(text, preset=9))


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
