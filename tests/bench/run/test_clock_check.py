"""Which differences between reported and charged times are false times, and which are not."""

from __future__ import annotations

import itertools

import pytest

from bench.process.charge import Charge
from bench.process.sample import Sample
from bench.run.clock_check import ALONE, FEWEST, WITH_CHILDREN, ClockCheck
from datasets.reading.reader import parse
from solvers.strategy import FIRST
from tests.bench.conftest import FOURS

FORMS = [parse(text) for text in FOURS]
SAMPLE = Sample(FORMS[:1], FIRST, 10.0)
RUN_IN = Sample(FORMS[:1], FIRST, 10.0, run_in=FORMS[1:])
NUMBERS = itertools.count(1000)  # no two of these requests were sent together
QUIET = Charge(number=0, cpu_s=0.0, blocked_s=0.0, idle_cpu_s=0.0, idle_s=1.0, children=False)


def reply(cpu_s: float, charged_s: float | None = None, **others: float) -> dict[str, object]:
    """A reply to a sample; by default the system charged what was reported, and 0.2 ms."""
    changes = {key: others.pop(key) for key in ("blocked_s", "idle_cpu_s", "children") if key in others}
    times = {"cpu_s": cpu_s, "before_cpu_s": 0.0, "aside_cpu_s": 0.0, "after_cpu_s": 0.0} | others
    accounted_s = cpu_s + sum(times[key] for key in ("before_cpu_s", "aside_cpu_s", "after_cpu_s"))
    charge = QUIET._replace(
        number=next(NUMBERS), cpu_s=accounted_s + 2e-4 if charged_s is None else charged_s, **changes
    )
    return times | {"charge": charge}


def verdicts(
    replies: list[dict[str, object]], sample: Sample = SAMPLE, cold: bool = False, together: int = 1
) -> list[str | None]:
    """``together``: how many requests are sent at a time."""
    check = ClockCheck()
    numbered = [
        each | {"charge": each["charge"]._replace(number=place // together)} for place, each in enumerate(replies)
    ]
    return [check.fault(sample, each, cold) for each in numbered]


def test_an_honest_strategy_has_no_fault() -> None:
    for cpu_s in (2e-5, 1e-3, 5.0):
        assert set(verdicts([reply(cpu_s)] * 10)) == {None}


def test_parts_that_the_worker_accounts_for_are_not_missing() -> None:
    assert set(verdicts([reply(1e-3, before_cpu_s=0.05, aside_cpu_s=0.009, after_cpu_s=0.1)] * 10)) == {None}


def test_much_more_that_was_charged_once_is_suspicious() -> None:
    for suspicious, cpu_s, charged_s in ((True, 4e-6, 0.034), (False, 1.0, 1.029), (True, 1.0, 2.0)):
        check, answer = ClockCheck(), reply(cpu_s, charged_s=charged_s)
        assert check.fault(SAMPLE, answer) is None
        assert bool(check.suspicion) == check.is_suspicious(SAMPLE, answer) == suspicious
    check = ClockCheck()
    check.fault(SAMPLE, reply(4e-6, charged_s=0.034))
    assert check.suspicion == "0.004 ms reported, 34 ms charged by the system"
    check.fault(SAMPLE, reply(4e-6))
    assert check.suspicion is None


@pytest.mark.parametrize(("honest", "suspicious", "accused"), [(1000, 3, False), (1000, 20, False), (300, 8, True)])
def test_many_suspicious_requests_are_a_fault(honest: int, suspicious: int, accused: bool) -> None:
    faults = verdicts([reply(1e-3)] * honest + [reply(1e-3, charged_s=0.5)] * suspicious)
    assert bool(faults[-1]) == accused


def test_what_is_missing_once_is_suspicious_however_many_requests_share_it() -> None:
    """Of requests that are sent together, one with 40 ms missing is shown as all of them with a little."""
    check, each = ClockCheck(), reply(1e-3, charged_s=2e-3)
    suspicions = []
    for number in (1, 2):
        for _ in range(32):
            assert check.fault(SAMPLE, each | {"charge": each["charge"]._replace(number=number)}) is None
            suspicions.append(check.suspicion)
    assert [bool(suspicion) for suspicion in suspicions[:32]].count(True) == 1
    assert [bool(suspicion) for suspicion in suspicions[32:]].count(True) == 1


def test_what_the_requests_of_one_turn_share_is_no_fault_of_most() -> None:
    faulty, honest = [reply(1e-3, charged_s=4e-3)] * 32, [reply(1e-3)] * 32
    assert set(verdicts(faulty + honest, together=32)) == {None}
    assert verdicts(faulty + faulty, together=32)[-1] == "1 ms reported, 4 ms charged by the system"


def test_a_little_more_is_a_fault_if_it_is_usual() -> None:
    faults = verdicts([reply(1e-3, charged_s=3e-3)] * FEWEST)
    assert faults[:-1] == [None] * (FEWEST - 1)
    assert faults[-1] == "1 ms reported, 3 ms charged by the system"
    missing, honest = reply(1e-3, charged_s=3e-3), reply(1e-3)
    assert set(verdicts([missing, honest, honest] * 5)) == {None}
    assert set(verdicts([honest] * 5 + [missing] * 5)) == {None}
    assert verdicts([honest] * 5 + [missing] * 6)[-1] == "1 ms reported, 3 ms charged by the system"
    assert verdicts([missing] * 4 + [honest])[-1] == "1 ms reported, 3 ms charged by the system"


def test_writing_a_long_answer_is_not_missing() -> None:
    long = reply(0.1, charged_s=0.5) | {"answers": [[list(range(16))] * 10**6]}
    assert not ClockCheck().is_suspicious(SAMPLE, long)


def test_less_than_reported_is_no_fault() -> None:
    """Processes that were killed have taken their time with them."""
    assert set(verdicts([reply(0.1, charged_s=0.001)] * 5)) == {None}


def test_other_forms_that_take_far_longer_are_a_fault() -> None:
    shifted = reply(2e-5, run_in=8, aside_cpu_s=8 * 1e-3)
    fault = verdicts([shifted] * FEWEST, RUN_IN)[-1]
    assert fault == "its clock shows 0.02 ms for a solve, and 1 ms for one beside the sample"
    cold_caches = reply(2e-5, run_in=8, aside_cpu_s=8 * 1e-4)
    assert set(verdicts([cold_caches] * 5, RUN_IN)) == {None}
    gave_up = reply(2e-5, run_in=1, aside_cpu_s=2e-5, failed_cpu_s=0.1, charged_s=0.1002)  # which takes longer
    assert set(verdicts([gave_up] * 5, RUN_IN)) == {None}
    none_solved = reply(2e-5, run_in=0, aside_cpu_s=1e-4)
    assert set(verdicts([none_solved] * 5, RUN_IN)) == {None}


def test_all_forms_of_a_sample_count() -> None:
    eight = Sample(FORMS[:1] * 8, FIRST, 10.0)
    assert set(verdicts([reply(1e-3, charged_s=8.2e-3)] * FEWEST, eight)) == {None}
    assert verdicts([reply(1e-3, charged_s=8.2e-3)] * FEWEST)[-1] is not None


def test_computing_between_requests_is_a_fault() -> None:
    assert verdicts([reply(1e-3, idle_cpu_s=0.5)] * FEWEST)[-1] == "it computes between solves: 500 ms of CPU time"
    assert set(verdicts([reply(1e-3, idle_cpu_s=0.02)] * 5)) == {None}


def test_waiting_for_most_of_the_time_is_a_fault() -> None:
    waiting = [reply(2e-4, blocked_s=0.017)] * FEWEST
    expected = "it waits 17 ms for something that is not charged to it, and computes 0.4 ms"
    assert verdicts(waiting)[-1] == expected
    assert verdicts(waiting, cold=True)[-1] == expected
    assert set(verdicts([reply(0.1, blocked_s=0.04)] * 5)) == {None}
    once = [reply(2e-4, blocked_s=0.5), *[reply(2e-4)] * 10]
    assert set(verdicts(once)) == {None}


def test_the_system_itself_times_a_cold_process() -> None:
    assert set(verdicts([reply(1e-3, charged_s=0.5)] * 9, cold=True)) == {None}


@pytest.mark.parametrize("name", ["once_s", "usual_s", "blocked_s", "aside_s", "blocked_share"])
def test_the_time_of_other_processes_is_known_less_well(name: str) -> None:
    assert getattr(WITH_CHILDREN, name) > getattr(ALONE, name)
    check = ClockCheck()
    assert check.is_suspicious(SAMPLE, reply(0.01, charged_s=0.1))
    assert check.fault(SAMPLE, reply(0.01, charged_s=0.1, children=True)) is None
    assert check.suspicion is None


def test_lanes_may_wait_for_each_other() -> None:
    waiting = [reply(2e-4, blocked_s=0.006) for _ in range(FEWEST)]
    one, two = ClockCheck(lanes=1), ClockCheck(lanes=2)
    assert [one.fault(SAMPLE, each) for each in waiting][-1] is not None
    assert [two.fault(SAMPLE, each) for each in waiting] == [None] * FEWEST


def test_a_slower_machine_has_more_tolerance() -> None:
    check = ClockCheck(clock_cost_s=1e-5)
    assert [check.fault(SAMPLE, reply(1e-3, charged_s=3e-3)) for _ in range(5)] == [None] * 5
