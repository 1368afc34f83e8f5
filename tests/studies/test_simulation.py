"""What all simulations keep: the committed results have their cells and hold, documents show them, trials are small."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from studies import document, simulation
from studies.__main__ import STUDIES, execute
from studies.simulation import PAGE, RESULTS, Simulation, rate_interval, within_level


def studies() -> dict[str, Simulation]:
    places = {name: place.split(".") for name, place in STUDIES.items()}
    found = {name: getattr(import_module(f"studies.{module}"), what) for name, (module, what) in places.items()}
    return {name: study for name, study in found.items() if isinstance(study, Simulation)}


SIMULATIONS = studies()


@pytest.mark.parametrize("name", SIMULATIONS)
def test_the_committed_results_are_complete_hold_and_stand_in_the_document(name: str) -> None:
    study, table = SIMULATIONS[name], pd.read_csv(RESULTS / SIMULATIONS[name].file)
    as_text = ["process"] if name == "crossovers" else []
    cells = pd.DataFrame(study.cells).drop(columns=["draws", *as_text], errors="ignore")
    assert len(cells.drop_duplicates()) == len(cells)
    of_cells = table[list(cells)]
    several = len(table) > len(study.cells)  # rows of a cell
    pd.testing.assert_frame_equal(of_cells.drop_duplicates(ignore_index=True) if several else of_cells, cells)
    assert study.held(table)
    if study.markdown:
        assert study.markdown(table) == document.region(PAGE, name)


def small(measured: list[float]) -> Simulation:
    """A study of two cells that draws a number and says how many benchmarks it was asked for."""

    def measure(rng: np.random.Generator, draws: int, *, size: int) -> list[dict[str, float]]:
        measured.append(rng.random())
        return [{"draws": draws, "number": measured[-1]}]

    return Simulation(
        **{"title": "", "file": "small.csv", "measure": measure, "draws": 7, "seed": (1,), "digits": 3},
        cells=[{"size": 1}, {"size": 2, "draws": 9}],
        held=lambda table: len(table) == 2,
        markdown=lambda table: f"{len(table)} cells",
    )


def test_only_a_whole_study_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("\n".join(document.marks("small")), encoding="utf-8")
    monkeypatch.setattr(simulation, "PAGE", page)
    monkeypatch.setattr(simulation, "RESULTS", tmp_path)
    numbers: list[float] = []
    study = small(numbers)
    assert not simulation.simulate("small", study, 3, 2)
    assert document.region(page, "small") == ""
    assert not (tmp_path / "small.csv").exists()
    assert simulation.simulate("small", study, 0, 1)
    written = [f"1,7,{numbers[1]:.3g}", f"2,9,{numbers[2]:.3g}"]
    assert (tmp_path / "small.csv").read_text().splitlines() == ["size,draws,number", *written]
    assert document.region(page, "small") == "2 cells"
    assert numbers[1] == numbers[0] != numbers[2]  # each cell has a seed of its own


def test_a_trial_of_a_simulation_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute("choice", ["--draws", "5", "--every", "30"]) in (0, 1)
    assert len(capsys.readouterr().out.splitlines()) == 1 + 6


def test_errors_are_those_of_a_rule_with_the_level_and_intervals_of_rates_are_exact() -> None:
    for errors, accepted in ((29, True), (30, False)):
        assert within_level(pd.Series([0, errors]), pd.Series([400, 400]), 0.05) == accepted
    for found, ends in ((0, (0.0, 0.1684)), (19, (0.7513, 0.9987)), (20, (0.8316, 1.0))):
        assert rate_interval(found, 20) == pytest.approx(ends, abs=1e-4)
