"""Files of BenchExec, packed or not."""

from __future__ import annotations

import bz2
import shutil
from pathlib import Path

import pytest

import bench
from tests.bench.exchange.conftest import BOARDS

pytestmark = pytest.mark.slow

RUN = """
  <run name="puzzles/p{number}.txt" files="[puzzles/p{number}.txt]">
    <column title="status" value="{status}"/>
    <column title="cputime" value="{cpu}s"/>
    <column title="walltime" value="{wall}s"/>
    <column title="memory" value="1000000B"/>
    <column hidden="true" title="category" value="missing"/>
  </run>"""
RESULT = """<?xml version="1.0"?>
<!DOCTYPE result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN' 'https://www.sosy-lab.org/x.dtd'>
<result benchmarkname="sudoku" tool="MySolver" name="plain" version="1.0" timelimit="60s" cpuCores="1"
  date="2026-05-04 03:02:01 UTC" starttime="2026-05-04T03:02:01+00:00" generator="BenchExec 3.21">
  <columns><column title="status"/><column title="cputime"/><column title="walltime"/></columns>{runs}
  <systeminfo hostname="host"><os name="Linux-6.1"/><cpu model="A CPU" cores="8" frequency="3000000000Hz"/></systeminfo>
</result>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "puzzles").mkdir()
    runs = ""
    for number, grid in enumerate(BOARDS, 1):
        (tmp_path / "puzzles" / f"p{number}.txt").write_text(grid + "\n")
        status, time_s = ("done", 0.5) if number == 1 else ("TIMEOUT", 60.4)
        runs += RUN.format(number=number, status=status, cpu=time_s, wall=time_s + 0.1)
    path = tmp_path / "sudoku.results.plain.xml"
    path.write_text(RESULT.format(runs=runs))
    return path


@pytest.mark.usefixtures("few_figures")
@pytest.mark.parametrize("packed", [False, True])
def test_runs_become_solves(command, file: Path, tmp_path: Path, packed: bool) -> None:
    if packed:
        (tmp_path / "packed.xml.bz2").write_bytes(bz2.compress(file.read_bytes()))
        file = tmp_path / "packed.xml.bz2"
    code, _, err = command("import", file, "--out", tmp_path / "run")
    assert code == 0, err
    run = bench.load(tmp_path / "run")
    by_puzzle = run.measurements.set_index("puzzle")
    assert list(by_puzzle["strategy"]) == ["MySolver:plain"] * 2
    assert by_puzzle["status"].to_dict() == {"p1": "unverified", "p2": "timeout"}
    assert by_puzzle["cpu_s"].dropna().to_dict() == {"p1": 0.5}  # an unfinished solve has no times
    assert by_puzzle["wall_s"].dropna().to_dict() == {"p1": 0.6}
    assert set(by_puzzle["limit_s"]) == {60}
    assert run.manifest["clock"] == "cpu"
    assert run.manifest["machine"]["cpu"] == "A CPU"
    code, _, err = command("report", tmp_path / "run")
    assert code == 0, err


def test_a_file_that_benchexec_wrote(command, tmp_path: Path) -> None:
    """Of the tool-info module ``dummy`` on two puzzles; without the environment variables that it recorded."""
    for name in ("results", "puzzles"):
        (tmp_path / name).mkdir()
    file = tmp_path / "results" / "sudoku.results.plain.xml"
    shutil.copy(Path(__file__).parent / "data" / "benchexec-3.35.xml", file)
    for number, grid in enumerate(BOARDS, 1):
        (tmp_path / "puzzles" / f"p{number}.txt").write_text(grid + "\n")
    code, text, err = command("import", file, "--out", tmp_path / "run")
    assert code == 0, err
    assert "2 solves imported from BenchExec 3.35" in text
    run = bench.load(tmp_path / "run")
    assert set(run.measurements["strategy"]) == {"DummyTool:plain.fours"}
    assert set(run.measurements["collection"]) == {"puzzles"}
    assert set(run.measurements["status"]) == {"unverified"}
    assert run.measurements["cpu_s"].between(1e-4, 1).all()


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
