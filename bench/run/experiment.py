"""An experiment from plan to raw rows: the manifest, the tables beside the measurements, the measurements."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Container, Generator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.folder import disturbances, method, seal
from sudoku_bench.bench.folder.live import Pace
from sudoku_bench.bench.folder.method import Method
from sudoku_bench.bench.folder.rows import Brief, Row
from sudoku_bench.bench.folder.store import (
    ENCODINGS,
    MANIFEST,
    MEASUREMENTS,
    PUZZLES,
    Store,
    read_manifest,
    whole_rows,
)
from sudoku_bench.bench.folder.tables import puzzles_in
from sudoku_bench.bench.machine import description, disturbance
from sudoku_bench.bench.plan import plan, strategies
from sudoku_bench.bench.plan.declared import printable
from sudoku_bench.bench.plan.plan import Calibration, Plan
from sudoku_bench.bench.process import watch, worker_process
from sudoku_bench.bench.run import probe, reliability
from sudoku_bench.bench.run.cluster.connection import Cluster
from sudoku_bench.bench.run.finished import Finished
from sudoku_bench.bench.run.runner import Runner
from sudoku_bench.bench.run.side_tables import ENCODING_COLUMNS, PUZZLE_COLUMNS, encoding_rows, puzzle_rows
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.worker import clocks, stopwatch
from sudoku_bench.datasets.difficulty.conflicts import unused_engine
from sudoku_bench.datasets.difficulty.rating import EXPLAINER_WORK_IN_RUNS, FORMS, ORDERS, SOURCES
from sudoku_bench.datasets.errors import InputError

Warn = Callable[[str], None]


@dataclass
class LocalEngine:
    """Measures on this machine.

    Args:
        warn: prints a line, even in quiet mode; info: prints a line.
    """

    plan: Plan
    finished: Finished
    warn: Warn
    info: Warn
    _record: dict[str, Any] = field(default_factory=dict)

    def blocks(self) -> Generator[list[Row], None, None]:
        """Yield the finished rows, one at a time. Closing the generator leaves no process behind.

        Raises:
            InputError: the suite asks for unavailable cores.
        """
        runner, began_s = Runner(self.plan, self.finished), self.finished.elapsed_s
        pinned = tuple(core for slot_cores in runner.cores for core in slot_cores or ())
        monitor = disturbance.Monitor(pinned=pinned)
        monitor.start()
        try:
            for row in runner.rows():
                yield [row]
                for line in monitor.sample():
                    self.warn(line)
        finally:
            facts, lines = monitor.finish()
            if not disturbances.words({"disturbance": [facts]}):  # else the report says it
                (self.warn if facts["warnings"] else self.info)(lines[-1])
            # On the same clock as started_s of the rows.
            self._record["disturbance"] = [facts | {"began_s": round(began_s, 3)}]

    def record(self) -> dict[str, Any]:
        """Return what the manifest says about this part of the run, once the rows have ended."""
        return self._record


if TYPE_CHECKING:
    from sudoku_bench.bench.run.cluster.dask_engine import DaskEngine

SAME_PLAN = ("suite", "strategies", "collections", "task")  # parts of a manifest that must agree to resume a run


def conduct(
    planned: Plan,
    folder: Path,
    command: str,
    now: datetime,
    progress: Progress,
    resume: bool = False,
    cluster: Cluster | None = None,
    measured: Container[str] = SOURCES,
    ends_s: float = math.inf,
) -> bool:
    """Rate the puzzles and execute the plan in a run folder; return False if it was interrupted.

    Args:
        resume: continue the run in the folder, if there is one.
        cluster: where to measure (None: on this machine).
        measured: names of measures of difficulty.
        ends_s: when to stop measuring, on the monotonic clock.

    Raises:
        InputError: the folder cannot be used, or holds a run of another plan.
        OSError: the disk is full; earlier measurements can be read and resumed.
    """
    continues = resume and (folder / MANIFEST).exists()
    with contextlib.closing(Store.resume(folder) if continues else Store.create(folder)) as store:
        manifest = resumed_manifest(planned, folder, now) if continues else first_manifest(planned, command, now)
        if continues and is_complete(folder) and not planned.suite.until:
            return True
        if "calibration" not in manifest:
            manifest |= calibrated(planned, progress)
        planned = with_calibration(planned, manifest, folder)
        manifest["planned_rows"] = planned.size
        store.write_manifest(manifest)  # written first: a run with a manifest can be resumed
        if (folder / PUZZLES).exists():
            require_puzzles(planned, folder / PUZZLES)
        else:
            progress.begin("rating puzzles", len(planned.puzzles))
            rated = puzzle_rows(planned.puzzles, manifest["conflict_engine"], progress, measured)
            store.write_table(PUZZLES, PUZZLE_COLUMNS, rated)
        if sizes := list(encoding_rows(planned)):
            store.write_table(ENCODINGS, ENCODING_COLUMNS, sizes)
        complete = measure(planned, store, manifest, progress, cluster, ends_s)
        while complete and (repetitions := further_repetitions(planned, folder)):
            progress.info(f"half-width above {planned.suite.until}: {repetitions} repetitions of everything")
            manifest["calibration"]["repetitions"] = repetitions
            planned = with_calibration(planned, manifest, folder)
            manifest |= {"planned_rows": planned.size, "complete": False}
            store.write_manifest(manifest)
            complete = measure(planned, store, manifest, progress, cluster, ends_s)
        return complete


def further_repetitions(planned: Plan, folder: Path) -> int:
    """Return how many repetitions ``--until`` asks for, after those that are complete; 0: no more.

    The number follows from the spread of all pairs, and is the same for all strategies and puzzles. It at most doubles,
    so that a large spread by chance does not make a run long. Collections whose puzzles differ so much that
    ``MOST_REPETITIONS`` would not be enough do not count.
    """
    if planned.suite.target is None:
        return 0
    from sudoku_bench.bench.verdicts.pairs.precision import repetitions_for
    from sudoku_bench.bench.verdicts.run_data import RunData
    from sudoku_bench.bench.verdicts.run_files import read

    number, most = planned.rounds, planned.calibration and planned.calibration.most
    of_collections = repetitions_for(read(folder, RunData), math.log1p(planned.suite.target))
    needed = max((each for each in of_collections if each <= probe.MOST_REPETITIONS), default=0)
    further = int(min(needed, 2 * number, most or probe.MOST_REPETITIONS))
    return further if further > number else 0


def require_puzzles(planned: Plan, path: Path) -> None:
    """Refuse an edited table of puzzles of a run that goes on: at its end it would count as the run's own."""
    rated = puzzles_in(path)
    for puzzle in planned.puzzles:
        if (puzzle.collection, puzzle.name) not in rated:
            raise InputError(f"{path}: lacks {puzzle.name} of {puzzle.collection}; restore its row, or remove the file")


def calibrated(planned: Plan, progress: Progress) -> dict[str, Any]:
    """Return what the probe finds, and the cost of the clocks, for the manifest; nothing new of a calibrated plan."""
    progress.begin("probe")
    calibration = planned.calibration or probe.calibration(planned)
    of = f"{calibration.puzzles} puzzles of each collection" if calibration.puzzles else "everything"
    if planned.suite.until:
        most = calibration.repetitions
        first = min(planned.suite.repetitions, most or planned.suite.repetitions)
        calibration = dataclasses.replace(calibration, repetitions=first, most=most)
    elif calibration.repetitions:
        progress.info(f"budget: {counted(calibration.repetitions, 'repetition')} of {of}")
        if few := dataclasses.replace(planned, calibration=calibration).few_repetitions:
            progress.warn(f"note: {few}")
    return {"clock_cost_s": clocks.costs_s(), "calibration": dataclasses.asdict(calibration)}


def is_complete(folder: Path) -> bool:
    """Does the folder hold a run with a row for every planned measurement, all as the run wrote them?"""
    if not (folder / MANIFEST).exists():
        return False
    manifest = read_manifest(folder)
    if not manifest.get("complete") or not (folder / PUZZLES).exists() or seal.edited(folder, manifest):
        return False
    return bool(sum(1 for _ in whole_rows(folder, Brief)) == manifest["planned_rows"])


def measure(
    planned: Plan,
    store: Store,
    manifest: dict[str, Any],
    progress: Progress,
    cluster: Cluster | None = None,
    ends_s: float = math.inf,
) -> bool:
    """Execute the remaining measurements; return False if interrupted, or stopped at its end."""
    pace = Pace()
    finished, statuses = finished_of(planned, store, pace)
    engine = engine_for(planned, finished, progress, cluster)
    progress.begin("measuring", planned.size, statuses.total(), pace)
    complete = False
    try:
        with contextlib.closing(engine.blocks()) as blocks:  # leaves no worker behind, however it ends
            for rows in blocks:
                store.append(rows)
                for row in rows:
                    statuses[row.status] += 1
                    pace.add(row.started_s, planned.size, row.place)
                    progress.advance()
                if clocks.wall_s() > ends_s:
                    break
            else:
                complete = True
    except KeyboardInterrupt:
        pass
    finally:
        progress.end()
        record = engine.record()
        manifest |= {
            **{key: merged_facts(manifest.get(key), facts) for key, facts in record.items()},
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "complete": complete,
            "rows_by_status": dict(statuses),
            "code": code_of(manifest),
            "set_aside": as_json(finished.timeouts.set_aside),
        }
        store.write_manifest(seal.sealed(store.folder, manifest))
        if len(manifest["code"]) > 1:
            progress.warn("note: sudoku-bench itself was changed during this run: some rows are of its earlier code")
    return complete


def code_of(manifest: Mapping[str, Any]) -> list[str]:
    """Return digests of the code that a run has used until now: several if it was changed meanwhile."""
    return list(dict.fromkeys([*manifest.get("code", []), description.own_code()]))


def finished_of(planned: Plan, store: Store, pace: Pace) -> tuple[Finished, Counter[str]]:
    """Return what the rows of a run mean for the rest of it, and how many have each status; the pace takes them, too.

    Raises:
        InputError: a row cannot be read, or is of no measurement of the plan.
    """
    finished, statuses = Finished(planned), Counter[str]()
    for line, row in whole_rows(store.folder, Brief):
        try:
            finished.add(row)
        except ValueError as error:
            place = f"{store.folder / MEASUREMENTS}:{line}"
            raise InputError(f"{place}: {error}; correct or remove that row") from None
        pace.add(row.started_s, planned.size, row.place)
        statuses[row.status] += 1
    return finished, statuses


def engine_for(
    planned: Plan, finished: Finished, progress: Progress, cluster: Cluster | None
) -> LocalEngine | DaskEngine:
    """Return the engine that measures.

    Raises:
        InputError: the suite asks for unavailable cores.
    """
    if cluster is None:
        return LocalEngine(planned, finished, progress.warn, progress.info)
    from sudoku_bench.bench.run.cluster.dask_engine import DaskEngine  # its packages are optional

    return DaskEngine(planned, finished, cluster, progress.warn)


def merged_facts(before: Any, facts: Any) -> Any:
    """Return the facts of all parts of a run: lists are joined, tables updated."""
    if before is None:
        return facts
    return [*before, *facts] if isinstance(facts, list) else before | facts


def with_calibration(planned: Plan, manifest: Mapping[str, Any], folder: Path) -> Plan:
    """Return the plan with what the probe found, as a run records it.

    Raises:
        InputError: it is not that of this plan.
    """
    calibration = Calibration.of(manifest["calibration"])
    if not {info.name for info in planned.strategies}.issuperset(calibration.placebos):
        raise InputError(f"{folder / MANIFEST}: calibration is not that of this plan; restore it as the run wrote it")
    return dataclasses.replace(planned, calibration=calibration).fewer(calibration.puzzles)


def resumed_manifest(planned: Plan, folder: Path, now: datetime) -> dict[str, Any]:
    """Return the manifest of the run to continue.

    Raises:
        InputError: the run has another plan.
    """
    manifest = read_manifest(folder)
    facts = plan_facts(planned)
    for key in SAME_PLAN:
        if manifest.get(key) != facts[key]:
            detail = difference(manifest.get(key), facts[key])
            raise InputError(
                f"{folder}: holds a run of another plan ({key}{detail}); repeat all its arguments, or start a new run"
            )
    manifest = seal.opened(folder, manifest)
    resumed = [*manifest.get("resumed", []), now.isoformat(timespec="seconds")]
    return manifest | {"resumed": resumed, "code": code_of(manifest)}


def difference(old: Any, new: Any) -> str:
    """Describe the first difference between two settings."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        return "".join(f", {key}: {old.get(key)!r} in the run, {new.get(key)!r} now" for key in keys[:1])
    return ""


def plan_facts(planned: Plan) -> dict[str, Any]:
    """Return what a run measures; two runs with different facts are different runs."""
    facts = {
        "suite": dataclasses.asdict(planned.suite),
        "task": str(planned.task),
        "strategies": [
            {key: value for key, value in dataclasses.asdict(info).items() if key != "description"}
            | {
                "plugin": info.plugin and Path(info.plugin).name,
                "plugin_sha256": info.plugin and hashlib.sha256(Path(info.plugin).read_bytes()).hexdigest(),
                "files_sha256": strategies.checksums(info),
            }
            for info in planned.strategies
        ],
        "collections": [
            {
                "name": c.name,
                "origin": c.origin,
                "licence": c.licence,
                "puzzles": len(c.items),
                "sha256": c.sha256,
                "skipped": [str(skipped) for skipped in c.skipped],
            }
            for c in planned.collections
        ],
    }
    from_json: dict[str, Any] = as_json(facts)
    return from_json


def as_json(value: Any) -> Any:
    """Return the value as read back from a manifest (tuples become lists)."""
    return printable(json.loads(json.dumps(value)))


def first_manifest(planned: Plan, command: str, now: datetime) -> dict[str, Any]:
    """Return the manifest as known before the first measurement."""
    packages = {d for info in planned.strategies for d in info.requires} | {"sudoku-bench", "numba", "numpy"}
    return {
        "format": 3,
        "command": command,
        **plan_facts(planned),
        method.KEY: dataclasses.asdict(method_of_this_version()),
        "conflict_engine": unused_engine(info.name for info in planned.strategies),
        "references_by_sources": dict(Counter(str(s.reference.sources) for s in planned.puzzles)),
        "started": now.isoformat(timespec="seconds"),
        "machine": description.facts(),
        "packages": description.versions(packages),
        "git": description.git_state(),
        "code": code_of({}),
        "reliable": reliability.facts(planned.suite),
        "ended": None,
        "complete": False,
    }


def method_of_this_version() -> Method:
    """Return the constants of the method as they are now, for the manifest."""
    return Method(
        lead_in_s=stopwatch.LEAD_IN_S,
        placebo_puzzles=plan.PLACEBO_PUZZLES,
        wall_factor=watch.WALL_FACTOR,
        wall_slack_s=watch.WALL_SLACK_S,
        prepare_limit_s=worker_process.PREPARE_LIMIT_S,
        watch_interval_s=watch.TICK_S,
        guess_orders=ORDERS,
        difficulty_forms=FORMS,
        explainer_work=EXPLAINER_WORK_IN_RUNS,
        idle_share=watch.IDLE_SHARE,
    )
