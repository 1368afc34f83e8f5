"""The software of the hosts of a cluster, which must be the same on all."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path

from sudoku_bench import bench, datasets, solvers
from sudoku_bench.bench.folder.seal import digest
from sudoku_bench.bench.machine import description
from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.datasets.errors import InputError

ENGINE = ("dask", "distributed")  # packages that pass messages between hosts
SHOWN = 12  # digits of a checksum


def software_of(plan: Plan) -> dict[str, str]:
    """Return what this host would measure with, as far as it matters to a plan.

    These are the versions of Python, of the packages that its strategies need and of Dask, and checksums of the
    project's own code and of the plug-ins, programs and other files that strategies consist of.
    """
    needed = {name for info in plan.strategies for name in info.requires} | {"numba", "numpy", *ENGINE}
    versions = {name: version or "not installed" for name, version in description.versions(needed).items()}
    files = {info.plugin: digest(Path(info.plugin)) for info in plan.strategies if info.plugin}
    for info in plan.strategies:
        files |= strategies.checksums(info)
    code = {"sudoku-bench": description.code_digest((bench, datasets, solvers))}
    checksums = {name: sha256[:SHOWN] or "missing" for name, sha256 in (code | files).items()}
    return {"Python": platform.python_version(), **versions, **checksums}


def require_same(ours: Mapping[str, str], theirs: Mapping[str, str], node: str) -> None:
    """Refuse a host with other software: its times would be those of something else.

    Raises:
        InputError: something differs.
    """
    for name, version in ours.items():
        if theirs.get(name, "missing") != version:
            raise InputError(
                f"{node}: {name} is {theirs.get(name, 'missing')} there and {version} here; install the same on all"
                " hosts, and put plug-ins into a folder that they share"
            )
