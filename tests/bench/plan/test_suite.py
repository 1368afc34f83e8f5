"""Suites and their errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_bench.bench.commands import cli
from sudoku_bench.bench.plan import suite
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.errors import InputError


def test_defaults_that_external_tools_rely_on() -> None:
    default = suite.Suite()
    assert (default.task, default.mode) == ("first", "warm")
    assert (default.repetitions, default.launches, default.timeout_s) == (5, 1, 10)
    assert default.isomorphs
    assert default.loops == 1
    assert default.gc == "on"
    assert default.margin == 0.05


def test_shipped_suites_are_valid_and_name_existing_collections() -> None:
    shipped = suite.shipped()
    assert suite.DEFAULT in shipped
    for each in shipped.values():
        assert each.title
        assert set(each.datasets) <= set(catalogue.entries())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("repetitons = 3", "unknown setting repetitons; did you mean repetitions?"),
        ("repetitions = true", "repetitions is True, not an integer"),
        ("repetitions = 0", "repetitions is 0, not an integer of at least 1"),
        ("timeout_s = nan", "timeout_s is nan, not a number above 0"),
        ("task = 'all'", "'all' is not a task"),
        ("mode = 'cool'", "mode must be warm, cold or batch:B with B up to 100000, not 'cool'"),
        ("mode = 'cold'\nloops = 2", "loops apply to mode warm only"),
        *((f"repetitions = {text}", "is not TOML") for text in ("", "9" * 5000, "[" * 5000)),
    ],
)
def test_a_bad_suite_is_one_line_with_the_file(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        suite.load(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "complaint"), [("mian", "did you mean main?"), ("gone.toml", "no such file")])
def test_a_missing_suite(name: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        suite.load(name)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(("text", "seconds"), [("0.5", 0.5), ("90s", 90), ("1.5h", 5400)])
def test_a_time_limit_is_a_number_of_seconds_or_a_time(text: str, seconds: float) -> None:
    assert cli.parser().parse_args(["run", "--timeout", text]).timeout_s == seconds
    assert cli.parser().parse_args(["solve", "x", "--timeout", text]).timeout == seconds
    for wrong in ("", "0s", "-5m", "1d", "1e3s", "١s"):
        with pytest.raises(InputError, match="budget must be a time such as 90s, 10m or 1h"):
            suite.Suite().with_settings({"budget": wrong})


def test_repetitions_are_given_or_chosen_not_both(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exclude each other"):
        suite.Suite().with_settings({"budget": "1m", "repetitions": 3})
    assert suite.Suite(budget="1m").with_settings({"repetitions": 3}).budget is None
    assert suite.Suite(repetitions=3).with_settings({"budget": "1m"}).budget_s == 60
    path = tmp_path / "mine.toml"
    path.write_text('budget = "2m"\n', encoding="utf-8")
    assert suite.load(str(path)).budget_s == 120
    path.write_text("budget = 2\n", encoding="utf-8")
    with pytest.raises(InputError, match="budget is 2, not text"):
        suite.load(str(path))


def test_a_pattern_that_is_an_ending_stands_for_the_strategies_of_the_suite_with_it() -> None:
    own = suite.load("encodings").strategies
    heads = [name.partition("@")[0] for name in own]
    made = suite.requested(
        "encodings", {"strategies": ("@glucose4", "+compiled@minisat22", "seed:norvig"), "task": "unique"}
    )
    endings = [f"{head}{end}" for end in ("@glucose4", "+compiled@minisat22") for head in heads]
    assert made.strategies == (*endings, "seed:norvig")
    assert (made.task, made.budget, made.sample) == ("unique", "5m", 60)
    assert suite.requested(None, {"strategies": ("@glucose4",)}).strategies == ("@glucose4",)
