"""Which boards of a long list are isomorphs of earlier ones, in little memory.

Boards and their line numbers wait in a temporary file, only their fingerprints (8 bytes each) in memory. Isomorphs have
the same fingerprint, so at the end only boards that share one are read again; those that differ are brought into
canonical form.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.making.canonical import canonical, has_canonical
from sudoku_bench.datasets.making.fingerprints import Boards, Hashes, fingerprints
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape

Records = NDArray[Any]  # of line and board


class Duplicate(NamedTuple):
    """A board that is an isomorph of an earlier one.

    Attributes:
        line: its line.
        first: the line of the first of its isomorphs.
        is_identical: whether it equals that one.
        is_certain: False if only the fingerprints show it.
    """

    line: int
    first: int
    is_identical: bool
    is_certain: bool


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
        firsts: dict[str, tuple[int, bytes]] = {}  # by class
        classes: dict[bytes, str] = {}  # by board
        is_certain = has_canonical(self._shape)
        names = records["board"].tolist()
        is_one_board = len(set(names)) == 1
        for line, board in zip(records["line"].tolist(), names, strict=True):
            if board not in classes:
                classes[board] = "" if is_one_board else self._form(board)
            if classes[board] in firsts:
                first, first_board = firsts[classes[board]]
                yield Duplicate(line, first, board == first_board, is_certain)
            else:
                firsts[classes[board]] = line, board

    def _form(self, board: bytes) -> str:
        """Return the canonical form of a board; empty if it has none, so that the fingerprint decides."""
        try:
            return canonical(Puzzle(self._shape, board)).text
        except ValueError:
            return ""
