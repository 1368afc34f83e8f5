"""The doctor: findings for known machines, trials on this one, and its output."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.machine import control_groups, description, doctor
from sudoku_bench.bench.machine.disturbance import KINDS
from sudoku_bench.bench.machine.doctor import NOTE, OK, WARN, Trial
from tests.bench.machine import trees

Facts = dict[str, Any]
PARTS = ("cgroup", "frequency", "python_build", "virtualisation")

QUIET: dict[str, dict[str, Any]] = {
    kind.name: {"unit": kind.unit, "amount": 0.0, "worst": 0.0, "disturbed_s": 0.0} for kind in KINDS
}
GOOD = Trial(10e-3, 0.01, QUIET, busiest=(), memory_obstacle=None, sandbox_obstacle="")


@pytest.fixture
def quiet(tmp_path: Path) -> Facts:
    """A machine without findings."""
    facts = description.facts(trees.intel(tmp_path), usable=(0, 1))
    facts["frequency"] |= {"governor": "performance", "boost": False}
    facts |= {"siblings": {"0": (0,), "1": (1,)}, "on_battery": False, "swap_used_mib": 0, "environment": {}}
    facts["memory_available_mib"] = 8192
    facts["python_build"] |= {"profile_guided": True, "debug": False}
    facts["python_build"] |= {"development_mode": False}
    return facts


def test_a_quiet_machine_has_only_findings_of_level_ok(quiet: Facts) -> None:
    results = doctor.findings(quiet, GOOD)
    assert [f.level for f in results] == [OK] * 8
    assert not any(f.mend or f.consequence for f in results)
    assert doctor.summary(results) == "nothing to note, no warning: this machine is quiet enough to measure"


def amount(**means: float) -> dict[str, Any]:
    return {"kinds": QUIET | {name: QUIET[name] | {"amount": value} for name, value in means.items()}}


# Topic, level, a part of the fact, and what differs from a quiet machine: in the trial, or in the facts.
DIFFERENCES: list[tuple[str, str, str, dict[str, Any], dict[str, Any]]] = [
    ("load", WARN, "1.2 of 2 cores busy (chrome 1.1)", amount(load=1.2) | {"busiest": (("chrome", 1.1),)}, {}),
    ("load", NOTE, "0.2 cores", amount(load=0.2), {}),
    ("host", WARN, "gives 4% of", amount(steal=0.04), {}),
    ("frequency", WARN, "heat", amount(heat=2), {}),
    ("memory", WARN, "3 MiB of memory were swapped", amount(swapping=3), {}),
    ("cores", WARN, "paused the solves 2 times", amount(throttling=2), {}),
    ("spread", WARN, "CPU ±10.0%", {"spread": 0.1}, {}),
    ("spread", NOTE, "CPU ±3.0%", {"spread": 0.03}, {}),
    ("limits", NOTE, "no sandbox: bubblewrap", {"sandbox_obstacle": "bubblewrap is not installed"}, {}),
    ("limits", NOTE, "no permission", {"memory_obstacle": "no permission to create control groups"}, {}),
    ("cores", WARN, "quota of 1.5 cores", {}, {"cgroup": {"cpu_quota_cores": 1.5}}),
    ("cores", WARN, "single core", {}, {"cores_usable": 1}),
    ("cores", NOTE, "2 of 2 cores are SMT siblings", {}, {"siblings": {"0": (0, 1), "1": (0, 1)}}),
    ("frequency", WARN, "on battery", {}, {"on_battery": True}),
    ("frequency", NOTE, "governor powersave", {}, {"frequency": {"governor": "powersave"}}),
    ("frequency", NOTE, "turbo is on", {}, {"frequency": {"boost": True}}),
    ("frequency", NOTE, "unknown", {}, {"frequency": {"governor": None, "max_mhz": None}}),
    ("host", NOTE, "virtual machine (QEMU)", {}, {"virtualisation": {"virtual": True, "product": "QEMU"}}),
    ("host", NOTE, "unknown", {}, {"virtualisation": {"virtual": None}}),
    ("memory", WARN, "300 MiB", {}, {"memory_available_mib": 300}),
    ("memory", WARN, "200 MiB", {}, {"cgroup": {"memory_limit_mib": 200}}),
    ("memory", NOTE, "100 MiB are swapped out", {}, {"swap_used_mib": 100}),
    ("python", WARN, "debug build", {}, {"python_build": {"debug": True}}),
    ("python", WARN, "PYTHONTRACEMALLOC", {}, {"environment": {"PYTHONTRACEMALLOC": "1"}}),
    ("python", WARN, "LD_PRELOAD", {}, {"environment": {"LD_PRELOAD": "x.so"}}),
    ("python", NOTE, "without profile-guided optimisation", {}, {"python_build": {"profile_guided": False}}),
]


@pytest.mark.parametrize(("topic", "level", "fact", "of_trial", "of_facts"), DIFFERENCES)
def test_what_disturbs_is_a_finding_of_its_topic(quiet: Facts, topic, level, fact, of_trial, of_facts) -> None:
    deep = {key: quiet[key] | value if key in PARTS else value for key, value in of_facts.items()}
    results = doctor.findings(quiet | deep, dataclasses.replace(GOOD, **of_trial))
    [found] = [each for each in results if each.level != OK]
    assert (found.topic, found.level) == (topic, level)
    assert fact in found.fact


@pytest.mark.parametrize("build", [trees.intel, trees.virtual, trees.arm, trees.container, lambda root: root])
def test_every_machine_gets_a_finding_for_each_topic(build: Callable[[Path], Path], tmp_path: Path) -> None:
    facts = description.facts(build(tmp_path))
    silent = {name: dict.fromkeys(facts) | {"unit": facts["unit"]} for name, facts in QUIET.items()}
    for trial in (GOOD, dataclasses.replace(GOOD, kinds=silent)):
        results = doctor.findings(facts, trial)
        assert len(results) == len(doctor.TOPICS)
        assert all(f.fact and "None" not in f.fact for f in results)
    assert doctor.title(facts)


def test_the_command_examines_this_machine(command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "examine", functools.partial(doctor.examine, 0.05))
    code, out, err = command("doctor")
    assert (code, len(err.splitlines())) == (0, 1)
    lines = out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith(("ok ", "note ", "warn "))] == list(doctor.TOPICS)
    code, out, err = command("doctor", "--json")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert [result["topic"] for result in report["findings"]] == list(doctor.TOPICS)
    assert report["machine"]["kernel"] == os.uname().release
    assert report["trial"]["piece_s"] > 0


@pytest.mark.parametrize(
    ("files", "obstacle"),
    [
        ({}, None),  # no other process is in the group
        ({"cgroup.procs": "7\n8"}, "other processes share the control group of this process"),
        ({"cgroup.procs": "7\n8", "cgroup.subtree_control": "cpu memory"}, None),
        ({"cgroup.procs": "7\n8", "cgroup.type": None}, None),  # the root group may hold processes
        ({"cgroup.controllers": "cpu pids"}, "no memory control groups (version 2)"),
    ],
)
def test_when_a_memory_group_can_be_made(tmp_path: Path, files: trees.Files, obstacle: str | None) -> None:
    group = "sys/fs/cgroup/box"
    usual = {"cgroup.controllers": "cpu memory", "cgroup.procs": "7", "cgroup.type": "domain"}
    present = usual | {"cgroup.subtree_control": ""} | files
    present = {name: contents for name, contents in present.items() if contents is not None}
    root = trees.write(
        tmp_path,
        trees.mounts(trees.UNIFIED),
        {"proc/self/cgroup": "0::/box"},
        {f"{group}/{name}": contents for name, contents in present.items()},
    )
    assert control_groups.memory_obstacle(root, pid=7) == obstacle
    assert {path.name for path in (root / group).iterdir()} == set(present)
