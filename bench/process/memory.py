"""The memory of a process tree: resident pages, and files in memory that its processes hold open.

A file made by memfd_create(2), or in a tmpfs such as ``/dev/shm``, takes memory even where no process has mapped it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from sudoku_bench.bench.worker import process_tree

MIB = 1 << 20
BLOCK_BYTES = 512  # of ``st_blocks``
IN_MEMORY = ("tmpfs", "ramfs")  # kinds of file systems
MEMORY_FILES = ("/memfd:", "/dev/shm/")
REMOVED = " (deleted)"  # at the end of the name of a file without one

File = tuple[int, int]  # device and inode


def tree_mib(pids: Iterable[int], limit_mib: int | None) -> float:
    """Return the memory of several processes in MiB.

    A sum of what each has resident and of the files that they hold is quick, but counts shared pages several times. It
    is returned if it is within the limit, or if there is none; else each page is counted once.
    """
    tree = list(pids)
    resident_mib = sum(map(process_tree.resident_mib, tree))
    if not limit_mib:
        return resident_mib
    files = held_files(tree)
    files_mib = sum(files.values()) / MIB
    if resident_mib + files_mib <= limit_mib or (len(tree) == 1 and not files):
        return resident_mib + files_mib
    return sum(proportional_mib(pid, files) for pid in tree) + files_mib


def held_files(pids: Iterable[int]) -> dict[File, int]:
    """Return the bytes of the files in memory that processes hold open: those that they made, as far as names tell."""
    held = {}
    for pid in pids:
        with contextlib.suppress(OSError), os.scandir(f"{process_tree.PROC}/{pid}/fd") as entries:
            for entry in entries:
                with contextlib.suppress(OSError):  # closed meanwhile
                    if is_in_memory(str(Path(entry.path).readlink())):
                        about = entry.stat()
                        held[about.st_dev, about.st_ino] = about.st_blocks * BLOCK_BYTES
    return held


def is_in_memory(target: str) -> bool:
    """Is this what a descriptor of a file in memory links to?"""
    return target.startswith(MEMORY_FILES) or (target.endswith(REMOVED) and target.startswith(memory_folders()))


@lru_cache(maxsize=1)
def memory_folders() -> tuple[str, ...]:
    """Return the folders of the file systems in memory, each with a slash at its end."""
    try:
        lines = Path(f"{process_tree.PROC}/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    mounts = [line.split(" ") for line in lines]
    return tuple(f"{folder.rstrip('/')}/" for _, folder, kind, *_ in mounts if kind in IN_MEMORY)


def proportional_mib(pid: int, apart: Iterable[File] = ()) -> float:
    """Return the proportional set size (PSS) of a process in MiB: each page divided by the number of its sharers.

    Args:
        apart: files that are counted elsewhere.
    """
    try:
        lines = Path(f"{process_tree.PROC}/{pid}/smaps").read_bytes().splitlines()
    except OSError:
        return process_tree.resident_mib(pid)
    return sum(kib for file, kib in mappings(lines) if file not in set(apart)) / 1024


def mappings(lines: Sequence[bytes]) -> Iterator[tuple[File, int]]:
    """Yield the file and the proportional size in KiB of each mapping in the lines of ``/proc/PID/smaps``."""
    file: File = (0, 0)
    for line in lines:
        name, *fields = line.split(None, 5)
        if name == b"Pss:":
            yield file, int(fields[0])
        elif b"-" in name and not name.endswith(b":"):  # addresses, permissions, offset, device, inode, path
            major, _, minor = fields[2].partition(b":")
            file = os.makedev(int(major, 16), int(minor, 16)), int(fields[3])
