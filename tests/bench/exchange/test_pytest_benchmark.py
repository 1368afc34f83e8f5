"""Files of pytest-benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.datasets.collections.catalogue import load


@pytest.mark.usefixtures("few_figures")
def test_a_file_becomes_a_run_that_reports_read(command, benchmark_file, tmp_path: Path) -> None:
    out = tmp_path / "run"
    code, text, err = command("import", benchmark_file(), "--out", out)
    assert code == 0, err
    assert "4 solves imported from pytest-benchmark 5.1.0" in text
    run = run_tables.load(out)
    assert set(run.measurements["status"]) == {"solved"}
    assert len(run.measurements) == 4 * 20  # repetitions
    assert set(run.puzzles["puzzle"]) == {"fours-31734268", "fours-8524f843"}  # the same in every file
    [ratio] = run.pairs["ratio"]
    assert max(ratio, 1 / ratio) == pytest.approx(2)
    code, text, err = command("report", out)
    assert code == 0, err
    assert "CPU time" not in text
    assert command("status", out)[0] == 0


def test_only_wall_time_is_written_and_every_text_says_so(command, benchmark_file, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert command("import", benchmark_file(), "--out", out)[0] == 0
    lines = (out / "measurements.csv").read_text().splitlines()
    place = lines[0].split(",").index("cpu_s")
    assert {line.split(",")[place] for line in lines[1:]} == {""}
    assert command("report", out, "--writeup")[0] == 0
    texts = [path for folder in (out, out / "writeup") for path in folder.glob("*.*") if path.suffix in (".tex", ".md")]
    assert texts
    for path in [*texts, *(out / "plots").glob("*.svg")]:
        assert "CPU time" not in path.read_text(encoding="utf-8"), path
    assert "wall time" in (out / "report.html").read_text(encoding="utf-8")
    assert "the stored grids; every answer verified; no time limit" in (out / "report.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("few_figures")
def test_without_solutions_answers_are_unverified_and_still_timed(command, benchmark_file, tmp_path: Path) -> None:
    out, boards = tmp_path / "run", {item.puzzle.text: "" for item in load("size4").items}
    assert command("import", benchmark_file(solutions=False, boards=boards), "--out", out)[0] == 0
    run = run_tables.load(out)
    assert set(run.measurements["status"]) == {"unverified"}
    assert list(run.summary["solved"]) == [0, 0]
    assert run.summary["median_s"].notna().all()
    code, text, err = command("report", out, "--writeup")
    assert code == 0, err
    said = "Unverified: 800 of 800 measurements"
    assert said in text
    assert said in command("report", out, "--quiet")[2]
    assert said in command("choose", out)[1]
    assert said in command("compare", out)[1]
    assert "800 of 800 answers NOT verified" in (out / "report.html").read_text(encoding="utf-8")
    tables = [path.read_text(encoding="utf-8") for path in (out / "writeup").glob("*.md")]
    assert any("800 answers not verified" in text for text in tables)


def test_imported_runs_can_be_compared_though_their_tool_has_no_limit(command, benchmark_file, tmp_path) -> None:
    """Several files are launches, and the puzzles have the same names in all of them, whatever their order."""
    rng = np.random.default_rng(1)
    for run, slower in (("old", 1.0), ("new", 1.5)):
        files = []
        for launch in range(5):
            document = json.loads(benchmark_file(solutions=False).read_text())
            for benchmark in document["benchmarks"]:
                factor = slower if benchmark["extra_info"]["strategy"] == "mine:slow" else 1.0
                factor *= 1 + 0.01 * rng.standard_normal()
                benchmark["stats"]["data"] = [factor * sample for sample in benchmark["stats"]["data"]]
            document["benchmarks"] = document["benchmarks"][:: -1 if launch % 2 else 1]
            files.append(tmp_path / f"{run}{launch}.json")
            files[-1].write_text(json.dumps(document))
        assert command("import", *files, "--out", tmp_path / run)[0] == 0
    assert sorted(set(run_tables.load(tmp_path / "old").measurements["launch"])) == [1, 2, 3, 4, 5]
    code, text, err = command("compare", tmp_path / "old", tmp_path / "new", "--json")
    assert (code, err) == (1, "")
    result = json.loads(text)
    assert result["anchors"] == []  # of no strategy is it known that it did not change
    by_name = {row["strategy"]: row for row in result["rows"]}
    assert by_name["mine:slow"]["ratio"] == pytest.approx(1.5, rel=0.05)
    assert by_name["mine:slow"]["verdict"] == "regression"
    assert by_name["mine:fast"]["verdict"] != "regression"
    assert all(row["n_puzzles"] == 2 for row in result["rows"])
    assert any("400 measurements whose answer was not verified" in line for line in result["cautions"])


def test_files_that_do_not_repeat_one_experiment_are_refused(command, benchmark_file, tmp_path: Path) -> None:
    document = json.loads(benchmark_file().read_text())
    document["commit_info"]["id"] = "another"
    (tmp_path / "other.json").write_text(json.dumps(document))
    code, _, err = command("import", benchmark_file(), tmp_path / "other.json", "--out", tmp_path / "run")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "other.json: its commit of mine:" in err


@pytest.mark.parametrize("facts", [{"solution": "1342423124133142"}, {"fault": "wrong answer for a form"}])
def test_a_wrong_solution_is_wrong(command, benchmark_file, tmp_path: Path, facts) -> None:
    out = tmp_path / "run"
    assert command("import", benchmark_file(**facts), "--out", out)[0] == 0
    assert set(run_tables.load(out).measurements["status"]) == {"wrong"}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"strategy": None}, "its extra_info has no strategy"),
        ({"puzzle": "easy-1"}, "puzzle 'easy-1' is no grid"),
        ({"puzzle": ".24....234......"}, "mine:fast solves fours-8524f843 of fours twice"),
    ],
)
def test_what_cannot_be_imported_is_one_line(command, benchmark_file, tmp_path: Path, changes, complaint: str) -> None:
    code, _, err = command("import", benchmark_file(**changes), "--out", tmp_path / "run")
    assert code == 2
    assert complaint in err
    assert len([line for line in err.splitlines() if line.startswith("sudoku-bench: ")]) == 1
    assert not (tmp_path / "run").exists()


DAMAGES = ({"stats": "fast"}, {"stats": {"data": [1], "iterations": 1e999}}, {"stats": {"data": 7}}, {"extra_info": 1})


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_one_line(command, benchmark_file, tmp_path: Path, damage) -> None:
    document = json.loads(benchmark_file().read_text())
    document["benchmarks"][0] |= damage
    (tmp_path / "damaged.json").write_text(json.dumps(document))
    code, _, err = command("import", tmp_path / "damaged.json", "--out", tmp_path / "run")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "damaged.json: was damaged" in err


def test_puzzles_may_be_named_by_a_collection(command, benchmark_file, small_reference: Path, tmp_path: Path) -> None:
    name = run_tables.load(small_reference).puzzles.query("collection == 'easy'")["puzzle"].iloc[0]
    file = json.loads(benchmark_file(solutions=False, puzzle=name, collection="easy").read_text())
    file["benchmarks"] = file["benchmarks"][::2]  # a puzzle is solved once by each strategy
    path = tmp_path / "named.json"
    path.write_text(json.dumps(file))
    assert command("import", path, "--out", tmp_path / "run")[0] == 0
    assert set(run_tables.load(tmp_path / "run").puzzles["puzzle"]) == {name}
