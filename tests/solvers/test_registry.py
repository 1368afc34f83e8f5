"""The registry: names, patterns, and the errors of registering."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sudoku_bench.bench.plan.strategies import known, select
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers import Strategy, register, registry

SEEDS = {"seed:pyeda", "seed:pycosat", "seed:python-constraint", "seed:pysat", "seed:norvig"}


@pytest.fixture
def empty_registry(monkeypatch):
    """An empty registry during the test."""
    monkeypatch.setattr(registry, "_registered", {})


def strategy(name="my:own", **attributes) -> type[Strategy]:
    return type("Own", (Strategy,), {"name": name, **attributes})


def chosen(*patterns: str) -> list[str]:
    return [info.name for info in select(patterns)]


def test_a_pattern_selects_a_family():
    assert set(chosen("seed:*")) == SEEDS
    assert set(chosen("sat:*")) == {name for name in known() if name.startswith("sat:")}
    assert len(chosen("sat:*")) > 1


def test_the_order_does_not_depend_on_what_was_imported_first():
    code = "from sudoku_bench.solvers import registry; registry.load_builtin(); print(registry.names())"
    first, other = (
        subprocess.run([sys.executable, "-c", before + code], capture_output=True, text=True, check=True).stdout
        for before in ("", "import sudoku_bench.solvers.seeds.norvig, sudoku_bench.solvers.models.csp; ")
    )
    assert first == other
    assert first.startswith("['seed:pyeda', 'seed:pycosat'")


def test_several_patterns_keep_their_order_without_duplicates():
    names = chosen("seed:norvig", "seed:*", "*@cadical195", "sat:*", "seed:norvig")
    assert names[0] == "seed:norvig"
    assert len(names) == len(set(names))
    assert set(names) == {name for name in known() if name.startswith(("seed:", "sat:"))}


@pytest.mark.parametrize(
    "pattern",
    [
        *("nothing:*", "seed:norvi", "norvig", "SEED:*", "", "sat:", "sat:complete", "sat:complete+pairwise"),
        *("sat:complete+pairwise@", "sat:complete+pairwise@nobody", "sat:complete+nothing@cadical195"),
        *("sat:nothing+pairwise@cadical195", "sat:complete+pairwise@cadical195@cadical195", "sat:sat:complete"),
    ],
)
def test_a_pattern_that_matches_nothing_is_an_input_error(pattern):
    with pytest.raises(InputError, match="sudoku-bench list strategies") as refused:
        select(["seed:norvig", pattern])
    assert pattern in str(refused.value)


def test_an_exact_name_need_not_be_in_the_default_set(solver_of, puzzles):
    name = "sat:natural+pairwise@glucose4"
    assert name not in known()
    assert chosen(name, name) == [name]
    assert name not in known()
    with solver_of(name) as solver:
        assert len(solver.solutions(puzzles["4x4"]["empty"], "count:300")) == 288


@pytest.mark.usefixtures("empty_registry")
def test_a_name_is_registered_once():
    first = register(strategy())
    with pytest.raises(InputError, match="my:own: the name is taken"):
        register(strategy())
    assert registry.get("my:own") is first


@pytest.mark.usefixtures("empty_registry")
@pytest.mark.parametrize(
    "name",
    [
        *("", "own", ":own", "my:", ":", "my: own", "my:own ", "my:a\tb", "my:a\nb", "my:*", "my:[a]", "my:a,b"),
        *("my:a\x00b", "my:\x1b[31m", "my:\u202eknil", "my:\ud800", "my:" + "a" * 78),
        *("my:a/b", "../my:own", "my:..\\own", 5, None, b"my:own", ["my:own"], property(lambda _: "my:own")),
    ],
)
def test_a_malformed_name_is_refused(name):
    with pytest.raises(InputError, match=r"family:model|printable") as refused:
        register(type("Nameless", (Strategy,), {}) if name == "" else strategy(name))
    assert str(refused.value).isprintable()
    assert registry.names() == []


@pytest.mark.usefixtures("empty_registry")
@pytest.mark.parametrize(
    "name", ["my:own", "my:own+option@engine", "my:own@engine-1.2", "my-2:a_b+c+d@e", "my:ö", "my:" + "a" * 77]
)
def test_a_well_formed_name_is_accepted(name):
    named = strategy(name)
    assert register(named) is registry.get(name) is named
    assert registry.names() == [name]


@pytest.mark.usefixtures("empty_registry")
@pytest.mark.parametrize(
    ("attribute", "values", "complaint"),
    [
        (
            "tasks",
            [("all",), ("first", "second"), ("count:3",), "first", (), None],
            "tasks are a tuple of first, unique",
        ),
        ("requires", ["numpy", ("",), ("numpy>=2",), ("numpy ",)], "requires is a tuple of distributions"),
        ("environ", [{"THREADS": 1}, {1: "THREADS"}], "environ maps names to texts"),
        ("takes", ["units", ("boxes",), ("units", "pencilmarks")], "takes is a tuple of units and candidates"),
    ],
)
def test_malformed_attributes_are_refused(attribute, values, complaint):
    for value in values:
        with pytest.raises(InputError, match=f"my:own: {complaint}"):
            register(strategy(**{attribute: value}))
    assert registry.names() == []


def test_a_strategy_with_a_missing_package_is_listed_with_the_reason(monkeypatch):
    registry.load_builtin()
    needy = strategy("my:needy", requires=("no-such-distribution",), __module__=f"{registry.__package__}.needy")
    monkeypatch.setattr(registry, "_registered", {**registry._registered, "my:needy": needy})
    info = known()["my:needy"]
    assert not info.available
    assert "no-such-distribution is not installed" in info.reason
    assert known()["seed:norvig"].available


def test_the_family_with_the_longest_pattern_makes_a_strategy(monkeypatch):
    monkeypatch.setattr(registry, "_families", {})
    registry.register_family("my:*@/*", lambda name: strategy(f"{name}+program"))
    registry.register_family("my:*", lambda name: strategy(name), canonical=str.lower)
    assert registry.get("my:A@/b").name == "my:A@/b+program"
    assert registry.canonical("my:A@/b") == "my:A@/b"
    assert registry.get("my:A@b").name == "my:A@b"
    assert registry.canonical("my:A@b") == "my:a@b"
    with pytest.raises(InputError, match="no strategy is called other:a"):
        registry.get("other:a")


LIGHT = """
import sys
from sudoku_bench.solvers import registry

registry.load_builtin()
heavy = {"numba", "numpy", "pandas", "pysat", "subprocess", "sudoku_bench.solvers.external.strategies"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
assert registry.get("sat:log@/cadical").programs == ("cadical",)
assert "sudoku_bench.solvers.external.strategies" in sys.modules
"""


def test_external_programs_are_imported_on_demand():
    process = subprocess.run([sys.executable, "-P", "-c", LIGHT], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
