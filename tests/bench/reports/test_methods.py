"""The method states what the manifest and the rows record, and nothing else."""

from __future__ import annotations

import dataclasses
from typing import Any

import pandas as pd
import pytest

from sudoku_bench.bench.reports import methods
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import CASES, case
from tests.conftest import TOP

NAME = "family0:model0@engine"
REFERENCE = TOP / "results" / "reference"


def method(run: Run) -> str:
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


def test_repetitions_that_a_budget_allowed_are_said() -> None:
    suite = case("one of both").manifest["suite"] | {"budget": "10m"}
    assert "set by a budget of 10m: 9. It was" in method(with_facts(suite=suite, calibration={"repetitions": 9}))


def test_it_counts_puzzles_strategies_and_measurements() -> None:
    text = method(case("some timeouts"))
    assert "90 puzzles (9×9 boards) from 3 collections: tier0 (30), tier1 (30) and tier2 (30)" in text
    assert "4 strategies were compared" in text
    late = int((case("some timeouts").measurements["status"] == "timeout").sum())
    assert f"Of 1,080 solves {1080 - late:,} solved and {late:,} ran out of time." in text
    assert "All 1,080 solves were finished and checked." in method(case("usual"))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"task": "unique"}, "prove that it has no other (unique)"),
        ({"task": "count:7"}, "find all solutions of each puzzle, up to 7 (count:7)"),
        ({"limit": 5}, "At most the first 5 puzzles of each collection were used."),
        ({"sample": 7}, "At most 7 puzzles of each collection were drawn at random, spread over difficulty"),
        ({"sample": 7, "limit": 9}, "At most 7 puzzles of each collection were drawn at random from the first 9"),
        ({"mode": "cold"}, "in a fresh interpreter; its time covers everything"),
        ({"mode": "cold"}, "with filled caches of compiled code (mode cold)"),
        ({"mode": "batch:50"}, "50 forms of a puzzle were solved per call; times are per form (mode batch:50)"),
        ({"timeout_s": 2.5}, "limited to 2.5 s of CPU time (with all processes that it started) and 10 s of wall time"),
        ({"memory_mib": 2048}, "and to 2,048 MiB of memory"),
        ({"isomorphs": False}, "solved as stored"),
        ({"repetitions": 4}, "was given every puzzle 4 times."),
        ({"repetitions": 4, "launches": 3}, "was given every puzzle 4 times in each of 3 launches."),
        ({"seed": 42}, "(seed 42)"),
        ({"jobs": 3}, "up to 3 measurements ran at a time, each on its own core"),
        ({"pin": "on"}, "with every worker on the same core"),
        ({"pin": "on", "jobs": 3}, "with every worker on the core of its job"),
        ({"loops": 20}, "A measurement is the mean over 20 different forms."),
        ({"gc": "off"}, "garbage collector was switched off"),
    ],
)
def test_a_setting_changes_the_text(settings: dict[str, Any], sentence: str) -> None:
    assert sentence in method(with_settings(**settings))
    assert sentence not in method(with_settings(pin="off"))


def look(disturbed_s: float) -> dict[str, Any]:
    return {"seconds": 60.0, "disturbed_s": disturbed_s, "kinds": {"load": {"disturbed_s": disturbed_s}}}


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"planned_rows": 10}, "The run is incomplete: 1 of 10 measurements were made."),
        ({"resumed": ["then"]}, "interrupted and resumed (1 time)"),
        ({"code": ["1", "2"]}, "The code of sudoku-bench was changed during the run."),
        ({"disturbance": [look(9.0)]}, "The machine disturbed 9 of 60 s of this run: other programs 9 s."),
        ({"disturbance": [look(0.0)]}, "The counters of the system showed no disturbance."),
        ({"references_by_sources": {"2": 5}}, "established beforehand by two independent solvers."),
        ({"references_by_sources": {"1": 2, "2": 3}}, "but for 2 of 5 puzzles by fewer than two."),
        ({"packages": {"numba": "0.6", "absent": None}}, "Packages: numba 0.6."),
        ({"git": {"commit": "0123456789abcdef", "dirty": True}, "packages": {"x": "1"}}, "(commit 0123456789ab with"),
        ({"strategies": [{"name": NAME, "persistent": True}]}, f"learnt from earlier puzzles: {NAME}."),
        (
            {"strategies": [{"name": NAME, "plugin": "mine.py", "plugin_sha256": "ab" * 32}]},
            "in the file mine.py",
        ),
        ({"reliable": {"time_limit": "wall seconds"}}, "limited to 10 s of wall time; a solve"),
        ({"reliable": {"best_effort": ["memory: seen late"]}}, "Known limitations on this system: memory: seen late."),
    ],
)
def test_a_fact_changes_the_text(facts: dict[str, Any], sentence: str) -> None:
    assert sentence in method(with_facts(**facts))
    assert sentence not in method(case("one of both"))


def test_wrong_and_unsupported_strategies_are_named() -> None:
    run = case("one puzzle")
    rows = run.measurements
    status = rows["status"].mask(rows["strategy"] == NAME, "wrong")
    wrong = dataclasses.replace(run, measurements=rows.assign(status=status))
    assert f"Not compared: {NAME}, " in method(wrong)
    status = rows["status"].mask(rows["strategy"] == NAME, "unsupported")
    lacking = dataclasses.replace(run, measurements=rows.assign(status=status))
    assert f"Not compared: {NAME}, unsupported on tier0." in method(lacking)


def test_a_single_repetition_and_lineages_are_reported() -> None:
    run = case("usual")
    assert "fewer than 3 repetitions" not in method(run)
    assert "fewer than 3 repetitions" in method(case("sixty strategies"))
    pairs = run.pairs
    related = dataclasses.replace(run)
    related.__dict__["pairs"] = pairs.assign(n_independent=pairs["n_puzzles"] - 1)
    assert "puzzles of one lineage, count as one" in method(related)
    assert "lineage" not in method(run)


def test_decoys_are_reported_where_there_were_some() -> None:
    run = case("one puzzle")
    assert "decoy" not in method(run)
    copy = run.puzzles.assign(collection="(decoys)", decoy="none")
    hidden = dataclasses.replace(run, puzzles=pd.concat([run.puzzles, copy]))
    assert "included 1 unannounced decoy, copies" in method(hidden)


def test_a_run_without_measurements_says_so() -> None:
    run = case("one of both")
    empty = dataclasses.replace(run, measurements=run.measurements.iloc[:0])
    assert methods.paragraphs(empty) == ["No strategy was measured."]


def test_the_method_of_the_reference_run_is_that_of_its_manifest() -> None:
    run = run_tables.load(REFERENCE)
    text, manifest = method(run), run.manifest
    for strategy in manifest["strategies"]:
        assert strategy["name"] in text
    for collection in manifest["collections"]:
        assert f"{collection['name']} ({collection['puzzles']})" in text
    for package, version in manifest["packages"].items():
        assert f"{package} {version}" in text
    assert manifest["git"]["commit"][:12] in text
    assert manifest["machine"]["cpu"] in text
    assert f"(seed {manifest['suite']['seed']})" in text
    assert f"corrected for all {len(run.all_pairs):,} pairs of strategies of the run" in text
