"""The disturbance monitor on simulated machines with known counters."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.machine import disturbance
from bench.machine.disturbance import KINDS, Monitor
from bench.machine.system import CoreTime, core_times
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

    def step(
        self,
        busy: tuple[float, ...] = (),
        ours: float = 0.0,
        stolen: tuple[float, ...] = (),
        files: trees.Files | None = None,
        seconds: float = 1.0,
    ) -> list[str]:
        """Simulate a window with busy and stolen seconds per core; return the warnings of the monitor."""
        self.pass_by(busy, ours, stolen, files, seconds)
        return self.monitor.sample()

    def pass_by(
        self,
        busy: tuple[float, ...] = (),
        ours: float = 0.0,
        stolen: tuple[float, ...] = (),
        files: trees.Files | None = None,
        seconds: float = 1.0,
    ) -> None:
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


def test_the_run_itself_is_no_disturbance(world) -> None:
    there = world()
    assert [there.step(busy=(1.0, 0.9), ours=1.9) for _ in range(9)] == [[]] * 9
    facts, lines = there.monitor.finish()
    assert facts["kinds"]["load"] == {"unit": "cores", "amount": 0, "worst": 0, "disturbed_s": 0}
    assert facts["disturbed_s"] == 0
    assert facts["warnings"] == []
    assert lines == [facts["summary"]]
    assert "no disturbance of the machine in 9 s" in facts["summary"]


def test_load_of_other_programs_on_usable_cores_is_reported_once_with_its_amount(world) -> None:
    there = world()
    warnings = [there.step(busy=(1.0, 0.6), ours=1.0) for _ in range(9)]
    assert [len(lines) for lines in warnings] == [0, 0, 1, 0, 0, 0, 0, 0, 0]  # one busy second is not enough
    assert "other programs keep 0.6 of 2 cores busy" in warnings[2][0]
    assert "; close them" in warnings[2][0]
    facts, lines = there.monitor.finish()
    assert facts["kinds"]["load"]["amount"] == pytest.approx(0.6)
    assert facts["disturbed_s"] == 9
    assert facts["spans_s"] == [[0, 9]]
    assert facts["warnings"] == warnings[2]
    assert len(lines) == 1
    assert "disturbed for 9 of 9 s: other programs 9 s (at worst 0.6 cores)" in lines[0]


def test_load_on_cores_that_are_not_usable_is_ignored(world) -> None:
    there = world(usable=(0, 1))
    assert [there.step(busy=(1.0, 0, 1.0, 1.0), ours=1.0) for _ in range(5)] == [[]] * 5
    assert there.monitor.finish()[0]["kinds"]["load"]["worst"] == 0


def test_short_bursts_are_recorded_without_a_warning(world) -> None:
    there = world()
    for _ in range(4):
        assert there.step(busy=(0.9,), ours=0.0) == []
        assert there.step() == []
        assert there.step() == []
        assert there.step() == []
    facts, lines = there.monitor.finish()
    assert facts["warnings"] == []
    assert facts["kinds"]["load"]["disturbed_s"] == 4
    assert "disturbed for 4 of 16 s" in lines[-1]
    assert facts["spans_s"] == [[0, 1], [4, 5], [8, 9], [12, 13]]  # since the monitor was started


def test_a_window_shorter_than_half_a_period_is_not_judged(world) -> None:
    there = world()
    there.pass_by(busy=(0.05, 0.05), ours=0.0, seconds=0.05)
    facts, _ = there.monitor.finish()
    assert facts["kinds"]["load"]["amount"] is None


def test_stolen_time_is_a_share_of_the_requested_time(world) -> None:
    there = world()
    warnings = [there.step(busy=(0.95,), ours=0.95, stolen=(0.05,)) for _ in range(4)]
    assert [len(lines) for lines in warnings] == [0, 0, 1, 0]
    assert "the hypervisor gives 5% of the requested CPU time" in warnings[2][0]


def test_little_stolen_time_on_an_idle_machine_is_not_reported(world) -> None:
    there = world()
    for _ in range(5):
        assert there.step(busy=(0.01,), ours=0.01, stolen=(0.01,)) == []


def test_throttling_by_a_quota_is_reported_at_once(world) -> None:
    stat = "nr_throttled {0}\nthrottled_usec 5"
    before = {"proc/self/cgroup": "0::/box", "sys/fs/cgroup/box/cpu.stat": stat.format(5)} | trees.mounts(trees.UNIFIED)
    there = world(before)
    assert there.step() == []
    [line] = there.step(files={"sys/fs/cgroup/box/cpu.stat": stat.format(8)})
    assert "a CPU quota paused this run 3 times" in line
    assert there.step(files={"sys/fs/cgroup/box/cpu.stat": stat.format(9)}) == []
    facts, _ = there.monitor.finish()
    assert facts["kinds"]["throttling"] == {
        "unit": "times",
        "amount": 4,
        "worst": 3,
        "disturbed_s": 2,
    }


def test_heat_is_reported_at_once(world) -> None:
    path = f"{trees.CPU}/cpu1/thermal_throttle/core_throttle_count"
    there = world({path: 100})
    assert there.step() == []
    [line] = there.step(files={path: 102})
    assert "throttled itself 2 times because of heat" in line


def test_a_lower_frequency_is_reported_and_idle_cores_are_ignored(world) -> None:
    speeds = [f"{trees.CPU}/cpu{core}/cpufreq/scaling_cur_freq" for core in (0, 1)]
    there = world({speeds[0]: 4000000, speeds[1]: 800000})
    assert there.step(files={speeds[0]: 800000, speeds[1]: 3900000}) == []
    warnings = [there.step(files={speeds[0]: 800000, speeds[1]: 2000000}) for _ in range(4)]
    assert [len(lines) for lines in warnings] == [0, 0, 1, 0]
    assert "runs 50% below its highest frequency" in warnings[2][0]


def test_the_frequency_is_compared_with_the_highest_of_the_run(world) -> None:
    speed = f"{trees.CPU}/cpu0/cpufreq/scaling_cur_freq"
    there = world({speed: 2000000})
    assert there.step(files={speed: 4000000}) == []
    warnings = [there.step(files={speed: 2000000}) for _ in range(3)]
    assert [len(lines) for lines in warnings] == [0, 0, 1]


def test_swapping_is_reported_in_mib(world) -> None:
    def vmstat(read: int, written: int) -> trees.Files:
        return {"proc/vmstat": f"nr_free_pages 17\npswpin {read}\npswpout {written}"}

    there = world(vmstat(10, 10))
    assert there.step(files=vmstat(12, 10)) == []  # two pages
    [line] = there.step(files=vmstat(12 + 2 * PAGES_OF_A_MIB, 10 + 3 * PAGES_OF_A_MIB))
    assert "5 MiB of memory were swapped" in line


def test_waiting_for_memory_is_reported(world) -> None:
    def pressure(microseconds: int) -> trees.Files:
        lines = "some avg10=0.00 avg60=0.00 avg300=0.00 total={}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0"
        return {"proc/pressure/memory": lines.format(microseconds)}

    there = world(pressure(0))
    warnings = [there.step(files=pressure(200_000 * second)) for second in range(1, 5)]
    assert [len(lines) for lines in warnings] == [0, 1, 0, 0]
    assert "waited for memory 20% of the time" in warnings[1][0]


def test_a_busy_sibling_of_the_pinned_core_is_reported(world) -> None:
    there = world(usable=(0, 1, 2, 3), pinned=(1,))  # 1 and 3 share a physical core
    warnings = [there.step(busy=(0, 1.0, 0.2, 0.2), ours=1.2) for _ in range(4)]
    assert [len(lines) for lines in warnings] == [0, 0, 1, 0]
    assert "the sibling of a measured core is busy 20% of the time" in warnings[2][0]
    assert "--pin" in warnings[2][0]


def test_workers_on_sibling_cores_disturb_each_other(world) -> None:
    there = world(usable=(0, 1, 2, 3), pinned=(1, 3))
    warnings = [line for _ in range(4) for line in there.step(busy=(0, 1.0, 0, 1.0), ours=2.0)]
    assert len(warnings) == 1
    assert "the sibling of a measured core" in warnings[0]


def test_a_busy_core_that_is_no_sibling_is_not_reported(world) -> None:
    there = world(usable=(0, 1, 2, 3), pinned=(1,))
    for _ in range(5):
        assert there.step(busy=(1.0, 1.0, 1.0, 0.0), ours=3.0) == []


def test_a_sample_before_its_time_reads_nothing(world) -> None:
    there = world()
    there.now_s += 0.5
    (there.root / "proc/stat").unlink()
    assert there.monitor.sample() == []
    assert there.monitor._before["busy_s"] == 0


def test_sampling_uses_at_most_a_thousandth_of_the_time(world, monkeypatch: pytest.MonkeyPatch) -> None:
    there, looks = world(), 0

    def slow(root: Path) -> dict[int, CoreTime]:
        """A sample that takes 50 ms, as on a machine with very many cores."""
        nonlocal looks
        looks += 1
        there.now_s += 0.05
        return core_times(root)

    monkeypatch.setattr(disturbance, "core_times", slow)
    there.monitor.start()
    for _ in range(1000):
        there.now_s += 1.0
        there.monitor.sample()
    assert 10 <= looks <= 21  # of 50 ms, in 1000 s


def test_a_counter_that_goes_backwards_is_unknown_not_negative(world) -> None:
    path = f"{trees.CPU}/cpu1/thermal_throttle/core_throttle_count"
    there = world({path: 100})
    there.step(files={path: 3})
    assert there.monitor.finish()[0]["kinds"]["heat"]["amount"] is None


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


def test_every_warning_has_a_message_and_a_remedy() -> None:
    for kind in KINDS:
        assert kind.message.format(value=1.0, cores=2)
        assert kind.remedy
    assert len({kind.name for kind in KINDS}) == len(KINDS)


def test_this_machine_can_be_monitored() -> None:
    monitor = Monitor()
    monitor.start()
    monitor._due_s = 0.0
    monitor.sample()
    facts, lines = monitor.finish()
    assert json.loads(json.dumps(facts)) == facts
    assert set(facts["kinds"]) == {kind.name for kind in KINDS}
    assert lines[-1] == facts["summary"]
