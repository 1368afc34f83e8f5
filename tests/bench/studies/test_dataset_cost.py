"""The cost of the data set, extrapolated from chunks of each recipe."""

from __future__ import annotations

import sys

import pytest

from bench.studies import dataset_cost
from datasets.making.dataset.build import chunks_of
from datasets.making.dataset.recipes import RECIPES


@pytest.fixture
def chunks_of_two_seconds(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Let each chunk take two seconds and lack one puzzle; return the list of those made."""
    made: list[tuple[str, int]] = []

    def chunk_rows(recipe: str, number: int) -> range:
        made.append((recipe, number))
        return range(RECIPES[recipe].chunk - 1)

    monkeypatch.setattr(dataset_cost, "chunk_rows", chunk_rows)
    monkeypatch.setattr(dataset_cost, "own_cpu_s", lambda: 2.0 * len(made))
    return made


def test_costs_are_extrapolated_to_all_puzzles(chunks_of_two_seconds: list[tuple[str, int]]) -> None:
    costs = {cost.recipe: cost for cost in dataset_cost.costs(100_000, 10_000, 5)}
    numbers = {recipe.name: n_chunks for recipe, n_chunks in chunks_of(100_000, 10_000).items()}
    assert list(costs) == list(numbers)
    minimal = costs["9x9-minimal"]
    assert (minimal.n_made, minimal.cpu_s) == (45, 10.0)
    assert minimal.core_hours == pytest.approx(numbers["9x9-minimal"] * 10 / 45 * 10 / 3600)
    assert len(set(chunks_of_two_seconds)) == sum(1 + min(5, number) for number in numbers.values())


def test_the_command_prints_a_row_for_each_recipe(
    chunks_of_two_seconds: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["dataset_cost", "--nines", "1000", "--others", "100", "--chunks", "1"])
    assert dataset_cost.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("| `") for line in lines) == len(RECIPES)
    assert "| `9x9-minimal` | 450 | 222 |" in lines[2]
    assert lines[-2].startswith("| all |")
    monkeypatch.setattr(sys, "argv", ["dataset_cost", "--chunks", "0"])
    with pytest.raises(SystemExit):
        dataset_cost.main()
