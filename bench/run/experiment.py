"""One experiment from plan to raw rows: the manifest, the puzzles with their difficulty, the measurements."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.folder import method
from bench.folder.live import Live
from bench.folder.method import Method
from bench.folder.store import ENCODINGS, MANIFEST, PUZZLES, Store, finished_rows, read_manifest
from bench.machine import description, disturbance
from bench.plan import plan, strategies
from bench.plan.plan import Plan, Settled, Spending
from bench.process import watch, worker_process
from bench.run import lane, pilot, reliability, sizes, spending
from bench.run.puzzle_table import PUZZLE_COLUMNS, puzzle_rows
from bench.run.runner import Runner, confinement
from bench.say.progress import Progress
from bench.worker import clocks
from datasets.difficulty.rating import ORDERS
from datasets.errors import InputError

SAME_PLAN = ("suite", "strategies", "collections", "task")  # of a manifest, for a run to be resumed


def conduct(planned: Plan, folder: Path, command: str, now: datetime, progress: Progress, resume: bool = False) -> bool:
    """Rate the puzzles and carry out the plan in a run folder; False if it was interrupted.

    Args:
        resume: go on with the run that is in the folder, if there is one.

    Raises:
        InputError: the folder cannot be used, or holds a run of another plan.
        OSError: the disk is full; what was measured until then can be read and resumed.
    """
    going_on = resume and (folder / MANIFEST).exists()
    store = Store.resume(folder) if going_on else Store.create(folder)
    try:
        manifest = resumed(planned, folder, now) if going_on else first_manifest(planned, command, now)
        if manifest["complete"]:
            return True
        if "settled" not in manifest:
            progress.begin("pilot")
            manifest["clock_cost_s"] = clocks.costs_s()
            settled = pilot.settle(planned, confinement(planned), manifest["clock_cost_s"])
            manifest["settled"] = dataclasses.asdict(settled)
            for line in spending.words(settled.spending):
                progress.say(line)
        planned = dataclasses.replace(planned, settled=settled_of(manifest))
        manifest |= {"planned_rows": planned.size, "planned_first_rows": planned.first_size}
        store.write_manifest(manifest)  # first of all: what has a manifest can be resumed
        if not (folder / PUZZLES).exists():
            progress.begin("rating puzzles", len(planned.subjects))
            store.write_table(PUZZLES, PUZZLE_COLUMNS, list(puzzle_rows(planned, progress)))
        if encodings := sizes.encodings_of(info.name for info in planned.strategies):
            store.write_table(ENCODINGS, sizes.COLUMNS, encoding_rows(planned, encodings))
        return measure(planned, store, manifest, progress)
    finally:
        store.close()


def is_complete(folder: Path) -> bool:
    """Is there a run in which every planned measurement has a row?"""
    return (folder / MANIFEST).exists() and bool(read_manifest(folder).get("complete"))


def measure(planned: Plan, store: Store, manifest: dict[str, Any], progress: Progress) -> bool:
    """Measure what has no row yet; False if it was interrupted."""
    rows = list(finished_rows(store.folder))
    began_s = max((row.started_s for row in rows), default=0.0)
    live = Live(planned.size, planned.first_size)
    for row in rows:
        live.add(row)
    runner = Runner(
        planned,
        manifest["clock_cost_s"],
        done=[row.key for row in rows],
        timed_out=[row.attempt for row in rows if row.status == "timeout"],
        first_worker=1 + max((row.worker or 0 for row in rows), default=0),
        started_s=began_s,
    )
    progress.begin_measuring(live)
    monitor = disturbance.Monitor(pinned=tuple(core for own in runner.cores for core in own or ()))
    monitor.start()
    finished = False
    try:
        with contextlib.closing(runner.rows()) as measured:  # however this ends, no worker is left
            for row in measured:
                store.append(row)
                progress.measured(row)
                for line in monitor.sample():
                    progress.warn(line)
        finished = True
    except KeyboardInterrupt:
        pass
    finally:
        disturbed, lines = monitor.finish()
        disturbed |= {"began_s": round(began_s, 3)}  # by the clock of the rows
        for line in lines[-1:]:
            (progress.warn if disturbed["warnings"] else progress.say)(line)
        manifest |= {
            "disturbance": [*manifest.get("disturbance", []), disturbed],
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "complete": finished,
            "rows_by_status": dict(live.statuses),
        }
        store.write_manifest(manifest)
    return finished


def settled_of(manifest: Mapping[str, Any]) -> Settled:
    settled = manifest["settled"]
    spending = Spending(**settled["spending"]) if settled.get("spending") else None
    return Settled(dict(settled["loops"]), tuple(settled["placebos"]), spending)


def resumed(planned: Plan, folder: Path, now: datetime) -> dict[str, Any]:
    """The manifest of the run to go on with.

    Raises:
        InputError: it was made for another plan.
    """
    manifest = read_manifest(folder)
    wanted = plan_facts(planned)
    for key in SAME_PLAN:
        if manifest.get(key) != wanted[key]:
            what = difference(manifest.get(key), wanted[key])
            raise InputError(f"{folder}: holds a run of another plan ({key}{what}); repeat its command, or start anew")
    manifest.setdefault("resumed", []).append(now.isoformat(timespec="seconds"))
    return manifest


def difference(old: Any, new: Any) -> str:
    """Where two settings differ, in words."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        return "".join(f", {key}: {old.get(key)!r} there, {new.get(key)!r} here" for key in keys[:1])
    return ""


def plan_facts(planned: Plan) -> dict[str, Any]:
    """What a run measures; a run with other facts is another run."""
    facts = {
        "suite": dataclasses.asdict(planned.suite),
        "task": str(planned.task),
        "strategies": [
            dataclasses.asdict(info)
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
    as_read: dict[str, Any] = as_json(facts)
    return as_read


def as_json(value: Any) -> Any:
    """The value as it comes back from a manifest (tuples become lists)."""
    return json.loads(json.dumps(value))


def first_manifest(planned: Plan, command: str, now: datetime) -> dict[str, Any]:
    """What is known before the first measurement."""
    packages = {d for info in planned.strategies for d in info.requires} | {"sudoku-bench", "numba", "numpy"}
    return {
        "format": 3,
        "command": command,
        **plan_facts(planned),
        method.KEY: dataclasses.asdict(method_of_this_version()),
        "references_by_sources": dict(Counter(str(s.reference.sources) for s in planned.subjects)),
        "started": now.isoformat(timespec="seconds"),
        "machine": description.facts(),
        "packages": description.versions(packages),
        "git": description.git_state(),
        "reliable": reliability.facts(planned.suite),
        "ended": None,
        "complete": False,
    }


def method_of_this_version() -> Method:
    """Return the constants of the method as they are now, for the manifest."""
    return Method(
        warm_up_forms=len(lane.WARM_UP_FORMS),
        placebo_puzzles=plan.PLACEBO_PUZZLES,
        clock_share=lane.CLOCK_SHARE,
        wall_factor=watch.WALL_FACTOR,
        wall_slack_s=watch.WALL_SLACK_S,
        prepare_limit_s=worker_process.PREPARE_LIMIT_S,
        transfer_limit_s=worker_process.TRANSFER_LIMIT_S,
        watch_interval_s=watch.TICK_S,
        guess_orders=ORDERS,
    )


def encoding_rows(planned: Plan, encodings: list[str]) -> Iterator[list[str]]:
    """The rows of ``encodings.csv``: boards of customary sizes, and those of the run."""
    shapes = {*sizes.SHAPES, *(subject.puzzle.shape for subject in planned.subjects)}
    for row in sizes.sizes(encodings, sorted(shapes, key=lambda shape: (shape.size, shape))):
        yield [str(row[column]) for column in sizes.COLUMNS]
