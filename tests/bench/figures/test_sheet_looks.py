"""The looks of strategies: those drawn together differ, also in grey and for readers who see no green."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from sudoku_bench.bench.figures.sheet import NUMBER, looks, of_run, palette
from sudoku_bench.bench.figures.style import COLOURS, LINES, MARKERS, Look
from sudoku_bench.bench.verdicts.selection import select
from sudoku_bench.datasets.errors import InputError
from tests.bench.figures.cases import case

# Deuteranopia on linear RGB: Machado, Oliveira & Fernandes 2009, severity 1.
WITHOUT_GREEN = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
GREY = np.outer(np.ones(3), [0.2126, 0.7152, 0.0722])
TO_XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])


def lab(colour: str, seen_as: np.ndarray) -> np.ndarray:
    """Return a colour, as it is seen, in CIELAB."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(seen_as @ linear, 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def alike(one: Look, other: Look, seen_as: np.ndarray) -> bool:
    """Return whether two looks have the same marker and line, and colours that are hard to distinguish."""
    is_near = np.linalg.norm(lab(one.colour, seen_as) - lab(other.colour, seen_as)) < 10
    return (one.marker, one.dashes) == (other.marker, other.dashes) and bool(is_near)


@pytest.mark.parametrize("number", range(2, 25))
def test_no_two_of_a_random_selection_look_alike(number: int) -> None:
    rng = np.random.default_rng(number)
    for _ in range(20):
        names = [f"family{rng.integers(9)}:{rng.integers(1 << 30)}" for _ in range(number)]
        shown = list(looks(names).values())
        pairs = list(itertools.combinations(shown, 2))
        assert not [pair for pair in pairs for seen in (np.eye(3), WITHOUT_GREEN, GREY) if alike(*pair, seen)]
        assert len({look.colour for look in shown}) == min(number, len(COLOURS))
        assert len({look.marker for look in shown}) == min(number, len(MARKERS))
        assert len({(look.marker, look.dashes) for look in shown}) == number


def test_no_two_colours_are_one_for_a_reader_who_sees_no_green() -> None:
    for one, other in itertools.combinations(COLOURS, 2):
        assert np.linalg.norm(lab(one, WITHOUT_GREEN) - lab(other, WITHOUT_GREEN)) > 8, (one, other)


def test_as_many_looks_as_there_are_differ() -> None:
    assert len(COLOURS) * len(MARKERS) * len(LINES) == NUMBER
    names = [f"family:model{number}" for number in range(NUMBER)]
    assert len(set(looks(names).values())) == NUMBER
    assert len(looks([*names, "one:more"])) == NUMBER + 1


def test_an_alias_changes_the_text_and_not_the_look() -> None:
    run = case("usual")
    first, second, *_ = run.per_puzzle["strategy"].unique()
    plain, named = (of_run(select(run, [first, second], aliases)) for aliases in ({}, {first: "Mine"}))
    assert named.looks["Mine"] == plain.looks[first]
    assert named.looks[second] == plain.looks[second]


def test_colours_are_those_asked_for() -> None:
    run = case("usual")
    first, second, *_ = run.per_puzzle["strategy"].unique()
    assert of_run(select(run, colours={second: "red"})).looks[second].colour == "#ff0000"
    chosen = of_run(select(run, [second, first], colours="#010203,blue")).looks
    assert (chosen[second].colour, chosen[first].colour) == ("#010203", "#0000ff")
    assert len(set(palette("tab10", 10))) == len(set(palette("viridis", 4))) + 6 == 10
    with pytest.raises(InputError, match="reddish: is no colour or palette"):
        of_run(select(run, colours="reddish"))
