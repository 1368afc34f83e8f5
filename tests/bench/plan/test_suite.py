"""Suites and their errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_bench.bench import cli
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


def test_settings_of_the_command_line_take_precedence() -> None:
    changed = suite.Suite(repetitions=3, seed=7).with_settings({"repetitions": 2, "seed": None})
    assert (changed.repetitions, changed.seed) == (2, 7)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("repetitons = 3", "unknown setting repetitons; did you mean repetitions?"),
        ("repetitions = '3'", "repetitions is '3', not an integer"),
        ("repetitions = true", "repetitions is True, not an integer"),
        ("repetitions = 0", "repetitions is 0, not an integer of at least 1"),
        ("timeout_s = -1", "timeout_s is -1, not a number above 0"),
        ("timeout_s = inf", "timeout_s is inf, not a number below"),
        ("timeout_s = nan", "timeout_s is nan, not a number above 0"),
        ("strategies = 'sat:*'", "strategies is 'sat:*', not a list"),
        ("isomorphs = 1", "isomorphs is 1, not true or false"),
        ("task = 'all'", "'all' is not a task"),
        ("mode = 'cool'", "mode must be warm, cold or batch:B with B up to 100000, not 'cool'"),
        ("mode = 'batch:0'", "mode must be warm"),
        ("mode = 'cold'\nloops = 2", "loops apply to mode warm only"),
        ("gc = 'maybe'", "gc is 'maybe', not on or off"),
        ("margin = 5", "margin is 5, not a number below 1"),
        ("margin = '5%'", "margin is '5%', not a number"),
        ("repetitions = ", "is not TOML"),
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


def test_a_good_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('strategies = ["sat:*"]\ndatasets = ["easy"]\ntimeout_s = 2\nloops = 4\n', encoding="utf-8")
    loaded = suite.load(str(path))
    assert (loaded.name, loaded.strategies, loaded.timeout_s, loaded.loops) == ("mine", ("sat:*",), 2, 4)


@pytest.mark.parametrize(("name", "complaint"), [("mian", "did you mean main?"), ("gone.toml", "no such file")])
def test_a_missing_suite(name: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        suite.load(name)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(("text", "seconds"), [("10", 10), ("0.5", 0.5), ("1m", 60), ("90s", 90), ("1h", 3600)])
def test_a_time_limit_is_a_number_of_seconds_or_a_time(text: str, seconds: float) -> None:
    assert cli.parser().parse_args(["run", "--timeout", text]).timeout_s == seconds
    assert cli.parser().parse_args(["solve", "x", "--timeout", text]).timeout == seconds


def test_what_is_no_time_limit_is_said() -> None:
    with pytest.raises(InputError, match="--timeout must be a time such as 90s, 10m or 1h, not '1 minute'"):
        cli.parser().parse_args(["run", "--timeout", "1 minute"])


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000])
def test_a_number_or_a_list_of_extreme_size_is_one_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"limit = {value}\n")
    with pytest.raises(InputError, match=r"mine\.toml: is not TOML"):
        suite.load(str(path))


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("10m", 600), ("1h", 3600), ("1.5h", 5400)])
def test_times_are_parsed(text: str, seconds: float) -> None:
    assert suite.Suite().with_settings({"budget": text}).budget_s == seconds


@pytest.mark.parametrize("text", ["", "90", "0s", "-5m", "1d", "m", "1e3s", "nan s", "١s"])
def test_an_invalid_time_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="budget must be a time such as 90s, 10m or 1h"):
        suite.Suite().with_settings({"budget": text})


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
