"""The numbers of a write-up equal those of the tables and have names that texts can use."""

from __future__ import annotations

import csv
import dataclasses
import io
import re

import pandas as pd
import pytest

from sudoku_bench.bench.reports import macros, numbers
from sudoku_bench.bench.reports.numbers import near, path
from tests.bench.figures.cases import CASES, case

NAMES = ("family0:model0@engine", "family0:model1@engine")


@pytest.fixture(scope="module")
def named() -> numbers.Numbers:
    return numbers.numbers(case("usual"))


def test_times_and_counts_are_those_of_the_summary(named: numbers.Numbers) -> None:
    for line in case("usual").summary.to_dict("records"):
        where = f"{line['collection']}/{line['strategy']}"
        for figure in ("median", "gmean", "gmean_lo", "par2"):
            assert named[f"{figure}/{where}"].value == line[f"{figure}_s"]
            assert named[f"{figure}/{where}"].unit == "s"
        assert named[f"timeouts/{where}"].value == line["timeouts"]


def test_the_virtual_best_has_numbers_where_there_are_enough_puzzles() -> None:
    assert any(name.startswith("vbs_") for name in numbers.numbers(case("usual")))
    assert not any(name.startswith("vbs_") for name in numbers.numbers(case("many collections")))


def test_the_run_and_its_machine(named: numbers.Numbers) -> None:
    assert (named["puzzles"].value, named["measurements"].text) == (90, "1,080")
    assert (named["limit"].text, named["date"].text) == ("10 s", "2026-01-02")
    assert named["machine/cpu"].text == "Simulated CPU"


def test_reported_crossovers_have_a_short_name() -> None:
    run = case("usual")
    reported = run.crossovers[run.crossovers["told"] == "yes"]
    names = [name for name in numbers.numbers(run) if name.startswith("crossover/guesses/")]
    assert len(names) == len(reported[reported["axis"] == "guesses"])


def test_encodings_are_numbers_too() -> None:
    sizes = {"encoding": "complete+product", "shape": "9x9", "variables": 2, "clauses": 3, "literals": 4}
    run = dataclasses.replace(case("one of both"), encodings=pd.DataFrame([sizes]))
    assert numbers.numbers(run)["clauses/9x9/complete+product"].value == 3


@pytest.mark.parametrize("name", CASES)
def test_every_run_has_numbers_whose_names_latex_can_take(name: str) -> None:
    named = numbers.numbers(case(name))
    assert all(re.fullmatch(r"[A-Za-z0-9:@+_.,()=/-]+", key) for key in named)
    assert all(number.text and "nan" not in number.text for number in named.values())
    assert not [key for key, number in named.items() if number.value is not None and not abs(number.value) < 1e12]


def test_special_characters_are_escaped() -> None:
    assert path("median", "a b", "$x_{0}/é") == "median/a=20b/=24x_=7B0=7D=2F=C3=A9"


def test_the_table_reads_back(named: numbers.Numbers) -> None:
    lines = {line["name"]: line for line in csv.DictReader(io.StringIO(macros.as_csv(named)))}
    assert list(lines) == list(named)
    for name, number in named.items():
        assert (lines[name]["text"], lines[name]["unit"]) == (number.text, number.unit)
        if number.value is not None:
            assert float(lines[name]["value"]) == pytest.approx(number.value, rel=1e-5)


def test_there_is_a_macro_for_each_number_as_far_as_there_is_room(named: numbers.Numbers) -> None:
    made = macros.as_latex(named)
    assert made.count(r"\sudokubench@number{") == len(named)
    fewer = macros.as_latex(named, most=10)
    assert fewer.count(r"\sudokubench@number{") == 10
    assert f"{len(named) - 10:,} numbers of pairs omitted" in fewer


def test_similar_names_are_suggested(named: numbers.Numbers) -> None:
    a, b = NAMES
    assert near(f"ratio/{a}/{b}/tier0", named)[0] in (f"ratio/tier0/{a}/{b}", f"ratio/tier0/{b}/{a}")
    assert near(f"medain/tier0/{a}", named)[0] == f"median/tier0/{a}"
    assert near("nothing/like/it", named) == []
