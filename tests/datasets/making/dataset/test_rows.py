"""Identifiers, splits and the stratified sample."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from datasets.collections.catalogue import load
from datasets.isomorphs import form, random_isomorph
from datasets.making.dataset.rows import Row, distinct, er_stratum, identifier, split, stratified


@pytest.mark.parametrize("name", ["minimal", "size6", "size16"])
def test_isomorphs_have_the_same_identifier(name: str) -> None:
    first, other = (item.puzzle for item in load(name).items[:2])
    again = form(first, random_isomorph(first.shape, random.Random(1)))
    assert identifier(again) == identifier(first) != identifier(other)
    assert len(identifier(first)) == 24


def test_splits_have_their_shares() -> None:
    shares = Counter(split(f"lineage-{number}") for number in range(3000))
    assert [round(shares[name] / 300) for name in ("train", "validation", "test")] == [8, 1, 1]


def made_up(number: int, er: str) -> Row:
    return {"id": f"{number:04}", "er": er, "recipe": "6x6"}


def test_a_sample_takes_equal_parts_of_each_stratum_that_has_enough() -> None:
    rows = [made_up(k, "1.2") for k in range(100)]
    rows += [made_up(k, "7.1") for k in range(100, 160)] + [made_up(k, ">10.5") for k in range(160, 165)]
    rows += [made_up(k, "") for k in range(165, 300)]
    sample = stratified(rows, 65)
    assert Counter(map(er_stratum, sample)) == {"1.0": 20, "7.0": 20, "10.5": 5, "6x6": 20}
    assert sample == [row for row in rows if row in sample]
    assert sample == [row for row in rows if row in stratified(rows[::-1], 65)]
    assert stratified(rows, 1000) == rows


def test_only_the_first_of_isomorphs_is_kept() -> None:
    rows = [made_up(1, "1.2"), made_up(2, "2.0"), made_up(1, "3.0")]
    assert distinct(rows) == rows[:2]
