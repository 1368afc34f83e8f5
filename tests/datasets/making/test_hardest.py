"""Making the mined collection: a lineage can be mined again alone, and only hard and new puzzles are collected."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from datasets.collections.catalogue import DATA, load
from datasets.making import hardest
from datasets.making.hardest import OBJECTIVES, Mined, collect, mine_lineage
from tests.datasets.rules import PRINTED, board

pytestmark = pytest.mark.slow

HARDEST = DATA / "hardest.csv"


@pytest.mark.thorough
def test_a_lineage_mined_again_alone_is_the_stored_one() -> None:
    rows = list(csv.DictReader(HARDEST.read_text(encoding="utf-8").splitlines()))
    stored = {item.name: item.puzzle.text for item in load("hardest").items}
    number = min(int(row["lineage"].split("-")[1]) for row in rows if row["objective"] == "guesses")
    lineage = mine_lineage("guesses", number)
    lineage_rows = [row for row in rows if row["lineage"] == f"guesses-{number}"]
    assert lineage_rows
    for row in lineage_rows:
        [again] = [mined for mined in lineage if mined.place == int(row["place"])]
        assert (again.puzzle, again.grid) == (stored[row["puzzle"]], row["grid"])


def test_the_table_of_the_mined_collection_lists_the_origin_of_each_puzzle() -> None:
    rows = list(csv.DictReader(HARDEST.read_text(encoding="utf-8").splitlines()))
    assert [row["puzzle"] for row in rows] == [item.name for item in load("hardest").items]
    counts = Counter(row["objective"] for row in rows)
    assert set(counts) == set(OBJECTIVES)
    assert len(set(counts.values())) == 1
    assert max(Counter(row["lineage"] for row in rows).values()) <= 3
    assert max(Counter(row["grid"] for row in rows).values()) <= 3
    by_name = {row["puzzle"]: row for row in rows}
    for row in rows:
        assert row["place"] != "0" or row["parent"] == ""
        if row["parent"]:
            assert by_name[row["parent"]]["lineage"] == row["lineage"]
            assert by_name[row["parent"]]["place"] == "0"


def write_work_file(path: Path, texts: dict[str, str]) -> None:
    """Write a work file in which lineage 1 of each objective is empty, and lineage 2 has one puzzle."""
    lines = []
    for objective, text in texts.items():
        lines.append(json.dumps([objective, 1, []]))
        lines.append(json.dumps([objective, 2, [vars(Mined(objective, 2, "grid", 0, text))]]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_only_hard_and_new_puzzles_are_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardest, "LEAST", 20.0)
    hard, easy = PRINTED["001"][0], PRINTED["000a"][0]
    other = load("expert").items[0].puzzle.text
    third = load("expert").items[1].puzzle.text
    write_work_file(tmp_path / "a", dict(zip(OBJECTIVES, (hard, other, third), strict=True)))
    assert [puzzle_found.puzzle for puzzle_found in collect(1, tmp_path / "a")] == [hard, other, third]
    write_work_file(tmp_path / "b", dict(zip(OBJECTIVES, (hard, other, easy), strict=True)))
    assert collect(1, tmp_path / "b") == []
    write_work_file(tmp_path / "c", dict(zip(OBJECTIVES, (hard, hard, third), strict=True)))
    assert collect(1, tmp_path / "c") == []
    assert board(hard).clues == 21


def test_the_command_writes_the_mined_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a work file that already has its lineages, so that nothing is mined."""
    monkeypatch.setattr(hardest, "LEAST", 20.0)
    monkeypatch.setattr(hardest, "DATA", tmp_path)
    texts = [PRINTED["001"][0], *(item.puzzle.text for item in load("expert").items[:2])]
    write_work_file(tmp_path / "work", dict(zip(OBJECTIVES, texts, strict=True)))
    monkeypatch.setattr(sys, "argv", ["hardest", "--lineages", "1", "--work", str(tmp_path / "work")])
    hardest.main()
    assert (tmp_path / "hardest.txt").read_text(encoding="utf-8").split() == texts
    assert (tmp_path / "hardest.csv").read_text(encoding="utf-8").splitlines() == [
        "puzzle,objective,lineage,place,parent,grid",
        *(f"hardest-{number:03d},{name},{name}-2,0,,grid" for number, name in enumerate(OBJECTIVES, start=1)),
    ]
