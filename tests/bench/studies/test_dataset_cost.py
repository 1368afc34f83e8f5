"""The cost of the data set, extrapolated from chunks of each recipe."""

from __future__ import annotations

import pytest

from bench.studies import dataset_cost
from datasets.making.dataset.recipes import RECIPES


def test_costs_are_extrapolated_to_all_puzzles(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each chunk takes two seconds and lacks one puzzle."""
    made: list[tuple[str, int]] = []

    def chunk_rows(recipe: str, number: int) -> range:
        made.append((recipe, number))
        return range(RECIPES[recipe].chunk - 1)

    monkeypatch.setattr(dataset_cost, "chunk_rows", chunk_rows)
    monkeypatch.setattr(dataset_cost, "own_cpu_s", lambda: 2.0 * len(made))
    monkeypatch.setattr(dataset_cost, "NINES", 1000)
    monkeypatch.setattr(dataset_cost, "OTHERS", 100)
    dataset_cost.dataset_cost(chunks=1)
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("| `") for line in lines) == len(RECIPES)
    assert "| `9x9-minimal` | 450 | 222 | 0.03 | 9 |" in lines
    assert lines[-1].startswith("| all |")
    assert len(set(made)) == 2 * len(RECIPES)  # the first chunk of each compiles
