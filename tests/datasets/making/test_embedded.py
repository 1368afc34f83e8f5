"""The script behind `make collections`: any stored puzzle can be made again alone, and is the stored one."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from datasets.collections.catalogue import entries, load
from datasets.making import embedded, hardest
from datasets.making.canonical import canonical
from datasets.making.embedded import RECIPES, Recipe, candidates, key_of, puzzles
from datasets.making.hardest import OBJECTIVES, Mined, collect, mine_lineage
from tests.datasets.rules import PRINTED, board

SLOW = {"expert": [7], "size25": [2]}  # numbers of puzzles that are quickly made
HARDEST = Path(hardest.__file__).parent / "data" / "hardest.csv"


@pytest.mark.parametrize("name", RECIPES)
def test_a_puzzle_made_again_alone_is_the_stored_one(name: str) -> None:
    stored = [item.puzzle for item in load(name).items]
    assert len(stored) == RECIPES[name].number
    for number in SLOW.get(name, [1, 2, len(stored)]):
        assert stored[number - 1] in islice(candidates(RECIPES[name], number), 3)


def test_the_command_writes_the_stored_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "FOLDER", tmp_path)
    short = {name: Recipe(name, 12, RECIPES[name].make) for name in ("easy", "size4", "multiple")}
    monkeypatch.setattr(embedded, "RECIPES", short)
    monkeypatch.setattr(sys, "argv", ["make_collections", "size4", "multiple"])
    embedded.main()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["multiple.csv", "multiple.txt", "size4.txt"]
    for path in tmp_path.iterdir():
        stored = (HARDEST.parent / path.name).read_bytes().splitlines(keepends=True)
        assert path.read_bytes() == b"".join(stored[: 13 if path.suffix == ".csv" else 12])


def test_isomorphs_are_passed_over() -> None:
    """There are 36 minimal puzzles of 4×4, so a stream of 20 meets some again."""
    made = list(puzzles(Recipe("size4", 20, RECIPES["size4"].make), set()))
    assert made == [item.puzzle for item in load("size4").items]
    assert len({canonical(puzzle) for puzzle in made}) == 20
    first = [next(candidates(RECIPES["size4"], number)) for number in range(1, 21)]
    assert len({canonical(puzzle) for puzzle in first}) < 20
    known = {key_of(made[0])}
    assert next(puzzles(Recipe("size4", 20, RECIPES["size4"].make), known)) != made[0]


def test_a_lineage_mined_again_alone_is_the_stored_one() -> None:
    if "hardest" not in entries():
        pytest.skip("the collection is not there")
    rows = list(csv.DictReader(HARDEST.read_text(encoding="utf-8").splitlines()))
    stored = {item.name: item.puzzle.text for item in load("hardest").items}
    number = min(int(row["lineage"].split("-")[1]) for row in rows if row["objective"] == "guesses")
    found = mine_lineage("guesses", number, None)
    mine = [row for row in rows if row["lineage"] == f"guesses-{number}"]
    assert mine
    for row in mine:
        [again] = [mined for mined in found if mined.place == int(row["place"])]
        assert (again.puzzle, again.grid) == (stored[row["puzzle"]], row["grid"])


def test_the_table_of_the_hardest_says_where_each_comes_from() -> None:
    if "hardest" not in entries():
        pytest.skip("the collection is not there")
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


def known_lineages(path: Path, texts: dict[str, str]) -> None:
    """A file of work in which lineage 1 of each objective holds nothing, and lineage 2 one puzzle."""
    lines = []
    for objective, text in texts.items():
        lines.append(json.dumps([objective, 1, []]))
        lines.append(json.dumps([objective, 2, [vars(Mined(objective, 2, "grid", 0, text))]]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_only_what_is_hard_and_new_is_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardest, "LEAST", 20.0)
    hard, soft = PRINTED["001"][0], PRINTED["000a"][0]
    functions = dict.fromkeys(OBJECTIVES)
    other = load("expert").items[0].puzzle.text
    third = load("expert").items[1].puzzle.text
    known_lineages(tmp_path / "a", dict(zip(OBJECTIVES, (hard, other, third), strict=True)))
    assert [mined.puzzle for mined in collect(functions, 1, tmp_path / "a")] == [hard, other, third]
    known_lineages(tmp_path / "b", dict(zip(OBJECTIVES, (hard, other, soft), strict=True)))
    assert collect(functions, 1, tmp_path / "b") == []
    known_lineages(tmp_path / "c", dict(zip(OBJECTIVES, (hard, hard, third), strict=True)))
    assert collect(functions, 1, tmp_path / "c") == []
    assert board(hard).clues == 21
