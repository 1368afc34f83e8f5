"""Code of a stranger in a sandbox reaches neither files, nor the network, nor processes outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.worker import sandbox
from tests.bench.conftest import FOURS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux" or not sandbox.landlock_version(), reason="this system has no Landlock"),
]

ATTEMPTS = """
import json, os, socket, subprocess, sys, tempfile

def succeeds(what):
    try:
        what()
    except Exception as error:
        return False
    return True

def connect(host):
    with socket.socket() as here:
        here.settimeout(2)
        try:
            here.connect((host, int(os.environ["PORT"])))
        except ConnectionRefusedError:
            pass

def ask_name_server():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here:
        here.sendto(b"x", ("192.0.2.1", 53))

runner, secret = int(os.environ["RUNNER"]), os.environ["SECRET"]
forbidden = {
    "reads a file of the user": lambda: open(secret).read(),
    "lists the folder of the user": lambda: os.listdir(os.path.dirname(secret)),
    "reads it in a child": lambda: subprocess.run(["wc", secret], check=True, capture_output=True),
    "writes to it": lambda: open(secret, "a"),
    "removes it": lambda: os.remove(secret),
    "writes into the project": lambda: open(os.path.join(os.environ["PROJECT"], "new"), "w"),
    "connects": lambda: connect("127.0.0.1"),
    "sends a datagram": ask_name_server,
    "reads the memory map of the runner": lambda: open(f"/proc/{runner}/maps").read(1),
    "reads the environment of the runner": lambda: open(f"/proc/{runner}/environ", "rb").read(1),
    "opens what the runner has open": lambda: os.readlink(f"/proc/{runner}/fd/0"),
    "signals the runner": lambda: os.kill(runner, 0),
}
allowed = {
    "imports a module that was not yet imported": lambda: __import__("sqlite3"),
    "starts a program": lambda: subprocess.run(["true"], check=True),
    "writes a temporary file": lambda: tempfile.TemporaryFile().write(b"x"),
    "writes where it is": lambda: open("here", "w").write("x"),
    "writes to nowhere": lambda: open(os.devnull, "w").write("x"),
}
def tried():
    reached = [name for name, what in forbidden.items() if succeeds(what)]
    return reached, [name for name, what in allowed.items() if not succeeds(what)]
"""

ALONE = "from bench.worker import sandbox\nleft = sandbox.enter()\n"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A secret, a private folder, and a port that is closed."""
    (tmp_path / "private").mkdir()
    (tmp_path / "secret.txt").write_text("the answers", encoding="utf-8")
    own = {"SECRET": str(tmp_path / "secret.txt"), "RUNNER": str(os.getpid()), "PORT": "9"}
    return {**os.environ, **own, "PROJECT": str(Path(sandbox.__file__).parent)}


def test_nothing_outside_is_reached(environ, tmp_path: Path) -> None:
    program = ALONE + ATTEMPTS + "\nprint(json.dumps([*tried(), left]))"
    boxed = environ | sandbox.environ(str(tmp_path / "private"))
    done = subprocess.run([sys.executable, "-c", program], env=boxed, capture_output=True, text=True, check=False)
    reached, missing, left = json.loads(done.stdout)
    assert missing == []
    open_network = {"sends a datagram", "connects"} if left else set()
    unscoped = {"signals the runner"} if sandbox.landlock_version() < 6 else set()
    assert set(reached) <= open_network | unscoped
    assert (tmp_path / "secret.txt").read_text(encoding="utf-8") == "the answers"
    assert (tmp_path / "private" / "here").exists()


def test_without_a_sandbox_all_of_it_is_reached(environ, tmp_path: Path) -> None:
    """Guards the test above: the attempts are possible ones."""
    program = ATTEMPTS + 'del forbidden["removes it"]\nos.chdir(tempfile.mkdtemp())\nprint(json.dumps(tried()))'
    environ |= {"PROJECT": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=False)
    reached, missing = json.loads(done.stdout)
    assert missing == []
    assert {"reads a file of the user", "reads it in a child", "writes to it", "connects", "signals the runner"} <= set(
        reached
    )


def test_a_run_in_the_sandbox_measures_a_stranger(measure, plugin, puzzles, tmp_path, monkeypatch) -> None:
    """It cannot read the folder of the run, where the solutions are."""
    file = plugin(
        """
        READ = []
        for folder, _, files in os.walk(os.environ["RUNS"]):
            READ += files

        @register
        class Stranger(Backtracker):
            name = "test:stranger"

            def counters(self):
                return {"read": len(READ)}
        """
    )
    monkeypatch.setenv("RUNS", str(tmp_path))
    result = measure("-s", "test:*", "--plugin", file, "-d", puzzles(*FOURS), "--repetitions", 1, "--sandbox")
    assert result.code == 0, result.err
    assert set(result.rows["status"]) == {"solved"}, set(result.rows["reason"])
    assert set(result.rows["other_counters"]) == {"read=0"}
    assert json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))["suite"]["sandbox"] is True
