"""What large things cost: a run of ten million measurements, and the data set."""

from __future__ import annotations

import json
import multiprocessing
import resource
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.folder import parts, seal
from bench.folder.live import Live
from bench.folder.rows import COLUMNS
from bench.folder.store import MANIFEST, MEASUREMENTS, PUZZLES, finished_rows
from bench.plan.plan import Calibration, Plan, Subject
from bench.plan.reference import Reference
from bench.plan.suite import Suite
from bench.process.strategy_info import StrategyInfo
from bench.run.past import Past
from bench.run.runner import remaining
from bench.studies.document import table
from bench.verdicts import run_tables
from bench.worker.clocks import own_cpu_s, wall_s
from datasets.errors import InputError
from datasets.making.dataset.__main__ import NINES, OTHERS
from datasets.making.dataset.build import chunks_of
from datasets.making.dataset.rows import chunk_rows
from datasets.reading.reader import parse
from solvers.strategy import FIRST

ROWS_OF_A_PART = 500_000
AT_ONCE = 1000  # puzzles whose rows are in memory at a time
PUZZLE = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
LIMIT_S = 10.0
LIMIT_MIB = 4096
FIRST_CHUNK = 1_000_000


def large_run(*, puzzles: int = 50_000, strategies: int = 40, repetitions: int = 5) -> bool:
    """Simulate a run of ten million measurements: time and memory of reading its rows, of its summary and its pairs.

    Times are drawn at random, and rows are written as the store writes them: parts in Parquet format, the last rows in
    ``measurements.csv``. Each step runs in a process of its own, so that its peak memory is its own. No step may need
    more than 4 GiB.
    """
    plan = plan_of(puzzles, strategies, repetitions)
    peaks_mib = []
    with tempfile.TemporaryDirectory() as folder:
        for step in STEPS:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                line, peak_mib = pool.apply(measured, (step, Path(folder), plan))
            print(line, flush=True)
            peaks_mib.append(peak_mib)
    fits = max(peaks_mib) <= LIMIT_MIB
    print(f"{plan.size:,} rows, at most {max(peaks_mib):,.0f} MiB: {'within' if fits else 'beyond'} {LIMIT_MIB:,} MiB")
    return fits


def plan_of(puzzles: int, strategies: int, repetitions: int) -> Plan:
    """Return the plan of the simulated run, its strategies and puzzles without content."""
    puzzle, only = parse(PUZZLE), Reference(1, None, 2)
    planned = tuple(Subject("17-clue", f"p{number}", puzzle, only, 1) for number in range(puzzles))
    infos = tuple(StrategyInfo(f"test:{number:02d}", ("first",)) for number in range(strategies))
    return Plan(Suite(repetitions=repetitions), FIRST, infos, (), planned, Calibration({"9x9": 1}, ()))


def measured(step: str, folder: Path, plan: Plan) -> tuple[str, float]:
    """Execute a step in this process; return a line on its result, time and memory, and the peak memory in MiB."""
    start_s = wall_s()
    result = STEPS[step](folder, plan)
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak_mib = used.ru_maxrss / 1024
    cpu_s = used.ru_utime + used.ru_stime
    return (
        f"{step}: {result}; {wall_s() - start_s:.0f} s ({cpu_s:.0f} s of CPU time), peak {peak_mib:,.0f} MiB",
        peak_mib,
    )


def write(folder: Path, plan: Plan) -> str:
    """Write the run: round by round, each puzzle by all strategies in succession."""
    number, path = 0, folder / MEASUREMENTS
    for frame in frames(plan):
        number += len(frame)
        frame.to_csv(path, mode="a", index=False, header=not path.exists(), float_format="%.9g")
        if number >= ROWS_OF_A_PART:
            parts.archive(path)
            number = 0
    if not path.exists():
        path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    puzzles = {"collection": "17-clue", "puzzle": [subject.name for subject in plan.subjects], "grid": PUZZLE}
    pd.DataFrame(puzzles | {"guesses": 10.0, "solutions": 1}).to_csv(folder / PUZZLES, index=False)
    settings = {"name": "simulated", "task": "first", "mode": "warm", "timeout_s": LIMIT_S, "launches": 1}
    suite = settings | {"repetitions": plan.suite.repetitions}
    facts = {"suite": suite, "machine": {}, "planned_rows": plan.size, "started": "2026-01-01T00:00:00+00:00"}
    (folder / MANIFEST).write_text(json.dumps(seal.sealed(folder, facts)), encoding="utf-8")
    return "written"


def frames(plan: Plan) -> Iterator[pd.DataFrame]:
    """Yield the rows of ``AT_ONCE`` puzzles of a round at a time."""
    names, rng = [info.name for info in plan.strategies], np.random.default_rng(1)
    speed = np.exp(rng.normal(-7, 1, len(names)))
    medians_s = speed * np.exp(rng.normal(0, 0.5, (len(plan.subjects), 1)))
    for repetition in range(1, plan.suite.repetitions + 1):
        for first in range(0, len(plan.subjects), AT_ONCE):
            medians = medians_s[first : first + AT_ONCE]
            seconds = (medians * np.exp(rng.normal(0, 0.1, medians.shape))).ravel()
            puzzles = np.repeat([subject.name for subject in plan.subjects[first : first + AT_ONCE]], len(names))
            places = np.arange(len(seconds)) + first * len(names)
            columns: dict[str, Any] = {
                **{"strategy": np.tile(names, len(medians)), "collection": "17-clue", "puzzle": puzzles},
                **{"isomorph": 1, "task": "first", "mode": "warm", "launch": 1, "repetition": repetition, "loops": 1},
                **{"status": "solved", "limit_s": LIMIT_S, "limit_clock": "cpu", "wall_s": seconds, "cpu_s": seconds},
                **{"prepare_cpu_s": 0.1, "search_cpu_s": seconds, "peak_rss_mib": 40.5, "solutions": 1},
                **{"round": repetition, "position": places + 1, "started_s": places * 1e-3, "host": "host-00000000"},
                **{"worker": repetition * len(names), "stream_position": places // len(names), "conflicts": 17},
            }
            yield pd.DataFrame(columns).reindex(columns=list(COLUMNS))


def resume(folder: Path, plan: Plan) -> str:
    past, live = Past(plan), Live(plan.rows_by_collection)
    for row in finished_rows(folder):
        past.add(row)
        live.add(row)
    return f"{live.rows:,} rows read, {sum(1 for _ in remaining(plan, past)):,} remain"


STEPS: dict[str, Callable[[Path, Plan], str]] = {
    "write": write,
    "resume": resume,
    "summary": lambda folder, _: f"{len(run_tables.load(folder).summary)} strategies",
    "pairs": lambda folder, _: f"{len(run_tables.load(folder).pairs)} pairs",
}


def dataset_cost(*, nines: int = NINES, others: int = OTHERS, chunks: int = 5) -> None:
    """Measure what the data set costs: --chunks of each recipe, extrapolated to its numbers of puzzles.

    The chunks are beyond those of the data set, so their costs are those of a sample; the first chunk of each recipe,
    which compiles what it needs, does not count. Neither does the process that counts conflicts beyond the first 300 of
    a form, which few puzzles up to 12×12 need.
    """
    if chunks < 1:
        raise InputError(f"--chunks is {chunks}; at least one chunk is needed")
    rows = []
    for recipe, needed in chunks_of(nines, others).items():
        chunk_rows(recipe.name, FIRST_CHUNK)
        begin_s = own_cpu_s()
        made = sum(len(chunk_rows(recipe.name, FIRST_CHUNK + 1 + number)) for number in range(min(chunks, needed)))
        cpu_s = (own_cpu_s() - begin_s) / made
        rows.append({"recipe": f"`{recipe.name}`", "puzzles": needed * recipe.chunk, "cpu_s": cpu_s, "made": made})
    costs = pd.DataFrame(rows)
    costs["core-hours"] = costs["puzzles"] * costs["cpu_s"] / 3600
    costs["ms"] = [f"{1000 * cpu_s:.3g}" for cpu_s in costs["cpu_s"]]
    total = costs[["puzzles", "core-hours", "made"]].sum().to_dict() | {"recipe": "all", "ms": ""}
    cells = [
        [row["recipe"], f"{row['puzzles']:.0f}", row["ms"], f"{row['core-hours']:.2f}", f"{row['made']:.0f}"]
        for row in [*costs.to_dict("records"), total]
    ]
    print(table(["recipe", "puzzles", "CPU ms per puzzle", "core-hours", "made to measure it"], cells, numbers=True))
