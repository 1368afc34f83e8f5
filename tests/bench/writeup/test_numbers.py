"""The numbers of a write-up are those of the tables, under names that texts can use."""

from __future__ import annotations

import csv
import io
import re

import pandas as pd
import pytest

from bench.writeup import macros, numbers
from bench.writeup.numbers import near, path, significant
from tests.bench.figures.cases import CASES, case

NAMES = ("family0:model0@engine", "family0:model1@engine")


@pytest.fixture(scope="module")
def found() -> numbers.Numbers:
    return numbers.numbers(case("usual"))


def test_times_and_counts_are_those_of_the_summary(found: numbers.Numbers) -> None:
    for line in case("usual").summary.to_dict("records"):
        where = f"{line['collection']}/{line['strategy']}"
        for figure in ("median", "gmean", "gmean_lo", "par2"):
            assert found[f"{figure}/{where}"].value == line[f"{figure}_s"]
            assert found[f"{figure}/{where}"].unit == "s"
        assert found[f"timeouts/{where}"].value == line["timeouts"]


def test_pairs_are_there_in_both_orders(found: numbers.Numbers) -> None:
    pairs = case("usual").pairs
    assert found["pairs"].value == len(pairs)
    assert found["pairs/decided"].value == pairs["verdict"].str.endswith("_faster").sum()
    for line in pairs.to_dict("records"):
        there, back = f"{line['collection']}/{line['a']}/{line['b']}", f"{line['collection']}/{line['b']}/{line['a']}"
        assert found[f"ratio/{there}"].value == pytest.approx(line["ratio"])
        assert found[f"ratio_lo/{back}"].value == pytest.approx(1 / line["ratio_hi"])
        assert found[f"wins/{back}"].value == line["losses"]
        assert found[f"p/{there}"] == found[f"p/{back}"]
    said = {name: number.text for name, number in found.items() if name.startswith("verdict/tier2/")}
    slow, fast = "family1:model3@engine", "family0:model0@engine"
    assert said[f"verdict/tier2/{slow}/{fast}"] == "slower"
    assert said[f"verdict/tier2/{fast}/{slow}"] == "faster"


def test_the_run_and_its_machine(found: numbers.Numbers) -> None:
    assert (found["puzzles"].value, found["measurements"].text) == (90, "1,080")
    assert (found["limit"].text, found["date"].text) == ("10 s", "2026-01-02")
    assert found["machine/cpu"].text == "Simulated CPU"


def test_told_crossovers_have_a_short_name() -> None:
    run = case("usual")
    told = run.crossovers[run.crossovers["told"] == "yes"]
    names = [name for name in numbers.numbers(run) if name.startswith("crossover/guesses/")]
    assert len(names) == len(told[told["axis"] == "guesses"])


def test_encodings_are_numbers_too() -> None:
    table = pd.DataFrame(
        [{"encoding": "complete+product", "shape": "9x9", "variables": 2, "clauses": 3, "literals": 4}]
    )
    assert numbers.numbers(case("one of both"), table)["clauses/9x9/complete+product"].value == 3


@pytest.mark.parametrize("name", CASES)
def test_every_run_has_numbers_whose_names_latex_can_take(name: str) -> None:
    found = numbers.numbers(case(name))
    assert all(re.fullmatch(r"[A-Za-z0-9:@+_.,()=/-]+", key) for key in found)
    assert all(number.text and "nan" not in number.text for number in found.values())
    assert not [key for key, number in found.items() if number.value is not None and not abs(number.value) < 1e12]


def test_letters_with_a_meaning_are_written_by_their_number() -> None:
    assert path("median", "a b", "$x_{0}/é") == "median/a=20b/=24x_=7B0=7D=2F=C3=A9"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.6551, "1.66"), (14.0, "14.0"), (141.9, "142"), (1125.4, "1125"), (0.0733, "0.0733"), (9.999, "10.0"), (0, "0")],
)
def test_three_digits(value: float, text: str) -> None:
    assert significant(value) == text


def test_the_table_reads_back(found: numbers.Numbers) -> None:
    lines = {line["name"]: line for line in csv.DictReader(io.StringIO(macros.as_csv(found)))}
    assert list(lines) == list(found)
    for name, number in found.items():
        assert (lines[name]["text"], lines[name]["unit"]) == (number.text, number.unit)
        if number.value is not None:
            assert float(lines[name]["value"]) == pytest.approx(number.value, rel=1e-5)


def test_there_is_a_macro_for_each_number_as_far_as_there_is_room(found: numbers.Numbers) -> None:
    made = macros.as_latex(found)
    assert made.count(r"\sudokubench@number{") == len(found)
    fewer = macros.as_latex(found, most=10)
    assert fewer.count(r"\sudokubench@number{") == 10
    assert f"{len(found) - 10:,} numbers of pairs left out" in fewer


def test_a_wrong_name_has_near_ones(found: numbers.Numbers) -> None:
    a, b = NAMES
    assert near(f"ratio/{a}/{b}/tier0", found)[0] in (f"ratio/tier0/{a}/{b}", f"ratio/tier0/{b}/{a}")
    assert near(f"medain/tier0/{a}", found)[0] == f"median/tier0/{a}"
    assert near("nothing/like/it", found) == []
