"""``--sandbox``: a process that runs code of strangers, in namespaces of its own that bubblewrap makes (``bwrap``).

It sees the system's programs and libraries, Python, the project and the strategy's own files, and can change none of
them; what it writes lies in memory and ends with it. Its environment is short; no network, process, socket, key or
shared memory of outside is there. It is the first process of its namespace: all that it starts are its descendants, and
end with it (pid_namespaces(7)).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from sudoku_bench.bench.worker import start
from sudoku_bench.datasets.errors import InputError

PROGRAM, PRIVATE, TRIAL_LIMIT_S = "bwrap", "/tmp", 60
OPTIONS = ("--unshare-all", "--unshare-user", "--as-pid-1", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/sys/devices/system")
OF_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "alternatives", "nsswitch.conf", "passwd", "group")
VARIABLES = ("PATH", "LANG", "LANGUAGE", "TZ")  # besides those of the locale, and those that affect times or answers
WRITABLE = 0o222
# What a process in it can still do; the manifest lists it.
STAYS_OPEN = (
    "facts about the machine and its load in /proc and /sys",
    "sockets between a virtual machine and its host (AF_VSOCK)",
    "memory for files in its private folder, unless a control group limits it",
)
OPEN_TO_ROOT = ("mode and times of devices such as /dev/null, because root runs it",)


def command(inner: Sequence[str], files: Iterable[str] = ()) -> list[str]:
    """Return the command that runs another one in the sandbox, in the folder of the same name as this process's.

    Args:
        files: of the strategy, which it may read.
    """
    paths = (path for name in (*_visible(), *files) for path in (str(Path(name).absolute()), str(Path(name).resolve())))
    bound = [word for path in dict.fromkeys(paths) for word in ("--ro-bind-try", path, path)]
    here = ["--dir", str(Path.cwd()), "--chdir", str(Path.cwd())]
    return [PROGRAM, *OPTIONS, "--dir", PRIVATE, "--proc", "/proc", "--dev", "/dev", *bound, *here, *inner]


@lru_cache(maxsize=1)
def _visible() -> tuple[str, ...]:
    """Return what Python and the project need, not the checkout, which holds results; and what is writable in /proc.

    The settings of the kernel are root's, who needs no capability to change them.
    """
    links = [(start.PACKAGE / name).resolve() for name in ("bench", "datasets", "solvers")]  # to folders of a checkout
    own, here = map(str, [start.PACKAGE, *links]), Path.cwd()
    hidden = {start.PACKAGE.parent}
    folders = [path for path in map(Path, filter(None, sys.path)) if not here.is_relative_to(path.resolve())]
    python = (sys.prefix, sys.base_prefix, *(str(path) for path in folders if path.resolve() not in hidden))
    entries = [entry for entry in Path("/proc").iterdir() if not (entry.name.isdecimal() or entry.is_symlink())]
    of_proc = [str(entry) for entry in entries if entry.is_dir() or entry.stat().st_mode & WRITABLE]
    return (*SYSTEM, *(f"/etc/{name}" for name in OF_ETC), *python, *own, *of_proc)


def environ(variables: Mapping[str, str]) -> dict[str, str]:
    """Return those environment variables that a process in the sandbox has, with its private folder."""
    from sudoku_bench.bench.machine import description  # it takes long to import

    kept = {
        name: value
        for name, value in variables.items()
        if name in VARIABLES or name.startswith("LC_") or description.ENVIRONMENT.fullmatch(name)
    }
    return kept | dict.fromkeys(("TMPDIR", "HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), PRIVATE) | {start.ALONE: "1"}


def stays_open() -> tuple[str, ...]:
    """Return what a sandbox of this user does not shut off."""
    return STAYS_OPEN if os.geteuid() else STAYS_OPEN + OPEN_TO_ROOT


@lru_cache(maxsize=1)
def obstacle() -> str:
    """Return why there can be no sandbox, found out by a trial; empty if there can."""
    if shutil.which(PROGRAM) is None:
        return "bubblewrap is not installed (Debian: apt install bubblewrap)"
    trial = command([sys.executable, "-c", ""])
    try:
        done = subprocess.run(trial, env=environ(os.environ), capture_output=True, timeout=TRIAL_LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap cannot be used: {error}"
    said = done.stderr.decode(errors="replace").splitlines()
    return f"bubblewrap makes no sandbox here: {' '.join(said[-1:])}" if done.returncode else ""


def require() -> None:
    """Refuse to go on without a sandbox.

    Raises:
        InputError: there can be none.
    """
    if fault := obstacle():
        raise InputError(f"--sandbox: {fault}; install or allow it, or run without --sandbox")
