"""``check-plugin``: the contract of encodings, schemes, engines and strategies of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import TOP

pytestmark = pytest.mark.thorough

OWN = TOP / "tests" / "solvers" / "sat" / "own"
ENCODING, SCHEME, ENGINE = (str(OWN / f"{name}.py") for name in ("encoding", "scheme", "engine"))
MINE = "@register\nclass Mine(Strategy):\n    name = 'my:own'\n"


@pytest.mark.parametrize("file", [ENCODING, SCHEME, ENGINE])
def test_check_plugin_finds_no_fault_in_these(command, file: str) -> None:
    code, out, err = command("check-plugin", file, "--json")
    assert code == 0, (out, err)
    document = json.loads(out)
    assert document["faults"] == 0
    assert len(document["checks"]) >= 2


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (
            "@register_amo('loose')\ndef loose(n):\n    return [[-1, -2]]\n",
            "n = 3, at most one: literals 1 and 3 are both allowed",
        ),
        ("@register_encoding('dead')\ndef dead(shape):\n    __import__('os')._exit(3)\n", "ends its process"),
        ("@register_encoding('broken')\ndef broken(shape):\n    return 1 / 0\n", "ZeroDivisionError"),
        (
            "@register_encoding('lines', units=True, shapes=[Shape(2, 2), Shape(3, 3, 'x')])\n"
            "def lines(shape):\n    return encode(Shape(shape.box_rows, shape.box_cols)).clauses\n",
            "9x9 x: the clauses allow",
        ),
        (
            f"{MINE}    def search(self, *_):\n        return []\n",
            "0 solutions returned, but the puzzle has more (1 expected)",
        ),
        (
            f"{MINE}    def search(self, *_):\n        return ()[1]\n",
            "first: IndexError: tuple index out of range (mine.py:7)",
        ),
        (f"{MINE}    def search(self, *_):\n        pass\n", "search (or decode) returned no list of grids"),
        (f"{MINE}    def search(self, *_):\n        return [[[1] * 4] * 4]\n", "one after the other, not in rows"),
        (MINE, "the class Mine has no method search"),
    ],
)
def test_check_plugin_reports_faults(command, tmp_path: Path, source: str, fault: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        f"from sudoku_bench.datasets.shape import Shape\nfrom sudoku_bench.solvers import *\n{source}", encoding="utf-8"
    )
    code, out, err = command("check-plugin", path)
    assert code == 1, err
    assert fault in out


KEEPS = """
from sudoku_bench import Strategy, register
from sudoku_bench.datasets.search import solve

class Base(Strategy):
    def search(self, puzzle, task):
        return [list(cells) for cells in solve(puzzle, task.limit).solutions]

@register
class Blocks(Base):  # what has been found once is never found again
    name = "my:blocks"
    def prepare(self, shape):
        self.found = set()
    def search(self, puzzle, task):
        found = [cells for cells in super().search(puzzle, task) if tuple(cells) not in self.found]
        self.found.update(map(tuple, found))
        return found

@register
class Grows(Base):
    name = "my:grows"
    seen = []
    def search(self, puzzle, task):
        self.seen.append(puzzle)
        return super().search(puzzle, task)

@register
class Nine(Base):
    name = "my:nine"
    def search(self, puzzle, task):
        puzzle.cells[80]
        return super().search(puzzle, task)
"""


def test_state_and_sizes_are_told_with_the_mend(command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(KEEPS, encoding="utf-8")
    code, out, err = command("check-plugin", tmp_path / "mine.py", "--json")
    assert code == 1, err
    blocks, grows, nine = json.loads(out)["checks"]
    assert "so it keeps state from puzzle to puzzle" in blocks["fault"]
    assert grows["fault"] == ""
    assert "seen grows with each puzzle: clear it, or set persistent = True" in grows["found"]
    assert 'if shape.size != 9: raise sudoku_bench.Unsupported("9x9 only")' in nine["fault"]
