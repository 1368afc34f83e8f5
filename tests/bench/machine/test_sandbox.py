"""Code of a stranger in a sandbox changes nothing outside, reaches nothing there, and is measured like any other."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sudoku_bench.bench.machine import sandbox
from sudoku_bench.bench.plan.strategies import exact
from sudoku_bench.bench.process import memory_group
from sudoku_bench.bench.process.watch import WorkerDied
from sudoku_bench.bench.process.worker_process import Confinement, Worker
from tests.bench.conftest import FOURS
from tests.bench.run.test_runner_faults import Faults, check, strategies

boxed = pytest.mark.skipif(bool(sandbox.obstacle()), reason=sandbox.obstacle())

ATTEMPTS = """
import contextlib, ctypes, json, os, resource, socket, subprocess, sys, tempfile
from sudoku_bench import solvers

folder, word, runner, port = given["folder"], given["word"], given["runner"], given["port"]
secret, libc = os.path.join(folder, "secret.txt"), ctypes.CDLL(None)
add_key, keyctl = {"aarch64": (217, 219)}.get(os.uname().machine, (248, 250))

def connect(kind, address):
    with socket.socket(kind) as here:
        here.settimeout(2)
        here.connect(address)

def find_file():
    places = [folder, os.getcwd(), os.path.expanduser("~"), tempfile.gettempdir(), "/var/tmp", "/dev/shm", "/run"]
    files = [os.path.join(place, word) for place in places]
    found = any(map(os.path.exists, files))
    for file in files:
        with contextlib.suppress(OSError):
            open(file, "w").write("the answers")
    assert found

def find_key():
    session = ctypes.c_int(-3)
    if libc.syscall(keyctl, 10, session, b"user", word.encode(), 0) == -1:
        libc.syscall(add_key, b"user", word.encode(), b"x", ctypes.c_size_t(1), session)
        raise KeyError

def find_shared_memory():
    if libc.shmget(given["key"], 4096, 0) == -1:
        libc.shmget(given["key"], 4096, 0o1600)
        raise KeyError

forbidden = {
    "reads-a-file": lambda: open(secret).read(),
    "reads-in-a-child": lambda: subprocess.run(["wc", secret], check=True, capture_output=True),
    "lists-a-folder": lambda: os.listdir(folder).index("secret.txt"),
    "writes": lambda: open(secret, "r+"),
    "changes-modes": lambda: os.chmod(__file__, 0o644),
    "changes-times": lambda: os.utime(__file__),
    "changes-attributes": lambda: os.setxattr(__file__, "user.x", b"x"),
    "changes-the-project": lambda: os.chmod(solvers.__file__, os.stat(solvers.__file__).st_mode & 0o777),
    "changes-the-kernel": lambda: open("/proc/sys/kernel/core_pattern", "r+b", 0).close(),
    "finds-a-file-of-an-earlier-process": find_file,
    "finds-a-key-of-an-earlier-process": find_key,
    "finds-memory-of-an-earlier-process": find_shared_memory,
    "connects": lambda: connect(socket.AF_INET, ("127.0.0.1", port)),
    "has-a-route": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 9)),
    "connects-to-a-file": lambda: connect(socket.AF_UNIX, os.path.join(folder, "socket")),
    "connects-to-a-name": lambda: connect(socket.AF_UNIX, chr(0) + word),
    "reads-a-variable": lambda: os.environ["SECRET"],
    "reads-variables-of-the-runner": lambda: open(f"/proc/{runner}/environ", "rb").read(1),
    "reads-the-command-line-of-the-runner": lambda: open(f"/proc/{runner}/cmdline", "rb").read(1),
    "signals-the-runner": lambda: os.kill(runner, 0),
    "reads-limits-of-the-runner": lambda: resource.prlimit(runner, resource.RLIMIT_NOFILE),
}
allowed = {
    "imports-a-module": lambda: __import__("sqlite3"),
    "imports-a-package": lambda: __import__("numpy"),
    "starts-a-program": lambda: subprocess.run(["true"], check=True),
    "writes-a-temporary-file": lambda: tempfile.TemporaryFile().write(b"x"),
    "writes-to-nowhere": lambda: open(os.devnull, "w").write("x"),
    "reads-the-load": lambda: open("/proc/loadavg").read(),
}
perhaps = {
    "has-sockets-to-the-host": lambda: socket.socket(socket.AF_VSOCK).close(),
    "changes-a-device": lambda: os.chmod("/dev/full", 0o666),
}

def reached():
    names = []
    for name, what in (forbidden | allowed | perhaps).items():
        with contextlib.suppress(Exception):
            what()
            names.append(name)
    return names
"""

STRANGER = """
    REACHED = reached()

    @register
    class Stranger(Backtracker):
        name = "test:stranger"

        def counters(self):
            return dict.fromkeys(REACHED, 1)
"""


@pytest.fixture
def attempts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What a stranger tries, on files, sockets, keys and processes that are there."""
    (tmp_path / "secret.txt").write_text("the answers", encoding="utf-8")
    monkeypatch.setenv("SECRET", "token")
    word, key = f"word-{secrets.token_hex(8)}", secrets.randbelow(2**30) + 1
    libc = ctypes.CDLL(None)
    libc.syscall(219 if os.uname().machine == "aarch64" else 250, 1, None)  # a key ring of a session, as after a login
    unix = socket.AF_UNIX
    kinds = ((socket.AF_INET, ("127.0.0.1", 0)), (unix, str(tmp_path / "socket")), (unix, f"\0{word}"))
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(socket.socket(kind)) for kind, _ in kinds]
        for server, (_, address) in zip(servers, kinds, strict=True):
            server.bind(address)
            server.listen()
        given = {"folder": str(tmp_path), "word": word, "key": key, "runner": os.getpid()}
        yield f"given = {given | {'port': servers[0].getsockname()[1]}}\n" + ATTEMPTS
    for place in (Path.cwd(), Path.home(), "/tmp", "/var/tmp", "/dev/shm", "/run"):
        Path(place, word).unlink(missing_ok=True)
    libc.shmctl(libc.shmget(key, 4096, 0), 0, None)


@boxed
def test_nothing_outside_is_reached_or_changed(
    attempts: str, measure, plugin, puzzles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each process tries, also the one that only lists the strategies; the plug-in's path is relative."""
    monkeypatch.chdir(tmp_path)
    file = plugin(attempts + STRANGER.replace("\n    ", "\n"))
    result = measure("-s", "test:*", "--plugin", file.name, "-d", puzzles(*FOURS[:2]), "--repetitions", 3, "--sandbox")
    assert result.code == 0, result.err
    assert set(result.rows["status"]) == {"solved"}, set(result.rows["reason"])
    assert result.rows["worker"].nunique() > 1
    again = f"\n__file__ = {str(file)!r}\nreached()\nprint(json.dumps([*forbidden, 0, *reached()]))"
    plain = subprocess.run([sys.executable, "-c", attempts + again], capture_output=True, text=True, check=True)
    names = json.loads(plain.stdout)
    forbidden, outside = names[: names.index(0)], names[names.index(0) + 1 :]
    rare = {"changes-attributes", "has-a-route"}  # file systems and machines without them
    mine = set() if os.geteuid() == 0 else {"changes-the-kernel"}
    assert set(forbidden) - set(outside) <= rare | mine, "it is no feat to forbid what cannot be done"
    expected = [name for name in outside if name not in forbidden]
    assert ("changes-a-device" in expected) == (os.geteuid() == 0)
    [counters] = set(result.rows["other_counters"])
    assert counters == "; ".join(f"{name}=1" for name in expected)
    found = json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))["reliable"]["best_effort"]
    assert {f"the sandbox does not shut off {what}" for what in sandbox.stays_open()} <= set(found)


LEFT = "processes left running and killed"
FILLS = "with open(os.environ['TMPDIR'] + '/x', 'wb') as file:\n    [file.write(bytes(1 << 20)) for _ in range(300)]"
MISBEHAVIOUR: Faults = {
    "spins": ("spin()", "timeout", "1 s of CPU time"),
    "sleeps": ("time.sleep(600)", "timeout", "1 s of wall time"),
    "allocates": ("filled(10**6)", "memout", ""),
    "exits": ("os._exit(3)", "error", "exited with code 3"),
    "crashes": ("ctypes.string_at(0)", "error", "ended by SIGSEGV"),
    "leaves": ("child(own_session=True, twice=True)", "solved", LEFT),
    "forks": ("child(lambda: burn(0.2))\nos.wait()", "solved", ""),
    "fills": (FILLS, "memout" if memory_group.parent() else "solved", ""),
    "behaves": ("pass", "solved", ""),
}


@boxed
def test_limits_and_accounts_hold_through_it(measure, plugin, puzzles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_TRACE", "trace")  # a sandbox keeps variables of the locale
    source = strategies(MISBEHAVIOUR).replace('os.environ["TRACE"]', 'os.environ["LC_TRACE"]')
    asked = ("-s", "test:*", "--plugin", plugin(source), "-d", puzzles(*FOURS[:2]), "--repetitions", 1)
    rows = check(measure(*asked, "--timeout", 1, "--memory", 250, "--sandbox"), MISBEHAVIOUR).set_index("strategy")
    assert rows["cpu_s"]["test:forks"] > 0.19
    assert 5 < rows["peak_rss_mib"]["test:behaves"] < 100


@boxed
def test_a_cold_solve_and_a_program_of_the_folder_work(
    measure, puzzles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)  # look it up again
    (tmp_path / "echo.sh").write_text("#!/bin/sh\necho 1234341221434321 | tee copy\n", encoding="ascii")
    (tmp_path / "echo.sh").chmod(0o755)
    asked = ("-s", "backtracking:plain", "-s", "command:echo", "--command", "echo=./echo.sh {puzzle}")
    asked += ("-d", puzzles("1...3.....4....1"), "--isomorphs", "off", "--repetitions", 1)
    result = measure(*asked, "--mode", "cold", "--sandbox")
    assert result.code == 0, result.err
    assert list(result.rows["status"]) == ["solved"] * 2, set(result.rows["reason"])
    assert (result.rows["cpu_s"] > 0.01).all()
    assert not (tmp_path / "copy").exists()
    assert not list((tmp_path / "tmp").iterdir())


def test_without_bubblewrap_one_line_says_what_to_install(
    command: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "obstacle", sandbox.obstacle.__wrapped__)
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, errors = command("run", "-s", "backtracking:plain", "-d", "size4", "--sandbox", "--out", tmp_path / "run")
    assert (code, errors.count("\n"), "apt install bubblewrap" in errors) == (2, 1, True), errors
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho no namespaces >&2\nexit 1\n", encoding="ascii")
    (tmp_path / "bwrap").chmod(0o755)
    code, _, errors = command("run", "-s", "backtracking:plain", "-d", "size4", "--sandbox", "--out", tmp_path / "run")
    assert (code, errors.count("\n"), "here: no namespaces; " in errors) == (2, 1, True), errors
    with pytest.raises(WorkerDied, match="could not be started: bubblewrap made no sandbox"):
        Worker(exact("backtracking:plain"), 0, Confinement(sandbox=True))
