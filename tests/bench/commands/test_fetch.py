"""``fetch`` stores complete and correct downloads; any failure is a one-line message and leaves no file."""

from __future__ import annotations

import hashlib
import http.server
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.datasets.collections import catalogue, fetch
from tests.bench.conftest import FOURS

TEXT = "\n".join(FOURS).encode() + b"\n"
GRIDS = hashlib.sha256("\n".join(FOURS).encode()).hexdigest()
OTHER = "\n".join(FOURS[1:]).encode() + b"\n"
KNOWN = {"sha256": GRIDS, "number": len(FOURS)}

Command = Callable[..., tuple[int, str, str]]


@dataclass
class Server:
    """A server on this machine that gives ``body`` in the way that a test asks for."""

    address: str = ""
    body: bytes = TEXT
    manner: str = "well"
    requests: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.requests.append(self.path)
            if state.manner == "not found":
                self.send_error(404)
                return
            if state.manner == "stalled":
                state.released.wait(10)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(state.body)))
            self.end_headers()
            self.wfile.write(state.body[: len(state.body) // 2] if state.manner == "interrupted" else state.body)

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.handle_error = lambda *_: None  # of requests that are dropped on purpose
        state.address = f"http://127.0.0.1:{running.server_address[1]}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield state
        running.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of fetched files, which does not exist yet."""
    folder = tmp_path / "cache" / "sudoku-bench"
    monkeypatch.setenv("SUDOKU_BENCH_DATA", str(folder))
    monkeypatch.setenv("NO_PROXY", "*")
    return folder


@pytest.fixture
def entry(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put a collection ``fours`` into the catalogue."""

    def write(name: str = "fours", **facts: Any) -> None:
        defaults = {"title": "4×4", "origin": "a test", "licence": "none", "file": "fours.txt", "known": "made here"}
        entries = catalogue.entries() | {name: defaults | {"url": f"{server.address}/fours.txt"} | facts}
        monkeypatch.setattr(catalogue, "entries", lambda: entries)

    return write


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def refused(result: tuple[int, str, str], *parts: str) -> str:
    """Return the one-line message of a failed command."""
    code, _, err = result
    assert code == 2
    (line,) = err.splitlines()
    assert line.startswith("sudoku-bench: ")
    for part in parts:
        assert part in line
    return line


def test_a_collection_is_fetched_and_then_found_by_its_name(command: Command, entry: Any, cache: Path) -> None:
    entry(sha256=GRIDS, number=len(FOURS), sha256_file=hashlib.sha256(TEXT).hexdigest())
    code, out, err = command("fetch", "fours")
    assert (code, err) == (0, "")
    assert f"downloaded to {cache / 'fours.txt'}" in out
    assert "the file's checksum equals that of the catalogue; the 5 puzzles equal those of the catalogue" in out
    assert (cache / "fours.txt").read_bytes() == TEXT
    collection = catalogue.load("fours")
    assert [item.puzzle.text for item in collection.items] == list(FOURS)
    assert (collection.name, collection.title, collection.sha256) == ("fours", "4×4", GRIDS)
    code, out, _ = command("run", "-s", "seed:norvig", "-d", "fours", "--dry-run")
    assert code == 0
    assert "collection: fours, 5 puzzles" in out


def test_a_present_collection_is_downloaded_again_only_with_again(command: Command, entry: Any, server: Server) -> None:
    entry(**KNOWN)
    command("fetch", "fours")
    code, out, _ = command("fetch", "fours")
    assert (code, len(server.requests)) == (0, 1)
    assert "already present" in out
    assert command("fetch", "fours", "--again")[0] == 0
    assert len(server.requests) == 2


FAULTS = {  # how the server behaves, what it sends, what the catalogue knows, and parts of the message
    "not found": (TEXT, {}, ("the server answers 404",)),
    "interrupted": (TEXT, {}, ("the download was interrupted; run it again",)),
    "stalled": (TEXT, {}, ("cannot be reached",)),
    "another file": (TEXT, {"sha256_file": "0" * 64}, (hashlib.sha256(TEXT).hexdigest(), "0" * 64, "was not stored")),
    "other puzzles": (OTHER, KNOWN, ("its 4 puzzles differ from those of fours in the catalogue", "was not stored")),
    "no puzzles": (b"<html>\nSign in first</html>\n", KNOWN, ("fours.txt: line 1: ", "was not stored")),
}


@pytest.mark.parametrize("manner", FAULTS)
def test_a_download_that_fails_leaves_nothing_and_can_be_tried_again(
    command: Command, entry: Any, server: Server, cache: Path, monkeypatch, manner: str
) -> None:
    server.body, facts, messages = FAULTS[manner]
    server.manner = manner
    entry(**facts)
    with monkeypatch.context() as impatient:
        if manner == "stalled":
            impatient.setattr(fetch, "TIMEOUT_S", 0.2)
        refused(command("fetch", "fours"), f"{server.address}/fours.txt: ", *messages)
    server.released.set()
    assert files(cache) == []
    server.manner, server.body = "well", TEXT
    entry()
    assert command("fetch", "fours")[0] == 0
    assert files(cache) == ["fours.txt"]


@pytest.mark.parametrize(("name", "hint"), [("norvig-top59", "did you mean norvig-top95?"), ("qq", "list datasets")])
def test_an_unknown_collection_is_one_line_before_any_download(
    command: Command, entry: Any, server: Server, name: str, hint: str
) -> None:
    entry()
    refused(command("fetch", "fours", name), f"{name}: is not in the catalogue", hint)
    assert server.requests == []
