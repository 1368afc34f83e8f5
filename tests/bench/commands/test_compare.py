"""``sudoku-bench compare`` on runs that were measured: two of them, two versions in one, one against a baseline."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.plan import versions
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.solvers import registry
from tests.bench.conftest import FOURS
from tests.conftest import TOP

# The same search repeated, which is slower on every machine.
REPEATED = """
    @register
    class Repeated(Backtracker):
        name = "{name}"

        def search(self, puzzle, task):
            for _ in range({times}):
                answer = super().search(puzzle, task)
            return answer
"""


@pytest.fixture
def version(plugin: Callable[..., Path]) -> Callable[[int, str], Path]:
    return lambda times, name: plugin(REPEATED.format(name="test:changed", times=times), name)


@pytest.mark.thorough
def test_two_runs(measure, command, plugin, puzzles, version) -> None:
    steady = plugin(REPEATED.format(name="test:steady", times=1), "steady.py")
    folders = []
    for times, name in ((1, "old.py"), (40, "new.py")):
        file = version(times, name)
        settings = ("-d", puzzles(*FOURS), "--launches", 5, "--repetitions", 1)
        folders.append(measure("-s", "test:*", "--plugin", steady, "--plugin", file, *settings).folder)
    old, new = folders

    code, out, err = command("compare", old, new)
    assert (code, err) == (1, "")
    assert "test:changed: its plug-in file was changed" in out
    assert "REGRESSION" in out
    assert "1 REGRESSION" in out.splitlines()[-1]
    assert max(map(len, out.splitlines()[2:])) <= 80  # except for the lines that name the folders

    code, out, _ = command("compare", new, old, "--json", "--margin", "0.5")
    result = json.loads(out)
    lines = {line["strategy"]: line for line in result["rows"]}
    assert (code, result["regression"], result["margin"]) == (0, False, 0.5)
    assert lines["test:changed"]["verdict"] == "improvement"
    assert lines["test:changed"]["ratio"] < 0.2
    assert lines["test:steady"]["launches"] == 5
    assert result["same_forms"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "b", "c"], "not 3"),
        (["a", "b", "--baseline", "s:x"], "--baseline: needs exactly one run"),
        (["no-such-run", "b"], "no-such-run"),
        ([TOP / "results" / "reference", "--baseline", "seed:norvi"], "did you mean seed:norvig?"),
    ],
)
def test_wrong_usage_is_one_line(command, arguments: list[Any], message: str) -> None:
    code, out, err = command("compare", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_strategies_of_a_run_against_one_of_them(command, small_reference: Path) -> None:
    code, out, _ = command("compare", small_reference, "--baseline", "seed:norvig")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    code, out, _ = command("compare", small_reference, "--baseline", "seed:norvig", "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert {row["b"] for row in rows} == {"seed:norvig"}
    pairs = run_tables.load(small_reference).all_pairs
    assert len(rows) == ((pairs["a"] == "seed:norvig") | (pairs["b"] == "seed:norvig")).sum()
    every = json.loads(command("compare", small_reference, "--json")[1])["rows"]
    assert len(every) == len(pairs) > len(rows) > 0


def test_a_run_with_nothing_to_compare_says_so_and_no_more(command, small_reference: Path) -> None:
    code, out, err = command("compare", small_reference, "-s", "seed:norvig")
    assert (code, err) == (0, "")
    assert out.startswith("Nothing to compare: no two strategies")


def test_two_versions_in_one_run(command, version, tmp_path: Path) -> None:
    old, new = version(1, "old.py"), version(40, "new.py")
    settings = ("-d", "size4", "--repetitions", 3)
    folder = tmp_path / "both"
    code, out, _ = command("run", "--versions", old, new, *settings, "--out", folder)
    assert code == 1
    assert "test:changed" in out
    assert "1 REGRESSION" in out.splitlines()[-1]
    # The run is there, and the same command goes on with it; the answer for programs is JSON and nothing else.
    code, out, _ = command("run", "--versions", old, new, *settings, "--out", folder, "--resume", "--json")
    [line] = json.loads(out)["rows"]
    assert (code, line["verdict"]) == (1, "regression")
    assert line["ratio"] > 5
    assert json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["complete"]


def test_versions_share_names_also_with_the_project(plugin, tmp_path: Path) -> None:
    both = REPEATED.format(name="seed:norvig", times=1)
    old = plugin(both + REPEATED.format(name="test:gone", times=1), "old.py")
    new = plugin(both + REPEATED.format(name="test:came", times=1), "new.py")
    result = versions.versions(str(old), str(new), (), tmp_path)
    assert (result.names, result.only_old, result.only_new) == (("seed:norvig",), ("test:gone",), ("test:came",))
    assert result.strategies == ("old/seed:norvig", "new/seed:norvig")
    assert len(result.plugins) == 2
    registry.load_builtin()
    assert "old/seed:norvig" not in registry.names()  # the files were run in processes of their own
