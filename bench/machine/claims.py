"""Claims: names that only one process of a machine can hold at a time, such as a core to measure on.

A claim is a socket bound in the abstract namespace of Linux: it needs no file and no permission, and the kernel frees
it when its process ends, however it ends. Containers with a network namespace of their own do not see each other's.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path

from sudoku_bench.bench.machine.pinning import Pin, one_per_physical, pin_choices
from sudoku_bench.bench.machine.system import ROOT, siblings, written_cores
from sudoku_bench.datasets.errors import InputError

PREFIX = "\0sudoku-bench/"


def claim(name: str) -> socket.socket | None:
    """Claim a name until the result is closed; None if another process, or another claim of this one, holds it."""
    held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        held.bind(PREFIX + name)
    except OSError:
        held.close()
        return None
    return held


@dataclass(frozen=True)
class ClaimedCore:
    """A physical core that no other claim measures on until ``held`` is closed; ``core`` is the one to pin to."""

    core: int
    held: socket.socket


def claim_core(pin: Pin, root: Path = ROOT, usable: tuple[int, ...] | None = None) -> ClaimedCore | None:
    """Claim a physical core with all its logical cores, so that the siblings stay idle; None without pinning.

    Raises:
        InputError: measurements run on all physical cores that may be used.
    """
    if not pin.on:
        return None
    allowed = [core for core in pin_choices(root, usable) if not pin.cores or core in pin.cores]
    cores = one_per_physical(allowed, root)
    for core in cores:
        held = claim(f"core-{min(siblings(root, core) or (core,))}")
        if held:
            return ClaimedCore(core, held)
    raise InputError(
        f"every physical core that may be used here ({written_cores(tuple(cores))}) has a measurement already; start"
        " no more workers than physical cores, or use --pin off where measurements need not be alone on a core"
    )
