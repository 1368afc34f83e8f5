"""Results about embedded puzzles that are shipped: `make known` computes those whose code has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from studies.collections import is_shipped
from sudoku_bench.bench.plan import kept, reference
from sudoku_bench.bench.run.side_tables import key_of, measures_of, rated
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.difficulty.conflicts import ENGINES
from sudoku_bench.datasets.difficulty.rating import SOURCES, sources_of
from sudoku_bench.datasets.sources import PACKAGE

SAMPLE = ("classics", "hard", "hardest-cdcl", "size6", "size12", "multiple", "contradictory")  # the second of each

DECLARED = {"none": 0, "one": 1, "several": 2}  # or more


def test_the_code_of_every_measure_is_that_which_computed_the_shipped_results() -> None:
    shipped = {key.partition(" ")[0].partition("@")[0] for key in kept.shipped()}
    assert set(SOURCES) - shipped == set(), "a measure has changed: run `make known`"


def test_all_modules_of_difficulty_belong_to_a_measure() -> None:
    files = {path for name in SOURCES for path in sources_of(name)}
    assert {path for path in (PACKAGE / "datasets" / "difficulty").rglob("*.py") if path.stem != "__init__"} <= files


def test_every_embedded_puzzle_has_a_reference_and_its_measures() -> None:
    for name in catalogue.embedded():
        for item in (item for item in catalogue.load(name).items if is_shipped(item.puzzle)):
            values = kept.shipped()[reference.key_of(item.puzzle, 2)]
            known = reference.reference_of(item.puzzle, values)
            assert known is not None, item.name
            assert known.solutions == DECLARED[catalogue.entries()[name].get("solutions", "one")], item.name
            for engine in ENGINES:
                measures = measures_of(item.puzzle, known, engine)
                assert all(key_of(measures, each) in kept.shipped() for each in measures.names()), item.name


def test_a_sample_has_the_same_results_when_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = kept.shipped()
    monkeypatch.setattr(kept, "folder", lambda: tmp_path)
    monkeypatch.setattr(kept, "shipped", dict)
    items = [catalogue.load(name).items[1] for name in SAMPLE]
    references = reference.establish([(item.name, item.puzzle) for item in items], 2)
    keys = [reference.key_of(item.puzzle, 2) for item in items]
    assert [reference.as_json(each) for each in references] == [shipped[key] for key in keys]
    pairs = zip(items, references, strict=True)
    measures = [measures_of(item.puzzle, known, engine) for item, known in pairs for engine in ENGINES]
    wanted = [(each, name) for each in measures for name in each.names()]
    assert [*rated(wanted)] == [shipped[key_of(each, name)] for each, name in wanted]
