"""What a worker of a cluster does with blocks, without a cluster."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.plan import plan as planning
from sudoku_bench.bench.plan.plan import Calibration, Plan
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.run.cluster import kept_slot
from sudoku_bench.bench.run.cluster.blocks import Block, Head, Pace, by_round, cut
from sudoku_bench.bench.run.cluster.kept_slot import WORKERS_PER_SLOT, require_same, software_of
from sudoku_bench.bench.run.runner import Runner
from sudoku_bench.bench.run.timeouts import Timeouts
from sudoku_bench.datasets.errors import InputError
from tests.bench.conftest import FOURS, Trace
from tests.bench.plan.test_plan import a_plan

SAME = ("strategy", "puzzle", "isomorph", "launch", "repetition", "loops", "status", "round", "position", "placebo")

SOURCE = """
    for letter in "ab":
        register(type("Plain", (Backtracker,), {"name": f"test:{letter}"}))
"""


@pytest.fixture
def plan(plugin, puzzles) -> Plan:
    wanted = Suite(strategies=("test:*",), datasets=(str(puzzles(*FOURS[:3])),), repetitions=2, loops=1, pin="off")
    made = planning.make(wanted, (str(plugin(SOURCE)),))
    return replace(made, calibration=Calibration(("test:a",)))


@pytest.fixture(autouse=True)
def process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_slot, "_free", [])
    monkeypatch.setattr(kept_slot, "_ended", set())
    monkeypatch.setattr(kept_slot, "root_pid", lambda: 1)
    monkeypatch.setattr(kept_slot, "own_address", lambda: "tcp://here")


def blocks(plan: Plan, puzzles: int = 2) -> Iterator[Block]:
    numbers = itertools.count(3)
    for measurements in by_round(plan.measurements(1)):
        yield from cut(measurements, len(plan.puzzles), numbers, Pace(0, puzzles), Timeouts(), lambda: 5.0)


def measured(plan: Plan, block: Block, run: str = "run") -> Any:
    head = pickle.dumps(Head(run, plan, software_of(plan)))
    return kept_slot.run_block(head, run, pickle.loads(pickle.dumps(block)))


def test_blocks_give_the_rows_of_a_local_run_and_keep_processes_within_a_round(plan, trace: Trace) -> None:
    results = [measured(plan, block) for block in blocks(plan)]
    rows = [row for each in results for row in each.rows]
    local = list(Runner(plan).rows())
    assert [[getattr(row, name) for name in SAME] for row in rows] == [
        [getattr(row, name) for name in SAME] for row in local
    ]
    assert len({each.slot for each in results}) == 1
    assert [each.about is not None for each in results] == [True] + [False] * (len(results) - 1)
    for number in (1, 2):  # fresh processes in each round, one for each entry, for all of its blocks
        workers = {(row.strategy, row.worker) for row in rows if row.round == number}
        assert len(workers) == len({name for name, _ in workers}) == 3
    assert len({row.worker for row in rows}) == 6
    assert {row.worker // WORKERS_PER_SLOT for row in rows} == {3}
    assert [row.started_s for row in rows] == sorted(row.started_s for row in rows)
    assert rows[0].started_s >= 5.0
    assert measured_processes(trace)
    kept_slot.end_run("run")
    assert not measured_processes(trace)


def measured_processes(trace: Trace) -> list[int]:
    """Return the workers that are alive; the warden of this process stays."""
    return [
        pid for pid in trace.alive() if b"sudoku_bench.bench.worker.server" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def test_a_slot_of_another_run_is_closed_when_one_is_opened(plan, trace: Trace) -> None:
    """Its command may have been killed."""
    first, *_ = blocks(plan)
    before = measured(plan, first, run="killed")
    workers = measured_processes(trace)
    after = measured(plan, first)
    assert after.slot != before.slot
    assert not set(workers) & set(measured_processes(trace))
    kept_slot.end_run("run")


def test_a_host_with_other_software_is_refused(plan, monkeypatch: pytest.MonkeyPatch) -> None:
    block, head = next(blocks(plan)), pickle.dumps(Head("run", plan, software_of(plan)))
    monkeypatch.setattr("sudoku_bench.bench.run.cluster.kept_slot.description.own_code", lambda *_: "other")
    refusal = kept_slot.run_block(head, "run", block)
    assert "sudoku-bench is other there and " in refusal.reason
    assert refusal.worker == "tcp://here"


def test_more_slots_than_cores_are_refused(plan, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = replace(plan, suite=replace(plan.suite, pin="on"))
    monkeypatch.setattr("sudoku_bench.bench.machine.pinning.lock", lambda _name: None)  # others hold everything
    assert "has a measurement already" in measured(pinned, next(blocks(pinned))).reason


HERE = {"Python": "3.11.4", "numpy": "2.4.0", "/shared/own.py": "abc"}


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        (HERE | {"numpy": "2.5.0"}, "node1: numpy is 2.5.0 there and 2.4.0 here; install"),
        ({"Python": "3.11.4"}, "node1: numpy is missing there and 2.4.0 here"),
        (HERE | {"/shared/own.py": "abd"}, "node1: /shared/own.py is abd there and abc here"),
    ],
)
def test_other_software_is_refused_in_one_line(theirs: dict[str, str], words: str) -> None:
    require_same(HERE, dict(HERE), "node1")
    with pytest.raises(InputError, match=words) as refusal:
        require_same(HERE, theirs, "node1")
    assert "\n" not in str(refusal.value)


def test_it_covers_packages_plug_ins_and_our_own_code(tmp_path: Path) -> None:
    plugin = tmp_path / "own.py"
    plugin.write_text("a = 1\n", encoding="utf-8")
    infos = (StrategyInfo("test:own", ("first",), requires=("pandas", "no-such-package"), plugin=str(plugin)),)
    needing = replace(a_plan(), strategies=infos)
    before = software_of(needing)
    assert before["pandas"] != before["no-such-package"] == "not installed"
    assert {"Python", "distributed", "sudoku-bench", str(plugin)} <= before.keys()
    plugin.write_text("a = 2\n", encoding="utf-8")
    assert {name for name, version in software_of(needing).items() if version != before[name]} == {str(plugin)}
