"""Orphans: what a dead worker leaves behind.

A worker adopts what its strategy detaches from itself, but if it dies, its descendants get another parent. While
``adopted`` lasts that is the runner, which therefore finds them whatever their session and their environment are.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any

from bench.worker import process_tree
from bench.worker.clocks import wall_s

_lock = threading.Lock()  # lanes start and end workers at the same time
_ours: set[int] | None = None  # children that are no orphans; None: orphans are not ours


@contextlib.contextmanager
def adopted() -> Iterator[None]:
    """Orphans become children of this process, and none of them is left at the end.

    Meanwhile children are to be started with ``start`` only.
    """
    global _ours
    with _lock:
        _ours = set(process_tree.children(os.getpid()))
        process_tree.adopt_orphans()
    try:
        yield
    finally:
        end()
        with _lock:
            _ours = None
            process_tree.adopt_orphans(False)


def start(command: list[str], **settings: Any) -> subprocess.Popen[bytes]:
    """Start a child that is no orphan (``subprocess.Popen``)."""
    with _lock:
        process = subprocess.Popen(command, **settings)
        if _ours is not None:
            _ours.add(process.pid)
    return process


def forget(process: subprocess.Popen[bytes]) -> None:
    """A child has ended; its number may be that of another process from now on."""
    with _lock:
        if _ours is not None:
            _ours.discard(process.pid)


def end() -> None:
    """Kill all orphans that were adopted, until none is left."""
    with _lock:
        deadline = wall_s() + process_tree.PATIENCE_S
        while _ours is not None and wall_s() < deadline:
            orphans = [pid for pid in process_tree.children(os.getpid()) if pid not in _ours and _is_foreign(pid)]
            if not orphans:
                break
            for pid in orphans:  # their children are next: they become ours
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
            process_tree.reap(orphans)


def _is_foreign(pid: int) -> bool:
    """Is it of another session than ours? Workers begin sessions of their own, so all that they start is."""
    fields = process_tree.stat_fields(pid)
    return fields is not None and int(fields[3]) != os.getsid(0)
