"""Isomorphs among boards: which of a long list are isomorphs of earlier ones, in little memory.

A *fingerprint* is a checksum that is the same for all isomorphs. Colour refinement (Weisfeiler & Leman 1968) repeatedly
tells clues apart by their lines, bands, boxes and digits, and by the colours of the other clues in these. Sorted by the
colours of bands, stacks and lines, most isomorphs become the same *arrangement*, which proves that they are isomorphs.
Boards and their line numbers wait in a temporary file, only their fingerprints (8 bytes each) in memory. At the end,
boards that share one are read again, and different arrangements compared by a search for a symmetry.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.kernels import njit
from sudoku_bench.datasets.puzzle import Puzzle, in_parts
from sudoku_bench.datasets.shape import Shape

Boards = NDArray[np.uint8]
Hashes = NDArray[np.uint64]
Records = NDArray[Any]  # of line and board
Line = Sequence[int]

REFINEMENTS = 4  # enough to connect every clue with every other
KINDS = 6  # of groups of clues: row, column, box, digit, band, stack
ROW, COLUMN, BOX, DIGIT, BAND, STACK = range(KINDS)
MOST_STEPS = 100_000  # of a search for a symmetry; most need about twice as many as the board has rows


class Duplicate(NamedTuple):
    """A board that is an isomorph of an earlier one.

    Attributes:
        line: its line.
        first: the line of the first of its isomorphs.
        is_identical: whether it equals that one.
        is_certain: False if only the fingerprints show it, because the search for the symmetry was too long.
    """

    line: int
    first: int
    is_identical: bool
    is_certain: bool


class Arrangements(NamedTuple):
    """Isomorphs of n boards, in which colours have determined the order of lines, as far as they differ.

    Attributes:
        fingerprints: of the boards; boards: the isomorphs; places: the cells of the boards that theirs come from.
    """

    fingerprints: Hashes
    boards: Boards
    places: NDArray[np.int16]


class Duplicates:
    """Collects boards of one shape; a context manager, which owns the temporary file."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._type = np.dtype([("line", "i8"), ("board", f"V{shape.n_cells}")])
        self._keys: list[Hashes] = []
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed by __exit__)

    def __enter__(self) -> Duplicates:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, boards: Boards, lines: Sequence[int]) -> None:
        """Add n boards (n × N·N cells) and their lines.

        Raises:
            OSError: the temporary file cannot be written.
        """
        records = np.empty(len(boards), dtype=self._type)
        records["line"] = lines
        records["board"] = np.ascontiguousarray(boards).view(f"V{self._shape.n_cells}")[:, 0]
        self._file.write(records.tobytes())
        self._keys.append(fingerprints(self._shape, boards))

    def find(self) -> list[Duplicate]:
        """Return the duplicates in the order of their lines."""
        if not self._keys:
            return []
        keys = np.concatenate(self._keys)
        order = np.argsort(keys, kind="stable")
        ends = np.append(np.flatnonzero(np.diff(keys[order])) + 1, len(keys))
        begins = np.append(0, ends[:-1])
        is_shared = ends - begins > 1
        self._file.flush()
        records = np.memmap(self._file, dtype=self._type, mode="r")
        groups = zip(begins[is_shared].tolist(), ends[is_shared].tolist(), strict=True)
        return sorted(found for begin, end in groups for found in self._classes(records[order[begin:end]]))

    def _classes(self, records: Records) -> Iterator[Duplicate]:
        """Divide boards with the same fingerprint into classes of isomorphs; yield all but the first of each."""
        firsts: list[tuple[int, bytes]] = []
        known: dict[bytes, tuple[int, bytes, bool]] = {}  # by arrangement: the first of its class; is that certain?
        boards = records["board"].tolist()
        cells = np.frombuffer(b"".join(boards), dtype=np.uint8).reshape(len(boards), -1)
        arranged = in_parts(arrangements(self._shape, cells).boards.tobytes(), len(boards))
        for line, board, key in zip(records["line"].tolist(), boards, arranged, strict=True):
            for first, first_board in () if key in known else firsts:
                verdict = are_isomorphs(self._shape, board, first_board)
                if verdict is not False:
                    known[key] = first, first_board, bool(verdict)
                    break
            if key in known:
                first, first_board, is_certain = known[key]
                yield Duplicate(line, first, board == first_board, is_certain)
            else:
                firsts.append((line, board))
                known[key] = line, board, True


def are_isomorphs(shape: Shape, one: bytes, other: bytes) -> bool | None:
    """Return whether two boards, a byte for each cell, are isomorphs; None after ``MOST_STEPS`` of the search."""
    lines = [grid[k : k + shape.size] for grid in (one, other) for k in range(0, shape.n_cells, shape.size)]
    rows, others = lines[: shape.size], lines[shape.size :]
    boards = [others, [bytes(column) for column in zip(*others, strict=True)]]
    steps = [MOST_STEPS]
    found = any(_is_arranged(shape, rows, board, steps) for board in boards[: 1 + (shape.box_rows == shape.box_cols)])
    return None if steps[0] < 0 else found


def _is_arranged(shape: Shape, rows: Sequence[Line], others: Sequence[Line], steps: list[int]) -> bool:
    """Return whether some order of rows and of columns turns ``others`` into ``rows``, but for the names of digits.

    Columns come first: with those chosen so far, rows must have the same patterns of clues, whose digits occur equally
    often. ``steps`` holds how many steps are left; none ends the search.
    """
    n = shape.size
    columns, other_columns = _frequencies(rows), _frequencies(others)

    def arranged(chosen: list[int]) -> bool:
        steps[0] -= 1
        if len(chosen) == n:
            return matched(chosen, [], {0: 0})
        for column in _next_lines(chosen, n, shape.box_cols):
            after = [*chosen, column]
            patterns = zip(*columns[: len(after)], strict=True), zip(*(other_columns[k] for k in after), strict=True)
            if steps[0] >= 0 and sorted(patterns[0]) == sorted(patterns[1]) and arranged(after):
                return True
        return False

    def matched(order: list[int], chosen: list[int], digits: dict[int, int]) -> bool:
        steps[0] -= 1
        if len(chosen) == n:
            return True
        for row in _next_lines(chosen, n, shape.box_rows):
            names = dict(digits)
            pairs = zip(rows[len(chosen)], (others[row][k] for k in order), strict=True)
            is_same = all(names.setdefault(value, other) == other for value, other in pairs)
            is_same &= len(set(names.values())) == len(names)
            if steps[0] >= 0 and is_same and matched(order, [*chosen, row], names):
                return True
        return False

    return arranged([])


def _frequencies(rows: Sequence[Line]) -> list[list[int]]:
    """Return for each column how often the digit of each cell occurs; 0 if it is empty."""
    counts = Counter(value for row in rows for value in row if value)
    return [[counts[value] for value in column] for column in zip(*rows, strict=True)]


def _next_lines(chosen: list[int], n: int, width: int) -> list[int]:
    """Return the rows or columns that may come next: of the band or stack in progress, else of a new one."""
    if len(chosen) % width:
        begin = chosen[-1] - chosen[-1] % width
        return [line for line in range(begin, begin + width) if line not in chosen]
    begun = {line // width for line in chosen}
    return [line for line in range(n) if line // width not in begun]


def fingerprint(puzzle: Puzzle) -> str:
    """Return the fingerprint of a puzzle as 16 hexadecimal digits."""
    boards = np.frombuffer(puzzle.cell_bytes, dtype=np.uint8).reshape(1, -1)
    return f"{fingerprints(puzzle.shape, boards)[0]:016x}"


def fingerprints(shape: Shape, boards: Boards) -> Hashes:
    """Return the fingerprints of n boards (n × N·N cells). Releases Python's lock."""
    return arrangements(shape, boards).fingerprints


def arrangements(shape: Shape, boards: Boards) -> Arrangements:
    """Return the arrangements of n boards (n × N·N cells). Releases Python's lock."""
    places, arranged = np.empty(boards.shape, dtype=np.int16), np.zeros(boards.shape, dtype=np.uint8)
    out = Arrangements(np.empty(len(boards), dtype=np.uint64), arranged, places)
    _arrange(boards, _groups(shape), shape.box_rows, shape.box_cols, *out)
    return out


@lru_cache(maxsize=16)
def _groups(shape: Shape) -> NDArray[np.int64]:
    """Return the number of each cell's row, column, box, digit (0, to be filled in), band and stack."""
    groups = np.zeros((shape.n_cells, KINDS), dtype=np.int64)
    for cell in range(shape.n_cells):
        row, column = divmod(cell, shape.size)
        box = shape.box_of(row, column)
        groups[cell] = row, column, box, 0, row // shape.box_rows, column // shape.box_cols
    return groups


@njit(nogil=True)
def _arrange(
    boards: Boards,
    groups: NDArray[np.int64],
    box_rows: int,
    box_cols: int,
    out: Hashes,
    arranged: Boards,
    places: NDArray[np.int16],
) -> None:
    is_square, size = box_rows == box_cols, box_rows * box_cols
    rows, columns = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    names = np.zeros(size + 1, dtype=np.uint8)
    colours, pools = np.zeros(boards.shape[1], dtype=np.uint64), np.zeros((KINDS, size), dtype=np.uint64)
    clues, digits = np.zeros(boards.shape[1], dtype=np.int64), np.zeros(boards.shape[1], dtype=np.int64)
    for k in range(boards.shape[0]):
        n = 0
        for cell in range(boards.shape[1]):
            if boards[k, cell]:
                clues[n], digits[n] = cell, boards[k, cell] - 1
                n += 1
        colours[:n] = 0
        for _ in range(REFINEMENTS):
            _refine(clues[:n], digits[:n], groups, is_square, colours, pools)
        total = np.uint64(n)
        for i in range(n):
            total += _mix(colours[i])
        out[k] = _mix(total)
        _order(pools[ROW], pools[BAND], box_rows, rows)
        _order(pools[COLUMN], pools[STACK], box_cols, columns)
        is_transposed = is_square and pools[BAND].sum() > pools[STACK].sum()
        named, names[:] = 0, 0
        for i in range(size * size):
            one, other = i // size, i % size
            place = rows[other] * size + columns[one] if is_transposed else rows[one] * size + columns[other]
            places[k, i], value = place, boards[k, place]
            if value and not names[value]:
                named += 1
                names[value] = named
            arranged[k, i] = names[value]


@njit()
def _order(lines: Hashes, wholes: Hashes, width: int, order: NDArray[np.int64]) -> None:
    """Sort lines by the colours of their bands or stacks, which stay together, then by their own."""
    for line in range(order.size):
        whole, at = line // width, line
        while at:
            last = order[at - 1]
            before = last // width
            if wholes[before] < wholes[whole] or (wholes[before] == wholes[whole] and before != whole):
                break
            if before == whole and lines[last] <= lines[line]:
                break
            order[at] = last
            at -= 1
        order[at] = line


@njit()
def _refine(
    clues: NDArray[np.int64],
    digits: NDArray[np.int64],
    groups: NDArray[np.int64],
    is_square: bool,
    colours: Hashes,
    pools: Hashes,
) -> None:
    """Give each clue a colour that depends on the colours of all clues in its groups, not on their order."""
    pools[:] = 0
    for i in range(clues.shape[0]):
        colour, cell = _mix(colours[i] + np.uint64(1)), clues[i]
        pools[ROW, groups[cell, ROW]] += colour
        pools[COLUMN, groups[cell, COLUMN]] += colour
        pools[BOX, groups[cell, BOX]] += colour
        pools[DIGIT, digits[i]] += colour
    for part, whole in ((ROW, BAND), (COLUMN, STACK)):
        lines = groups.shape[0] // pools.shape[1]
        for line in range(lines):
            cell = line * pools.shape[1] if part == ROW else line
            pools[whole, groups[cell, whole]] += _mix(pools[part, line])
    for i in range(clues.shape[0]):
        cell = clues[i]
        across = _mix(pools[ROW, groups[cell, ROW]] + _mix(pools[BAND, groups[cell, BAND]]))
        down = _mix(pools[COLUMN, groups[cell, COLUMN]] + _mix(pools[STACK, groups[cell, STACK]]))
        # Only boards with square boxes may be transposed, so only there the two directions are equivalent.
        lines_colour = across + down if is_square else across + _mix(down)
        box = _mix(pools[BOX, groups[cell, BOX]] + np.uint64(2))
        colours[i] = _mix(_mix(lines_colour + box) + pools[DIGIT, digits[i]])


@njit(inline="always")
def _mix(x: Any) -> Any:
    """Mix the bits of a word (Stafford 2011, variant 13)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
