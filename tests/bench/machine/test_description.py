"""Facts about machines that are known in every detail, pinning, and this machine, of which only the form is known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.machine import control_groups, description, pinning, processor, system
from datasets.errors import InputError
from tests.bench.machine import trees

DMI = "sys/class/dmi/id/"


def test_an_intel_laptop(tmp_path: Path) -> None:
    found = description.facts(trees.intel(tmp_path), usable=(1, 2, 3))
    assert found["cpu"] == "Intel(R) Core(TM) i5-0000U CPU @ 2.40GHz"
    assert (found["cores_logical"], found["cores_physical"], found["cores_usable"]) == (4, 2, 3)
    assert found["affinity"] == "1-3"
    assert found["siblings"] == {"1": (1, 3), "2": (0, 2), "3": (1, 3)}
    assert found["frequency"] == {
        "driver": "intel_pstate",
        "governor": "powersave",
        "min_mhz": 400,
        "max_mhz": 4200,
        "allowed_mhz": 3800,
        "boost": True,
    }
    assert found["cpu_mhz"] == 2500  # of the fastest of ours
    assert found["caches"] == [
        {"level": 1, "kind": "data", "kib": 48, "shared_by": 2},
        {"level": 3, "kind": "unified", "kib": 8192, "shared_by": 4},
    ]
    assert found["on_battery"] is True
    assert (found["memory_mib"], found["memory_available_mib"]) == (16384, 8192)
    assert (found["swap_mib"], found["swap_used_mib"]) == (2048, 512)
    assert found["virtualisation"] == {"virtual": False, "hypervisor": None, "product": "LENOVO", "container": None}
    assert found["cgroup"]["cpu_quota_cores"] == found["cgroup"]["memory_limit_mib"] == "unlimited"
    assert (found["load_1min"], found["load_15min"]) == (0.5, 0.3)
    assert (found["kernel"], found["distribution"]) == ("6.8.0-generic", "Some Linux 24")
    assert found["address_randomisation"] == 0  # switched off for this process alone
    assert found["cores_isolated"] == ()


def test_a_virtual_machine_that_tells_no_frequency(tmp_path: Path) -> None:
    found = description.facts(trees.virtual(tmp_path), usable=(0, 1))
    assert found["cpu_mhz"] == 2596
    assert set(found["frequency"].values()) == {None}
    assert found["virtualisation"]["virtual"] is True
    assert found["virtualisation"]["hypervisor"] == "qemu"
    assert found["cgroup"] == {
        "cpu_version": 1,
        "cpu_quota_cores": "unlimited",
        "memory_version": None,
        "memory_limit_mib": None,
    }
    assert found["on_battery"] is None


@pytest.mark.parametrize(
    ("files", "hypervisor"),
    [
        ({"sys/hypervisor/type": "xen"}, "xen"),
        ({"sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc kvm-clock"}, "kvm"),
        ({DMI + "sys_vendor": "Microsoft Corporation", DMI + "product_name": "Virtual Machine"}, "hyper-v"),
        ({DMI + "sys_vendor": "Microsoft Corporation", DMI + "product_name": "Surface Laptop"}, None),
        ({DMI + "sys_vendor": "Xenon Computers"}, None),
        ({"proc/sys/kernel/osrelease": "5.15.0-microsoft-standard-WSL2"}, "hyper-v"),
    ],
)
def test_hypervisors_leave_traces(tmp_path: Path, files: trees.Files, hypervisor: str | None) -> None:
    found = processor.virtualisation(trees.write(tmp_path, files))
    assert found["hypervisor"] == hypervisor
    assert found["virtual"] is (True if hypervisor else None)


def test_an_arm_board(tmp_path: Path) -> None:
    found = description.facts(trees.arm(tmp_path), usable=tuple(range(6)))
    assert found["cpu"] == "implementer 0x41, part 0xd08"
    assert found["frequency"]["max_mhz"] == 2400
    assert found["frequency"]["boost"] is True
    assert found["virtualisation"]["virtual"] is None  # the processor has no flag for it


def test_the_tightest_limit_of_a_container_holds(tmp_path: Path) -> None:
    root = trees.container(tmp_path)
    found = description.facts(root, usable=(0,))
    assert found["cgroup"] == {
        "cpu_version": 2,
        "cpu_quota_cores": 1.5,
        "memory_version": 2,
        "memory_limit_mib": 256,
    }
    assert found["virtualisation"]["container"] == "docker"
    assert control_groups.throttled(control_groups.folders("cpu", root)) == (3, 0.25)


def test_a_group_named_as_on_the_host_is_looked_for_at_the_top(tmp_path: Path) -> None:
    root = trees.container(tmp_path)
    trees.write(root, {"proc/self/cgroup": "0::/not/mounted/here", "sys/fs/cgroup/cpu.max": "50000 100000"})
    assert control_groups.cpu_quota_cores(root) == 0.5
    for outside in ("/..", "/../../elsewhere"):  # of our name space
        trees.write(root, {"proc/self/cgroup": f"0::{outside}"})
        assert control_groups.folders("cpu", root) == [root / "sys/fs/cgroup"]


def test_a_group_that_was_handed_nothing_has_nothing(tmp_path: Path) -> None:
    root = trees.container(tmp_path)
    trees.write(root, {"sys/fs/cgroup/pod/box/cgroup.controllers": ""})
    assert control_groups.version("memory", root) is None


def test_version_1_counts_nanoseconds_and_writes_no_limit_as_a_number(tmp_path: Path) -> None:
    top = "sys/fs/cgroup"
    root = trees.write(
        tmp_path,
        trees.mounts(f"c /{top}/cpu cgroup rw,cpu 0 0", f"c /{top}/memory cgroup rw,memory 0 0"),
        {
            "proc/self/cgroup": "2:cpu:/box\n1:memory:/box",
            f"{top}/cpu/box/cpu.cfs_quota_us": 25000,
            f"{top}/cpu/box/cpu.cfs_period_us": 100000,
            f"{top}/cpu/box/cpu.stat": "nr_periods 4\nnr_throttled 2\nthrottled_time 1500000000",
            f"{top}/memory/box/memory.limit_in_bytes": 2**63 - 4096,
        },
    )
    assert control_groups.cpu_quota_cores(root) == 0.25
    assert control_groups.memory_limit_mib(root) == "unlimited"
    assert control_groups.throttled(control_groups.folders("cpu", root)) == (2, 1.5)


def test_what_a_system_without_files_does_not_tell_is_unknown(tmp_path: Path) -> None:
    found = description.facts(tmp_path, usable=())
    told = {"system", "architecture", "python", "python_implementation", "python_build", "environment"}
    assert told < set(found)

    def leaves(value: object) -> list[object]:
        return [leaf for item in value.values() for leaf in leaves(item)] if isinstance(value, dict) else [value]

    for key in set(found) - told:
        assert all(leaf in (None, (), []) for leaf in leaves(found[key])), key
    assert control_groups.throttled(control_groups.folders("cpu", tmp_path)) is None


def test_this_machine() -> None:
    found = description.facts()
    assert json.loads(json.dumps(found))["python"] == ".".join(map(str, sys.version_info[:3]))
    assert found["cores_logical"] >= 1
    assert found["memory_mib"] > 100
    assert found["kernel"] == os.uname().release
    if hasattr(os, "sched_getaffinity"):
        assert system.core_list(found["affinity"]) == tuple(sorted(os.sched_getaffinity(0)))


def test_only_variables_that_matter_are_kept_and_none_tells_whose_home_it_is() -> None:
    kept = description.environment(
        {
            "HOME": "/home/ada",
            "PYTHONPATH": "/home/ada/lib:/opt",
            "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "4",
            "LD_PRELOAD": "/usr/lib/libjemalloc.so",
            "MALLOC_ARENA_MAX": "2",
            "API_TOKEN": "secret",
            "PYTHONANYWHERE_TOKEN": "secret",
            "PATH": "/bin",
        }
    )
    assert kept == {
        "LD_PRELOAD": "/usr/lib/libjemalloc.so",
        "MALLOC_ARENA_MAX": "2",
        "OMP_NUM_THREADS": "4",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": "~/lib:/opt",
    }


def test_flags_of_python_are_facts_of_its_own_process() -> None:
    code = "from bench.machine import description; b = description.python_build(); print(b['optimize_flag'], b['development_mode'])"
    run = [sys.executable, "-O", "-X", "dev", "-W", "ignore", "-c", code]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "1 True\n"


@pytest.mark.skipif(hasattr(sys, "_jit"), reason="from 3.14 on Python tells itself")
@pytest.mark.parametrize(
    ("arguments", "variable", "on"),
    [
        (None, "1", None),
        ("'--enable-optimizations'", "1", False),
        ("'--enable-experimental-jit'", "", True),
        ("'--enable-experimental-jit=yes' '--with-lto'", "0", False),
        ("'--enable-experimental-jit=yes-off'", "", False),
        ("'--enable-experimental-jit=yes-off'", "1", True),
        ("'--enable-experimental-jit=interpreter'", "", False),
    ],
)
def test_a_jit_is_on_only_if_it_was_built_and_is_asked_for(arguments: str, variable: str, on: bool | None) -> None:
    assert description.jit(arguments, {"PYTHON_JIT": variable}) is on


def test_the_time_of_a_tree(tmp_path: Path) -> None:
    root = trees.write(
        tmp_path,
        trees.process(10, 1.0, children=(20, 30), reaped_s=0.5, threads=3),
        trees.process(20, 2.0, children=(40,)),
        trees.process(40, 4.0),
        trees.process(50, 100.0),  # somebody else's
    )
    assert system.tree_cpu_s(root, 10) == pytest.approx(7.5)  # 30 ended meanwhile
    assert system.tree_cpu_s(root, 20) == pytest.approx(6.0)
    assert system.tree_cpu_s(root, 60) is None


def test_without_a_list_of_children_the_time_of_a_tree_is_unknown(tmp_path: Path) -> None:
    root = trees.write(tmp_path, trees.process(10, 1.0), {"proc/10/task/10/children": None})
    assert system.tree_cpu_s(root, 10) is None


@given(st.sets(st.integers(0, 300), min_size=1))
def test_lists_of_cores_are_read_as_they_are_written(cores: set[int]) -> None:
    wanted = tuple(sorted(cores))
    assert system.core_list(system.written_cores(wanted)) == wanted


@pytest.mark.parametrize(
    ("written", "pin"),
    [
        ("on", pinning.Pin(True)),
        ("off", pinning.Pin(False)),
        ("2", pinning.Pin(True, (2,))),
        ("4,1-2", pinning.Pin(True, (4, 1, 2))),
    ],
)
def test_pins_can_be_written(written: str, pin: pinning.Pin) -> None:
    assert pinning.parse_pin(written) == pin


@pytest.mark.parametrize("written", ["", "yes", "-1", "1,1", "3-1", "2;3"])
def test_a_bad_pin_is_one_line(written: str) -> None:
    with pytest.raises(InputError, match="write on, off, or cores") as caught:
        pinning.parse_pin(written)
    assert "\n" not in str(caught.value)


def test_a_core_that_is_not_ours_cannot_be_pinned_to(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="core 9 is not ours to use; choose from 0-3"):
        pinning.cores_for(pinning.parse_pin("1,9"), root=trees.intel(tmp_path), usable=(0, 1, 2, 3))


def test_more_workers_than_cores_are_refused(tmp_path: Path) -> None:
    root, ours = trees.intel(tmp_path), (0, 1, 2, 3)
    assert pinning.cores_for(pinning.parse_pin("3,1"), 2, root, ours) == (3, 1)
    with pytest.raises(InputError, match="3 jobs need as many cores, and there are 2"):
        pinning.cores_for(pinning.parse_pin("3,1"), 3, root, ours)
    assert pinning.cores_for(pinning.parse_pin("off"), 3, root, ours) == ()


def test_a_core_of_choice_is_neither_core_0_nor_its_sibling(tmp_path: Path) -> None:
    root = trees.intel(tmp_path)  # 0 and 2 are one physical core, 1 and 3 the other
    assert pinning.pin_choices(root, (0, 1, 2, 3)) == (3, 2, 1, 0)
    assert pinning.pin_choices(root, (0, 1, 2)) == (1, 2, 0)
    assert pinning.pin_choices(root, (0, 2)) == (2, 0)
    assert pinning.pin_choices(root, (0,)) == (0,)


def test_a_core_beside_a_busy_sibling_comes_last(tmp_path: Path) -> None:
    root = trees.write(tmp_path, trees.topology((0, 4), (1, 5), (2, 6), (3, 7)))
    busy = {7: 0.9, 1: 0.5, 2: 0.04, 6: 0.01}
    first_of_each = pinning.pin_choices(root, tuple(range(8)), busy)[:4]
    assert [core % 4 for core in first_of_each] == [2, 0, 1, 3]  # a few percent are no reason to go to core 0


def test_fast_and_isolated_cores_come_first(tmp_path: Path) -> None:
    root = trees.arm(tmp_path)
    assert pinning.pin_choices(root, tuple(range(6)))[:2] == (5, 4)
    trees.write(root, {f"{trees.CPU}/isolated": 2})
    assert pinning.pin_choices(root, tuple(range(6)))[:3] == (2, 5, 4)


def test_the_runner_keeps_off_measured_cores(tmp_path: Path) -> None:
    root = trees.intel(tmp_path)
    assert pinning.away_from((3,), root, (0, 1, 2, 3)) == (0, 2)
    assert pinning.away_from((3, 2), root, (0, 1, 2, 3)) == (0, 1)  # rather a sibling than the core itself
    assert pinning.away_from((0,), root, (0,)) == (0,)


def test_a_share_is_of_the_time_between_two_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = trees.write(tmp_path, trees.stat((1, 5, 0), (1, 5, 0), (1, 5, 0)))
    later = trees.stat((1, 6, 0), (1.5, 5.5, 0), (1.5, 5, 0.5))
    monkeypatch.setattr(pinning.time, "sleep", lambda _: trees.write(root, later))
    assert pinning.busy_shares(root) == pytest.approx({0: 0.0, 1: 0.5, 2: 0.5})


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot keep a process on a core")
def test_a_pinned_process_and_its_children_stay() -> None:
    core = pinning.cores_for(pinning.parse_pin("on"))[0]
    code = (
        f"import os; from bench.worker.confine import pin; pin([{core}]); print(os.sched_getaffinity(0), flush=True);"
        " os.execvp('sh', ['sh', '-c', 'grep Cpus_allowed_list /proc/self/status'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"{{{core}}}", "Cpus_allowed_list:", str(core)]
