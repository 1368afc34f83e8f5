"""Orphans: processes that a dead worker leaves behind.

A worker adopts processes that its strategy detaches, but if it dies, or no longer adopts them, its descendants get
another parent. Inside ``adopted`` that parent is the runner, which finds them whatever their session and environment.
The runner may be somebody's notebook, with children of its own: these are left alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from sudoku_bench.bench.worker import confine, process_tree
from sudoku_bench.bench.worker.clocks import wall_s

_lock = threading.Lock()  # slots start and end workers at the same time
_users = 0  # of ``adopted``, in several threads
_started: set[int] | None = None  # children started by this process; None: orphans are not adopted
_filters: int | None = None  # of system calls, that this process has; None: workers have none of their own
_listed = -1  # file of the children of the main thread, to which the kernel gives orphans; open, as each row reads it


class Found(NamedTuple):
    """Orphans that were killed: how many may be those of a worker, and CPU seconds of those that certainly are."""

    number: int = 0
    cpu_s: float = 0.0


@contextlib.contextmanager
def adopted() -> Iterator[None]:
    """Adopt orphans as children of this process and kill them all at the end.

    Inside the context, start children with ``start`` only.
    """
    global _users, _started, _filters, _listed
    with _lock:
        _users += 1
        if _users == 1:
            _started = set(process_tree.children(os.getpid()))
            _filters = process_tree.filters(os.getpid()) if confine.can_spare_limits() else None
            with contextlib.suppress(OSError):
                _listed = os.open(f"{process_tree.PROC}/self/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)
            process_tree.adopt_orphans()
    try:
        yield
    finally:
        end()
        with _lock:
            _users -= 1
            if _users == 0:
                _started = None
                if _listed >= 0:
                    os.close(_listed)
                _listed = -1
                process_tree.adopt_orphans(False)


def start(command: list[str], **settings: Any) -> subprocess.Popen[bytes]:
    """Start a child that does not count as an orphan (``subprocess.Popen``)."""
    with _lock:
        process = subprocess.Popen(command, **settings)
        if _started is not None:
            _started.add(process.pid)
    return process


def forget(process: subprocess.Popen[bytes]) -> None:
    """Forget a child that has ended; its process id may be reused from now on."""
    with _lock:
        if _started is not None:
            _started.discard(process.pid)


def end(worker: int = 0, mark: str = "") -> Found:
    """Kill all adopted orphans, until none is left; return what was found.

    Args:
        worker, mark: the worker that has just answered. Orphans that carry the mark of another one are not its own.
    """
    number, used_s, seen = 0, 0.0, set[int]()
    with _lock:
        deadline = wall_s() + process_tree.PATIENCE_S
        while _started is not None and wall_s() < deadline:
            orphans = [pid for pid in _adopted() if pid not in _started and _is_foreign(pid)]
            if not orphans:
                break
            for pid in orphans:  # their children are adopted next
                if not seen and (carried := process_tree.mark_of(pid)) in ("", mark):
                    number += 1
                    used_s += process_tree.cpu_s(pid) if carried or _session_of(pid) == worker else 0.0
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if seen.issuperset(orphans):  # else at once, for a process that forks and ends again and again
                time.sleep(0.001)
            seen.update(orphans)
            process_tree.reap(orphans)
    return Found(number, used_s)


def _adopted() -> list[int]:
    """Return the children of the main thread, or of all threads where the kernel has no list of them."""
    if _listed < 0:
        return process_tree.children(os.getpid())
    return [int(pid) for pid in os.pread(_listed, 1 << 20, 0).split()]


def kill_tree(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill and reap a session leader and all its descendants, whatever their session.

    Descendants are killed first, while the process (stopped, so that it starts no more) is still their ancestor. If it
    is already dead, its descendants are found by the mark in their environment, by the session, or as adopted orphans.
    """
    with contextlib.suppress(OSError):
        process.send_signal(signal.SIGSTOP)
    process_tree.kill_descendants(process.pid)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    forget(process)
    process_tree.kill_run(mark, session=process.pid)
    end()


def _is_foreign(pid: int) -> bool:
    """Does the process descend from a worker? Each has a filter that nothing takes off (``confine.spare_limits``).

    Where there are no filters, any process of another session counts: each worker starts its own.
    """
    if _filters is None:
        return _session_of(pid) not in (None, os.getsid(0))
    return process_tree.filters(pid) > _filters


def _session_of(pid: int) -> int | None:
    fields = process_tree.stat_fields(pid)
    return int(fields[3]) if fields else None
