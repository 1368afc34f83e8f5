"""The grid of encodings and engines: ``python -m bench.studies.encoding_grid [BLOCK]...`` measures and analyses blocks.

Each block crosses the levels of its factors on the same puzzles under one task, in a run of its own that goes on where
it was stopped. On each collection of a block follow the effects of levels and combinations with intervals
(``factor_effects``), the shares of the factors in the differences between strategies, a map of all combinations with
how far each is behind the fastest, and the verdicts on pairs that differ in one factor or involve the fastest. The
tables ``TABLES`` hold the rows of all blocks; a block replaces its own.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console

from bench.plan import plan
from bench.run import experiment
from bench.say.progress import Progress
from bench.studies import document, factor_effects
from bench.studies.grid_blocks import BLOCKS, NINE_ONLY, Block, level_name
from bench.verdicts import run_tables
from bench.verdicts.arrays import Flags, Floats
from bench.verdicts.between_runs.compatibility import counted_rows
from bench.verdicts.comparable import CPU
from bench.verdicts.pairs.standings import standings
from bench.verdicts.times import times
from datasets.errors import InputError

RUNS = Path("results/grid")
STORE = document.TOP / "results" / "encodings"
FACTORS = ("encoding", "scheme", "clues", "engine")
TABLES = ("map", "effects", "shares", "pairs", "blocks")
PAIR_COLUMNS = (
    *("collection", "a", "b", "n_puzzles", "ratio", "ratio_lo", "ratio_hi", "at_least", "at_most"),
    *("estimator", "n_censored", "p_holm", "verdict", "family"),
)
FASTEST, TIED, SLOWER = "fastest", "tied", "slower"

Rows = list[dict[str, Any]]


def measure(block: Block, folder: Path) -> run_tables.Run:
    """Measure a block, or what is missing of it.

    Raises:
        InputError: the folder holds another run.
        KeyboardInterrupt: interrupted; the same command goes on.
    """
    console = Console(stderr=True, highlight=False, markup=False)
    with Progress(console) as progress:
        progress.begin("checking puzzles")
        planned = plan.make(block.suite, tick=progress.advance)
        command = shlex.join(["python", "-m", "bench.studies.encoding_grid", block.name])
        if not experiment.conduct(planned, folder, command, datetime.now(UTC), progress, resume=True):
            raise KeyboardInterrupt
    return run_tables.load(folder)


def arrays(block: Block, rows: pd.DataFrame) -> tuple[Floats, Flags]:
    """Log times and what is censored on one collection, as levels of each factor × puzzles × replicates.

    Puzzles without a time under some strategy are left out.
    """
    measured = times(rows)
    places = [measured.strategies.index(name) for name in block.strategies]
    log_s, censored = measured.log_s[places], measured.censored[places]
    full = np.isfinite(log_s).all(axis=(0, 2))
    shape = (*block.sizes, int(full.sum()), log_s.shape[2])
    return log_s[:, full].reshape(shape), censored[:, full].reshape(shape)


def effect_rows(block: Block, log_s: Floats, censored: Flags) -> Rows:
    """The effects of levels and of combinations of two, as ratios of times; the factors of the others are empty."""
    factors = list(block.factors.items())
    return [
        {
            **{
                factor: "" if number is None else level_name(levels[number])
                for (factor, levels), number in zip(factors, effect.levels, strict=True)
            },
            "ratio": effect.ratio,
            "ratio_lo": effect.lo,
            "ratio_hi": effect.hi,
            "p": effect.p,
        }
        for effect in factor_effects.effects(log_s, censored)
    ]


def finishing(block: Block, log_s: Floats, censored: Flags) -> tuple[Block, Floats, Flags]:
    """The block without the levels of its first factor of which some strategy left too many puzzles unfinished.

    No effect could be estimated with them, and the others are compared among themselves.
    """
    factor, *others = block.factors
    unfinished = censored.any(axis=-1).mean(axis=-1)
    kept = (unfinished <= factor_effects.MOST_CENSORED).reshape(len(unfinished), -1).all(axis=1)
    levels = tuple(level for level, is_kept in zip(block.factors[factor], kept, strict=True) if is_kept)
    factors = {factor: levels} | {other: block.factors[other] for other in others}
    return replace(block, factors=factors), log_s[kept], censored[kept]


def share_rows(block: Block, log_s: Floats, censored: Flags) -> Rows:
    """The share of each factor and combination of factors in the differences between strategies.

    Encodings that only 9x9 boards have are left out: they are so slow there that nothing else would be seen.
    """
    factor, *_ = names = tuple(block.factors)
    kept = [level not in NINE_ONLY for level in block.factors[factor]]
    facts = {"puzzles": log_s.shape[-2], "unfinished": int(censored[kept].sum())}
    shares = factor_effects.shares(log_s[kept])
    return [facts | {"factors": " x ".join(names[n] for n in numbers), "share": s} for numbers, s in shares.items()]


def map_rows(block: Block, log_s: Floats, censored: Flags, pairs: pd.DataFrame) -> Rows:
    """Each combination: mean and median time, how far it is behind the fastest, and whether the verdicts say so.

    Unfinished solves enter the means as the limit, so these are lower bounds then; ``behind`` and its interval are
    those of the pair with the fastest, which take censoring into account.

    Args:
        pairs: the verdicts on one collection.
    """
    flat = log_s.reshape(len(block.cells), -1)
    medians = np.exp(np.median(log_s.mean(axis=-1), axis=-1)).ravel()
    unfinished = censored.sum(axis=(-2, -1)).ravel()
    best, tied = fastest(pairs, dict(zip(block.strategies, flat.mean(axis=1), strict=True)))
    against = {
        name: row for row in pairs.to_dict("records") for name in (row["a"], row["b"]) if best in (row["a"], row["b"])
    }
    rows = []
    for place, (name, cell) in enumerate(zip(block.strategies, block.cells, strict=True)):
        rows.append(
            {
                **{factor: level_name(level) for factor, level in cell.items()},
                "median_s": float(medians[place]),
                "gmean_s": float(np.exp(flat[place].mean())),
                "unfinished": int(unfinished[place]),
                "solves": flat.shape[1],
                **(behind(against[name], best) if name != best else {"behind": 1.0}),
                "standing": FASTEST if name == best else TIED if name in tied else SLOWER,
            }
        )
    return rows


def fastest(pairs: pd.DataFrame, log_s: Mapping[str, float]) -> tuple[str, set[str]]:
    """The strategy with the lowest mean log time of those that no other is faster than, and those tied with it."""
    [standing] = standings(pairs)
    first = standing.fastest or tuple(log_s)  # in a circle, or with too few data, the means alone decide
    best = min(first, key=lambda name: log_s[name])
    slower = {row["b"] if row["a"] == best else row["a"] for row in pairs.to_dict("records") if is_won(row, best)}
    return best, set(log_s) - slower - {best}


def is_won(row: Mapping[Any, Any], name: str) -> bool:
    """Return whether the verdict on a pair is that this strategy is faster."""
    return bool(
        (row["verdict"] == "a_faster" and row["a"] == name) or (row["verdict"] == "b_faster" and row["b"] == name)
    )


def behind(row: Mapping[Any, Any], best: str) -> dict[str, float]:
    """The ratio of a strategy's time to that of the fastest, with its interval or, for unfinished solves, its bound."""
    keys = ("ratio", "ratio_lo", "ratio_hi", "at_least", "at_most")
    ratio, low, high, least, most = (float(row[key]) for key in keys)
    if row["a"] == best:
        ratio, low, high, least, most = 1 / ratio, 1 / high, 1 / low, 1 / most, 1 / least
    return {"behind": ratio, "behind_lo": low, "behind_hi": high, "behind_at_least": least}


def telling(block: Block, pairs: pd.DataFrame, best: str) -> pd.DataFrame:
    """The pairs that involve the fastest, or differ in one factor only."""
    cells = dict(zip(block.strategies, block.cells, strict=True))

    def tells(a: str, b: str) -> bool:
        return best in (a, b) or sum(cells[a][factor] != cells[b][factor] for factor in block.factors) == 1

    return pairs[[tells(a, b) for a, b in zip(pairs["a"], pairs["b"], strict=True)]][list(PAIR_COLUMNS)]


def analyse(block: Block, run: run_tables.Run) -> dict[str, pd.DataFrame]:
    """The rows of a block in each of ``TABLES``."""
    counted, verdicts = counted_rows(run), run.pairs[run.pairs["clock"] == CPU]
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in TABLES}
    for collection in counted["collection"].unique():  # decoys have one of their own
        pairs = verdicts[verdicts["collection"] == collection]
        log_s, censored = arrays(block, counted[counted["collection"] == collection])
        found = {"map": map_rows(block, log_s, censored, pairs), "shares": share_rows(block, log_s, censored)}
        kept, log_s, censored = finishing(block, log_s, censored)
        if log_s.size:
            found["effects"] = effect_rows(kept, log_s, censored)
        for name, rows in found.items():
            parts[name].append(pd.DataFrame(rows).assign(collection=collection))
        best = next(row for row in found["map"] if row["standing"] == FASTEST)
        parts["pairs"].append(telling(block, pairs, spelled(block, best)))
    parts["blocks"].append(pd.DataFrame([facts(block, run)]))
    tables = {name: pd.concat(rows, ignore_index=True) for name, rows in parts.items() if rows}
    return {name: table.assign(block=block.name) for name, table in tables.items()}


def spelled(block: Block, row: Mapping[str, Any]) -> str:
    """The strategy of a row of the map."""
    levels = [row[factor] for factor in block.factors]
    return next(
        name
        for name, cell in zip(block.strategies, block.cells, strict=True)
        if [level_name(level) for level in cell.values()] == levels
    )


def facts(block: Block, run: run_tables.Run) -> dict[str, Any]:
    """What was measured, and where."""
    manifest = run.manifest
    machine, rows = manifest["machine"], run.measurements
    return {
        "collections": " ".join(run.pairs["collection"].unique()),
        "strategies": len(block.strategies),
        "rows": len(rows),
        "task": block.task,
        "limit_s": block.timeout_s,
        "replicates": block.repetitions * block.launches,
        "wrong": int((rows["status"] == "wrong").sum()),
        "pairs": len(run.pairs),
        "started": manifest["started"],
        "cpu": machine.get("cpu") or "an unnamed machine",
        "python": machine.get("python"),
        "python_sat": manifest["packages"].get("python-sat"),
    }


def store(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write the rows of a block into the tables of all blocks, in place of its earlier ones."""
    folder.mkdir(parents=True, exist_ok=True)
    order = list(BLOCKS)
    for name, rows in tables.items():
        path = folder / f"grid-{name}.csv"
        stored = pd.read_csv(path) if path.exists() else rows.iloc[:0]
        table = pd.concat([stored[~stored["block"].isin(rows["block"])], rows])
        table = table.sort_values("block", key=lambda names: names.map(order.index), kind="stable")
        if "encoding" in table:
            table = table.reindex(columns=list(dict.fromkeys([*table, *FACTORS])))
        first = [key for key in ("block", "collection", *FACTORS) if key in table]
        table = table[[*first, *(key for key in table if key not in first)]]
        table.to_csv(path, index=False, lineterminator="\n", float_format="%.4g")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the grid of encodings and engines, and analyse it.")
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help=f"default: all of {', '.join(BLOCKS)}")
    parser.add_argument("--runs", type=Path, default=RUNS, help="folder of the runs (default results/grid)")
    parser.add_argument("--out", type=Path, default=STORE, help="folder of the tables (default results/encodings)")
    options = parser.parse_args()
    try:
        for name in options.blocks or BLOCKS:
            if name not in BLOCKS:
                raise InputError(f"no block is called {name}; choose from {', '.join(BLOCKS)}")
            tables = analyse(BLOCKS[name], measure(BLOCKS[name], options.runs / name))
            store(tables, options.out)
            print(tables["shares"].to_string(index=False, float_format="%.3g"), flush=True)
    except (InputError, OSError) as error:
        print(f"encoding_grid: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("encoding_grid: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
