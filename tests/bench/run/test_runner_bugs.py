"""Ordinary bugs in a strategy, with default options: it has its rows, and every other strategy has all of its own."""

from __future__ import annotations

import dataclasses
import itertools
import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.run import choosing
from sudoku_bench.bench.verdicts import run_tables
from tests.bench.conftest import FOURS

pytestmark = pytest.mark.thorough

# The first puzzle is the one with 9 empty cells, fewer than those that lead in.
COMMON = """
    class Buggy(Backtracker):
        solves = itertools.count(1)

        def encode(self, puzzle):
            self.first, self.number = puzzle.cells.count(0) == 9, next(self.solves)
            return puzzle

        def load(self, puzzle):
            burn(WORK_S)
            return puzzle
"""
RAISE = "if self.first: raise IndexError('list index out of range')\n"
SUPER = "return super().{}"
BUGS = {  # the bug, the statuses that its rows may have, and a part of the reason of rows that are not solved
    "prepare": ("def prepare(self, shape):\n    return {}[shape]", {"error"}, "in prepare: KeyError"),
    "encode": (
        "def encode(self, puzzle):\n    super().encode(puzzle)\n    RAISEreturn puzzle",
        {"error", "solved"},
        "IndexError",
    ),
    "load": ("def load(self, puzzle):\n    RAISEreturn super().load(puzzle)", {"error", "solved"}, "IndexError"),
    "search": ("def search(self, model, task):\n    RAISEreturn super().search(model, task)", {"error", "solved"}, ""),
    "decode": ("def decode(self, answer):\n    RAISEreturn answer", {"error", "solved"}, "IndexError"),
    "release": ("def release(self):\n    RAISE", {"error", "solved"}, "IndexError"),
    "counters": ("def counters(self):\n    RAISEreturn {}", {"solved"}, ""),
    "every-seventh": (
        "def search(self, model, task):\n    if self.number % 7 == 0: raise IndexError('list index out of range')\n"
        "    return super().search(model, task)",
        {"error", "solved"},
        "IndexError",
    ),
    "seventh-malformed": (
        "def decode(self, answer):\n    return ['no grid'] if self.number % 7 == 0 else answer",
        {"wrong", "solved"},
        "malformed",
    ),
    "seventh-leaves": (
        "def search(self, model, task):\n    if self.number % 7 == 0 and os.fork() == 0: time.sleep(600)\n"
        "    return super().search(model, task)",
        {"solved"},
        "",
    ),
    "seventh-exits": (
        "def search(self, model, task):\n    if self.number % 7 == 0: sys.exit('done')\n"
        "    return super().search(model, task)",
        {"error", "solved"},
        "exited with code 1",
    ),
    "wrong-type": (
        "def decode(self, answer):\n    return 5 if self.first else answer",
        {"error", "solved"},
        "TypeError",
    ),
    "text": ("def decode(self, answer):\n    return [''.join(map(str, answer[0]))]", {"wrong"}, "malformed"),
    "none": ("def search(self, model, task):\n    return None", {"error"}, "TypeError"),
    "slow-import": ("def prepare(self, shape):\n    time.sleep(0.5)", {"solved"}, ""),
    "missing-package": ("def prepare(self, shape):\n    import no_such_package", {"error"}, "no_such_package"),
    "requires": ("requires = ('no-such-package',)", {"unsupported"}, "no-such-package"),
    "prints": (
        "def search(self, model, task):\n    print('ok', flush=True)\n    print('ok', file=sys.stderr)\n"
        "    return super().search(model, task)",
        {"solved"},
        "",
    ),
    "exits": (
        "def search(self, model, task):\n    return exit(3) if self.first else super().search(model, task)",
        {"error", "solved"},
        "exited with code 3",
    ),
    "recurses": (
        "def search(self, model, task):\n    return self.search(model, task) if self.first else"
        " super().search(model, task)",
        {"error", "solved"},
        "RecursionError",
    ),
}
GOOD = ("good", "fine")
FAST, MIDDLE, SLOW = "0", "2e-3", "30e-3"  # CPU seconds of a solve


def source(work_s: str, bugs: dict[str, Any] = BUGS) -> str:
    """Return a plug-in with a strategy ``test:NAME`` for each bug, and two without."""
    text = f"import itertools\nWORK_S = {work_s}\n" + textwrap.dedent(COMMON)
    for number, (name, (body, *_)) in enumerate({**bugs, **dict.fromkeys(GOOD, ("pass",))}.items()):
        members = textwrap.indent(body.replace("RAISE", RAISE.replace("\n", "\n    ")), "    ")
        text += f'\n@register\nclass Bug{number}(Buggy):\n    name = "test:{name}"\n{members}\n'
    return text


def check(folder: Path, strategies: set[str], puzzles: int, repetitions: int) -> None:
    """Each strategy has all of its rows; what is not the puzzle of the bug is solved."""
    rows = run_tables.load(folder).measurements
    rows = rows[rows["placebo"].isna()]
    assert set(rows["strategy"]) == strategies
    for strategy, own in rows.groupby("strategy"):
        name = str(strategy).rpartition(":")[2]
        assert len(own) == puzzles * repetitions, name
        statuses, reason = ({"solved"}, "") if name in GOOD else BUGS[name][1:]
        assert set(own["status"]) <= statuses, (name, set(own["reason"]))
        failed = own[own["status"] != "solved"]
        assert failed["reason"].str.contains(reason, regex=False).all(), (name, set(failed["reason"]))
        assert statuses == {"solved"} or len(failed) or "seventh" in name, name


@pytest.mark.parametrize("work_s", [FAST, MIDDLE, SLOW])
def test_a_bug_is_a_row(measure_all, plugin, puzzles, trace, work_s: str) -> None:
    result = measure_all("-s", "test:*", "--plugin", plugin(source(work_s)), "-d", puzzles(*FOURS[:2]))
    assert result.code == 0, result.err
    check(result.folder, {f"test:{name}" for name in (*BUGS, *GOOD)}, 2, 5)
    assert trace.gone()


def test_the_best_strategy_is_chosen_among_those_with_bugs(command, plugin, tmp_path, monkeypatch) -> None:
    original = choosing.run_plan

    def run_plan(*arguments: Any) -> Plan:
        """Return a run of a given size in place of one that fills the budget."""
        planned = original(*arguments)
        short = dataclasses.replace(planned.suite, repetitions=3, launches=1)
        return dataclasses.replace(planned, suite=short, puzzles=planned.puzzles[:15])

    monkeypatch.setattr(choosing, "run_plan", run_plan)
    names = ("prepare", "none", "text", "missing-package", "requires", "every-seventh", "seventh-exits")
    file = plugin(source(FAST, {name: BUGS[name] for name in names}))
    places = ("-s", "test:*", "--plugin", file, "--out", tmp_path / "run", "--pin", "off", "--json")
    code, out, err = command("choose", "size6", *places, "--budget", "60m")
    assert code == 0, err
    [answer] = json.loads(out)["answers"]
    assert answer["best"].startswith("test:")
    assert {"test:prepare", "test:none", "test:text", "test:missing-package", "test:requires"} <= set(
        answer["excluded"]
    )
    rows = run_tables.load(tmp_path / "run").measurements
    assert len(rows[rows["strategy"] == answer["best"]]) == 15 * 3
    alone = plugin(source(FAST, {name: BUGS[name] for name in ("prepare", "none")}), "broken.py")
    code, out, err = command(
        "choose", "size6", "-s", "test:none", "-s", "test:prepare", *places[2:3], alone, *places[4:]
    )
    assert (code, out) == (2, "")
    assert "no strategy gave a right answer in screening (test:" in err.splitlines()[-1]


def test_two_versions_with_bugs_are_compared(command, plugin, puzzles, tmp_path) -> None:
    names = ("search", "every-seventh", "seventh-exits", "none")
    old, new = (plugin(source(FAST, {name: BUGS[name] for name in names}), f"{age}.py") for age in ("old", "new"))
    settings = ("-d", puzzles(*FOURS[:3]), "--repetitions", 3, "--pin", "off", "--out", tmp_path / "run")
    code, out, err = command("run", "--versions", old, new, *settings, "--json")
    assert code in (0, 1), err
    assert {row["strategy"] for row in json.loads(out)["rows"]} == {f"test:{name}" for name in (*names, *GOOD)}
    both = itertools.product(("old", "new"), (*names, *GOOD))
    check(tmp_path / "run", {f"{age}/test:{name}" for age, name in both}, 3, 3)


# Boards of all sizes are solved at once, and no worker loads what numba has compiled.
QUICK = """
    class Quick(Backtracker):
        def search(self, puzzle, task):
            from sudoku_bench.solvers.search.propagation import Bitmask

            solver = Bitmask()
            solver.prepare(puzzle.shape)
            return solver.decode(solver.search(puzzle, task))
"""


def test_a_plug_in_with_bugs_is_checked_to_its_end(command, plugin) -> None:
    names = ("prepare", "encode", "seventh-leaves", "seventh-exits", "none", "prints")
    buggy = source(FAST, {name: BUGS[name] for name in names}).replace("Buggy(Backtracker)", "Buggy(Quick)")
    code, out, err = command("check-plugin", plugin(textwrap.dedent(QUICK) + buggy), "--json")
    assert (code, err) == (1, "")
    faults = {row["check"].split(":")[1].split()[0]: row["fault"] for row in json.loads(out)["checks"]}
    assert set(faults) == {*names, *GOOD}
    assert not any(faults[name] for name in ("seventh-leaves", "prints", *GOOD)), faults
    assert all(faults[name] for name in ("prepare", "seventh-exits", "none")), faults


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_costs_its_own_puzzles_of_a_list(command, plugin, puzzles, bug: str) -> None:
    file = puzzles(*FOURS, *FOURS[1:])
    code, out, err = command("solve", file, "-s", f"test:{bug}", "--plugin", plugin(source(FAST)), "--lines")
    _, statuses, reason = BUGS[bug]
    if bug == "requires":
        assert (code, reason in err) == (2, True)
        return
    lines = out.splitlines()
    assert (len(lines), err, "Traceback" in out) == (9, "", False)
    failed = [line for line in lines if not (line.isdigit() and len(line) == 16)]
    assert all(reason in line for line in failed), failed
    assert len(failed) == {1: 0 if statuses == {"solved"} else 9}.get(len(statuses), len(failed))
    assert len(failed) <= 2 or len(statuses) == 1
    assert code == bool(failed)
