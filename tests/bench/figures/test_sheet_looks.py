"""The looks of strategies: distinct within a run, and the same in every run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sudoku_bench.bench.figures.sheet import ENGINES, KNOWN, looks
from sudoku_bench.bench.figures.style import COLOURS
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat.encodings import DEFAULTS


def test_a_strategy_looks_the_same_whatever_else_the_run_has() -> None:
    others = ["a:1", "b:2", "zzz:last"]
    for name in ("seed:norvig", "sat:augmented@cadical195", "mine:search"):
        alone = looks([name])[name]
        assert looks([name, *others])[name] == alone
        assert looks([*others, name, *KNOWN[:20]])[name] == alone


def test_composed_strategies_show_their_engine_and_their_encoding() -> None:
    encodings, engines = ("natural+ladder", "direct-log", "support+reduced"), ("glucose4", "maplechrono", "pycosat")
    shown = looks([f"sat:{encoding}@{engine}" for encoding in encodings for engine in engines])
    assert len(set(shown.values())) == len(shown)
    for engine in engines:
        assert len({look.colour for name, look in shown.items() if name.endswith(engine)}) == 1
    for encoding in encodings:
        alike = {(look.marker, look.dashes) for name, look in shown.items() if f":{encoding}@" in name}
        assert len(alike) == 1


@pytest.mark.parametrize("engines", [ENGINES[:1], ["glucose4"], ENGINES])
def test_no_two_of_all_listed_encodings_look_alike(engines: Sequence[str]) -> None:
    shown = looks([f"sat:{encoding}@{engine}" for encoding in DEFAULTS for engine in engines])
    assert len(set(shown.values())) == len(shown) == len(DEFAULTS) * len(engines)
    if len(engines) == 1:  # marks without lines differ, too, and colour is the encoding's
        assert len({(look.colour, look.marker) for look in shown.values()}) == len(shown)
        assert len({look.colour for look in shown.values()}) == len(COLOURS)


def test_known_strategies_are_registered() -> None:
    registry.load_builtin()
    assert set(KNOWN) <= {registry.get(name).name for name in KNOWN}
