"""The section ``[cluster]`` of a suite: batch jobs of a cluster's queue that the measurements run in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from datasets.errors import InputError

CLASSES = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "sge": "SGECluster",
    "lsf": "LSFCluster",
    "htcondor": "HTCondorCluster",
}  # kind -> class of dask-jobqueue
OURS = ("cores", "processes", "nanny", "n_workers")  # settings of dask-jobqueue that follow from slots and jobs


@dataclass(frozen=True)
class BatchJobs:
    """Batch jobs to measure in.

    Attributes:
        kind: of queue, a key of ``CLASSES``.
        jobs: number of batch jobs.
        slots: simultaneous measurements in each job: at most one per physical core.
        settings: everything else, as dask-jobqueue names it (``queue``, ``account``, ``memory``, ``walltime``, ...).
    """

    kind: str
    jobs: int = 1
    slots: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Any) -> BatchJobs:
        """Make batch jobs from a table of settings.

        Raises:
            InputError: the table has no kind, or a setting cannot be what it is.
        """
        if not isinstance(table, Mapping):
            raise InputError("cluster must be a table; write [cluster] above its settings")
        kind = table.get("kind")
        if kind not in CLASSES:
            raise InputError(f"kind of the cluster must be one of {', '.join(CLASSES)}, not {kind!r}")
        for key in ("jobs", "slots"):
            number = table.get(key, 1)
            if type(number) is not int or number < 1:
                raise InputError(f"{key} of the cluster must be an integer from 1 on, not {number!r}")
        for key in OURS:
            if key in table:
                raise InputError(f"{key} of the cluster follows from jobs and slots; remove it")
        settings = {key: value for key, value in table.items() if key not in ("kind", "jobs", "slots")}
        return cls(kind, table.get("jobs", 1), table.get("slots", 1), settings)
