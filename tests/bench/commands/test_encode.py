"""``sudoku-bench encode``: files for model counters."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from sudoku_bench.datasets.collections.catalogue import load

EMPTY = "." * 16


def of_file(text: str) -> tuple[list[list[int]], list[int]]:
    """The clauses, and the variables that the file asks to count."""
    lines = [line.split() for line in text.splitlines()]
    clauses = [[int(x) for x in words[:-1]] for words in lines if words[0] not in ("c", "p")]
    [shown] = [words[3:-1] for words in lines if words[:3] == ["c", "p", "show"]]
    return clauses, [int(x) for x in shown]


@pytest.mark.parametrize(
    ("name", "number"), [("complete", 64), ("complete+product", 64), ("order", 48), ("log", 32), ("augmented", 64)]
)
def test_the_variables_of_cells_are_shown(command, name: str, number: int) -> None:
    code, out, err = command("encode", EMPTY, "-e", name)
    assert (code, err) == (0, "")
    assert of_file(out)[1] == list(range(1, number + 1))


def test_only_open_cells_are_shown_where_clues_are_substituted(command) -> None:
    _, out, _ = command("encode", "1234" + "." * 12, "-e", "complete+substituted")
    clauses, shown = of_file(out)
    assert shown == list(range(1, len(shown) + 1))
    assert 0 < len(shown) < 64
    assert set(shown) >= {abs(x) for clause in clauses for x in clause}


def test_a_reduced_puzzle_that_singles_solve_has_no_clauses(command) -> None:
    code, out, _ = command("encode", "1234341221434321", "-e", "complete+reduced")
    assert code == 0
    assert "p cnf 0 0" in out.splitlines()
    assert "c r1c1 = 1" in out.splitlines()


COUNT = """
import json, sys
from pyganak import Counter

for clauses, shown in json.load(sys.stdin):
    counter = Counter()
    counter.add_clauses(clauses)
    if shown:
        counter.set_sampling_set(shown)
    print(counter.count())
"""


def test_a_model_counter_counts_grids_with_that_line_only(command) -> None:
    """The 288 grids of the empty 4×4 board; schemes whose auxiliary variables are not determined overcount without."""
    pytest.importorskip("pyganak", reason="pyganak is not installed (it replaces pycryptosat, so it is no dependency)")
    names = ["complete", "augmented", "order", "log-difference"]
    names += [f"complete+{scheme}" for scheme in ("product", "tree", "totalizer", "cardnetwrk", "sortnetwrk")]
    files = [of_file(command("encode", EMPTY, "-e", name)[1]) for name in names]
    asked = [*files, *((clauses, []) for clauses, _ in files)]
    done = subprocess.run(
        [sys.executable, "-c", COUNT], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    numbers = list(map(int, done.stdout.split()))
    assert numbers[: len(names)] == [288] * len(names)
    over = {name for name, number in zip(names, numbers[len(names) :], strict=True) if number != 288}
    assert over == {"log-difference", "complete+totalizer", "complete+cardnetwrk", "complete+sortnetwrk"}


def test_puzzles_are_named_as_show_names_them(command) -> None:
    [named] = [item.puzzle for item in load("size4").items if item.name == "size4-002"]
    assert command("encode", "size4-002") == command("encode", named.text)
    assert command("solve", "size4-002", "--lines") == command("solve", named.text, "--lines")
    code, _, err = command("encode", "size4-999")
    assert (code, err) == (2, "sudoku-bench: size4-999: size4 has 20 puzzles, up to size4-020\n")
