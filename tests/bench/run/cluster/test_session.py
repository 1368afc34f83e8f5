"""What a worker of a cluster does with blocks, without a cluster."""

from __future__ import annotations

import pickle
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bench.plan import plan as planning
from bench.plan.plan import Calibration, Plan
from bench.plan.suite import Suite
from bench.run.cluster import session
from bench.run.cluster.blocks import Cutter, Head, Pace, by_round
from bench.run.cluster.hosts import Software
from bench.run.cluster.session import WORKERS_PER_SESSION, Ended, Pool
from bench.run.runner import Runner
from bench.run.timeouts import Timeouts
from tests.bench.conftest import FOURS, Trace

pytestmark = pytest.mark.slow

SAME = ("strategy", "puzzle", "isomorph", "launch", "repetition", "loops", "status", "round", "position", "placebo")

SOURCE = """
    for letter in "ab":
        register(type("Plain", (Backtracker,), {"name": f"test:{letter}"}))
"""


@pytest.fixture
def plan(plugin, puzzles) -> Plan:
    wanted = Suite(strategies=("test:*",), datasets=(str(puzzles(*FOURS[:3])),), repetitions=2, loops=1, pin="off")
    made = planning.make(wanted, (str(plugin(SOURCE)),))
    return replace(made, calibration=Calibration({"4x4": 1}, ("test:a",)))


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    pool = Pool()
    monkeypatch.setattr(session, "_pool", pool)
    monkeypatch.setattr(session, "root_pid", lambda: 1)
    monkeypatch.setattr(session, "own_address", lambda: "tcp://here")
    return pool


def blocks(plan: Plan, puzzles: float = 2.0):
    head, number = Head.of("run", plan, 1e-6, Software.of(plan)), 3
    for measurements in by_round(plan.measurements(1)):
        cutter = Cutter(head, pickle.dumps(head), measurements, len(plan.subjects))
        while block := cutter.next(number, Pace(0, puzzles), Timeouts(), 5.0):
            yield block
            number += 1


def test_blocks_give_the_rows_of_a_local_run_and_keep_processes_within_a_round(plan, pool, trace: Trace) -> None:
    measured = [session.run_block(pickle.dumps(block)) for block in blocks(plan)]
    rows = [row for each in measured for row in each.rows]
    local = list(Runner(plan, {"cpu": 1e-6}).rows())
    assert [[getattr(row, name) for name in SAME] for row in rows] == [
        [getattr(row, name) for name in SAME] for row in local
    ]
    assert len({each.session for each in measured}) == 1
    assert [each.about is not None for each in measured] == [True] + [False] * (len(measured) - 1)
    for number in (1, 2):  # fresh processes in each round, one for each contestant, for all of its blocks
        workers = {(row.strategy, row.worker) for row in rows if row.round == number}
        assert len(workers) == len({name for name, _ in workers}) == 4
    assert len({row.worker for row in rows}) == 8
    assert {row.worker // WORKERS_PER_SESSION for row in rows} == {3}
    assert [row.started_s for row in rows] == sorted(row.started_s for row in rows)
    assert rows[0].started_s >= 5.0
    assert measured_processes(trace)
    session.end_run("run")
    assert not measured_processes(trace)


def measured_processes(trace: Trace) -> list[int]:
    """Return the workers that are alive; the warden of this process stays."""
    return [pid for pid in trace.alive() if b"bench.worker.server" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_timeouts_of_earlier_rounds_are_not_repeated(plan, pool) -> None:
    first = next(blocks(plan))
    name = first.subjects[0].name
    told = replace(first, untried={("test:a", "own", name, 1): "not tried: because"})
    rows = session.run_block(pickle.dumps(told)).rows
    session.end_run("run")
    outcomes = {(row.status, row.reason) for row in rows if (row.strategy, row.puzzle) == ("test:a", name)}
    assert outcomes == {("timeout", "not tried: because")}
    assert {row.status for row in rows if row.strategy == "test:b"} == {"solved"}


def test_an_ended_run_measures_no_more(plan, pool) -> None:
    first, second, *_ = blocks(plan, puzzles=1.0)
    session.run_block(pickle.dumps(first))
    session.end_run("run")
    with pytest.raises(Ended):
        session.run_block(pickle.dumps(second))
    assert not pool._free.get("run")


def test_a_session_that_has_been_free_for_long_is_closed(plan, pool, trace: Trace, monkeypatch) -> None:
    monkeypatch.setattr(session, "IDLE_S", 0.01)
    first, second, *_ = blocks(plan)
    before = session.run_block(pickle.dumps(first)).session
    deadline = time.monotonic() + 60
    while measured_processes(trace) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not measured_processes(trace)
    assert session.run_block(pickle.dumps(second)).session != before
    session.end_run("run")


def test_a_host_with_other_software_is_refused(plan, pool, monkeypatch: pytest.MonkeyPatch) -> None:
    block = next(blocks(plan))
    monkeypatch.setattr("bench.run.cluster.hosts.code_sha256", lambda: "other")
    refusal = session.run_block(pickle.dumps(block))
    assert "has another version of sudoku-bench" in refusal.reason
    assert refusal.worker == "tcp://here"


def test_more_slots_than_cores_are_refused(plan, pool, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = replace(plan, suite=replace(plan.suite, pin="on"))
    monkeypatch.setattr("bench.machine.claims.claim", lambda _name: None)  # others hold everything
    assert "has a measurement already" in session.run_block(pickle.dumps(next(blocks(pinned)))).reason
