"""The disturbance monitor on simulated machines with known counters."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.machine.disturbance import KINDS, Monitor
from tests.bench.machine import trees

US = 7  # process id of the run
PAGES_OF_A_MIB = 2**20 // resource.getpagesize()


class World:
    """A machine with four cores, some of them usable; each step is a window."""

    def __init__(self, root: Path, usable: tuple[int, ...] = (0, 1), pinned: tuple[int, ...] = ()) -> None:
        self.root, self.now_s = root, 1000.0
        self.busy, self.idle, self.stolen, self.ours = [0.0] * 4, [0.0] * 4, [0.0] * 4, 0.0
        trees.write(root, trees.topology((0, 2), (1, 3)))
        self._write()
        self.monitor = Monitor(root, usable, pinned, now_s=lambda: self.now_s, pid=US)
        self.monitor.start()

    def step(self, **window: Any) -> list[str]:
        """Simulate a window as ``pass_by`` does; return the warnings of the monitor."""
        self.pass_by(**window)
        return self.monitor.sample()

    def pass_by(
        self,
        busy: tuple[float, ...] = (),
        ours: float = 0.0,
        stolen: tuple[float, ...] = (),
        files: trees.Files | None = None,
        seconds: float = 1.0,
    ) -> None:
        """Let a window pass with busy and stolen seconds per core, and those of our processes."""
        for core in range(4):
            busy_s = busy[core] if core < len(busy) else 0.0
            stolen_s = stolen[core] if core < len(stolen) else 0.0
            self.busy[core] += busy_s
            self.stolen[core] += stolen_s
            self.idle[core] += seconds - busy_s - stolen_s
        self.ours += ours
        self.now_s += seconds
        self._write(files or {})

    def _write(self, files: trees.Files | None = None) -> None:
        cores = trees.stat(*zip(self.busy, self.idle, self.stolen, strict=True))
        trees.write(self.root, cores, trees.process(US, self.ours), files or {})


@pytest.fixture
def world(tmp_path: Path) -> Callable[..., World]:
    def make(before: trees.Files | None = None, **arguments: tuple[int, ...]) -> World:
        trees.write(tmp_path, before or {})
        return World(tmp_path, **arguments)

    return make


HEAT = f"{trees.CPU}/cpu1/thermal_throttle/core_throttle_count"
QUOTA = "sys/fs/cgroup/box/cpu.stat"
FOUR = {"usable": (0, 1, 2, 3)}  # 1 and 3 share a physical core


def files_at(second: int) -> dict[str, trees.Files]:
    """Return, by kind, files whose counters grow each second as much as they do in a disturbed window."""
    return {
        "throttling": {QUOTA: f"nr_throttled {5 + 3 * second}\nthrottled_usec 5"},
        "heat": {HEAT: 100 + 2 * second},
        "swapping": {"proc/vmstat": f"nr_free_pages 17\npswpin 10\npswpout {10 + 5 * PAGES_OF_A_MIB * second}"},
    }


@pytest.mark.parametrize(
    ("kind", "cores", "window", "fact", "worst"),
    [
        ("load", {}, {"busy": (1.0, 0.6), "ours": 1.0}, "other programs keep 0.6 of 2 cores busy", 0.6),
        ("steal", {}, {"busy": (0.95,), "ours": 0.95, "stolen": (0.05,)}, "the hypervisor gives 5% of", 0.05),
        ("throttling", {}, {}, "a CPU quota paused the solves 3 times", 3),
        ("heat", {}, {}, "throttled itself 2 times because of heat", 2),
        ("swapping", {}, {}, "5 MiB of memory were swapped", 5),
        (
            "sibling",
            FOUR | {"pinned": (1,)},
            {"busy": (0, 1.0, 0.2, 0.2), "ours": 1.4},
            "the sibling of a measured core is busy 20% of the time",
            0.2,
        ),
        (  # workers on sibling cores disturb each other
            "sibling",
            FOUR | {"pinned": (1, 3)},
            {"busy": (0, 1.0, 0, 1.0), "ours": 2.0},
            "the sibling of a measured core is busy 100%",
            1.0,
        ),
    ],
)
def test_a_disturbance_is_reported_once_when_it_lasts(world, kind, cores, window, fact, worst) -> None:
    before = trees.mounts(trees.UNIFIED) | {"proc/self/cgroup": "0::/box"} | files_at(0).get(kind, {})
    there = world(before, **cores)
    warnings = [there.step(**window, files=files_at(second).get(kind)) for second in range(1, 10)]
    [reported] = [each for each in KINDS if each.name == kind]
    assert [len(lines) for lines in warnings] == [number == reported.windows for number in range(1, 10)]
    [line] = warnings[reported.windows - 1]
    assert fact in line
    assert line.endswith(f": {reported.consequence}; {reported.remedy}")
    facts, [summary] = there.monitor.finish()
    amount = 9 * worst if reported.is_event else worst
    expected = {"unit": reported.unit, "amount": amount, "worst": worst, "disturbed_s": 9}
    assert facts["kinds"][kind] == pytest.approx(expected)
    assert {name for name, seen in facts["kinds"].items() if seen["disturbed_s"]} == {kind}
    assert (facts["disturbed_s"], facts["warnings"]) == (9, [line])
    assert summary == facts["summary"]
    assert summary == f"The machine disturbed 9 of 9 s of this run: {reported.label} 9 s"


@pytest.mark.parametrize(
    ("cores", "window"),
    [
        ({}, {"busy": (1.0, 0.9), "ours": 1.9}),  # the run itself
        ({}, {"busy": (1.0, 0, 1.0, 1.0), "ours": 1.0}),  # load on cores that are not usable
        ({}, {"busy": (0.01,), "ours": 0.01, "stolen": (0.01,)}),  # little stolen time on an idle machine
        (FOUR | {"pinned": (1,)}, {"busy": (1.0, 1.0, 1.0, 0.0), "ours": 3.0}),  # a busy core that is no sibling
        ({}, {"files": {"proc/vmstat": "pswpin 12\npswpout 10"}}),  # two pages, once
    ],
)
def test_what_does_not_disturb_is_not_reported(world, cores, window) -> None:
    there = world({"proc/vmstat": "pswpin 10\npswpout 10"}, **cores)
    assert [there.step(**window) for _ in range(9)] == [[]] * 9
    facts, [summary] = there.monitor.finish()
    assert (facts["disturbed_s"], facts["warnings"]) == (0, [])
    assert summary == facts["summary"]
    assert "no disturbance of the machine in 9 s" in summary


def test_unavailable_counters_are_null_and_listed(tmp_path: Path) -> None:
    now = iter(range(100))
    monitor = Monitor(tmp_path, usable=(), now_s=lambda: float(next(now)), pid=US)
    monitor.start()
    monitor.sample()
    facts, [line] = monitor.finish()
    for kind in KINDS:
        assert facts["kinds"][kind.name]["amount"] is None
    assert "not available here: " in line
    assert json.loads(json.dumps(facts)) == facts
