"""The looks of strategies: distinct within a run, and the same in every run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sudoku_bench.bench.figures.sheet import ENGINES, KNOWN, NUMBER, looks
from sudoku_bench.bench.figures.style import COLOURS
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat.encodings import DEFAULTS


def test_a_strategy_looks_the_same_whatever_else_the_run_has() -> None:
    others = ["a:1", "b:2", "zzz:last"]
    for name in ("seed:norvig", "sat:augmented@cadical195", "mine:search"):
        alone = looks([name])[name]
        assert looks([name, *others])[name] == alone
        assert looks([*others, name, *KNOWN[:20]])[name] == alone


def test_known_strategies_of_a_family_have_different_colours() -> None:
    shown = looks(KNOWN)
    for family in ("seed", "smt", "cp"):
        colours = [look.colour for name, look in shown.items() if name.startswith(f"{family}:")]
        assert len(colours) == len(set(colours)) > 1


def test_composed_strategies_show_their_engine_and_their_encoding() -> None:
    encodings, engines = ("natural+ladder", "direct-log", "support+reduced"), ("glucose4", "maplechrono", "pycosat")
    shown = looks([f"sat:{encoding}@{engine}" for encoding in encodings for engine in engines])
    assert len(set(shown.values())) == len(shown)
    for engine in engines:
        assert len({look.colour for name, look in shown.items() if name.endswith(engine)}) == 1
    for encoding in encodings:
        alike = {(look.marker, look.dashes) for name, look in shown.items() if f":{encoding}@" in name}
        assert len(alike) == 1


def test_without_lines_no_two_encodings_look_alike_and_one_engine_leaves_colour_to_them() -> None:
    encodings = ("minimal+pairwise", "complete+product", "complete+heule", "order", "log", "support", "natural+ladder")
    shown = looks([f"sat:{encoding}@cadical195" for encoding in (*encodings, "complete+pairwise")])
    assert len({look.colour for look in shown.values()}) == len(COLOURS)
    for engines in (["glucose4"], ["glucose4", "minisat22", "cadical195"]):
        many = looks([f"sat:{encoding}@{engine}" for encoding in DEFAULTS[:16] for engine in engines])
        assert len({(look.colour, look.marker) for look in many.values()}) == len(many)


@pytest.mark.parametrize("engines", [ENGINES[:1], ["glucose4"], ENGINES])
def test_no_two_of_all_listed_encodings_look_alike(engines: Sequence[str]) -> None:
    shown = looks([f"sat:{encoding}@{engine}" for encoding in DEFAULTS for engine in engines])
    assert len(set(shown.values())) == len(shown) == len(DEFAULTS) * len(engines)
    if len(engines) == 1:  # marks without lines differ, too, and colour is the encoding's
        assert len({(look.colour, look.marker) for look in shown.values()}) == len(shown)
        assert len({look.colour for look in shown.values()}) == len(COLOURS)


def test_as_many_looks_as_there_are_differ() -> None:
    names = [f"family:model{number}" for number in range(NUMBER)]
    assert len(set(looks(names).values())) == NUMBER
    assert len(looks([*names, "one:more"])) == NUMBER + 1


def test_known_strategies_are_registered() -> None:
    registry.load_builtin()
    assert set(KNOWN) <= {registry.get(name).name for name in KNOWN}
