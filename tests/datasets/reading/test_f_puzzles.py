"""f-puzzles: links, documents, variants, damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from sudoku_bench.datasets import Puzzle
from sudoku_bench.datasets.collections.catalogue import load
from sudoku_bench.datasets.reading.lz_string import ALPHABET, decompress
from sudoku_bench.datasets.reading.reader import BadLine, Entry, load_file, read_file
from sudoku_bench.datasets.search import solve

NINE = load("hard").items[0].puzzle
SIXTEEN = load("size16").items[0].puzzle
ENDLESS = ({"given": True, "value": 1e999}, {"givenPencilMarks": [1e999]})


def document(puzzle: Puzzle, **more: Any) -> dict[str, Any]:
    size = puzzle.shape.size
    cells = [{"value": value, "given": True} if value else {} for value in puzzle.cells]
    return {"size": size, "grid": [cells[k : k + size] for k in range(0, len(cells), size)], **more}


# {"size":4, "grid":[...], "title":"Mine"}: two clues, and a digit of the player, which is none
LINK = (
    "N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3lwC6y"
    "Qv34hSlanXSMW7TjHEixvSeSoIATOMGqBAw8JEg2ENmWogAshGZwuQA"
)


def written(folder: Path, *lines: str) -> Path:
    path = folder / "mine.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("packed", "text"),
    [  # made by lz-string itself
        ("N4IgHiBcDMC+Q===", '{"x":3}'),
        ("IYkI1EGNOATWBTWQ", "aaaaabaaaaacaaaaadaaaaaeaaaaa"),
        (
            "r6ABsK6KaAD2aLCADWBfgBPQ9oCAlAZAvgDobEARlB4QAEOAjAUxAGd4BL5AZ4BMBPAQiA==",
            "Žluťoučký kůň úpěl ďábelské ódy!",
        ),
    ],
)
def test_texts_of_lz_string_are_decompressed(packed: str, text: str) -> None:
    assert decompress(packed) == text


@pytest.mark.parametrize("text", ["", "N4Ig", "????", "N4IgHiBcDMC", "5"])
def test_damaged_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        decompress(text)


def test_texts_that_expand_too_far_are_refused() -> None:
    with pytest.raises(ValueError, match="more than"):
        decompress(bomb())


def bomb() -> str:
    """Phrases that are each one character longer than the last, as long as a line may be."""
    bits, index, width = [*(0, 0), *(1, 0, 0, 0, 0, 1, 1, 0)], 4, 3
    while index < 3000:
        bits += [index >> place & 1 for place in range(width)]
        index += 1
        width = index.bit_length()
    bits += [0] * (-len(bits) % 6)
    return "".join(ALPHABET[int("".join(map(str, bits[k : k + 6])), 2)] for k in range(0, len(bits), 6))


def test_links_and_documents_are_read(tmp_path: Path) -> None:
    solution = solve(NINE).solutions[0]
    first = document(NINE, title="Mine", author="Me", solution=list(solution))
    links = [
        f"https://www.f-puzzles.com/?load={LINK}",
        f"https://example.org/play?x=1&load={LINK}",
        quote(LINK, safe=""),
    ]
    entries = load_file(
        written(tmp_path, links[0], "# comment", *links[1:], *map(json.dumps, (first, document(SIXTEEN))))
    )
    four = "1.....1........."
    assert [(entry.line, entry.puzzle.text) for entry in entries] == [
        *((1, four), (3, four), (4, four), (5, NINE.text), (6, SIXTEEN.text)),
    ]
    assert [entry.name for entry in entries] == ["Mine", "Mine", "Mine", "Mine", ""]
    assert (entries[3].facts, entries[3].solution) == ((("author", "Me"),), solution)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "7"}]}, "killercage"),
        ({"antiknight": True}, "antiknight"),
        ({"line": [{"lines": [["R1C1", "R2C2"]]}]}, "line"),
    ],
)
def test_variants_are_refused(tmp_path: Path, more: dict[str, Any], named: str) -> None:
    items = list(read_file(written(tmp_path, json.dumps(document(NINE)), json.dumps(document(NINE, **more)))))
    assert isinstance(items[0], Entry)
    assert isinstance(items[1], BadLine)
    assert items[1].message == f"rules that are not supported ({named}); leave it out"


def test_irregular_regions_are_refused_and_usual_ones_are_not(tmp_path: Path) -> None:
    usual, irregular = document(NINE), document(NINE)
    for r in range(9):
        for c in range(9):
            usual["grid"][r][c]["region"] = NINE.shape.box_of(r, c)
    irregular["grid"][0][0]["region"] = 4
    items = list(read_file(written(tmp_path, json.dumps(usual), json.dumps(irregular))))
    assert isinstance(items[0], Entry)
    assert isinstance(items[1], BadLine)
    assert items[1].message == "the regions of a 9x9 board are 9 letters, each for 9 cells"


def test_layouts_and_pencilmarks_are_read(tmp_path: Path) -> None:
    extra = {"extraregion": [{"cells": ["R1C1", "R2C3"]}]}
    jigsaw, marked = document(NINE), document(NINE)
    jigsaw["grid"][0][2]["region"], jigsaw["grid"][0][3]["region"] = 1, 0
    empty = NINE.cells.index(0)
    marked["grid"][empty // 9][empty % 9]["givenPencilMarks"] = [1, 2]
    both = document(NINE, **{"diagonal+": True, "diagonal-": True, "disjointgroups": True})
    documents = [both, document(NINE, **{"diagonal+": True}), document(NINE, **extra), jigsaw, marked]
    shapes = [entry.puzzle.shape for entry in load_file(written(tmp_path, *map(json.dumps, documents)))]
    assert [shape.layout.partition("=")[0] for shape in shapes] == ["disjoint+x", "unit", "unit", "jigsaw", ""]
    assert shapes[1].units[-1] == (8, 16, 24, 32, 40, 48, 56, 64, 72)
    assert shapes[2].units[-1] == (0, 11)
    assert shapes[4].pencilmarks


def test_damaged_links_are_faults_of_their_line(tmp_path: Path) -> None:
    good = json.dumps(document(NINE))
    bad = [LINK[:80], '{"size": 9, "grid": 5}', json.dumps({"size": 5, "grid": [[{}] * 5] * 5}), "N4IgHiBcDMC+Q==="]
    endless = [json.dumps({"size": 9, "grid": [[cell] * 9] * 9}) for cell in ENDLESS]
    items = list(read_file(written(tmp_path, good, *bad, *endless)))
    assert [type(item) for item in items] == [Entry, *[BadLine] * 6]
    assert [item.line for item in items] == [1, 2, 3, 4, 5, 6, 7]
