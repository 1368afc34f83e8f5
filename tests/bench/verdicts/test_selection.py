"""A part of a run holds the rows of its strategies, under their new names."""

from __future__ import annotations

import pytest

from sudoku_bench.bench.figures import sheet
from sudoku_bench.bench.verdicts.selection import select
from sudoku_bench.datasets.errors import InputError
from tests.bench.figures.cases import simulated


def test_the_rows_of_the_chosen_strategies_and_their_placebos_stay() -> None:
    run = simulated(strategies=4, puzzles=4, placebos=True)
    first, second, *_ = dict.fromkeys(run.measurements["strategy"])
    part = select(run, [first, second], {first: "mine:first"})
    names = set(part.measurements["strategy"])
    assert names == {"mine:first", second, "(instrument) mine:first", "(presentation) mine:first"}
    for old, new in ((first, "mine:first"), (f"(instrument) {first}", "(instrument) mine:first")):
        before = run.measurements.loc[run.measurements["strategy"] == old, "cpu_s"].to_list()
        assert part.measurements.loc[part.measurements["strategy"] == new, "cpu_s"].to_list() == before
    assert set(part.pairs["a"]) | set(part.pairs["b"]) == {"mine:first", second}
    assert "INCOMPLETE" not in sheet.facts(part)
    assert set(run.measurements["strategy"]) >= {first, f"(instrument) {first}"}  # the run itself is as before


@pytest.mark.parametrize(
    ("patterns", "aliases", "complaint"),
    [
        (["family0:model0@engin"], {}, "did you mean family0:model0@engine"),
        (["nothing:*"], {}, "no measurements of nothing"),
        ([], {"family0:model0": "A"}, "alias family0:model0=A: the run has no measurements"),
        (
            [],
            {"family0:model0@engine": "family0:model1@engine"},
            "two strategies would be called family0",
        ),
    ],
)
def test_what_cannot_be_selected_is_said(patterns, aliases, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        select(simulated(strategies=2, puzzles=2), patterns, aliases)
