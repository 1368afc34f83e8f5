"""The hosts of a cluster: what a run records about each, and the software that must be the same on all."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bench
import datasets
import solvers
from bench.folder.seal import digest
from bench.machine import description
from bench.plan import strategies
from bench.plan.plan import Plan
from datasets.errors import InputError

ENGINE = ("dask", "distributed")  # packages that pass messages between hosts


@dataclass(frozen=True)
class Software:
    """The software that a host would measure with.

    Attributes:
        versions: of Python, of the packages that the strategies of the run need, and of Dask, by name.
        code_sha256: of the project's own code.
        files: SHA-256 of plug-ins, programs and other files that strategies consist of, by path or name; empty for one
            that cannot be read.
    """

    versions: Mapping[str, str | None]
    code_sha256: str
    files: Mapping[str, str]

    @classmethod
    def of(cls, plan: Plan) -> Software:
        """Return the software of this host, as far as it matters to a plan."""
        needed = {name for info in plan.strategies for name in info.requires} | {"numba", "numpy", *ENGINE}
        files: dict[str, str] = {}
        for info in plan.strategies:
            if info.plugin:
                files[info.plugin] = digest(Path(info.plugin))
            files |= strategies.checksums(info)
        return cls({"Python": platform.python_version(), **description.versions(needed)}, code_sha256(), files)

    def require_same(self, there: Software, node: str) -> None:
        """Refuse a host with other software: its times would be those of something else.

        Raises:
            InputError: something differs.
        """
        for name, version in self.versions.items():
            if there.versions.get(name) != version:
                other = there.versions.get(name) or "not installed"
                raise InputError(
                    f"{node}: {name} is {other} there and {version or 'not installed'} here; install the same versions"
                    " on all hosts"
                )
        if there.code_sha256 != self.code_sha256:
            raise InputError(f"{node}: has another version of sudoku-bench; install the same one on all hosts")
        for name, sha256 in self.files.items():
            if there.files.get(name) != sha256:
                fault = "differs from the one here" if there.files.get(name) else "cannot be read there"
                raise InputError(f"{node}: {name} {fault}; put it into a folder that all hosts share")


@cache
def code_sha256() -> str:
    """Return a hash of the project's own code."""
    return description.code_hash((bench, datasets, solvers), ())
