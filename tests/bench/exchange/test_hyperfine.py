"""Files of hyperfine: one that it wrote itself, and changes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.datasets.collections import catalogue
from tests.bench.exchange.conftest import BOARDS

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
    run = run_tables.load(tmp_path / "run")
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
    rows = run_tables.load(tmp_path / "run").measurements
    assert set(rows["strategy"]) == {"cat {puzzle}", "wc {puzzle}"}
    failed = rows[rows["status"] == "error"]
    assert (set(failed["reason"]), len(failed.groupby("puzzle"))) == ({"exit code 3"}, 1)


@pytest.mark.usefixtures("few_figures")
def test_files_of_two_strategies_are_compared_on_the_puzzles_that_they_share(command, tmp_path: Path) -> None:
    """All commands read the joined run, and none asks to resume it."""
    grids = [item.puzzle.text for item in catalogue.load("easy").items[:17]]
    for strategy, factor, part in (("fast", 1, grids[:16]), ("slow", 10, grids[1:])):
        results = [
            {
                "command": f"./{strategy} {grid}",
                "times": [factor * (1 + number / 100 + place / 50) for number in range(5)],
                "parameters": {"puzzle": grid, "strategy": strategy},
            }
            for place, grid in enumerate(part)
        ]
        (tmp_path / f"{strategy}.json").write_text(json.dumps({"results": results}))
    out = tmp_path / "run"
    assert command("import", tmp_path / "fast.json", tmp_path / "slow.json", "--out", out)[0] == 0
    assert set(run_tables.load(out).measurements["launch"]) == {1}
    code, text, err = command("choose", out)
    assert code == 0, err
    assert "choose fast for" in text
    assert "15 puzzles" in text
    assert json.loads(command("compare", out, "--json")[1])["rows"][0]["n_puzzles"] == 15
    assert command("report", out)[0] == 0


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
    run = run_tables.load(tmp_path / "run")
    assert run.manifest["clock"] == "cpu"
    assert run.manifest["started"] == "2026-05-04T03:02:01+00:00"
    assert (run.measurements["cpu_s"] / run.measurements["wall_s"]).to_list() == pytest.approx([0.5] * 20)


def test_without_a_puzzle_the_line_says_how_to_measure(imported, document) -> None:
    del document["results"][0]["parameters"]
    code, _, err = imported(document)
    assert (code, len(err.splitlines())) == (2, 1)
    assert "measure with -L puzzle FILE,FILE" in err


def test_an_entry_below_the_resolution_of_the_clock_is_skipped_with_a_note(imported, document, tmp_path: Path) -> None:
    document["results"][0]["times"][1] = 0.0
    code, _, err = imported(document)
    assert code == 0
    assert "note: skipped" in err
    assert len(run_tables.load(tmp_path / "run").measurements.groupby(["strategy", "puzzle"])) == 3
