"""Files as people have them: answers are no puzzles, no clue is lost, and the usual ways of writing are read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from sudoku_bench.datasets import InputError
from sudoku_bench.datasets.reading.reader import COMPLETE, BadLine, Entry, parse, read_file
from sudoku_bench.datasets.reading.symbols import reading_of

A = ".3.6....5..9....2.7.......4.......46.5..2..9.....71....8.132.....2..7..841......."
B = "..1.6.8..7.....2....65.7.3.2...31....6.9.4...5.7.........1.......3..8.7.......514"
SOLVED_A = "231684975849753621765219834178395246354826197926471583587132469692547318413968752"
SOLVED_B = "921463857735819246846527139294731685368954721517286493472195368153648972689372514"
PUZZLES = [A, B]
PAIRS = [(A, SOLVED_A), (B, SOLVED_B)]


def rows(text: str) -> list[str]:
    return [text[start : start + 9] for start in range(0, 81, 9)]


def numbers(text: str) -> list[list[int]]:
    return [[int(sign) for sign in row] for row in rows(text.replace(".", "0"))]


def written(between: str, empty: str, before: str = "", after: str = "", text: str = A) -> str:
    return "".join(f"{before}{between.join(row).replace('.', empty)}{after}\n" for row in rows(text))


def table(*records: object) -> str:
    written = io.StringIO()
    csv.writer(written).writerows(records)  # type: ignore[arg-type]
    return written.getvalue()


def items_of(tmp_path: Path, text: str, name: str = "mine.txt") -> list[Entry | BadLine]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return list(read_file(path))


def texts_of(tmp_path: Path, text: str, name: str = "mine.txt") -> list[str]:
    items = items_of(tmp_path, text, name)
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item.puzzle.text for item in items if isinstance(item, Entry)]


# Complete grids


PAIRED = {
    "fields.json": json.dumps({"grid": numbers(SOLVED_A), "task": numbers(A)}),
    "pairs.json": json.dumps(PAIRS),
    "boards.json": json.dumps([[numbers(one), numbers(other)] for one, other in PAIRS]),
    "blocks.txt": "\n".join(written("", ".", text=text) for pair in PAIRS for text in pair),
    "lines.txt": "\n".join(text for pair in PAIRS for text in pair),
    "before.txt": "\n".join(text for pair in PAIRS for text in reversed(pair)),
    "after-all.txt": "\n".join([*PUZZLES, SOLVED_A, SOLVED_B]),
    "named.csv": table(("id", "puzzle", "grid"), *((n, *pair) for n, pair in enumerate(PAIRS))),
    "unnamed.csv": table(("n", "left", "right"), *((n, *pair) for n, pair in enumerate(PAIRS))),
    "headerless.csv": table(*((n, *pair) for n, pair in enumerate(PAIRS, start=1))),
    "reversed.csv": table(*map(reversed, PAIRS)),
    "columns.json": json.dumps({"puzzle": {"0": A, "1": B}, "solution": {"0": SOLVED_A, "1": SOLVED_B}}),
    "split.json": json.dumps({"columns": ["puzzle", "solution"], "index": [0, 1], "data": PAIRS}),
    "index.json": json.dumps({n: {"puzzle": one, "solution": other} for n, (one, other) in enumerate(PAIRS)}),
    "unnamed.json": json.dumps([{"left": one, "right": other} for one, other in PAIRS]),
}


@pytest.mark.parametrize("name", PAIRED)
def test_a_complete_grid_that_solves_a_puzzle_is_its_solution(tmp_path: Path, name: str) -> None:
    expected = [A] if name == "fields.json" else PUZZLES
    assert texts_of(tmp_path, PAIRED[name], name) == expected


def test_other_complete_grids_are_named_and_are_no_puzzles(tmp_path: Path) -> None:
    broken = "11" + SOLVED_A[2:]
    items = items_of(tmp_path, "\n".join([SOLVED_B, A, broken, B]))
    assert [item.puzzle.text for item in items if isinstance(item, Entry)] == PUZZLES
    faults = [item for item in items if isinstance(item, BadLine)]
    assert [(fault.line, fault.kind) for fault in faults] == [(1, COMPLETE), (3, COMPLETE)]
    assert "occurs 3 times" in faults[1].message


def test_a_complete_grid_that_is_asked_for_alone_is_parsed() -> None:
    assert parse(SOLVED_A).text == SOLVED_A
    assert parse(f"{A}\n{SOLVED_A}").text == A


# No clue is lost


def sixteen(empty: str, first: int = 0) -> str:
    """A 16×16 grid of numbers in which each digit is on a diagonal and the last one occurs."""
    cells = [[(r + c) % 16 if (r + 2 * c) % 5 == 0 else None for c in range(16)] for r in range(16)]
    return "\n".join(" ".join(empty if v is None else str(v + first) for v in row) for row in cells)


@pytest.mark.parametrize("empty", [".", "-1", "?"])
def test_numbers_from_0_keep_their_zeros(tmp_path: Path, empty: str) -> None:
    (item,) = items_of(tmp_path, sixteen(empty))
    (usual,) = items_of(tmp_path, sixteen(".", first=1), "usual.txt")
    assert isinstance(item, Entry)
    assert isinstance(usual, Entry)
    assert item.puzzle == usual.puzzle
    assert reading_of(item) == f'16x16, numbers 0-15, "{empty}" empty'


def test_a_zero_with_two_readings_is_refused_with_both(tmp_path: Path) -> None:
    digits_from_0 = "0" + A[1:].replace("9", ".")
    (item,) = items_of(tmp_path, digits_from_0)
    assert isinstance(item, BadLine)
    assert "a digit (0-8) or an empty cell" in item.message
    (item,) = items_of(
        tmp_path, json.dumps([[int(s) if s != "." else None for s in row] for row in rows(digits_from_0)])
    )
    assert isinstance(item, Entry)
    assert item.notation.startswith("digits 0-8")


HEADED = {
    "numbers.csv": "1,2,3,4,5,6,7,8,9\n" + written(",", "0"),
    "from-0.csv": "0,1,2,3,4,5,6,7,8\n" + written(",", ""),
    "markdown.md": "| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |\n" + "|---" * 9 + "|\n" + written(" | ", " ", "| ", " |"),
    "code.txt": "[code]\n" + written("", ".") + "[/code]\n",
    "fence.md": "Hard ones:\n\n```\n" + written("", ".") + "```\n",
}


@pytest.mark.parametrize("name", HEADED)
def test_headings_are_no_rows(tmp_path: Path, name: str) -> None:
    assert texts_of(tmp_path, HEADED[name], name) == [A]


def test_headings_hide_no_puzzle(tmp_path: Path) -> None:
    text = f"{A}\n[medium]\n{B}\nHard puzzles:\n{A}\n=== Level 4 ===\n{B}\n"
    assert texts_of(tmp_path, text) == [A, B, A, B]


def test_a_first_row_in_order_is_a_row_if_the_grid_needs_it(tmp_path: Path) -> None:
    in_order = "123456789" + "." * 72
    assert texts_of(tmp_path, written("", ".", text=in_order) + written("", ".", text=in_order)) == [in_order] * 2
    headed = "123456789\n" + written("", ".")
    assert texts_of(tmp_path, headed + headed) == [A, A]


def test_two_puzzles_in_a_line_or_record_are_refused(tmp_path: Path) -> None:
    for name, text in (
        ("a.txt", f"{A} {B}\n"),
        ("b.json", json.dumps([{"easy": A, "hard": B}])),
    ):
        (item,) = items_of(tmp_path, text, name)
        assert isinstance(item, BadLine)
    with pytest.raises(InputError, match="easy and hard could each be the puzzle"):
        items_of(tmp_path, table(("easy", "hard"), (A, B)), "c.csv")


# What people have


CELLS = [{"value": int(s), "isFixed": s != "0", "notes": []} for s in A.replace(".", "0")]
CELLS[0] |= {"value": 2}  # of the player
GAME = "version: 2&#10;" + "".join(f"{cell['value']}|1,2,|{int(not cell['isFixed'])}|" for cell in CELLS)
GAMES = f'<?xml version="1.0"?>\n<opensudoku><game data="{A.replace(".", "0")}"/><game data="{GAME}"/></opensudoku>'
BOXED = "".join(f"|{line}|\n" for line in parse(A).bordered.splitlines())
READ = {
    "excel.csv": written(",", ""),
    "excel.tsv": written("\t", ""),
    "semicolons.csv": "sep=;\n" + written(";", ""),
    "floats.csv": written(",", "").replace("3", "3.0"),
    "dashes.txt": written("", "-"),
    "questions.txt": written(",", "?"),
    "dots.txt": written("", "·"),
    "crosses.txt": written(" ", "x"),
    "bars.txt": written("|", " ", "|", "|"),
    "simple.ss": f"*{'-' * 11}*\n{BOXED.replace('+', '|')}*{'-' * 11}*\n",
    "hodoku.txt": ".---.---.---.\n" + BOXED.replace("|---+---+---|", ":---+---+---:") + "'---'---'---'\n",
    "boxed-dashes.txt": "".join(f"{r[:3]}|{r[3:6]}|{r[6:]}\n".replace(".", "-") for r in rows(A)),
    "numbered.tsv": f"1\t{A}\n",
    "numbered.txt": f"1. {A}\n",
    "headerless.csv": f"7;{A};easy\n",
    "nulls.json": json.dumps([[v or None for v in row] for row in numbers(A)]),
    "game.json": json.dumps({"difficulty": "easy", "board": [CELLS[k : k + 9] for k in range(0, 81, 9)]}),
    "cells.json": json.dumps({"time": 1.5, "cells": CELLS}),
    "own.json": json.dumps([{"value": each["value"], "isEditable": not each["isFixed"]} for each in CELLS]),
    "clue.json": json.dumps([{"value": each["value"], "isClue": each["isFixed"]} for each in CELLS]),
    "excel-text.csv": 'quizzes\n="' + A.replace(".", "0") + '"\n',
    "count.txt": f"1\n{A}\n",
    "box.txt": "3 3\n" + written(" ", "0"),
    "size.txt": "9x9\n" + written("", "."),
}
BODY = ",\n".join(f"  [{', '.join(map(str, row))}]" for row in numbers(A))
FACTS = " ".join(f"given({r},{c},{s})." for r, row in enumerate(rows(A)) for c, s in enumerate(row) if s != ".")
NAMED = {
    "blanks.txt": (written("", " "), "blanks for empty cells"),
    "blanks-in-line.txt": (A.replace(".", " ") + "\n", "blanks for empty cells"),
    "array.py": (f"import numpy as np\n\ngrid = np.array([\n{BODY}\n])\n", "program text"),
    "plain.py": (f"grid = [\n{BODY}\n]\n", "program text"),
    "text.py": (f'board = """\n{written("", ".")}"""\n', "program text"),
    "board.js": (f"const board = [\n{BODY}\n];\n", "program text"),
    "line.c": (f'#include <stdio.h>\nconst char *puzzle = "{A}";\n', "program text"),
    "printed.txt": (f"array([\n{BODY}])\n", "program text"),
    "literal.txt": (repr([(A, SOLVED_A)]), "no JSON"),
    "numpy.txt": ("\n".join(f"[{' '.join(map(str, row))}]" for row in numbers(A)), "no JSON"),
    "facts.lp": (FACTS, "Prolog or clingo"),
    "rows.pl": (f"problem(1, [{BODY}]).".replace("0", "_"), "Prolog or clingo"),
    "data.dzn": (f"n = 3;\npuzzle = [| {', '.join(A).replace('.', '0')} |];\n", "MiniZinc"),
    "instance.xml": ('<instance format="XCSP3" type="CSP">\n</instance>', "XCSP3"),
    "page.html": (f"<html><pre>{A}</pre></html>", "web page"),
    "table.tex": ("\\begin{sudoku}\n" + written("|", " ", "|", "|."), "LaTeX"),
    "library.txt": (f":0000:x:{A}:::\n", "HoDoKu's library"),
    "mail.txt": ("> Try this:\n" + written("", ".", "> "), "mail"),
    "chat.jsonl": (json.dumps({"messages": [{"role": "user", "content": f"Solve {A}"}]}), "(messages)"),
}


@pytest.mark.parametrize("name", READ)
def test_usual_ways_to_write_a_puzzle_are_read(tmp_path: Path, name: str) -> None:
    assert texts_of(tmp_path, READ[name], name) == [A]


def test_played_games_of_open_sudoku_are_read_by_their_clues(tmp_path: Path) -> None:
    assert texts_of(tmp_path, GAMES, "games.opensudoku") == [A, A]


@pytest.mark.parametrize("name", NAMED)
def test_other_formats_are_named_once_with_a_way_to_read_them(tmp_path: Path, name: str) -> None:
    text, kind = NAMED[name]
    with pytest.raises(InputError) as caught:
        items_of(tmp_path, text, name)
    assert kind in str(caught.value)
    assert "sb.run(datasets=puzzles)" in str(caught.value)


def test_a_workbook_is_read_as_its_sheets(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in numbers(A):
        book.active.append([value or None for value in row])
    moved = book.create_sheet()
    for r, row in enumerate(numbers(B)):
        for c, value in enumerate(row):
            moved.cell(r + 3, c + 2, value or None)
    named = book.create_sheet()
    for record in (("name", B), ("other", A)):
        named.append(record)
    book.save(tmp_path / "mine.xlsx")
    assert [item.puzzle.text for item in read_file(tmp_path / "mine.xlsx") if isinstance(item, Entry)] == [A, B, B, A]
    (tmp_path / "cut.xlsx").write_bytes((tmp_path / "mine.xlsx").read_bytes()[:2000])
    with pytest.raises(InputError):
        list(read_file(tmp_path / "cut.xlsx"))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.jsonl", '{"puzzle": 30600005009000020700000004000000046}\n', "a number, which loses leading zeros"),
        ("b.csv", "id,puzzle\n1,3.06E+79\n", "a number, which loses leading zeros"),
        ("c.txt", f"0{A[1:].replace('.', '0')}"[1:] + "\n", "leading zeros may be lost"),
        ("d.txt", "1279 3 1279 6 148 148 178 178 5\n", "candidates"),
        ("e.jsonl", json.dumps({"puzzle": A, "x": {"killer": [1]}}) + "\n", "rules that are not supported (x.killer)"),
    ],
)
def test_the_advice_fits_the_fault(tmp_path: Path, name: str, text: str, expected: str) -> None:
    first = items_of(tmp_path, text, name)[0]
    assert isinstance(first, BadLine)
    assert expected in first.message
