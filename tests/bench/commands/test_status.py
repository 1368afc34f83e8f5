"""``sudoku-bench status``: a run that is beginning, goes on, was interrupted, is complete."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.figures import catalogue
from sudoku_bench.bench.folder import state
from sudoku_bench.bench.folder.store import Store
from sudoku_bench.bench.verdicts import run_tables
from tests.bench.conftest import FOURS
from tests.bench.say.test_output import PROGRAM, SLOW

pytestmark = pytest.mark.thorough


def until(condition: Callable[[], Any]) -> Any:
    """Return the result of ``condition`` once it is true."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(0.3)
    raise AssertionError("waited for a minute")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_run_from_its_beginning_to_its_end(
    command, plugin, puzzles, tmp_path: Path, trace, monkeypatch: pytest.MonkeyPatch, stop: signal.Signals
) -> None:
    monkeypatch.setattr(catalogue, "FIGURES", ())
    folder = tmp_path / "a run"
    settings = ["-s", "test:slow", "-d", puzzles(*FOURS), "--plugin", plugin(SLOW)]
    settings += ["--repetitions", 1, "--out", folder, "--json", "--quiet"]
    arguments = [*PROGRAM, "run", *map(str, settings)]
    # Where the tests run in the background of a script, Ctrl-C is ignored, and what they start would ignore it too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        signal.signal(signal.SIGINT, before)

        def running() -> Any:
            code, out, _ = command("status", folder, "--json")
            document = json.loads(out) if code == 0 else {}
            return document if document.get("rows", 0) >= 2 else None

        document = until(running)
        assert (document["state"], document["complete"], document["resume"]) == ("running", False, None)
        assert document["planned_rows"] > document["rows"] == sum(document["rows_by_status"].values())
        assert document["left_s"] is None or document["left_s"] > 0  # unknown at first
        assert {standing["strategy"] for standing in document["strategies"]} <= {"test:slow"}
        code, out, err = command("status", folder)
        assert (code, err) == (0, "")
        assert f"{folder}: running, suite command-line" in out
        assert "resume with" not in out
        process.send_signal(stop)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")
    stopped = json.loads(out)  # one document also of a run that was interrupted
    assert (stopped["state"], stopped["complete"]) == ("interrupted", False)
    assert trace.gone()
    if stop == signal.SIGTERM:
        return  # the rest does not depend on what stopped the run

    code, out, _ = command("status", folder)
    assert code == 0
    assert f"{folder}: interrupted" in out
    rows = run_tables.load(folder).measurements
    assert f"{len(rows)} of {document['planned_rows']} rows" in out
    assert "resume with: sudoku-bench run -s test:slow" in out
    assert command("report", folder, "--quiet")[0] == 0
    assert (folder / "summary.csv").exists()

    name, *arguments_to_resume = shlex.split(stopped["resume"])
    assert (name, arguments_to_resume[-1]) == ("sudoku-bench", "--resume")
    code, out, _ = command(*arguments_to_resume)
    assert (code, json.loads(out)["rows"]) == (0, document["planned_rows"])

    code, out, _ = command("status", folder)
    assert f"{folder}: complete" in out
    assert "(100%)" in out
    assert "resume with" not in out
    assert "left" not in out
    run_state = state.of_run(folder)
    slow = next(standing for standing in run_state.standings.sorted() if standing.strategy == "test:slow")
    rows = run_tables.load(folder).measurements
    assert slow.median_s == pytest.approx(rows.loc[rows["strategy"] == "test:slow", "cpu_s"].median())


def test_before_the_plan_is_settled_there_is_only_a_lock(command, tmp_path: Path) -> None:
    store = Store.create(tmp_path / "run")
    code, out, _ = command("status", store.folder)
    assert (code, "is starting" in out) == (0, True)
    assert json.loads(command("status", store.folder, "--json")[1])["state"] == "beginning"
    store.close()
    assert command("status", store.folder)[0] == 2
