"""The method says what the manifest and the rows say, and nothing else."""

from __future__ import annotations

import dataclasses
from typing import Any

import pandas as pd
import pytest

from bench.verdicts import run_tables
from bench.verdicts.run_tables import Run
from bench.writeup import methods
from tests.bench.figures.cases import CASES, case
from tests.conftest import TOP

NAME = "family0:model0@engine"
REFERENCE = TOP / "results" / "reference"


def told(run: Run) -> str:
    return "\n".join(methods.paragraphs(run))


def with_settings(**settings: Any) -> Run:
    run = case("one of both")
    return dataclasses.replace(run, manifest=run.manifest | {"suite": run.manifest["suite"] | settings})


def with_facts(**facts: Any) -> Run:
    run = case("one of both")
    return dataclasses.replace(run, manifest=run.manifest | facts)


@pytest.mark.parametrize("name", CASES)
def test_every_run_has_a_method(name: str) -> None:
    paragraphs = methods.paragraphs(case(name))
    assert len(paragraphs) >= 5
    assert all(paragraph.endswith(".") and "  " not in paragraph and "nan" not in paragraph for paragraph in paragraphs)


def test_it_counts_what_was_measured() -> None:
    words = told(case("some timeouts"))
    assert "90 puzzles with 9×9 cells of 3 collections: tier0 (30), tier1 (30) and tier2 (30)" in words
    assert "4 strategies were compared" in words
    late = int((case("some timeouts").measurements["status"] == "timeout").sum())
    assert f"Of 1,080 measurements, {late:,} were not finished ({late:,} timeouts)" in words
    assert "All 1,080 measurements were finished." in told(case("usual"))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"task": "unique"}, "show that there is no second one (unique)"),
        ({"task": "count:7"}, "find all solutions of a puzzle, up to 7 (count:7)"),
        ({"limit": 5}, "Of each collection at most the first 5 puzzles were taken."),
        ({"sample": 7}, "at most 7 puzzles were drawn at random, spread over difficulty"),
        ({"sample": 7, "limit": 9}, "at most 7 puzzles were drawn at random among the first 9"),
        ({"mode": "cold"}, "in a fresh interpreter; its time is everything"),
        ({"mode": "cold"}, "with filled caches of compiled code (mode cold)"),
        ({"mode": "cold-first"}, "with empty caches of compiled code (mode cold-first)"),
        ({"mode": "batch:50"}, "50 forms of a puzzle were solved in one call, times are per form (mode batch:50)"),
        ({"timeout_s": 2.5}, "limited to 2.5 s of CPU time, with all processes that it started, and 10 s of wall time"),
        ({"memory_mib": 2048}, "and to 2,048 MiB of memory"),
        ({"isomorphs": False}, "solved as they are stored"),
        ({"repetitions": 4}, "solved every puzzle 4 times."),
        ({"repetitions": 4, "launches": 3}, "solved every puzzle 4 times in each of 3 launches."),
        ({"seed": 42}, "(seed 42)"),
        ({"jobs": 3}, "up to 3 measurements at a time, each on a core of its own"),
        ({"pin": "on"}, "workers pinned to cores"),
        ({"gc": "off"}, "garbage collector was switched off"),
    ],
)
def test_a_setting_changes_the_words(settings: dict[str, Any], said: str) -> None:
    assert said in told(with_settings(**settings))
    assert said not in told(case("one of both"))


def disturbance(disturbed_s: float) -> list[dict[str, Any]]:
    kinds = {"load": {"disturbed_s": disturbed_s}, "heat": {"disturbed_s": None}, "steal": {"disturbed_s": 0.0}}
    return [{"seconds": 200.0, "disturbed_s": disturbed_s, "kinds": kinds}]


SPENDING = {"repetitions": {"tier0": 9}}


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"planned_rows": 10}, "The run is incomplete: 1 of 10 measurements were made."),
        ({"resumed": ["then"]}, "interrupted and resumed (1 time)"),
        ({"disturbance": disturbance(50.0)}, "disturbance in 25.0% of the time: other programs."),
        ({"disturbance": disturbance(0.0)}, "no disturbance in the 200 s of measuring; they do not tell of heat."),
        ({"references_by_sources": {"2": 5}}, "established beforehand by two independent solvers."),
        ({"references_by_sources": {"1": 2, "2": 3}}, "for 2 of 5 by fewer than two."),
        ({"settled": {"loops": {"9x9": 20}}}, "the mean over several different forms: 20 on boards of 9×9"),
        ({"settled": {"loops": {"9x9": 1}, "spending": SPENDING}}, "followed from a budget of None: 9 on tier0"),
        ({"packages": {"numba": "0.6", "absent": None}}, "Packages: numba 0.6."),
        ({"git": {"commit": "0123456789abcdef", "dirty": True}, "packages": {"x": "1"}}, "(commit 0123456789ab with"),
        ({"strategies": [{"name": NAME, "persistent": True}]}, f"learnt from earlier puzzles: {NAME}."),
        ({"strategies": [{"name": NAME, "plugin": "mine.py", "plugin_sha256": "ab" * 32}]}, "from the file mine.py"),
        ({"reliable": {"time_limit": "wall seconds"}}, "limited to 10 s of wall time; beyond"),
        ({"reliable": {"best_effort": ["memory: seen late"]}}, "only as far as possible: memory: seen late."),
    ],
)
def test_a_fact_changes_the_words(facts: dict[str, Any], said: str) -> None:
    assert said in told(with_facts(**facts))
    assert said not in told(case("one of both"))


def test_wrong_and_unsupported_strategies_are_named() -> None:
    run = case("one puzzle")
    rows = run.measurements
    status = rows["status"].mask(rows["strategy"] == NAME, "wrong")
    wrong = dataclasses.replace(run, measurements=rows.assign(status=status))
    assert f"Because of wrong answers, no times are given of {NAME}." in told(wrong)
    status = rows["status"].mask(rows["strategy"] == NAME, "unsupported")
    lacking = dataclasses.replace(run, measurements=rows.assign(status=status))
    assert f"left out there: {NAME} on tier0." in told(lacking)


def test_a_single_replicate_and_lineages_are_told() -> None:
    run = case("usual")
    assert "single replicate" not in told(run)
    assert "single replicate" in told(case("sixty strategies"))
    pairs = run.pairs
    related = dataclasses.replace(run)
    related.__dict__["pairs"] = pairs.assign(n_independent=pairs["n_puzzles"] - 1)
    assert "puzzles of one lineage count as one" in told(related)
    assert "lineage" not in told(run)


def test_decoys_are_told_where_there_were_some() -> None:
    run = case("one puzzle")
    assert "decoy" not in told(run)
    copy = run.puzzles.assign(collection="(decoys)", decoy="none")
    hidden = dataclasses.replace(run, puzzles=pd.concat([run.puzzles, copy]))
    assert "were 1 decoy, copies" in told(hidden)


def test_a_run_without_measurements_says_so() -> None:
    run = case("one of both")
    empty = dataclasses.replace(run, measurements=run.measurements.iloc[:0])
    assert methods.paragraphs(empty) == ["No measurement of a strategy was made."]


def test_placebos_and_their_floors() -> None:
    run = case("usual")
    assert "no placebos" in told(run)
    rows = run.measurements[run.measurements["strategy"] == NAME]
    again = rows.assign(strategy=f"(instrument) {NAME}", placebo="instrument", cpu_s=rows["cpu_s"] * 1.001)
    measurements = pd.concat([run.measurements, again], ignore_index=True)
    with_placebo = dataclasses.replace(run, measurements=measurements)
    [floor] = with_placebo.noise.query("collection == '(all)'")["resolvable"]
    assert f"nothing is claimed: {NAME} {floor - 1:.1%}." in told(with_placebo)


def test_the_method_of_the_reference_run_is_that_of_its_manifest() -> None:
    run = run_tables.load(REFERENCE)
    words, manifest = told(run), run.manifest
    for strategy in manifest["strategies"]:
        assert strategy["name"] in words
    for collection in manifest["collections"]:
        assert f"{collection['name']} ({collection['puzzles']})" in words
    for package, version in manifest["packages"].items():
        assert f"{package} {version}" in words
    assert manifest["git"]["commit"][:12] in words
    assert manifest["machine"]["cpu"] in words
    assert f"(seed {manifest['suite']['seed']})" in words
    assert f"corrected for all {len(run.pairs):,} comparisons" in words
