"""Files of BenchExec, packed or not."""

from __future__ import annotations

import bz2
from pathlib import Path

import pytest

from sudoku_bench.bench.verdicts import run_tables
from tests.bench.exchange.conftest import BOARDS

# Of the tool-info module ``dummy`` on two puzzles; without the environment variables that it recorded.
WRITTEN = (Path(__file__).parent / "data" / "benchexec-3.35.xml").read_text()
WRITTEN = WRITTEN.replace('title="category" value="unknown"', 'title="category" value="missing"')


@pytest.mark.usefixtures("few_figures")
@pytest.mark.parametrize("packed", [False, True])
def test_runs_become_solves(command, tmp_path: Path, packed: bool) -> None:
    """Also of a file that is packed, and in which a run did not finish."""
    for name in ("results", "puzzles"):
        (tmp_path / name).mkdir()
    for number, grid in enumerate(BOARDS, 1):
        (tmp_path / "puzzles" / f"p{number}.txt").write_text(grid + "\n")
    file = tmp_path / "results" / f"sudoku.results.plain.xml{'.bz2' if packed else ''}"
    before, second = WRITTEN.split('<run name="../puzzles/p2.txt"')
    text = f'{before}<run name="../puzzles/p2.txt"{second.replace("unknown", "TIMEOUT", 1)}' if packed else WRITTEN
    file.write_bytes(bz2.compress(text.encode()) if packed else text.encode())
    code, said, err = command("import", file, "--out", tmp_path / "run")
    assert code == 0, err
    assert "2 solves imported from BenchExec 3.35" in said
    run = run_tables.load(tmp_path / "run")
    rows = run.measurements.set_index("puzzle")
    assert set(rows["strategy"]) == {"DummyTool:plain.fours"}
    assert set(rows["collection"]) == {"puzzles"}
    assert rows["status"].to_dict() == {"p1": "unverified", "p2": "timeout" if packed else "unverified"}
    finished = rows["cpu_s"].dropna().to_dict()  # an unfinished solve has no times
    assert finished == {"p1": 0.002019849} | ({} if packed else {"p2": 0.002379232})
    assert rows["wall_s"]["p1"] == pytest.approx(0.011063695)
    assert set(rows["limit_s"]) == {10}
    assert list(run.puzzles["group"]) == [1, 2]
    assert run.manifest["clock"] == "cpu"
    assert run.manifest["machine"]["cpu"] == "AMD EPYC"
    code, _, err = command("report", tmp_path / "run")
    assert code == 0, err


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("<result><run>", "is not XML"),
        ("<results><result/></results>", "it begins with <results>, not <result>"),
        ("<result tool='x'></result>", "has no runs"),
        ("[1, 2]", "is no file of pytest-benchmark"),
        ("{", "is not JSON"),
        ("", "is not JSON"),
    ],
)
def test_other_files_are_refused_in_one_line(command, tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "results.xml"
    path.write_text(content)
    code, _, err = command("import", path, "--out", tmp_path / "run")
    assert (code, len(err.splitlines())) == (2, 1)
    assert complaint in err


def test_a_category_is_a_status_without_times_and_an_interrupted_run_is_skipped(command, tmp_path: Path) -> None:
    (tmp_path / "puzzles").mkdir()
    runs = []
    for number, category in enumerate(("correct", "wrong", "error", "unknown", None)):
        name = f"puzzles/p{number}.txt"
        (tmp_path / name).write_text(list(BOARDS)[number % 2] + "\n")
        titles = {"status": "x", "cputime": "1.1s", "walltime": "1.2s", "category": category} if category else {}
        columns = "".join(f'<column title="{title}" value="{value}"/>' for title, value in titles.items())
        runs.append(f'<run name="{name}">{columns}</run>')
    file = tmp_path / "a.results.xml"
    file.write_text(f'<result tool="t" starttime="2026-01-01T10:00:00+01:00">{"".join(runs)}</result>')
    code, _, err = command("import", file, "--out", tmp_path / "run")
    assert code == 0, err
    assert "skipped" in err
    assert "p4.txt: has no walltime" in err
    rows = run_tables.load(tmp_path / "run").measurements.set_index("puzzle")
    assert rows["status"].to_dict() == {"p0": "unverified", "p1": "wrong", "p2": "error", "p3": "gave_up"}
    assert rows["cpu_s"].dropna().to_dict() == {"p0": 1.1}


def test_an_unknown_encoding_is_damage(command, tmp_path: Path) -> None:
    file = tmp_path / "results.xml"
    file.write_text('<?xml version="1.0" encoding="utf-0.0"?>\n<result tool="t"></result>')
    code, _, err = command("import", file, "--out", tmp_path / "run")
    assert (code, len(err.splitlines())) == (2, 1)
