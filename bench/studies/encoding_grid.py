"""The grid of encodings and engines: ``python -m bench.studies.encoding_grid [BLOCK]...`` measures and analyses blocks.

Each block crosses the levels of two factors on the same puzzles under one task, in a run of its own that goes on where
it was stopped. From each follow the effects of levels and combinations with intervals (``factor_effects``), the shares
of the factors in the differences between strategies, and a map of all combinations: which are fastest, and how far the
others are behind, with the verdicts of the run. Files: ``BLOCK-effects.csv``, ``BLOCK-map.csv``, ``shares.csv``.
"""

from __future__ import annotations

import argparse
import itertools
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console

from bench.plan import plan, suite
from bench.run import experiment
from bench.say.progress import Progress
from bench.studies import document, factor_effects
from bench.studies.factor_effects import TooManyUnfinishedError
from bench.verdicts import run_tables
from bench.verdicts.arrays import Flags, Floats
from bench.verdicts.between_runs.compatibility import counted_rows
from bench.verdicts.times import times
from datasets.errors import InputError
from solvers.sat.encodings import CLUE_SUFFIXES

RUNS = Path("results/grid")
STORE = document.TOP / "results" / "encodings"
ENGINES = ("cadical195", "glucose4", "minisat22", "maplechrono", "mergesat3")
MODELS = (
    *("minimal+pairwise", "irredundant+pairwise", "complete+pairwise", "complete+product", "complete+seqcounter"),
    *("augmented", "order", "order-hints"),
)
SMALL = ("hall-pairs", "diagrams", "log")  # too large, or too slow, for boards beyond 9x9
SCHEMES = (
    *("pairwise", "seqcounter", "ladder", "commander", "product", "bitwise", "bimander"),
    *("heule", "tree", "totalizer"),
)
LARGE = ("complete+pairwise", "complete+product", "augmented")
FEW = ("complete+pairwise", "augmented", "order")
INCREMENTAL = ("cadical195", "glucose4", "minisat22")  # accept assumptions


@dataclass(frozen=True)
class Block:
    """A crossed design.

    Attributes:
        models, engines: the levels; a strategy is ``sat:MODEL@ENGINE``.
        sample: number of puzzles of each collection.
    """

    name: str
    models: tuple[str, ...]
    engines: tuple[str, ...]
    datasets: tuple[str, ...]
    sample: int
    task: str = "first"
    timeout_s: float = 10.0
    repetitions: int = 3

    @property
    def strategies(self) -> list[str]:
        return [f"sat:{model}@{engine}" for model, engine in itertools.product(self.models, self.engines)]

    @property
    def suite(self) -> suite.Suite:
        return suite.Suite().with_settings(
            {
                "name": f"grid-{self.name}",
                "strategies": tuple(self.strategies),
                "datasets": self.datasets,
                "sample": self.sample,
                "task": self.task,
                "timeout_s": self.timeout_s,
                "repetitions": self.repetitions,
            }
        )


def handled(models: Sequence[str]) -> tuple[str, ...]:
    """Models under every clue handling."""
    return tuple(f"{model}{clues}" for model in models for clues in CLUE_SUFFIXES)


BLOCKS = {
    block.name: block
    for block in (
        Block("9x9", (*MODELS, *SMALL), ENGINES, ("hard", "expert"), 20),
        Block("9x9-unique", MODELS, ENGINES, ("hard", "expert"), 20, task="unique"),
        Block("9x9-count", FEW, ENGINES, ("multiple",), 40, task="count:100"),
        Block("schemes", tuple(f"complete+{scheme}" for scheme in SCHEMES), ENGINES, ("hard", "expert"), 20),
        Block("clues", handled(FEW), INCREMENTAL, ("hard", "expert"), 20),
        Block("12x12", MODELS, ENGINES, ("size12",), 30),
        Block("16x16", MODELS, ENGINES, ("size16",), 30),
        Block("25x25", LARGE, ENGINES, ("size25",), 40, timeout_s=30.0),
    )
}


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


def arrays(block: Block, run: run_tables.Run) -> tuple[Floats, Flags]:
    """Log times and what is censored, as models × engines × puzzles × replicates.

    Puzzles without a time under some strategy are left out.
    """
    rows = counted_rows(run)
    measured = times(rows.assign(puzzle=rows["collection"] + "\n" + rows["puzzle"]))
    places = [measured.strategies.index(name) for name in block.strategies]
    log_s, censored = measured.log_s[places], measured.censored[places]
    full = np.isfinite(log_s).all(axis=(0, 2))
    shape = (len(block.models), len(block.engines), int(full.sum()), log_s.shape[2])
    return log_s[:, full].reshape(shape), censored[:, full].reshape(shape)


def effects_table(block: Block, log_s: Floats, censored: Flags) -> pd.DataFrame:
    """The effects of models, engines and combinations, as ratios of times.

    Raises:
        TooManyUnfinishedError: a strategy left more than half of the puzzles unfinished.
    """
    rows = [
        {
            "block": block.name,
            "model": "" if effect.a is None else block.models[effect.a],
            "engine": "" if effect.b is None else block.engines[effect.b],
            "ratio": effect.ratio,
            "ratio_lo": effect.lo,
            "ratio_hi": effect.hi,
            "p": effect.p,
        }
        for effect in factor_effects.effects(log_s, censored)
    ]
    return pd.DataFrame(rows)


def map_table(block: Block, log_s: Floats, censored: Flags, pairs: pd.DataFrame) -> pd.DataFrame:
    """Each combination: geometric mean, unfinished solves, and whether it is tied with the fastest of all.

    The times of unfinished solves enter as the limit, so those means are lower bounds.
    """
    means = np.exp(log_s.mean(axis=(2, 3)))
    best = block.strategies[int(means.argmin())]
    rows = []
    for (model, engine), mean, unfinished in zip(
        itertools.product(block.models, block.engines), means.ravel(), censored.sum(axis=(2, 3)).ravel(), strict=True
    ):
        name = f"sat:{model}@{engine}"
        rows.append(
            {
                "block": block.name,
                "model": model,
                "engine": engine,
                "gmean_s": float(mean),
                "behind": float(mean / means.min()),
                "unfinished": int(unfinished),
                "standing": "best" if name == best else standing(pairs, best, name),
            }
        )
    return pd.DataFrame(rows)


def standing(pairs: pd.DataFrame, best: str, name: str) -> str:
    """``slower`` if every verdict of the run on this pair says so, else ``tied``; several collections have one each."""
    rows = pairs[((pairs["a"] == best) & (pairs["b"] == name)) | ((pairs["a"] == name) & (pairs["b"] == best))]
    slower = [row["verdict"] == ("a_faster" if row["a"] == best else "b_faster") for row in rows.to_dict("records")]
    return "slower" if slower and all(slower) else "tied"


def analyse(block: Block, run: run_tables.Run, folder: Path) -> dict[str, object]:
    """Write the tables of a block; return its row of ``shares.csv``."""
    log_s, censored = arrays(block, run)
    of_model, of_engine, of_both = factor_effects.shares(log_s)
    facts: dict[str, object] = {"block": block.name, "puzzles": log_s.shape[2], "unfinished": int(censored.sum())}
    folder.mkdir(parents=True, exist_ok=True)
    table = map_table(block, log_s, censored, run.pairs)
    table.to_csv(folder / f"{block.name}-map.csv", index=False, lineterminator="\n", float_format="%.4g")
    try:
        effects = effects_table(block, log_s, censored)
    except TooManyUnfinishedError:
        print(f"{block.name}: a strategy left more than half of the puzzles unfinished; no effects", file=sys.stderr)
    else:
        effects.to_csv(folder / f"{block.name}-effects.csv", index=False, lineterminator="\n", float_format="%.4g")
        print(effects.to_string(index=False, float_format="%.3g"))
    print(table.to_string(index=False, float_format="%.3g"))
    return facts | {"share_model": of_model, "share_engine": of_engine, "share_combination": of_both}


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the grid of encodings and engines, and analyse it.")
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help=f"default: all of {', '.join(BLOCKS)}")
    parser.add_argument("--runs", type=Path, default=RUNS, help="folder of the runs (default results/grid)")
    parser.add_argument("--out", type=Path, default=STORE, help="folder of the tables (default results/encodings)")
    options = parser.parse_args()
    try:
        rows = []
        for name in options.blocks or BLOCKS:
            if name not in BLOCKS:
                raise InputError(f"no block is called {name}; choose from {', '.join(BLOCKS)}")
            rows.append(analyse(BLOCKS[name], measure(BLOCKS[name], options.runs / name), options.out))
    except (InputError, OSError) as error:
        print(f"encoding_grid: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("encoding_grid: interrupted; the same command goes on", file=sys.stderr)
        return 130
    path = options.out / "shares.csv"
    stored = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=["block"])
    shares = pd.concat([stored[~stored["block"].isin([row["block"] for row in rows])], pd.DataFrame(rows)])
    shares.to_csv(path, index=False, lineterminator="\n", float_format="%.4g")
    print(shares.to_string(index=False, float_format="%.3g"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
