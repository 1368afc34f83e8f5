"""The modules behind `make collections`: each stored puzzle can be made again alone, and is the same."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from datasets.collections.catalogue import DATA, MINED, load, mined
from datasets.collections.catalogue import lineages as lineages_by_puzzle
from datasets.making import embedded, hardest
from datasets.making.canonical import canonical
from datasets.making.embedded import RECIPES, Recipe, candidates, key_of, puzzles
from datasets.making.hardest import OBJECTIVES, Mined, collect, mine_lineage
from tests.datasets.rules import PRINTED, board

SLOW = {"expert": [7], "size25": [2]}  # numbers of puzzles that are made quickly
HARDEST = DATA / "hardest.csv"


@pytest.mark.parametrize("name", RECIPES)
def test_a_puzzle_made_again_alone_is_the_stored_one(name: str) -> None:
    stored = [item.puzzle for item in load(name).items]
    assert len(stored) == RECIPES[name].number
    for number in SLOW.get(name, [1, 2, len(stored)]):
        assert stored[number - 1] in islice(candidates(RECIPES[name], number), 3)


def test_the_command_writes_the_stored_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "DATA", tmp_path)
    short = {name: Recipe(name, 12, RECIPES[name].make) for name in ("easy", "size4", "multiple")}
    monkeypatch.setattr(embedded, "RECIPES", short)
    monkeypatch.setattr(sys, "argv", ["embedded", "size4", "multiple"])
    embedded.main()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["multiple.csv", "multiple.txt", "size4.txt"]
    for path in tmp_path.iterdir():
        stored = (HARDEST.parent / path.name).read_bytes().splitlines(keepends=True)
        assert path.read_bytes() == b"".join(stored[: 13 if path.suffix == ".csv" else 12])


def test_isomorphs_are_skipped() -> None:
    """There are 36 minimal 4×4 puzzles, so 20 streams repeat some of them."""
    made = list(puzzles(Recipe("size4", 20, RECIPES["size4"].make), set()))
    assert made == [item.puzzle for item in load("size4").items]
    assert len({canonical(puzzle) for puzzle in made}) == 20
    first = [next(candidates(RECIPES["size4"], number)) for number in range(1, 21)]
    assert len({canonical(puzzle) for puzzle in first}) < 20
    seen_keys = {key_of(made[0])}
    assert next(puzzles(Recipe("size4", 20, RECIPES["size4"].make), seen_keys)) != made[0]


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


def test_lineages_are_known_by_the_name_and_the_text_of_a_puzzle() -> None:
    rows = list(csv.DictReader(HARDEST.read_text(encoding="utf-8").splitlines()))
    items = load(MINED).items
    assert [(p.name, p.text) for p in mined()] == [(item.name, item.puzzle.text) for item in items]
    assert [(p.objective, p.lineage) for p in mined()] == [(row["objective"], row["lineage"]) for row in rows]
    for item, row in zip(items, rows, strict=True):
        assert lineages_by_puzzle()[item.name] == lineages_by_puzzle()[item.puzzle.text] == row["lineage"]
    assert len(lineages_by_puzzle()) == 2 * len(rows)


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
