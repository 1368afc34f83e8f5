"""A sandbox for code of strangers: ``--sandbox``. A worker shuts itself in before it imports a strategy.

It can read what Python, the project and the strategy's own files need, write only into a private temporary folder, and
reaches neither the network nor processes outside. Landlock (landlock(7)) rules the file system, TCP and signals; a
network namespace of its own, where one can be made, rules everything else of the network. Both last until the process
ends and hold for all processes that it starts.

Started with the argument FOLDER (``bench.worker.start``), this module tries it and prints what holds, as JSON.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.worker import packages

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls, the same on all architectures
VERSION_FLAG, PATH_BENEATH = 1, 1
NO_NEW_PRIVS, CAPABILITIES_VERSION = 38, 0x20080522
NEW_USER, NEW_NET = 0x10000000, 0x40000000
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REFER, TRUNCATE, IOCTL = (1 << bit for bit in (0, 1, 2, 3, 13, 14, 15))
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL  # rights that a file can have
READ = EXECUTE | READ_FILE | READ_DIR
RIGHTS = {1: 1 << 13, 2: 1 << 14, 3: 1 << 15, 5: 1 << 16}  # of the file system: one more than the highest, by version
BIND_AND_CONNECT, SOCKETS_AND_SIGNALS = 3, 3  # from versions 4 and 6 on

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/proc", "/sys", "/dev")
OF_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "alternatives", "nsswitch.conf", "passwd", "group")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
FOLDER = "SUDOKU_BENCH_SANDBOX"  # environment variable: the private folder of a process that is to shut itself in


class SandboxError(Exception):
    """The system cannot shut a process in."""


def environ(folder: str) -> dict[str, str]:
    """Return the environment variables of a process that is to shut itself in.

    Args:
        folder: its private temporary folder.
    """
    return dict.fromkeys((FOLDER, "TMPDIR", "HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), folder)


def enter(files: Iterable[str] = ()) -> list[str]:
    """Shut this process in, with the folder that its environment names; return what is not shut off.

    Args:
        files: of the strategy, which it may read.

    Raises:
        SandboxError: the system has no Landlock.
    """
    folder = os.environ[FOLDER]
    has_network = not leave_network()
    version = landlock_version()
    if not version:
        raise SandboxError("this kernel has no Landlock, or does not allow it")
    drop_capabilities()
    restrict(version, [*readable(), *files], folder)
    os.chdir(folder)
    if not has_network:
        return []
    return ["the network"] if version < 4 else ["the network, except for TCP"]


def leave_network() -> bool:
    """Move into a network namespace without any device; False if that is not possible."""
    libc, uid, gid = ctypes.CDLL(None, use_errno=True), os.getuid(), os.getgid()
    if libc.unshare(NEW_NET) == 0:
        return True
    if libc.unshare(NEW_USER | NEW_NET) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with contextlib.suppress(OSError):  # the identity is then unknown inside, which does no harm
            fd = os.open(f"/proc/self/{name}", os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(fd, text.encode())
            finally:
                os.close(fd)
    return True


def drop_capabilities() -> None:
    """Give up what root may do beyond its own files, such as reading the memory of any process (capset(2)).

    Raises:
        SandboxError: the system refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset(struct.pack("=Ii", CAPABILITIES_VERSION, 0), bytes(24)):
        raise SandboxError(f"capabilities: {os.strerror(ctypes.get_errno())}")


def landlock_version() -> int:
    """Return the version of Landlock; 0 if the system has none."""
    version = ctypes.CDLL(None, use_errno=True).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG)
    return max(0, int(version))


def readable() -> list[str]:
    """Return the folders and files that Python and the project need; not the checkout, which holds results."""
    etc, own = [f"/etc/{name}" for name in OF_ETC], list(packages.locations().values())
    checkouts = {str(Path(folder).parent) for folder in own}
    paths = [path for path in sys.path if path and str(Path(path).resolve()) not in checkouts]
    return [*SYSTEM, *etc, sys.prefix, sys.base_prefix, *own, *paths]


def restrict(version: int, read: Iterable[str], write: str) -> None:
    """Allow this process to read some paths and to write to one folder, and nothing else (landlock(7)).

    Raises:
        SandboxError: the system refuses.
    """
    rights = RIGHTS[max(known for known in RIGHTS if known <= version)] - 1
    rules = dict.fromkeys(read, READ) | dict.fromkeys(DEVICES, READ | WRITE_FILE) | {write: rights}
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = struct.pack("=Q", rights)
    attributes += struct.pack("=Q", BIND_AND_CONNECT) if version >= 4 else b""
    attributes += struct.pack("=Q", SOCKETS_AND_SIGNALS) if version >= 6 else b""
    ruleset = libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if ruleset < 0:
        raise SandboxError(f"Landlock: {os.strerror(ctypes.get_errno())}")
    try:
        for path, allowed in rules.items():
            _allow(libc, ruleset, path, allowed & rights)
        if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) or libc.syscall(RESTRICT_SELF, ruleset, 0):
            raise SandboxError(f"Landlock: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, allowed: int) -> None:
    """Add a rule for a path and everything below it; a path that does not exist needs none."""
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        attributes = struct.pack("=Qi", allowed if Path(path).is_dir() else allowed & OF_FILES, fd)
        if libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, attributes, 0):
            raise SandboxError(f"Landlock: {path}: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(fd)


def main(folder: str) -> None:
    os.environ[FOLDER] = folder
    try:
        answer: dict[str, object] = {"open": enter()}
    except SandboxError as error:
        answer = {"error": str(error)}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1])
