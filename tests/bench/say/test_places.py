"""Where a run was measured, in words."""

from __future__ import annotations

from typing import Any

from sudoku_bench.bench.say.places import host_lines, jobs_lines, unlike_hosts


def manifest(*machines: dict[str, Any]) -> dict[str, Any]:
    return {"hosts": {f"host-{number}": {"machine": machine} for number, machine in enumerate(machines)}}


EPYC = {"cpu": "AMD EPYC", "cores_physical": 32, "memory_mib": 65_200}
XEON = {"cpu": "Intel Xeon", "cores_physical": 16, "memory_mib": 32_700}


def test_one_host_needs_no_words() -> None:
    assert host_lines({}) == host_lines(manifest(EPYC)) == []


def test_alike_hosts_are_a_fact_and_unlike_hosts_a_caution() -> None:
    nearly = EPYC | {"memory_mib": 65_900}
    assert host_lines(manifest(EPYC, nearly)) == ["Measured on 2 hosts, each with AMD EPYC, 32 cores, 64 GiB"]
    assert unlike_hosts(manifest(EPYC, nearly)) == []
    [line] = unlike_hosts(manifest(EPYC, XEON, EPYC))
    assert line.startswith(
        "UNLIKE HOSTS: measured on 3 hosts of 2 kinds (2 with AMD EPYC, 32 cores, 64 GiB, 1 with Intel Xeon"
    )


def test_hosts_that_report_nothing_are_told_from_others() -> None:
    assert unlike_hosts(manifest(EPYC, {}))


def test_several_jobs_are_said() -> None:
    assert jobs_lines({"suite": {"jobs": 2}})[0].startswith("Measured 2 at a time: cores share caches")
    assert jobs_lines({"suite": {"jobs": 1}}) == jobs_lines({"suite": {}}) == []
