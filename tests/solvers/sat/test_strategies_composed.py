"""Patterns over all SAT strategies that can be composed, and products in braces."""

from __future__ import annotations

import pytest

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.plan.strategies import combinations, select
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.external.command import Command
from sudoku_bench.solvers.sat.encodings import every_name
from sudoku_bench.solvers.sat.engines import engines
from sudoku_bench.solvers.sat.strategies import matching


@pytest.fixture
def default() -> list[str]:
    registry.load_builtin()
    return registry.names()


def test_a_pattern_ranges_over_engines_of_an_encoding_and_over_encodings_of_an_engine() -> None:
    assert matching("sat:order@*") == [f"sat:order@{engine}" for engine in engines()]
    found = matching("sat:*@glucose42")
    assert {f"sat:{name}@glucose42" for name in every_name()} <= set(found)
    for model in ("complete+product+substituted", "irredundant+tree+reduced", "diagrams+reduced", "order-hints"):
        assert f"sat:{model}@glucose42" in found
    assert not any("native" in name for name in matching("sat:*@pycosat"))  # PicoSAT takes clauses only


@pytest.mark.parametrize("pattern", ["sat:*", "sat:*@cadical195", "sat:*@[gm]*", "seed:*", "*"])
def test_other_patterns_see_the_default_set(default, pattern: str) -> None:
    assert combinations(pattern, default) == [pattern]
    assert {info.name for info in select([pattern])} <= set(default)


def test_words_in_braces_are_a_product() -> None:
    assert registry.expanded("a{b,c}@{d,e}") == ["ab@d", "ab@e", "ac@d", "ac@e"]
    assert registry.expanded("seed:*") == ["seed:*"]
    names = [info.name for info in select(["sat:{order,log}@{cadical195,glucose4}", "seed:{pyeda,norvig}"])]
    assert names == [
        *("sat:order@cadical195", "sat:order@glucose4", "sat:log@cadical195", "sat:log@glucose4"),
        *("seed:pyeda", "seed:norvig"),
    ]


def test_combinations_that_are_no_strategies_are_left_out_and_counted() -> None:
    pattern = "sat:{complete,augmented}+{pairwise,product}@{cadical195,glucose4}"
    chosen = select([pattern])
    assert [info.name for info in chosen] == [
        *("sat:complete+pairwise@cadical195", "sat:complete+pairwise@glucose4"),
        *("sat:complete+product@cadical195", "sat:complete+product@glucose4"),
    ]
    assert list(strategies.notes_on([pattern, "seed:*"], chosen)) == [
        f"{pattern} stands for 4 strategies; 4 of its 8 combinations are no strategies"
    ]


def test_a_command_that_reads_formulas_takes_part_in_products() -> None:
    commands = [Command("mine", "clasp {opb}"), Command("other", "kissat {cnf}")]
    chosen = select(["sat:{complete+native,hall-pairs}+reduced@{mine,other,glucose4}"], (), commands)
    assert [info.name for info in chosen] == [
        *("sat:complete+native+reduced@mine", "sat:complete+native+reduced@glucose4"),
        *(f"sat:hall-pairs+reduced@{engine}" for engine in ("mine", "other", "glucose4")),
    ]
    assert [info.command for info in chosen] == [commands[0], None, *commands, None]


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("sat:{a,b}@cadical195", "none of its 2 combinations is a strategy"),
        ("seed:norvi", "did you mean seed:norvig?"),
        ("sat:*@nobody", "no strategy matches"),
    ],
)
def test_what_matches_nothing_is_said(pattern: str, complaint: str) -> None:
    with pytest.raises(InputError) as refused:
        select([pattern])
    assert complaint in str(refused.value)
    assert "sudoku-bench list strategies" in str(refused.value)
