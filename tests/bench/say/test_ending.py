"""The end of a run is short, complete and fits a terminal."""

from __future__ import annotations

import dataclasses
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from sudoku_bench.bench.say import ending, speech
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import CASES, case
from tests.bench.verdicts.simulated_runs import a_run, together

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
FOLDER = Path("results/a run")


def printed(run: Run, width: int = 80, **settings: Any) -> list[str]:
    text = io.StringIO()
    console = Console(file=text, width=width, highlight=False, markup=False, **settings)
    ending.show(run, FOLDER, console)
    return ESCAPES.sub("", text.getvalue()).splitlines()


def tiers(*ratios: float, puzzles: int = 30) -> Run:
    """A run in which ``slow`` takes these times as long as ``fast`` on the tiers."""
    rng = np.random.default_rng(1)
    runs = []
    for tier, ratio in enumerate(ratios):
        seconds = np.array([1.0, ratio])[:, None, None] * np.exp(0.05 * rng.standard_normal((2, puzzles, 4)))
        runs.append(a_run(seconds, ["fast", "slow"], np.ones(puzzles), collection=f"tier{tier}"))
    return together(*runs)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("width", [80, 40])
def test_every_line_fits_a_terminal(name: str, width: int) -> None:
    assert max(map(cell_len, printed(case(name), width, force_terminal=True))) <= width


REPORT = "results/a run/report.html; in this terminal: sudoku-bench report 'results/a run' --verbose"


@pytest.mark.parametrize("name", CASES)
def test_a_run_ends_on_at_most_eight_lines_of_which_the_last_leads_to_everything_else(name: str) -> None:
    run = case(name)
    told = ending.conclusion(run, FOLDER)
    assert len(told) <= 8
    assert told[0] == speech.results(run)[0] if len(run.pairs) else len(told) == 1
    assert printed(run)[-1].endswith(REPORT)


def test_tiers_with_the_same_fastest_share_a_line_and_others_do_not() -> None:
    run = tiers(2, 2, 0.5, 2)
    several, single = speech.results(run)
    pairs = run.pairs.set_index("collection")
    ratios = sorted(pairs.loc[["tier0", "tier1", "tier3"], "ratio"])
    assert several.startswith("Fastest on tier0, tier1 and tier3: fast (")
    told = re.search(r" of CPU time, geometric mean\); the next takes (.*) to (.*) times as long", several)
    assert told is not None
    assert [float(number) for number in told.groups()] == pytest.approx([ratios[0], ratios[-1]], rel=0.01)
    told = re.fullmatch(r"Fastest on tier2: slow \(.*\); the next takes (.*) times as long \[(.*), (.*)\]", single)
    assert told is not None
    expected = pairs.loc["tier2", ["ratio", "ratio_lo", "ratio_hi"]]
    assert [float(number) for number in told.groups()] == pytest.approx(list(expected), rel=0.01)
    unique = run.manifest | {"suite": run.manifest["suite"] | {"task": "unique"}}
    assert speech.results(dataclasses.replace(run, manifest=unique))[1].startswith(
        "Fastest at task unique on tier2: slow"
    )


def test_a_run_of_encodings_says_how_long_the_usual_one_takes_under_each_solver() -> None:
    run = case("encodings")
    table = run.all_pairs.set_index(["collection", "a", "b"])
    told = {name: line for name in ("+compiled@b", "@a") for line in speech.results(run) if f"under {name}" in line}
    ratios = [1 / table.loc[(f"tier{n}", "sat:augmented@a", "sat:complete+pairwise@a"), "ratio"] for n in range(4)]
    between = [
        float(text) for text in re.findall(r"sat:complete\+pairwise@a takes (\S+) to (\S+) times", told["@a"])[0]
    ]
    assert between == pytest.approx([min(ratios), max(ratios)], rel=0.01)
    assert re.search(
        r"Fastest on tier2 under \+compiled@b: .*pairwise\+compiled@b takes ≥ (\S+) .* \[\1, ∞\]",
        " ".join(speech.results(run)),
    )
    rows = run.measurements.replace({"strategy": {"sat:order@a": "csp:other"}})
    assert "complete+pairwise" not in " ".join(speech.results(dataclasses.replace(run, measurements=rows)))


def test_a_tie_names_a_few_and_counts_all() -> None:
    rng = np.random.default_rng(2)
    names = [f"s{number}" for number in range(6)]
    run = a_run(np.exp(0.3 * rng.standard_normal((6, 20, 3))), names, np.ones(20))
    [text] = speech.results(run)
    assert re.fullmatch(r"Fastest on own, statistically tied: s\d, s\d, s\d and 3 more \(of 6\)", text)


def test_without_any_verdict_the_medians_are_shown_and_the_reason() -> None:
    lines = printed(tiers(2, 2, puzzles=9))
    assert lines[0].startswith("Median CPU time per solve")
    assert lines[-2] == "No verdict on tier0 and tier1: too few puzzles (9 of at least 15)"
    assert not re.search("Ranking|virtual best", " ".join(lines))


def test_warnings_tell_of_wrong_unfinished_and_missing_measurements() -> None:
    run = tiers(2)
    assert ending.warnings(run) == []
    rows = run.measurements
    slow = (rows["strategy"] == "slow") & (rows["repetition"] == 1)
    late = dataclasses.replace(run, measurements=rows.assign(status=rows["status"].mask(slow, "error")))
    whole = "Of 240 solves 210 solved and 30 ended with an error: slow 30 ended with an error"
    first = "slow ended with an error on tier0-0000 of tier0: no reason is known"
    assert ending.warnings(late) == [first, whole]
    wrong = dataclasses.replace(run, measurements=rows.assign(status=rows["status"].mask(slow, "wrong")))
    excluded, fault, _ = ending.warnings(wrong)
    assert excluded == "Not compared: slow, wrong: 30 on tier0"
    assert fault.startswith("slow gave a wrong answer to tier0-0000 of tier0: ")
    in_lead_in = wrong.measurements.assign(reason="lead-in: no grid")
    own = run.manifest | {"strategies": [{"name": "slow", "plugin": "class_of_script1.py"}]}
    _, fault, _ = ending.warnings(dataclasses.replace(run, measurements=in_lead_in, manifest=own))
    where = "in the lead-in before tier0-0000 of tier0, whose row counts"
    assert fault == f"slow gave a wrong answer {where}: no grid"
    fewer = dataclasses.replace(run, manifest=run.manifest | {"planned_rows": 999})
    assert ending.warnings(fewer) == ["Incomplete: 240 of 999 measurements"]
