"""Encodings, schemes and engines of one's own, from files outside the packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_bench.bench.plan.strategies import known, select
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import parse
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat import encodings
from sudoku_bench.solvers.sat.engines import engines
from tests.solvers.solving import answer_of_worker

OWN = Path(__file__).with_name("own")
ENCODING, SCHEME, ENGINE = (str(OWN / f"{name}.py") for name in ("encoding", "scheme", "engine"))
HARD_4 = parse("432.........2.4.")


@pytest.fixture(autouse=True)
def nothing_is_registered_here():
    yield
    assert "peers" not in encodings.WITHOUT_SCHEME
    assert not any("peers" in name or "fours" in name or "cms-direct" in name for name in registry.names())


def test_each_is_listed_with_one_strategy() -> None:
    shown = set(known([ENCODING, SCHEME, ENGINE])) - set(known())
    assert shown == {"sat:peers@cadical195", "sat:complete+fours@cadical195", "sat:complete+pairwise@cms-direct"}


@pytest.mark.parametrize(
    ("file", "pattern", "names"),
    [
        (ENCODING, "sat:peers+substituted@glucose4", {"sat:peers+substituted@glucose4"}),
        (ENCODING, "sat:{peers,log}@{cms-direct,minisat22}", {"sat:peers@minisat22", "sat:log@minisat22"}),
        (ENCODING, "sat:peers@*", {f"sat:peers@{engine}" for engine in engines()}),
        (SCHEME, "sat:minimal+fours+substituted@glucose4", {"sat:minimal+fours+substituted@glucose4"}),
        (ENGINE, "sat:{order,complete+native,log}@cms-direct", {"sat:order@cms-direct", "sat:log@cms-direct"}),
    ],
)
def test_patterns_range_over_combinations_with_what_a_plugin_registers(file: str, pattern: str, names) -> None:
    assert {info.name for info in select([pattern], [file])} == names


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (ENCODING, "sat:peers+assumptions@glucose4"),
        (SCHEME, "sat:natural+fours@pycosat"),
        (ENGINE, "sat:augmented+substituted@cms-direct"),
    ],
)
def test_a_worker_solves_with_a_combination(file: str, name: str) -> None:
    [info] = select([name], [file])
    assert answer_fault(HARD_4, answer_of_worker(info, HARD_4, "unique"), 1) is None


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("register_encoding('complete')", "encoding complete: the name is taken"),
        ("register_encoding('Mine')", "encoding 'Mine': a name has small letters, digits and hyphens only"),
        ("register_encoding('mine')(lambda: [])", "encoding mine: its function takes a shape, or a shape and a scheme"),
        ("register_amo('product')", "at-most-one scheme product: the name is taken"),
        ("register_engine('mine')(dict)", "engine mine: is no subclass of sudoku_bench.solvers.sat.cnf.CnfStrategy"),
    ],
)
def test_a_registration_that_cannot_work_is_one_line(tmp_path: Path, source: str, complaint: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(f"from sudoku_bench.solvers import register_amo, register_encoding, register_engine\n{source}\n")
    with pytest.raises(InputError) as refused:
        known([str(path)])
    assert f"{path}:2: {complaint}" in str(refused.value)
    assert "\n" not in str(refused.value)
