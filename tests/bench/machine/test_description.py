"""The description of simulated machines and of this machine, and pinning."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from sudoku_bench.bench.machine import control_groups, description, pinning, system
from sudoku_bench.datasets.errors import InputError
from tests.bench.machine import trees


def test_machines_are_described(tmp_path: Path) -> None:
    """What the system does not report is None: a virtual machine has no frequencies, ARM has no flag for one."""
    laptop = description.facts(trees.intel(tmp_path / "intel"), usable=(1, 2, 3))
    assert (laptop["cpu"], laptop["cores_usable"]) == ("Intel(R) Core(TM) i5-0000U CPU @ 2.40GHz", 3)
    assert laptop["siblings"] == {"1": (1, 3), "2": (0, 2), "3": (1, 3)}
    assert laptop["frequency"] == {"driver": "intel_pstate", "governor": "powersave", "max_mhz": 4200, "boost": True}
    assert laptop["virtualisation"] == {"virtual": False, "product": "LENOVO", "container": None}
    assert laptop["cgroup"]["cpu_quota_cores"] == laptop["cgroup"]["memory_limit_mib"] == "unlimited"
    virtual = description.facts(trees.virtual(tmp_path / "virtual"), usable=(0, 1))
    assert (set(virtual["frequency"].values()), virtual["virtualisation"]["virtual"]) == ({None}, True)
    assert virtual["cgroup"] == {"cpu_quota_cores": None, "memory_limit_mib": None}
    board = description.facts(trees.arm(tmp_path / "arm"), usable=tuple(range(6)))
    assert (board["cpu"], board["frequency"]["max_mhz"]) == ("implementer 0x41, part 0xd08", 2400)
    assert (board["frequency"]["boost"], board["virtualisation"]["virtual"]) == (True, None)


def test_the_tightest_limit_of_a_container_applies(tmp_path: Path) -> None:
    root = trees.container(tmp_path)
    facts = description.facts(root, usable=(0,))
    assert facts["cgroup"] == {"cpu_quota_cores": 1.5, "memory_limit_mib": 256}
    assert facts["virtualisation"]["container"] == "docker"
    assert control_groups.throttled(control_groups.folders(root)) == 3


def test_this_machine() -> None:
    facts = description.facts()
    assert json.loads(json.dumps(facts))["python"] == ".".join(map(str, sys.version_info[:3]))
    assert facts["cores_logical"] >= 1
    assert facts["memory_mib"] >= facts["memory_available_mib"] > 100
    assert facts["swap_mib"] >= facts["swap_used_mib"] >= 0
    assert facts["kernel"] == os.uname().release


def test_only_relevant_variables_are_recorded_and_the_home_folder_is_hidden() -> None:
    relevant = {"LD_PRELOAD": "/usr/lib/x.so", "MALLOC_ARENA_MAX": "2", "OMP_NUM_THREADS": "4", "PYTHONHASHSEED": "0"}
    others = {"HOME": "/home/ada", "API_TOKEN": "secret", "PYTHONANYWHERE_TOKEN": "secret", "PATH": "/bin"}
    kept = description.environment(relevant | others | {"PYTHONPATH": "/home/ada/lib:/opt"})
    assert kept == relevant | {"PYTHONPATH": "~/lib:/opt"}


def test_the_time_of_a_tree_without_what_else_a_process_does(tmp_path: Path) -> None:
    """With the children that it has waited for, without those of other trees."""
    thread = {"proc/10/task/12/stat": "12 (busy) S 1 1 1 0 -1 0 0 0 0 0 30 10 0 0"}
    parts = trees.process(10, 1.0, children=(20,), threads=3), trees.process(20, 2.0)
    others = system.company(trees.write(tmp_path, *parts, thread), 10, thread=10)
    assert others == {11, 12, 20}
    assert system.tree_cpu_s(tmp_path, 10, others) == pytest.approx(0.6)
    trees.write(tmp_path, trees.process(10, 1.5, children=(20, 30), threads=3), trees.process(30, 4.0))
    assert system.tree_cpu_s(tmp_path, 10, others) == pytest.approx(5.1)  # 30 was started later


def test_cores_are_written_in_lists(tmp_path: Path) -> None:
    assert pinning.parse_pin("4,1-2") == pinning.Pin(True, (4, 1, 2))
    assert system.core_list(system.written_cores((0, 1, 2, 8))) == (0, 1, 2, 8)
    for written in ("", "yes", "-1", "1,1", "3-1", "2;3"):
        with pytest.raises(InputError, match="write on, off, or cores"):
            pinning.parse_pin(written)
    with pytest.raises(InputError, match="core 9 is not available here; choose from 0-3"):
        pinning.cores_for(pinning.parse_pin("1,9"), root=trees.intel(tmp_path), usable=(0, 1, 2, 3))


def test_more_jobs_than_physical_cores_are_refused(tmp_path: Path) -> None:
    root, ours = trees.intel(tmp_path), (0, 1, 2, 3)  # 0 and 2 share a physical core, 1 and 3 the other
    assert pinning.cores_for(pinning.parse_pin("3,1,2"), 2, root, ours) == (3, 2)
    for pin in ("on", "off"):
        pinning.require_cores(pinning.parse_pin(pin), 2, root, ours)
        with pytest.raises(InputError, match=r"--jobs 3: .* 2 physical cores are available; use --jobs 2 or fewer"):
            pinning.require_cores(pinning.parse_pin(pin), 3, root, ours)
    with pytest.raises(InputError, match="1 physical core is available; use --jobs 1"):
        pinning.cores_for(pinning.parse_pin("3,1"), 2, root, ours)
    assert pinning.cores_for(pinning.parse_pin("off"), 3, root, ours) == ()


def test_the_chosen_core_is_neither_core_0_nor_its_sibling(tmp_path: Path) -> None:
    root = trees.intel(tmp_path)  # 0 and 2 share a physical core, 1 and 3 the other
    assert pinning.pin_choices(root, (0, 1, 2, 3)) == (3, 2, 1, 0)
    assert pinning.pin_choices(root, (0, 1, 2)) == (1, 2, 0)
    assert pinning.pin_choices(root, (0, 2)) == (2, 0)
    assert pinning.pin_choices(root, (0,)) == (0,)


def test_a_core_beside_a_busy_sibling_comes_last(tmp_path: Path) -> None:
    root = trees.write(tmp_path, trees.topology((0, 4), (1, 5), (2, 6), (3, 7)))
    busy = {7: 0.9, 1: 0.5, 2: 0.04, 6: 0.01}
    first_of_each = pinning.pin_choices(root, tuple(range(8)), busy)[:4]
    assert [core % 4 for core in first_of_each] == [2, 0, 1, 3]  # a few percent of load do not justify core 0


def test_fast_and_isolated_cores_come_first(tmp_path: Path) -> None:
    root = trees.arm(tmp_path)
    assert pinning.pin_choices(root, tuple(range(6)))[:2] == (5, 4)
    trees.write(root, {f"{trees.CPU}/isolated": 2})
    assert pinning.pin_choices(root, tuple(range(6)))[:3] == (2, 5, 4)


def test_the_runner_avoids_measured_cores(tmp_path: Path) -> None:
    root = trees.intel(tmp_path)
    assert pinning.away_from((3,), root, (0, 1, 2, 3)) == (0, 2)
    assert pinning.away_from((3, 2), root, (0, 1, 2, 3)) == (0, 1)  # a sibling is better than the core itself
    assert pinning.away_from((0,), root, (0,)) == (0,)
