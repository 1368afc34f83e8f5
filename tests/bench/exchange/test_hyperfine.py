"""Files of hyperfine: one that it wrote itself, and changes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bench
from tests.bench.exchange.conftest import BOARDS

pytestmark = pytest.mark.slow

# By ``hyperfine -N -r 5 -L puzzle p1.txt,p2.txt -L strategy cat,wc --export-json FILE '{strategy} {puzzle}'``.
WRITTEN = json.loads((Path(__file__).parent / "data" / "hyperfine-1.15.json").read_text())
CLOCKS = {"time_wall_clock": 1.0, "time_cpu": 0.5}  # of version 2


@pytest.fixture
def imported(command, tmp_path: Path) -> Callable[[dict[str, Any]], tuple[int, str, str]]:
    """Import a document into the run ``run``, beside the files of its puzzles."""

    def call(document: dict[str, Any]) -> tuple[int, str, str]:
        for number, grid in enumerate(BOARDS, 1):
            (tmp_path / f"p{number}.txt").write_text(grid + "\n")
        (tmp_path / "times.json").write_text(json.dumps(document))
        return command("import", tmp_path / "times.json", "--out", tmp_path / "run")

    return call


@pytest.fixture
def document() -> dict[str, Any]:
    return json.loads(json.dumps(WRITTEN))


@pytest.mark.usefixtures("few_figures")
def test_a_file_that_hyperfine_wrote(command, imported, tmp_path: Path) -> None:
    code, _, err = imported(WRITTEN)
    assert code == 0, err
    run = bench.load(tmp_path / "run")
    assert set(run.measurements["strategy"]) == {"cat", "wc"}
    assert set(run.puzzles["puzzle"]) == {"p1", "p2"}
    assert set(run.measurements["status"]) == {"unverified"}
    assert set(run.measurements["mode"]) == {"cold"}  # a process per solve
    assert len(run.measurements) == 2 * 2 * 5
    first = run.measurements.query("strategy == 'cat' and puzzle == 'p1'")["wall_s"]
    assert first.to_list() == pytest.approx(WRITTEN["results"][0]["times"])
    assert command("report", tmp_path / "run")[0] == 0


def test_commands_become_strategies_and_a_failed_one_an_error(imported, document, tmp_path: Path) -> None:
    for result in document["results"]:
        del result["parameters"]["strategy"]
    document["results"][0]["exit_codes"][1] = 3
    assert imported(document)[0] == 0
    rows = bench.load(tmp_path / "run").measurements
    assert set(rows["strategy"]) == {"cat {puzzle}", "wc {puzzle}"}
    assert list(rows.loc[rows["status"] == "error", "reason"]) == ["exit code 3"]


def test_version_2_has_cpu_times_too(imported, document, tmp_path: Path) -> None:
    for result in document["results"]:
        del result["mean"], result["exit_codes"]
        result["measurements"] = [
            {name: {"value": factor * time_s, "unit": "second"} for name, factor in CLOCKS.items()} | {"exit_code": 0}
            for time_s in result.pop("times")
        ]
    about = {"hyperfine_version": "2.0.0", "start_time": "2026-05-04T03:02:01Z"}
    code, text, err = imported(document | {"schema_version": 2, "metadata": about})
    assert code == 0, err
    assert "imported from hyperfine 2.0.0" in text
    run = bench.load(tmp_path / "run")
    assert run.manifest["clock"] == "cpu"
    assert run.manifest["started"] == "2026-05-04T03:02:01+00:00"
    assert (run.measurements["cpu_s"] / run.measurements["wall_s"]).to_list() == pytest.approx([0.5] * 20)


def test_without_a_puzzle_the_line_says_how_to_measure(imported, document) -> None:
    del document["results"][0]["parameters"]
    code, _, err = imported(document)
    assert (code, len(err.splitlines())) == (2, 1)
    assert "measure with -L puzzle FILE,FILE" in err
