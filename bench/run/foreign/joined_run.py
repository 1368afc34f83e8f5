"""The shards of a run, put together into one: each measured every N-th puzzle, with all strategies and repetitions."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.folder.store import ENCODINGS, PUZZLES, Store, check, read_manifest, whole_rows
from sudoku_bench.bench.folder.tables import check_encodings, records
from sudoku_bench.bench.plan.suite import of_record
from sudoku_bench.bench.say.places import kind
from sudoku_bench.datasets.errors import InputError

SAME = ("strategies", "collections", "task", "method", "packages", "code", "conflict_engine")  # of all shards
OF_MACHINE = ("python", "python_implementation", "python_build", "environment")
SHOWN = 60  # characters of a value in a message


@dataclass(frozen=True)
class Shard:
    """A part of a run: its folder, its manifest, and its number, from 1."""

    folder: Path
    manifest: Mapping[str, Any]
    number: int

    @property
    def suite(self) -> dict[str, Any]:
        """The settings, without the number of the shard."""
        settings: dict[str, Any] = self.manifest["suite"]
        return settings | {"shard": None}

    @property
    def started(self) -> datetime:
        return datetime.fromisoformat(self.manifest["started"])


def write(folders: Sequence[Path], out: Path, unlike_hosts: bool = False) -> dict[str, Any]:
    """Write the run that shards are parts of into a new folder; return its manifest.

    Args:
        unlike_hosts: hosts may be of different kinds; the report then says so.

    Raises:
        InputError: a folder is no shard or not complete, one is missing or given twice, they do not belong together, or
            the new folder is not empty.
    """
    Store.require_new(out)
    shards = sorted((read(folder) for folder in folders), key=lambda shard: shard.number)
    require_all(shards)
    for shard in shards[1:]:
        require_alike(shards[0], shard, unlike_hosts)
    manifest, counts = joined_manifest(shards), Counter[str]()
    with contextlib.closing(Store.create(out)) as store:
        for name in (PUZZLES, ENCODINGS):
            if (shards[0].folder / name).exists():
                columns, *lines = list(table(shards, name))
                store.write_table(name, columns, lines)
        for rows in rows_of(shards):
            store.append(rows)
            counts.update(row.status for row in rows)
        manifest |= {"planned_rows": counts.total(), "rows_by_status": dict(counts)}
        store.write_manifest(seal.sealed(out, manifest))
    return manifest


def read(folder: Path) -> Shard:
    """Return a complete shard.

    Raises:
        InputError: the folder is no run, no shard, not complete, or was edited.
    """
    manifest = read_manifest(folder)
    if not manifest["suite"].get("shard"):
        raise InputError(f"{folder}: is a whole run, not a shard; measure parts of a run with --shard I/N")
    if not manifest.get("complete"):
        raise InputError(f"{folder}: is not complete; repeat its command with --resume, then join")
    check(folder)
    if (folder / ENCODINGS).exists():
        check_encodings(folder / ENCODINGS)
    if changed := seal.edited(folder, manifest):
        raise InputError(f"{folder}: {changed[0]} is not as the run wrote it; restore it, or measure the shard again")
    number, _ = of_record({k: v for k, v in manifest["suite"].items() if v is not None}).part
    return Shard(folder, manifest, number)


def require_all(shards: Sequence[Shard]) -> None:
    """Require each shard once.

    Raises:
        InputError: one is missing or stands twice.
    """
    for one, other in pairwise(shards):
        if one.number == other.number:
            raise InputError(f"{other.folder}: is shard {other.manifest['suite']['shard']}, as {one.folder} is")
    total = max(of_record({"shard": shard.manifest["suite"]["shard"]}).part[1] for shard in shards)
    if missing := sorted(set(range(1, total + 1)) - {shard.number for shard in shards}):
        raise InputError(
            f"shard {missing[0]}/{total} is missing (of {len(missing)} that are not given); name the folders of all"
        )


def require_alike(first: Shard, other: Shard, unlike_hosts: bool) -> None:
    """Require that two shards are parts of one run.

    Raises:
        InputError: their plans, versions or machines differ.
    """
    one, two = first.manifest, other.manifest
    settings = [(f"suite.{key}", first.suite.get(key), other.suite.get(key)) for key in {**first.suite, **other.suite}]
    shards = one["suite"]["shard"].partition("/")[2], two["suite"]["shard"].partition("/")[2]
    software = [(key, one["machine"].get(key), two["machine"].get(key)) for key in OF_MACHINE]
    facts = [("number of shards", *shards), *settings, *((key, one.get(key), two.get(key)) for key in SAME), *software]
    if not unlike_hosts:
        facts.append(("machine", kind(one["machine"]), kind(two["machine"])))
    for name, value, value_2 in facts:
        if value != value_2:
            shown = " and ".join(str(each)[:SHOWN] for each in (value, value_2))
            mend = "join them with --unlike-hosts" if name == "machine" else "measure all with the same command"
            raise InputError(f"{first.folder} and {other.folder} are not of one run: {name} is {shown}; {mend}")


def table(shards: Sequence[Shard], name: str) -> Iterator[list[str]]:
    """Yield the columns and the rows of a table of all shards, puzzles in the order of the whole run."""
    tables = [[record for _, record in records(shard.folder / name)] for shard in shards]
    yield list(tables[0][0])
    seen = set[tuple[str, ...]]()
    for record in chain.from_iterable(zip_longest(*tables)):
        fields = tuple((record or {}).values())
        if fields and fields not in seen:  # sizes of encodings stand in every shard
            seen.add(fields)
            yield list(fields)


def rows_of(shards: Sequence[Shard]) -> Iterator[list[Row]]:
    """Yield the rows of each shard, with numbers of workers and seconds of the whole run."""
    before, start = 0, min(shard.started for shard in shards)
    for shard in shards:
        rows = [row for _, row in whole_rows(shard.folder, Row)]
        later_s = (shard.started - start).total_seconds()
        yield [
            replace(row, worker=row.worker and row.worker + before, started_s=round(row.started_s + later_s, 6))
            for row in rows
        ]
        before += max((row.worker or 0 for row in rows), default=0)


def joined_manifest(shards: Sequence[Shard]) -> dict[str, Any]:
    """Return the manifest of the whole run, without what follows from its rows."""
    manifests = [shard.manifest for shard in shards]
    calibrations = [manifest["calibration"] for manifest in manifests]
    start = min(shard.started for shard in shards)
    looks = [
        look | {"began_s": round(look.get("began_s", 0.0) + (shard.started - start).total_seconds(), 3)}
        for shard in shards
        for look in shard.manifest.get("disturbance", ())
    ]
    return {
        **manifests[0],
        "suite": shards[0].suite,
        "command": " && ".join(dict.fromkeys(manifest["command"] for manifest in manifests)),
        "started": start.isoformat(timespec="seconds"),
        "ended": max(manifest["ended"] for manifest in manifests),
        "resumed": sorted(moment for manifest in manifests for moment in manifest.get("resumed", ())),
        "calibration": {
            name: sorted({strategy for each in calibrations for strategy in each[name]})
            for name in ("placebos", "parallel")
        }
        | {"repetitions": None},
        "references_by_sources": dict(sum((Counter(m["references_by_sources"]) for m in manifests), Counter[str]())),
        "disturbance": looks,
        "hosts": hosts(shards),
        "complete": True,
    }


def hosts(shards: Sequence[Shard]) -> dict[str, Any]:
    """Return the machine of each host that measured."""
    found: dict[str, Any] = {}
    for shard in shards:
        name = next(whole_rows(shard.folder, Row))[1].host
        found.setdefault(name, {"machine": shard.manifest["machine"], "versions": shard.manifest["packages"]})
    return found
