"""Imports: a table, and files of BenchExec, hyperfine and pytest-benchmark, become runs that every command reads."""

from __future__ import annotations

import bz2
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.run.foreign.imported_run import MAX_REPETITIONS, blocks
from sudoku_bench.bench.run.foreign.timing import Timing
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.datasets.collections.catalogue import load
from tests.bench.run.foreign.conftest import BOARDS

DATA = Path(__file__).parent / "data"
# Of the tool-info module ``dummy`` on two puzzles; without the environment variables that it recorded.
BENCHEXEC = (DATA / "benchexec-3.35.xml").read_text().replace('"unknown"', '"done"')
# By ``hyperfine -N -r 5 -L puzzle p1.txt,p2.txt -L strategy cat,wc --export-json FILE '{strategy} {puzzle}'``.
HYPERFINE = json.loads((DATA / "hyperfine-1.15.json").read_text())
FIRST, SECOND = BOARDS
ANSWER = BOARDS[FIRST]


@pytest.fixture
def imported(command, tmp_path: Path) -> Callable[..., pd.DataFrame]:
    """Import a text, or an object as JSON, beside the files of its puzzles; return the measurements of the run."""

    def call(content: Any, *options: object, name: str = "times.txt") -> pd.DataFrame:
        for number, grid in enumerate(BOARDS, 1):
            (tmp_path / f"p{number}.txt").write_text(grid + "\n")
        data = content if isinstance(content, bytes | str) else json.dumps(content)
        (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
        code, _, err = command("import", tmp_path / name, *options, "--out", tmp_path / "run")
        assert code == 0, err
        return run_tables.load(tmp_path / "run").measurements

    return call


@pytest.fixture
def refused(command, tmp_path: Path) -> Callable[..., str]:
    """Import a text, or an object as JSON, that is refused in one line, which is returned."""

    def call(content: Any, *options: object) -> str:
        (tmp_path / "times.json").write_text(content if isinstance(content, str) else json.dumps(content))
        code, _, err = command("import", tmp_path / "times.json", "--out", tmp_path / "run", *options)
        assert (code, len(err.splitlines())) == (2, 1), err
        assert not (tmp_path / "run").exists()
        return err

    return call


def benchexec(*runs: dict[str, str], **attributes: str) -> str:
    def written(run: dict[str, str]) -> str:
        columns = (f'<column title="{title}" value="{value}"/>' for title, value in run.items() if title != "name")
        return f'<run name="{run["name"]}">{"".join(columns)}</run>'

    head = " ".join(
        f'{name}="{value}"' for name, value in ({"tool": "t", "generator": "BenchExec"} | attributes).items()
    )
    return f"<?xml version='1.0'?>\n<result {head}>{''.join(map(written, runs))}</result>"


def timed(name: str, seconds: float = 1.0, **more: str) -> dict[str, str]:
    return {"name": name, "cputime": f"{seconds}s", "walltime": f"{seconds + 0.1}s"} | more


# The table


CLAIMS = {  # what a file says of an answer: the status and the reason
    ANSWER: ("solved", ""),
    f"puzzle {FIRST}; solution {ANSWER}": ("solved", ""),
    "1342423124133142": ("wrong", "where the clue is 2"),
    "unsat": ("wrong", "0 solutions returned"),
    "sat": ("unverified", "said sat; the file has no solution to check"),
    "": ("unverified", "the file has no answer to check"),
    "unknown": ("gave_up", "said unknown"),
    "134242": ("error", "no complete grid"),
}


def test_what_a_table_claims_is_checked_and_its_columns_may_have_any_names(imported, tmp_path: Path) -> None:
    lines = [f"s{n};{FIRST};{n + 1}.5;cpu;{n + 1};{answer!r}" for n, answer in enumerate(CLAIMS)]
    text = "\n".join(["Solver;file;t;clock;MiB;said", *lines]).replace("'", '"')
    names = ("strategy=Solver", "puzzle=file", "seconds=t", "memory=MiB", "answer=said")
    rows = imported(text, *(option for name in names for option in ("--column", name)))
    assert list(rows["status"]) == [status for status, _ in CLAIMS.values()]
    for found, (_, reason) in zip(rows["reason"].fillna(""), CLAIMS.values(), strict=True):
        assert reason in found
    assert list(rows["peak_rss_mib"]) == list(range(1, len(CLAIMS) + 1))
    is_timed = rows["status"].isin(("solved", "unverified"))
    assert rows["cpu_s"].notna().to_list() == is_timed.to_list()
    assert rows["wall_s"].isna().all()
    assert run_tables.load(tmp_path / "run").manifest["clock"] == "cpu"


def test_rows_of_a_table_are_repetitions_each_with_its_own_status(imported, command, tmp_path: Path) -> None:
    rows = [f"a,{FIRST},1,,", f"a,{FIRST},10,,T/O", f"a,{FIRST},2,{ANSWER},OK", f"b,{FIRST},3,{ANSWER},FAILED"]
    table = imported("\n".join(["strategy,puzzle,seconds,answer,status", *rows]))
    assert list(table["status"]) == ["unverified", "timeout", "solved", "error"]
    assert set(table["limit_s"]) == {10}  # what is known of a tool that tells no limit
    assert list(table["wall_s"].dropna()) == [1, 2]
    assert command("import", tmp_path / "times.txt", "--out", tmp_path / "again")[1].startswith(
        f"{tmp_path / 'again'}: 4 measurements from a table: 1 unverified, 1 timeout, 1 solved, 1 error"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("strategy,puzzle\na,b\n", ":1: has no column seconds; a table needs strategy, puzzle, seconds"),
        (f"strategy,puzzle,seconds\na,{FIRST},-1\n", ":2: '-1' is no time in seconds"),
        (f"strategy,puzzle,seconds\na,{FIRST},{'1' * 5000}\n", "is no time in seconds"),
        (f"strategy,puzzle,seconds,clock\na,{FIRST},1,sun\n", "clock 'sun' is neither cpu nor wall"),
        ("strategy,puzzle,seconds\na,easy-1,1\n", "puzzle 'easy-1' is no grid"),
        ("<result><run>", "is not XML"),
        ("<results><result/></results>", "it begins with <results>, not <result>"),
        ("<result tool='x'></result>", "has no measurements"),
        ('<?xml version="1.0" encoding="utf-0.0"?>\n<result tool="t"></result>', "is not XML"),
        ("[1, 2]", "is of no known tool"),
        ("{", "is not JSON"),
        ("", "has no column strategy"),
        ({"benchmarks": [{"runs": [{"values": [0.1]}]}], "version": "1.0"}, "seems to be of pyperf"),
    ],
)
def test_other_files_are_refused_in_one_line(refused, text: Any, complaint: str) -> None:
    assert complaint in refused(text)


def test_an_unknown_column_is_refused(refused) -> None:
    assert "write it as KEY=NAME" in refused("x", "--column", "tool=x")


def test_blocks_are_means_of_successive_measurements() -> None:
    def timings(*wall_s: float) -> list[Timing]:
        return [Timing("file", "s", "c", "p", seconds, status="solved", loops=10) for seconds in wall_s]

    means = [(block.wall_s, block.cpu_s, block.loops) for block in blocks(timings(1, 2, 3, 4, 5, 6, 7), 3)]
    assert means == [(1.5, None, 20), (3.5, None, 20), (6, None, 30)]


# BenchExec


@pytest.mark.usefixtures("few_figures")
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_of_benchexec(command, imported, tmp_path: Path, packed: bool) -> None:
    text = BENCHEXEC.replace("../puzzles/", "")
    rows = imported(bz2.compress(text.encode()) if packed else text).set_index("puzzle")
    run = run_tables.load(tmp_path / "run")
    assert set(rows["strategy"]) == {"DummyTool:plain.fours"}
    assert rows["status"].to_dict() == {"p1": "unverified", "p2": "unverified"}
    assert rows["cpu_s"].to_dict() == {"p1": 0.002019849, "p2": 0.002379232}
    assert rows["wall_s"]["p1"] == pytest.approx(0.011063695)
    assert set(rows["peak_rss_mib"]) == {0.25}
    assert set(rows["limit_s"]) == {10}
    assert (run.manifest["clock"], run.manifest["machine"]["cpu"]) == ("cpu", "AMD EPYC")
    assert command("report", tmp_path / "run")[0] == 0


def test_statuses_of_benchexec(imported, command, tmp_path: Path) -> None:
    """Each repetition has its own; what has no time is skipped with a note."""
    runs = [
        timed("p1.txt", status="true", category="correct", memory="1048576B"),
        timed("p1.txt", 10.1, status="TIMEOUT", category="error", memory="2097152B"),
        *(timed("p2.txt", status="x", category=category) for category in ("wrong", "unknown")),
    ]
    rows = imported(benchexec(*runs, {"name": "p2.txt"}, timelimit="10s"))
    assert list(rows["status"]) == ["unverified", "timeout", "wrong", "gave_up"]
    assert list(rows["peak_rss_mib"])[:2] == [1, 2]
    err = command("import", tmp_path / "times.txt", "--out", tmp_path / "again")[2]
    assert "note: skipped" in err
    assert "p2.txt: has no time" in err


def test_a_liar_is_wrong_and_what_nobody_checked_is_never_chosen(imported, command, tmp_path: Path) -> None:
    grids = [item.puzzle.text for item in load("size4").items[:20]]
    lies = benchexec(*(timed(grid, 0.01, status="unsat") for grid in grids), tool="Liar")
    (tmp_path / "honest.xml").write_text(benchexec(*(timed(grid, status="sat") for grid in grids), tool="Honest"))
    rows = imported(lies, tmp_path / "honest.xml").groupby("strategy")
    assert {name: set(part["status"]) for name, part in rows} == {"Liar": {"wrong"}, "Honest": {"unverified"}}
    code, _, err = command("choose", tmp_path / "run")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "imported without answers to check" in err
    assert run_tables.load(tmp_path / "run").pairs.empty


# hyperfine


@pytest.mark.usefixtures("few_figures")
def test_a_file_of_hyperfine(command, imported, tmp_path: Path) -> None:
    rows = imported(HYPERFINE)
    assert set(rows["strategy"]) == {"cat", "wc"}
    assert set(rows["puzzle"]) == {"p1", "p2"}
    assert (set(rows["status"]), set(rows["mode"]), len(rows)) == ({"unverified"}, {"cold"}, 2 * 2 * 5)
    first = rows.query("strategy == 'cat' and puzzle == 'p1'")["wall_s"]
    assert first.to_list() == pytest.approx(HYPERFINE["results"][0]["times"])
    assert command("report", tmp_path / "run")[0] == 0


def test_runs_of_a_command_fail_alone(imported) -> None:
    result = {
        "command": "timeout 10 ./mixed p1.txt",
        "times": [0.02, 0.02, 0.02, 10.0],
        "exit_codes": [0, 139, None, 124],
    }
    result |= {"parameters": {"solver": "mixed", "file": "p1.txt"}, "memory_usage_byte": [1 << 20] * 4}
    rows = imported({"results": [result]}, "--column", "strategy=solver", "--column", "puzzle=file")
    assert list(rows["status"]) == ["unverified", "error", "error", "timeout"]
    assert list(rows["reason"])[1:] == ["exit code 139", "ended by a signal", "exit code 124"]
    assert set(rows["peak_rss_mib"]) == {1}


def test_a_command_without_a_parameter_is_the_strategy(imported) -> None:
    results = [each | {"parameters": {"puzzle": each["parameters"]["puzzle"]}} for each in HYPERFINE["results"]]
    results[0] = results[0] | {"times": [0.0, *results[0]["times"][1:]]}  # below the resolution of the clock
    rows = imported({"results": results})
    assert set(rows["strategy"]) == {"cat {puzzle}", "wc {puzzle}"}
    assert len(rows.groupby(["strategy", "puzzle"])) == 3


def test_version_2_has_cpu_times_too(imported, tmp_path: Path) -> None:
    clocks = {"time_wall_clock": 1.0, "time_cpu": 0.5}
    results = []
    for each in HYPERFINE["results"]:
        samples = [{name: {"value": f * s, "unit": "second"} for name, f in clocks.items()} for s in each["times"]]
        samples = [sample | {"exit_code": 0} for sample in samples]
        results.append({key: each[key] for key in ("command", "parameters")} | {"measurements": samples})
    about = {"hyperfine_version": "2.0.0", "start_time": "2026-05-04T03:02:01Z"}
    rows = imported({"results": results, "schema_version": 2, "metadata": about})
    manifest = run_tables.load(tmp_path / "run").manifest
    assert (manifest["clock"], manifest["started"]) == ("cpu", "2026-05-04T03:02:01+00:00")
    assert (rows["cpu_s"] / rows["wall_s"]).to_list() == pytest.approx([0.5] * 20)


def test_without_a_puzzle_the_line_says_how_to_measure(refused) -> None:
    results = [each | {"parameters": {"n": "1"}} for each in HYPERFINE["results"]]
    assert "measure with -L puzzle FILE,FILE and {puzzle}, or name it: --column puzzle=NAME" in refused(
        {"results": results}
    )


# pytest-benchmark


@pytest.mark.usefixtures("few_figures")
def test_a_file_of_pytest_benchmark(command, benchmark_file, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert command("import", benchmark_file(), "--out", out)[0] == 0
    run = run_tables.load(out)
    assert (set(run.measurements["status"]), len(run.measurements)) == ({"solved"}, 4 * MAX_REPETITIONS)
    assert set(run.puzzles["puzzle"]) == {"fours-31734268", "fours-8524f843"}  # the same in every file
    [ratio] = run.pairs["ratio"]
    assert max(ratio, 1 / ratio) == pytest.approx(2)
    assert command("report", out)[0] == 0
    assert command("status", out)[0] == 0


def test_a_timer_of_cpu_time_makes_cpu_times(command, benchmark_file, tmp_path: Path) -> None:
    document = json.loads(benchmark_file().read_text())
    for benchmark in document["benchmarks"]:
        benchmark["options"] = {"timer": "process_time"}
    (tmp_path / "cpu.json").write_text(json.dumps(document))
    assert command("import", tmp_path / "cpu.json", "--out", tmp_path / "cpu")[0] == 0
    run = run_tables.load(tmp_path / "cpu")
    assert run.manifest["clock"] == "cpu"
    assert run.measurements["cpu_s"].notna().all()
    assert run.measurements["wall_s"].isna().all()
    code, _, err = command("import", tmp_path / "cpu.json", benchmark_file(), "--out", tmp_path / "both")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "is wall time" in err


def test_only_wall_time_is_written_and_every_text_says_so(command, benchmark_file, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert command("import", benchmark_file(), "--out", out)[0] == 0
    assert pd.read_csv(out / "measurements.csv")["cpu_s"].isna().all()
    assert command("report", out, "--writeup")[0] == 0
    texts = [path for folder in (out, out / "writeup") for path in folder.glob("*.*") if path.suffix in (".tex", ".md")]
    assert texts
    for path in [*texts, *(out / "plots").glob("*.svg")]:
        assert "CPU time" not in path.read_text(encoding="utf-8"), path
    assert "the stored grids; every answer verified; no time limit" in (out / "report.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("few_figures")
def test_without_solutions_answers_are_timed_and_every_text_says_so(command, benchmark_file, tmp_path: Path) -> None:
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
    assert said in command("compare", out)[1]
    assert "800 of 800 answers NOT verified" in (out / "report.html").read_text(encoding="utf-8")


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
    by_name = {row["strategy"]: row for row in result["rows"]}
    assert by_name["mine:slow"]["ratio"] == pytest.approx(1.5, rel=0.05)
    assert by_name["mine:slow"]["verdict"] == "regression"
    assert by_name["mine:fast"]["verdict"] != "regression"
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
    assert command("import", benchmark_file(**facts), "--out", tmp_path / "run")[0] == 0
    assert set(run_tables.load(tmp_path / "run").measurements["status"]) == {"wrong"}


DAMAGES = ({"stats": "fast"}, {"stats": {"data": [1], "iterations": 1e999}}, {"stats": {"data": 7}}, {"extra_info": 1})


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_one_line(refused, benchmark_file, damage) -> None:
    document = json.loads(benchmark_file().read_text())
    document["benchmarks"][0] |= damage
    assert "was damaged" in refused(document)


def test_puzzles_may_be_named_by_a_collection(command, benchmark_file, tmp_path: Path) -> None:
    name = load("easy").items[0].name
    file = benchmark_file(solutions=False, boards={name: ""}, collection="easy")
    assert command("import", file, "--out", tmp_path / "run")[0] == 0
    assert set(run_tables.load(tmp_path / "run").puzzles["puzzle"]) == {name}
