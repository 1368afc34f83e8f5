"""Output of runs and reports: on a terminal, in a pipe, as JSON, and quiet."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from rich.cells import cell_len

from sudoku_bench.bench.machine import disturbance
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.output import plain_console
from sudoku_bench.bench.verdicts import run_tables
from tests.bench.conftest import FOURS, SLOW

pytestmark = pytest.mark.thorough

COLUMNS, LINES = 80, 24
WITHOUT_FIGURES = (
    "import sys; from sudoku_bench.bench.commands import cli; from sudoku_bench.bench.figures import catalogue;"
)
WITHOUT_FIGURES += "catalogue.FIGURES = ();"
PROGRAM = (sys.executable, "-c", f"{WITHOUT_FIGURES} sys.argv[0] = 'sudoku-bench'; sys.exit(cli.main())")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Calm:
    """A machine without disturbances."""

    warnings: tuple[str, ...] = ()

    def __init__(self, **_: Any) -> None:
        pass

    def start(self) -> None:
        pass

    def sample(self) -> list[str]:
        return []

    def finish(self) -> tuple[dict[str, Any], list[str]]:
        look = {"seconds": 1.0, "disturbed_s": 0.0, "kinds": {}, "warnings": list(self.warnings)}
        return look, [*self.warnings, "nothing more was seen"]


class Busy(Calm):
    warnings = ("note: others are at work",)


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disturbance, "Monitor", Calm)


def in_terminal(*arguments: object, **environ: str) -> str:
    """Return what ``sudoku-bench`` writes to a terminal of 80 columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")}
    command = [*PROGRAM, *map(str, arguments)]
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment | {"TERM": "xterm"} | environ
    )
    os.close(slave)
    output = b""
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:  # the process closed its end
            break
        output += data
    os.close(master)
    assert process.wait() == 0
    return output.decode()


def test_a_terminal_shows_a_bar(plugin, puzzles, tmp_path: Path) -> None:
    file = plugin(SLOW.replace("0.2", "0.05"))
    settings = ("--plugin", file, "-d", puzzles(*FOURS[:3]), "--repetitions", 1)
    text = in_terminal("run", "-s", "test:slow", "-s", "seed:norvig", *settings, "--out", tmp_path / "run")
    assert ESCAPES.search(text)
    lines = re.split(r"\r\n|\r|\n", ESCAPES.sub("", text))
    assert max(map(cell_len, lines)) <= COLUMNS
    assert any("━" in line for line in lines if line.startswith("measuring"))
    assert "Median CPU time per solve, task first, mode warm" in lines


def test_a_dumb_terminal_gets_no_escape_codes() -> None:
    assert not ESCAPES.search(in_terminal("list", "suites", TERM="dumb"))


def test_a_pipe_gets_no_escape_codes(run, calm, puzzles) -> None:
    finished = run("-s", "seed:norvig", "-d", puzzles(*FOURS), "--repetitions", 1)
    assert finished.code == 0
    assert not ESCAPES.search(finished.out + finished.err)
    assert finished.out.startswith("Median CPU time per solve")
    assert finished.err.splitlines()[-1] == "nothing more was seen"


def test_quiet_prints_nothing_for_a_run_without_cautions(run, command, calm, puzzles) -> None:
    finished = run("-s", "seed:norvig", "-d", puzzles(*FOURS), "--repetitions", 3, "--quiet")
    cautions = terminal.cautions(run_tables.load(finished.folder))  # on a busy machine a placebo may differ
    assert (finished.code, finished.out, finished.err.splitlines()) == (0, "", cautions)
    assert (finished.folder / "summary.csv").exists()
    assert command("report", finished.folder, "--quiet") == (0, "", finished.err)
    assert command("report", finished.folder / "gone", "--quiet")[0] == 2


def test_quiet_prints_what_changes_the_meaning_of_numbers(run, monkeypatch, plugin, puzzles) -> None:
    monkeypatch.setattr(disturbance, "Monitor", Busy)
    wrong = plugin("""
        @register
        class Liar(Strategy):
            name = "test:liar"

            def search(self, puzzle, task):
                return [[1] * 16]
    """)
    several = puzzles(*FOURS, "." * 16)
    settings = ("-s", "test:liar", "-s", "seed:norvig", "-d", several, "--plugin", wrong, "--repetitions", 1)
    finished = run(*settings, "--quiet")
    assert (finished.code, finished.out) == (0, "")
    assert "note: 1 puzzle does not have exactly one solution" in finished.err
    assert "Not compared: test:liar, wrong" in finished.err
    assert "nothing more was seen" in finished.err  # the summary of the disturbances
    both = run(*settings, "--quiet", "--json")
    assert (both.code, both.err) == (0, "")
    document = json.loads(both.out)
    assert any("not have exactly one solution" in note for note in document["notes"])
    assert "note: others are at work" in document["notes"]
    assert any("Not compared: test:liar, wrong" in line for line in document["words"])


def test_the_json_document_agrees_with_the_tables(run, command, calm, puzzles) -> None:
    settings = ("-s", "seed:norvig", "-s", "seed:pycosat", "-d", puzzles(*FOURS), "--repetitions", 3)
    finished = run(*settings, "--json")
    document = json.loads(finished.out)
    assert (finished.code, document["complete"], document["folder"]) == (0, True, str(finished.folder))
    assert document["rows"] == document["planned_rows"] == sum(document["rows_by_status"].values())
    assert document["suite"]["repetitions"] == 3
    loaded = run_tables.load(finished.folder)
    for table in ("summary", "pairs"):
        rows = pd.DataFrame(document[table])
        written = pd.read_csv(finished.folder / f"{table}.csv")
        assert list(rows.columns) == [*written.columns, *(["evidence"] if table == "pairs" else [])]
        for column in written:
            if written[column].dtype == float:
                numbers = pd.to_numeric(rows[column]).to_numpy(float)
                assert numbers == pytest.approx(written[column], rel=1e-5, nan_ok=True)
            else:
                assert rows[column].tolist() == written[column].fillna("").tolist()
        exact = getattr(loaded, table)
        assert rows["n_puzzles"].tolist() == exact["n_puzzles"].tolist()
    assert [line["median_s"] for line in document["summary"]] == loaded.summary["median_s"].tolist()  # not rounded
    assert any(value is None for line in document["summary"] for value in line.values())
    assert "NaN" not in finished.out
    assert [line["evidence"] for line in document["pairs"]] == [
        "too few puzzles (4 of at least 15; isomorphs, and puzzles of one lineage, count as one)"
    ]
    assert document["words"] == list(terminal.verdict_lines(loaded))
    assert str(finished.folder / "pairs.csv") in document["files"]
    assert all(Path(path).exists() for path in document["files"])

    code, out, err = command("report", finished.folder, "--json")
    again = json.loads(out)
    assert (code, err) == (0, "")
    assert again["summary"] == document["summary"]
    code, out, _ = command("run", *settings, "--pin", "off", "--out", finished.folder, "--resume", "--json")
    assert (code, json.loads(out)) == (0, document)  # a complete run is only reported


def test_a_dry_run_as_json(command, puzzles) -> None:
    code, out, _ = command("run", "-s", "seed:norvig", "-d", "size4", "--limit", 20, "--dry-run", "--json")
    document = json.loads(out)
    assert (code, document["dry_run"], document["strategies"]) == (0, True, ["seed:norvig"])
    assert document["rows_without_placebos"] == 20 * 5 < document["rows"]
    assert 0 < document["likely_s"] < document["longest_s"]
    assert command("run", "-s", "seed:norvig", "-d", puzzles(*FOURS), "--dry-run", "--quiet") == (0, "", "")


def test_text_with_colons_and_brackets_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    plain_console().print("mine:bug: [red]5/9[/red] WRONG")
    assert capsys.readouterr().out == "mine:bug: [red]5/9[/red] WRONG\n"
