"""Simulate a run of ten million measurements, then time what is done with its rows, and how much memory that takes.

    python -m bench.studies.large_run [FOLDER] [--puzzles N] [--strategies N] [--repetitions N]

Times are drawn at random, and rows are written as the store writes them: parts in Parquet format, the last rows in
``measurements.csv``. Each step runs in a process of its own, so that its peak memory is its own: reading all rows for a
resumed run (and finding that nothing remains), the summary, and the pairs. Ends with exit code 1 if one of these needs
more than 4 GiB.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Iterator
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
from bench.worker.clocks import wall_s
from datasets.reading.reader import parse
from solvers.strategy import FIRST

ROWS_OF_A_PART = 500_000
PUZZLE = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
LIMIT_S, KIB_PER_MIB = 10.0, 1024
LIMIT_MIB = 4096


def plan_of(puzzles: int, strategies: int, repetitions: int) -> Plan:
    """Return the plan of the simulated run, its strategies and puzzles without content."""
    puzzle, only = parse(PUZZLE), Reference(1, None, 2)
    subjects = tuple(Subject("17-clue", f"p{number}", puzzle, only, 1) for number in range(puzzles))
    infos = tuple(StrategyInfo(f"test:{number:02d}", ("first",)) for number in range(strategies))
    return Plan(Suite(repetitions=repetitions), FIRST, infos, (), subjects, Calibration({"9x9": 1}, ()))


def write(folder: Path, plan: Plan) -> None:
    """Write the run: round by round, each puzzle by all strategies in succession."""
    names = [info.name for info in plan.strategies]
    rng = np.random.default_rng(1)
    speed = np.exp(rng.normal(-7, 1, len(names)))
    hardness = np.exp(rng.normal(0, 0.5, (len(plan.subjects), 1)))
    number, path = 0, folder / MEASUREMENTS
    for frame in frames(plan, names, speed * hardness, rng):
        number += len(frame)
        frame.to_csv(path, mode="a", index=False, header=not path.exists(), float_format="%.9g")
        if number >= ROWS_OF_A_PART:
            parts.archive(path)
            number = 0
    if not path.exists():
        path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    puzzles = {"collection": "17-clue", "puzzle": [subject.name for subject in plan.subjects], "grid": PUZZLE}
    pd.DataFrame(puzzles | {"guesses": 10.0, "solutions": 1}).to_csv(folder / PUZZLES, index=False)
    suite = {
        "name": "simulated",
        "task": "first",
        "mode": "warm",
        "timeout_s": LIMIT_S,
        "repetitions": plan.suite.repetitions,
        "launches": 1,
    }
    facts = {"suite": suite, "machine": {}, "planned_rows": plan.size, "started": "2026-01-01T00:00:00+00:00"}
    (folder / MANIFEST).write_text(json.dumps(seal.sealed(folder, facts)), encoding="utf-8")


def frames(plan: Plan, names: list[str], medians_s: Any, rng: np.random.Generator) -> Iterator[pd.DataFrame]:
    """Yield the rows of a thousand puzzles of a round at a time."""
    for repetition in range(1, plan.suite.repetitions + 1):
        for first in range(0, len(plan.subjects), 1000):
            medians = medians_s[first : first + 1000]
            seconds = (medians * np.exp(rng.normal(0, 0.1, medians.shape))).ravel()
            puzzles = np.repeat([subject.name for subject in plan.subjects[first : first + 1000]], len(names))
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


def summary(folder: Path, _plan: Plan) -> str:
    from bench.verdicts import run_tables

    return f"{len(run_tables.load(folder).summary)} strategies"


def pairs(folder: Path, _plan: Plan) -> str:
    from bench.verdicts import run_tables

    return f"{len(run_tables.load(folder).pairs)} pairs"


STEPS = (write, resume, summary, pairs)


def timed(place: int, folder: Path, plan: Plan) -> tuple[str, float]:
    """Execute a step in this process; return a line on its result, time and memory, and the peak memory in MiB."""
    start_s = wall_s()
    result = STEPS[place](folder, plan) or "written"
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak_mib = used.ru_maxrss / KIB_PER_MIB
    return (
        f"{STEPS[place].__name__}: {result}; {wall_s() - start_s:.0f} s ({used.ru_utime + used.ru_stime:.0f} s of CPU"
        f" time), peak {peak_mib:,.0f} MiB",
        peak_mib,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", nargs="?", type=Path, help="where to write the run (default: a temporary folder)")
    for name, number in (("puzzles", 50_000), ("strategies", 40), ("repetitions", 5)):
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args()
    plan = plan_of(options.puzzles, options.strategies, options.repetitions)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(exist_ok=True)
        peaks_mib = []
        for place in range(len(STEPS)):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                line, peak_mib = pool.apply(timed, (place, folder, plan))
            print(line, flush=True)
            peaks_mib.append(peak_mib)
    fits = max(peaks_mib) <= LIMIT_MIB
    print(f"{plan.size:,} rows, at most {max(peaks_mib):,.0f} MiB: {'within' if fits else 'beyond'} {LIMIT_MIB:,} MiB")
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
