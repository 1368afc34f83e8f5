"""Files of hyperfine, one of which it wrote itself."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import bench
from tests.bench.exchange.conftest import BOARDS

pytestmark = pytest.mark.slow

CLOCKS = {"time_wall_clock": 1.0, "time_cpu": 0.5}  # of version 2


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two programs on two puzzle files."""
    results = []
    for strategy, time_s in (("cat", 0.002), ("tac", 0.004)):
        for number, grid in enumerate(BOARDS, 1):
            (tmp_path / f"p{number}.txt").write_text(grid + "\n")
            parameters = {"puzzle": f"p{number}.txt"}
            results.append(
                {
                    "command": f"{strategy} p{number}.txt",
                    "mean": time_s,
                    "times": [time_s, time_s * 1.1, time_s * 0.9],
                    "exit_codes": [0, 0, 0],
                    "parameters": parameters,
                }
            )
    path = tmp_path / "times.json"
    path.write_text(json.dumps({"results": results}))
    return path


@pytest.mark.usefixtures("few_figures")
def test_commands_become_strategies(command, file: Path, tmp_path: Path) -> None:
    code, _, err = command("import", file, "--out", tmp_path / "run")
    assert code == 0, err
    run = bench.load(tmp_path / "run")
    assert set(run.measurements["strategy"]) == {"cat {puzzle}", "tac {puzzle}"}
    assert set(run.puzzles["puzzle"]) == {"p1", "p2"}
    assert set(run.measurements["status"]) == {"unverified"}
    assert set(run.measurements["mode"]) == {"cold"}  # a process per solve
    assert command("report", tmp_path / "run")[0] == 0


def test_a_command_that_failed_is_an_error(command, file: Path, tmp_path: Path) -> None:
    document = json.loads(file.read_text())
    document["results"][0]["exit_codes"][1] = 3
    file.write_text(json.dumps(document))
    assert command("import", file, "--out", tmp_path / "run")[0] == 0
    rows = bench.load(tmp_path / "run").measurements
    assert list(rows.loc[rows["status"] == "error", "reason"]) == ["exit code 3"]


def test_version_2_has_cpu_times_too(command, file: Path, tmp_path: Path) -> None:
    document = json.loads(file.read_text())
    for result in document["results"]:
        del result["mean"], result["exit_codes"]
        result["measurements"] = [
            {name: {"value": factor * time_s, "unit": "second"} for name, factor in CLOCKS.items()} | {"exit_code": 0}
            for time_s in result.pop("times")
        ]
    about = {"hyperfine_version": "2.0.0", "start_time": "2026-05-04T03:02:01Z"}
    file.write_text(json.dumps(document | {"schema_version": 2, "metadata": about}))
    code, text, err = command("import", file, "--out", tmp_path / "run")
    assert code == 0, err
    assert "imported from hyperfine 2.0.0" in text
    run = bench.load(tmp_path / "run")
    assert run.manifest["clock"] == "cpu"
    assert run.manifest["started"] == "2026-05-04T03:02:01+00:00"
    assert (run.measurements["cpu_s"] / run.measurements["wall_s"]).to_list() == pytest.approx([0.5] * 12)


def test_without_a_puzzle_the_line_says_how_to_measure(command, file: Path, tmp_path: Path) -> None:
    document = json.loads(file.read_text())
    del document["results"][0]["parameters"]
    file.write_text(json.dumps(document))
    code, _, err = command("import", file, "--out", tmp_path / "run")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "measure with -L puzzle FILE,FILE" in err


def test_a_file_that_hyperfine_wrote(command, tmp_path: Path) -> None:
    """By ``hyperfine -N -r 5 -L puzzle p1.txt,p2.txt -L strategy cat,wc --export-json FILE '{strategy} {puzzle}'``."""
    shutil.copy(Path(__file__).parent / "data" / "hyperfine-1.15.json", tmp_path / "times.json")
    for number, grid in enumerate(BOARDS, 1):
        (tmp_path / f"p{number}.txt").write_text(grid + "\n")
    code, _, err = command("import", tmp_path / "times.json", "--out", tmp_path / "run")
    assert code == 0, err
    run = bench.load(tmp_path / "run")
    assert set(run.measurements["strategy"]) == {"cat", "wc"}
    assert len(run.measurements) == 2 * 2 * 5
    first = run.measurements.query("strategy == 'cat' and puzzle == 'p1'")["wall_s"]
    written = json.loads((tmp_path / "times.json").read_text())["results"][0]["times"]
    assert first.to_list() == pytest.approx(written)
