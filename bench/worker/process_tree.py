"""Process trees on Linux: find descendants, read their CPU time and memory, kill them.

Workers use this module too, so it imports only the standard library.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterable

PROC = "/proc"
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
PAGE_MIB = os.sysconf("SC_PAGE_SIZE") / 2**20
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
MARK = "SUDOKU_BENCH_RUN"  # environment variable that a run's processes inherit
PATIENCE_S = 5.0  # for killed processes to be gone


def parents() -> dict[int, int]:
    """Return the parent of every visible process, zombies included."""
    parent_of = {}
    for pid in pids():
        fields = stat_fields(pid)
        if fields:
            parent_of[pid] = int(fields[1])
    return parent_of


def pids() -> list[int]:
    """Return every visible process."""
    try:
        with os.scandir(PROC) as entries:
            return [int(entry.name) for entry in entries if entry.name.isdigit()]
    except OSError:
        return []


def contents(pid: int, name: str, size: int) -> bytes:
    """Return the beginning of a file of ``/proc/PID``; empty if it cannot be read."""
    try:
        fd = os.open(f"{PROC}/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, size)
    except OSError:
        return b""
    finally:
        os.close(fd)


def descendants(pid: int) -> list[int]:
    """Return all descendants of a process, nearest first."""
    if is_childless(pid):
        return []
    children: dict[int, list[int]] = {}
    for child, parent in parents().items():
        children.setdefault(parent, []).append(child)
    tree = list(children.get(pid, ()))
    for member in tree:  # grows during the iteration
        tree += children.get(member, ())
    return tree


def is_childless(pid: int) -> bool:
    """Does the kernel list no child of any thread of a process? False if it does not tell (CONFIG_PROC_CHILDREN).

    This takes microseconds for each thread of the process. A scan of ``/proc`` takes ten for each process of the
    machine: dozens of slots that scan at each look at a solve need more CPU time than a core has.
    """
    try:
        with os.scandir(f"{PROC}/{pid}/task") as threads:
            return not any(_has_content(f"{thread.path}/children") for thread in threads)
    except OSError:  # also if a thread ended meanwhile, since another one has its children then
        return False


def _has_content(path: str) -> bool:
    return bool(_read(path, 1))


def _read(path: str, size: int) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(fd, size)
    finally:
        os.close(fd)


def children(pid: int) -> list[int]:
    """Return the child processes, zombies included."""
    listed = _listed_children(pid)
    return [child for child, parent in parents().items() if parent == pid] if listed is None else listed


def _listed_children(pid: int) -> list[int] | None:
    """Return the children that the kernel lists; None if it lists none, or if a thread ended meanwhile."""
    try:
        with os.scandir(f"{PROC}/{pid}/task") as threads:
            return [int(child) for thread in threads for child in _read(f"{thread.path}/children", 1 << 20).split()]
    except OSError:
        return None


def _offspring(pid: int) -> list[int]:
    """Return descendants at once: a scan takes longer than a process that forks and ends again and again lives."""
    tree = _listed_children(pid)
    if tree is None:
        return descendants(pid)
    for member in tree:  # grows during the iteration
        tree += _listed_children(member) or ()
    return tree


def stat_fields(pid: int) -> list[bytes] | None:
    """Return the fields of ``/proc/PID/stat`` from the state on (field 3 in proc(5)); None if it is gone."""
    return contents(pid, "stat", 2048).rpartition(b") ")[2].split() or None


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and the children that it has waited for; 0 if it is gone.

    The time of a living process is exact; the time of its children, and of a zombie, is counted in ticks (10 ms).
    """
    fields = stat_fields(pid)
    if not fields:
        return 0.0
    waited_for_s = (int(fields[13]) + int(fields[14])) * TICK_S
    return (own_cpu_s(pid) or (int(fields[11]) + int(fields[12])) * TICK_S) + waited_for_s


def own_cpu_s(pid: int) -> float:
    """Return the CPU seconds of a living process without its children; 0 if it is dead or the clock cannot be read."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the kernel's number for the clock of that process
    except (OSError, OverflowError):
        return 0.0


def has_exact_cpu_clock() -> bool:
    """Can the CPU clock of another process be read exactly on this system?"""
    try:
        time.clock_gettime((~os.getpid() << 3) | 2)
    except (OSError, ValueError, AttributeError):
        return False
    return True


def resident_mib(pid: int) -> float:
    """Return the resident memory of a process in MiB, shared pages included; 0 if it is gone."""
    fields = stat_fields(pid)
    return int(fields[21]) * PAGE_MIB if fields else 0.0


def is_zombie(pid: int) -> bool:
    """Has the process ended?"""
    fields = stat_fields(pid)
    return not fields or fields[0] in (b"Z", b"X")


def adopt_orphans(on: bool = True) -> bool:
    """Make this process the parent of descendants that lose their parent; True if the system supports it.

    No process that a solver leaves behind then escapes its worker (prctl(2), PR_SET_CHILD_SUBREAPER).
    """
    return _prctl(PR_SET_CHILD_SUBREAPER, int(on)) == 0


def die_with_parent(by: int = signal.SIGKILL) -> None:
    """Receive a signal when the parent process ends, however it ends."""
    _prctl(PR_SET_PDEATHSIG, by)


def _prctl(option: int, value: int) -> int:
    return int(ctypes.CDLL(None).prctl(option, value, 0, 0, 0))


def kill_descendants(pid: int) -> None:
    """Kill all descendants of a process, repeatedly until none is alive.

    They are stopped before they are killed, so that none can fork in between.
    """
    _kill_all(lambda: [member for member in _offspring(pid) if not is_zombie(member)], signal.SIGSTOP, signal.SIGKILL)


def _kill_all(alive: Callable[[], list[int]], *signals: int) -> None:
    """Send signals to processes until none is left, or patience ends."""
    deadline = time.monotonic() + PATIENCE_S
    while (pids := alive()) and time.monotonic() < deadline:
        for signal_number in signals:
            for pid in pids:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal_number)
        time.sleep(0.001)


def reap(pids: Iterable[int]) -> None:
    """Reap adopted processes that have ended, so that no zombie remains."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.waitpid(pid, os.WNOHANG)


def of_run(mark: str, session: int = 0) -> list[int]:
    """Return the other processes whose environment carries a mark with this prefix, or that belong to the session."""
    matches = []
    for pid in parents():
        fields = stat_fields(pid)
        if pid == os.getpid() or not fields or fields[0] in (b"Z", b"X"):
            continue
        if session and int(fields[3]) == session:
            matches.append(pid)
            continue
        if mark_of(pid).startswith(mark):
            matches.append(pid)
    return matches


def filters(pid: int) -> int:
    """Return how many filters of system calls a process has, which its descendants inherit (seccomp(2))."""
    after = contents(pid, "status", 1 << 14).partition(b"\nSeccomp_filters:")[2]
    return int(after.split(None, 1)[0]) if after else 0


def mark_of(pid: int) -> str:
    """Return the mark in the environment of a process; empty if it has none, or has ended."""
    after = (b"\0" + contents(pid, "environ", 1 << 20)).partition(f"\0{MARK}=".encode())[2]
    return after.partition(b"\0")[0].decode(errors="replace")


def kill_run(mark: str, session: int = 0) -> None:
    """Kill the processes that carry the mark or belong to the session until none is left."""
    _kill_all(lambda: of_run(mark, session), signal.SIGKILL)
