"""The formats of ``datasets/reading/reader``: each is read as the same puzzle, with its name and ratings."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.datasets import InputError, Puzzle, Shape
from sudoku_bench.datasets.reading.reader import BadLine, Entry, load_file, read_file, read_lines
from tests.datasets.rules import PRINTED, any_cells, clue_set, full_grid, seeds

TEXTS = [text for text, _ in PRINTED.values()]
SOLUTIONS = [solution for _, solution in PRINTED.values()]
PUZZLES = [Puzzle(Shape(3, 3), tuple(int(c) if c != "." else 0 for c in text)) for text in TEXTS]

# Rows of 16 cells differ from 4×4 puzzles by a symbol that 4×4 boards do not have, so each large puzzle here has one.
# The last cell is empty, because a complete grid is no puzzle.
shapes = st.sampled_from([Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 4), Shape(5, 5)])
lists = st.builds(
    lambda shape, seeds: [
        Puzzle(shape, (shape.size if shape.size == 16 else any_cells(shape, seed)[0], *any_cells(shape, seed)[1:-1], 0))
        for seed in seeds
    ],
    shapes,
    st.lists(seeds, min_size=1, max_size=4),
)


def rows(cells: Sequence[object], size: int) -> list[list[object]]:
    return [list(cells[start : start + size]) for start in range(0, len(cells), size)]


def lines(puzzle: Puzzle) -> list[str]:
    size = puzzle.shape.size
    return [puzzle.text[start : start + size] for start in range(0, size * size, size)]


def numbers(puzzle: Puzzle, between: str) -> str:
    return between.join(map(str, puzzle.cells))


def table(header: str, records: list[list[object]], delimiter: str = ",") -> str:
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter)
    writer.writerows([header.split(), *records])
    return written.getvalue()


def blocks(rows_of: Callable[[Puzzle], list[str]], between: str = "\n\n") -> Callable[[list[Puzzle]], str]:
    return lambda puzzles: between.join("\n".join(rows_of(puzzle)) for puzzle in puzzles)


def spread(between: str) -> Callable[[Puzzle], list[str]]:
    return lambda puzzle: [between.join(map(str, row)) for row in rows(puzzle.cells, puzzle.shape.size)]


WRITERS: dict[str, Callable[[list[Puzzle]], str]] = {
    "one.sdm": lambda puzzles: "\n".join(p.text for p in puzzles),
    "zeros.txt": lambda puzzles: "\n".join(p.text.replace(".", "0") for p in puzzles),
    "numbers.txt": lambda puzzles: "\n".join(numbers(p, " ") for p in puzzles),
    "rows.txt": blocks(lines),
    "ruled-rows.txt": blocks(lines, "\n========\n"),
    "number-rows.txt": blocks(spread(" ")),
    "comma-rows.txt": blocks(spread(",")),
    "aligned-rows.txt": blocks(lambda p: ["".join(f"{v:3d}" for v in row) for row in rows(p.cells, p.shape.size)]),
    "bordered.txt": blocks(lambda p: p.bordered.splitlines()),
    "drawn.txt": blocks(lambda p: [line.translate(str.maketrans("|-+", "│─┼")) for line in p.bordered.splitlines()]),
    "titled.txt": lambda puzzles: "\n".join(
        "\n".join([f"Grid {n:02d}", *lines(p)]) for n, p in enumerate(puzzles, start=1)
    ),
    "one.sdk": blocks(lambda p: ["#AA person", "#DA description", *lines(p)]),
    "sections.sdk": blocks(lambda p: ["#AA person", "[Puzzle]", *lines(p), "[State]", *lines(p)]),
    "kaggle.csv": lambda puzzles: table("quizzes solutions", [[numbers(p, "") and p.text, ""] for p in puzzles]),
    "semicolons.csv": lambda puzzles: table("id grid", [[n, p.text] for n, p in enumerate(puzzles)], ";"),
    "tabs.tsv": lambda puzzles: table("id board", [[n, numbers(p, " ")] for n, p in enumerate(puzzles)], "\t"),
    "quoted.csv": lambda puzzles: table("id sudoku", [["a\nb", p.bordered] for p in puzzles]),
    "texts.json": lambda puzzles: json.dumps([p.text for p in puzzles]),
    "grids.json": lambda puzzles: json.dumps([rows(p.cells, p.shape.size) for p in puzzles]),
    "flat.json": lambda puzzles: json.dumps([list(p.cells) for p in puzzles]),
    "nulls.json": lambda puzzles: json.dumps([rows([v or None for v in p.cells], p.shape.size) for p in puzzles]),
    "row-texts.json": lambda puzzles: json.dumps([lines(p) for p in puzzles]),
    "records.json": lambda puzzles: json.dumps({"all": [{"id": "x", "puzzle": p.text} for p in puzzles]}),
    "records.jsonl": lambda puzzles: "\n".join(
        json.dumps({"quiz": rows(p.cells, p.shape.size), "x": [1, 2]}) for p in puzzles
    ),
}


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=25)
@given(lists)
def test_puzzles_written_in_a_format_are_read_unchanged(
    name: str, tmp_path_factory: pytest.TempPathFactory, puzzles: list[Puzzle]
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_text(WRITERS[name](puzzles), encoding="utf-8")
    assert [entry.puzzle for entry in load_file(path)] == puzzles
    if not name.endswith(
        ("sv", "sdk", "jsonl")
    ):  # the ending determines these formats too; the content alone the others
        plain = path.with_suffix("")
        path.replace(plain)
        assert [entry.puzzle for entry in load_file(plain)] == puzzles


def written(folder: Path, content: str, name: str = "mine.txt") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def the_entry(path: Path | str) -> Entry:
    (entry,) = load_file(path)
    return entry


def faults(path: Path | str) -> list[tuple[int, str]]:
    return [(item.line, item.message) for item in read_file(path) if isinstance(item, BadLine)]


# The text after a puzzle


@pytest.mark.parametrize(
    ("after", "name"),
    [
        (" 000a", "000a"),
        (", 12 clues ", "12 clues"),
        ("\t# by  hand", "by hand"),
        (";x;y", "x;y"),
        ("  ", ""),
        ("#", ""),
    ],
)
def test_the_text_after_a_puzzle_is_its_name(tmp_path: Path, after: str, name: str) -> None:
    assert the_entry(written(tmp_path, TEXTS[0] + after)) == Entry(PUZZLES[0], 1, name)


def test_a_name_is_one_printable_line_of_limited_length(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(TEXTS[0].encode() + b" caf\xe9 \x1b[31m\x07" + b"x" * 1000)
    name = the_entry(path).name
    assert name.isprintable()
    assert name.startswith("caf")
    assert len(name) <= 200


def test_a_word_as_long_as_the_puzzle_is_its_solution(tmp_path: Path) -> None:
    entry = the_entry(written(tmp_path, f"{TEXTS[0]},{SOLUTIONS[0]},by hand"))
    assert entry.solution == tuple(map(int, SOLUTIONS[0]))
    assert entry.name == "by hand"


@pytest.mark.parametrize(
    ("solution", "expected"),
    [
        ("1" * 81, "differs from its clue in cell 2"),
        (SOLUTIONS[0][:80] + "x", "cell 81 of the solution"),
        (SOLUTIONS[0][:80] + "0", "cell 81 of the solution"),
    ],
)
def test_a_solution_that_does_not_fit_is_a_fault(tmp_path: Path, solution: str, expected: str) -> None:
    ((line, message),) = faults(written(tmp_path, f"# c\n{TEXTS[0]} {solution}\n"))
    assert line == 2
    assert expected in message


def test_the_exchange_s_hash_and_rating_are_kept(tmp_path: Path) -> None:
    path = written(
        tmp_path, f"000a8d1be106 {TEXTS[0].replace('.', '0')}  7.1\n000d38d7e822 {TEXTS[1].replace('.', '0')} 11.2\n"
    )
    first, second = load_file(path)
    assert (first.puzzle, first.name, first.rating) == (PUZZLES[0], "000a8d1be106", ("rating", 7.1))
    assert (second.puzzle, second.line, second.rating) == (PUZZLES[1], 2, ("rating", 11.2))


def test_an_sdk_file_has_names_and_its_puzzle_section_is_read_alone(tmp_path: Path) -> None:
    text = "\n".join(["#ARuud", "#DOne of many", *lines(PUZZLES[0]), "#DAnother", *lines(PUZZLES[1])])
    assert [entry.name for entry in load_file(written(tmp_path, text, "two.sdk"))] == ["One of many", "Another"]
    assert [entry.name for entry in load_file(written(tmp_path, text))] == ["", ""]  # comments elsewhere
    state = ["[State]", SOLUTIONS[0], "[PencilMarks]", "12,3,4"]
    assert (
        the_entry(written(tmp_path, "\n".join([*state, "[Puzzle]", *lines(PUZZLES[0]), *state]))).puzzle == PUZZLES[0]
    )
    with pytest.raises(InputError, match="holds no puzzle"):
        load_file(written(tmp_path, "\n".join(["", *state])))


def test_a_single_column_is_distinguished_from_the_title_of_a_grid(tmp_path: Path) -> None:
    assert the_entry(written(tmp_path, f"Puzzle\n{TEXTS[0]}\n")) == Entry(PUZZLES[0], 2)
    assert the_entry(written(tmp_path, "\n".join(["Puzzle", *lines(PUZZLES[0])]))) == Entry(PUZZLES[0], 2, "Puzzle")


# Tables


def test_the_columns_of_a_table_are_kept(tmp_path: Path) -> None:
    text = f"id,puzzle,solution,clues,difficulty\n7,{TEXTS[0]},{SOLUTIONS[0]},32,2.5\n"
    entry = the_entry(written(tmp_path, text, "kaggle.csv"))
    assert (entry.puzzle, entry.line, entry.name) == (PUZZLES[0], 2, "7")
    assert entry.solution == tuple(map(int, SOLUTIONS[0]))
    assert entry.facts == (("clues", "32"), ("difficulty", "2.5"))
    assert entry.rating == ("difficulty", 2.5)


def test_a_table_is_recognised_by_its_header_under_any_file_name(tmp_path: Path) -> None:
    path = written(tmp_path, f"# made today\n\nName;Puzzle\nfirst;{TEXTS[0]}\n", "mine")
    assert the_entry(path) == Entry(PUZZLES[0], 4, "first")


def test_a_file_whose_name_has_colons_is_that_file(tmp_path: Path) -> None:
    assert the_entry(written(tmp_path, TEXTS[0], "a::b")).puzzle == PUZZLES[0]


def test_faults_of_a_table_have_lines_and_the_rest_is_read(tmp_path: Path) -> None:
    text = f'id,puzzle\n1\n2,{TEXTS[0]}\n"3\n4",{TEXTS[1][:80]}\n\n5,\n6,{TEXTS[1]}x\n7,{"." * 100_000}\n8,{TEXTS[1]}\n'
    path = written(tmp_path, text, "mine.csv")
    assert [line for line, _ in faults(path)] == [2, 4, 7, 8, 9]
    assert [(i.line, i.puzzle) for i in read_file(path) if isinstance(i, Entry)] == [(3, PUZZLES[0]), (10, PUZZLES[1])]


# JSON and lists


def test_the_fields_of_a_record_are_kept(tmp_path: Path) -> None:
    record = {"id": 7, "difficulty": 2.5, "tags": [1, 2], "x": None, "solution": SOLUTIONS[0], "puzzle": TEXTS[0]}
    entry = the_entry(written(tmp_path, json.dumps([record], indent=1), "mine.json"))
    assert (entry.puzzle, entry.name, entry.rating) == (PUZZLES[0], "7", ("difficulty", 2.5))
    assert entry.solution == tuple(map(int, SOLUTIONS[0]))
    assert entry.facts == (("difficulty", "2.5"),)


def test_records_may_stand_within_others(tmp_path: Path) -> None:
    grid = {"value": rows(PUZZLES[0].cells, 9), "solution": rows(SOLUTIONS[0], 9), "difficulty": "Hard"}
    path = written(
        tmp_path, json.dumps({"newboard": {"grids": [grid], "results": 1, "message": "All Ok"}}), "mine.json"
    )
    entry = the_entry(path)
    assert (entry.puzzle, entry.facts) == (PUZZLES[0], (("difficulty", "Hard"),))
    assert entry.solution == tuple(map(int, SOLUTIONS[0]))


def test_a_bad_record_of_json_lines_affects_only_its_own_line(tmp_path: Path) -> None:
    good = [json.dumps({"puzzle": text}) for text in TEXTS[:2]]
    path = written(
        tmp_path, "\n".join([good[0], '{"puzzle": ', '{"x": 1}', '{"puzzle": "12"}', "", good[1]]), "m.jsonl"
    )
    assert [line for line, _ in faults(path)] == [2, 3, 4]
    assert [i.puzzle for i in read_file(path) if isinstance(i, Entry)] == PUZZLES[:2]


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ("[[1, 2,\n3", 2, "no JSON"),
        ("[\n1}", 2, "no JSON"),
        ("[('5', 3)]", 1, "sb.run(datasets=puzzles)"),
        ("\n" + "[" * 40 + "]" * 40, 1, "nested deeper"),
        ("[" * 100_000 + "]" * 100_000, 1, "nested deeper"),
        ("[" + "1" * 5000 + "]", 1, "1 characters"),
    ],
)
def test_a_broken_document_is_reported_with_file_and_line(
    tmp_path: Path, content: str, line: int, expected: str
) -> None:
    with pytest.raises(InputError) as caught:
        load_file(written(tmp_path, content, "mine.json"))
    assert str(caught.value).startswith(f"{tmp_path / 'mine.json'}:{line}: ")
    assert expected in str(caught.value)


def test_a_fault_of_a_document_names_the_record(tmp_path: Path) -> None:
    foreign = rows(PUZZLES[1].cells, 9)
    foreign[3][4] = 10
    boards = [rows(PUZZLES[0].cells, 9), foreign, rows(PUZZLES[2].cells, 9)[:8], TEXTS[0][:80], TEXTS[3]]
    items = list(read_file(written(tmp_path, json.dumps(boards), "mine.json")))
    assert [item.puzzle for item in items if isinstance(item, Entry)] == [PUZZLES[0], PUZZLES[3]]
    assert [(line, message[:14]) for line, message in faults(tmp_path / "mine.json")] == [
        (2, "record 2: char"),
        (3, "record 3: hold"),
        (4, "record 4: 80 c"),
    ]


def test_a_list_that_is_not_a_board_is_refused(tmp_path: Path) -> None:
    for content in ("[[1,2],[3,4]]", "[1, 2, 3]", '["12345"]', '[{"puzzle": [1, 2]}]', "{}", "[]", "7", "null"):
        with pytest.raises(InputError):
            load_file(written(tmp_path, content, "mine.json"))


FEWER = Puzzle(Shape(3, 3), (0, 0, *PUZZLES[0].cells[2:]))
NESTED = {
    "prompt": "Solve this:\n" + TEXTS[0],
    "info": {"puzzle": TEXTS[0], "solution": SOLUTIONS[0], "mine": FEWER.text},
}


@pytest.mark.parametrize("name", ["mine.csv", "mine.jsonl", "mine.json", "mine.parquet"])
def test_a_path_names_a_field_in_csv_json_and_parquet_alike(tmp_path: Path, name: str) -> None:
    path, flat = tmp_path / name, pd.json_normalize([NESTED])
    if name.endswith("csv"):
        flat.to_csv(path, index=False)
    elif name.endswith("parquet"):
        pytest.importorskip("pyarrow")
        pd.DataFrame([NESTED]).to_parquet(path)
    else:
        path.write_text(json.dumps(NESTED if name.endswith("l") else [NESTED]))
    assert (the_entry(path).puzzle, the_entry(path).solution) == (PUZZLES[0], tuple(map(int, SOLUTIONS[0])))
    assert the_entry(f"{path}::info.mine").puzzle == FEWER
    with pytest.raises(InputError, match=r"no field info.other"):
        load_file(f"{path}::info.other")


@pytest.mark.parametrize(
    "rule",
    [
        *({"cages": [{"sum": 9, "cells": ["r1c1"]}]}, {"type": "killer"}, {"isKiller": True}, {"variant": "X"}),
        *(
            {"rules": "argyle"},
            {"constraints": ["xv"]},
            {"diagonal": 1},
            {"even": [3]},
            {"isX": 1},
            {"tags": ["anti-king"]},
        ),
        *({"sudoku_type": "x"}, {"title": "Killer Sudoku 3"}, {"description": "Knights of chess: anti-knight."}),
    ],
)
def test_a_puzzle_with_rules_that_are_not_supported_is_a_fault(tmp_path: Path, rule: dict[str, Any]) -> None:
    plain = {"type": "train", "variant": "Classic 9x9", "rules": "Each row, column and box has all digits.", "even": 4}
    plain |= {"title": "Killer", "description": "Fill all regions."}
    records = [{"puzzle": TEXTS[1], "cages": [], "diagonal": False} | plain, {"puzzle": TEXTS[0]} | rule]
    above = written(tmp_path, json.dumps(rule | {"puzzles": TEXTS}), "above.json")
    ((_, message),) = faults(above)
    assert "rules that are not supported" in message
    for name, text in (
        ("mine.json", json.dumps(records)),
        ("mine.jsonl", "\n".join(map(json.dumps, records))),
        ("mine.csv", pd.DataFrame(records).to_csv(index=False)),
    ):
        path = written(tmp_path, text, name)
        assert [item.puzzle for item in read_file(path) if isinstance(item, Entry)] == [PUZZLES[1]]
        ((_, message),) = faults(path)
        assert "rules that are not supported" in message


# Large boards


def sixteen(alphabet: str, seed: int, empty: str = ".") -> tuple[Puzzle, str]:
    puzzle = clue_set(Shape(4, 4), seed)
    return puzzle, "".join(alphabet[v - 1] if v else empty for v in puzzle.cells)


@given(seeds)
def test_both_alphabets_of_letters_are_read(seed: int) -> None:
    for alphabet in ("123456789ABCDEFG", "ABCDEFGHIJKLMNOP"):
        for empty in ".0":
            puzzle, text = sixteen(alphabet, seed, empty)
            assert set(text) & set(alphabet[9:]), "a puzzle with so few clues does not determine the alphabet"
            assert [item.puzzle for item in read_lines([text]) if isinstance(item, Entry)] == [puzzle]


@given(seeds)
def test_digits_from_0_are_distinguished_from_empty_cells(seed: int) -> None:
    grid = full_grid(Shape(4, 4), seed)
    cells = tuple(0 if place % 3 else v for place, v in enumerate(grid))
    text = "".join("0123456789ABCDEF"[v - 1] if v else "." for v in cells)
    (entry,) = read_lines([text])
    assert isinstance(entry, Entry)
    expected = cells if "0" in text else tuple(max(v - 1, 0) for v in cells)
    assert entry.puzzle.cells == expected


def test_the_alphabet_is_that_of_puzzle_and_solution_together(tmp_path: Path) -> None:
    grid = full_grid(Shape(4, 4), 1)
    solution = "".join("0123456789ABCDEF"[v - 1] for v in grid)
    text = "".join("." if v == 1 or place % 2 else solution[place] for place, v in enumerate(grid))
    entry = the_entry(written(tmp_path, f"{text} {solution}"))
    assert entry.solution == grid
    assert all(clue in (0, digit) for clue, digit in zip(entry.puzzle.cells, grid, strict=True))


@given(st.lists(seeds, min_size=1, max_size=40))
def test_lines_of_16_cells_are_4x4_puzzles(chosen: list[int]) -> None:
    puzzles = [Puzzle(Shape(2, 2), any_cells(Shape(2, 2), seed)) for seed in chosen]
    assert [i.puzzle for i in read_lines([p.text for p in puzzles]) if isinstance(i, Entry)] == puzzles
    as_lists = [json.dumps([list(p.cells) for p in puzzles])]
    assert [i.puzzle for i in read_lines(as_lists) if isinstance(i, Entry)] == puzzles


def test_a_bad_line_among_4x4_puzzles_is_reported() -> None:
    for before in (3, 15, 30):
        items = list(read_lines(["1" + "." * 15] * before + ["x" * 16] + ["1" + "." * 15] * 16))
        assert [(i.line, type(i)) for i in items if not isinstance(i, Entry)] == [(before + 1, BadLine)]


@given(seeds)
def test_numbers_of_two_digits_may_have_borders(seed: int) -> None:
    puzzle = Puzzle(Shape(3, 4), (12, *any_cells(Shape(3, 4), seed)[1:]))
    parts = [[row[box : box + 4] for box in (0, 4, 8)] for row in rows(puzzle.cells, 12)]
    text = [" | ".join(" ".join(f"{v:2d}" for v in part) for part in row) for row in parts]
    assert [i.puzzle for i in read_lines(text) if isinstance(i, Entry)] == [puzzle]


def test_ratings_after_a_puzzle_are_facts_not_a_name(tmp_path: Path) -> None:
    entry = the_entry(written(tmp_path, f"{TEXTS[0]}  ED=7.2/1.2/1.5; monster\n"))
    assert entry.facts == (("er", "7.2"), ("ep", "1.2"), ("ed", "1.5"))
    assert entry.name == "monster"
    assert entry.rating == ("er", 7.2)
    assert the_entry(written(tmp_path, f"{TEXTS[0]} ED=7.2\n")).name == "ED=7.2"


def test_an_unknown_format_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mine\.txt:1: 5 characters .*no puzzle in 20 lines"):
        list(read_file(written(tmp_path, "lorem\n" * 60)))
    path = written(tmp_path, "lorem\n" * 19 + f"{TEXTS[0]}\n" + "lorem\n" * 60)
    assert sum(isinstance(item, Entry) for item in read_file(path)) == 1
