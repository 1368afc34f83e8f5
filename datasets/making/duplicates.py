"""Which boards of a long list are isomorphs of earlier ones, in bounded memory.

Fingerprints, line numbers and boards are written to a temporary file, each full buffer as ``PARTS`` parts by
fingerprint. At the end each part is read alone: isomorphs have the same fingerprint, so they are in one part. Only
boards that share a fingerprint and differ are brought into canonical form.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.making.canonical import canonical, has_canonical
from datasets.making.fingerprints import Boards, fingerprints
from datasets.puzzle import Puzzle
from datasets.shape import Shape

PARTS = 256
BUFFER = 1 << 16  # boards in memory before they are written

Records = NDArray[Any]  # of fingerprint, line, mark and board


class Duplicate(NamedTuple):
    """A board that is an isomorph of an earlier one.

    Attributes:
        line: its line.
        first: the line of the first of its isomorphs.
        is_identical: whether it equals that one.
        is_certain: False if only the fingerprints show it.
        mark: what was passed with the board.
    """

    line: int
    first: int
    is_identical: bool
    is_certain: bool
    mark: int


class Duplicates:
    """Collects boards of one shape; a context manager, which owns the temporary file."""

    def __init__(self, shape: Shape, buffer: int = BUFFER) -> None:
        self._shape, self._size = shape, buffer
        self._type = np.dtype([("key", "u8"), ("line", "i8"), ("mark", "u1"), ("board", f"V{shape.n_cells}")])
        self._buffer: list[Records] = []
        self._buffered = 0
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed by __exit__)
        self._written: list[tuple[int, NDArray[np.int64]]] = []  # offset of a buffer, and where its parts begin in it

    def __enter__(self) -> Duplicates:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, boards: Boards, lines: Sequence[int], marks: Sequence[int]) -> None:
        """Add n boards (n × N·N cells), their lines, and a number from 0 to 255 for each, which is returned with it.

        Raises:
            OSError: the temporary file cannot be written.
        """
        records = np.empty(len(boards), dtype=self._type)
        records["key"] = fingerprints(self._shape, boards)
        records["line"], records["mark"] = lines, marks
        records["board"] = np.ascontiguousarray(boards).view(f"V{self._shape.n_cells}")[:, 0]
        self._buffer.append(records)
        self._buffered += len(records)
        if self._buffered >= self._size:
            self._write()

    def _write(self) -> None:
        records = np.concatenate(self._buffer)
        self._buffer, self._buffered = [], 0
        parts = (records["key"] % PARTS).astype(np.int64)
        order = np.argsort(parts, kind="stable")
        starts = np.searchsorted(parts[order], np.arange(PARTS + 1))
        self._written.append((self._file.seek(0, 2), starts))
        self._file.write(records[order].tobytes())

    def find(self) -> list[Duplicate]:
        """Return the duplicates in the order of their lines. Nothing may be added after this."""
        if not self._written:
            parts: Iterator[Records] = iter([np.concatenate(self._buffer)] if self._buffer else [])
        else:
            if self._buffer:
                self._write()
            parts = map(self._part, range(PARTS))
        return sorted(duplicate for part in parts for duplicate in self._duplicates(part))

    def _part(self, number: int) -> Records:
        """Read the records of a part, in the order in which they were added."""
        pieces = []
        for offset, starts in self._written:
            self._file.seek(offset + int(starts[number]) * self._type.itemsize)
            data = self._file.read(int(starts[number + 1] - starts[number]) * self._type.itemsize)
            pieces.append(np.frombuffer(data, dtype=self._type))
        return np.concatenate(pieces)

    def _duplicates(self, records: Records) -> Iterator[Duplicate]:
        order = np.argsort(records["key"], kind="stable")
        keys = records["key"][order]
        begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1], [True]))) if len(keys) else np.empty(0)
        sizes = np.diff(begins)
        for begin, size in zip(begins[:-1][sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
            yield from self._classes(records[order[begin : begin + size]])

    def _classes(self, records: Records) -> Iterator[Duplicate]:
        """Divide boards with the same fingerprint into classes of isomorphs; yield all but the first of each."""
        firsts: dict[str, tuple[int, bytes]] = {}  # by class
        classes: dict[bytes, str] = {}  # by board
        is_certain = has_canonical(self._shape)
        names = records["board"].tolist()
        is_one_board = len(set(names)) == 1
        for line, mark, board in zip(records["line"].tolist(), records["mark"].tolist(), names, strict=True):
            if board not in classes:
                classes[board] = canonical(Puzzle(self._shape, board)).text if is_certain and not is_one_board else ""
            if classes[board] in firsts:
                first, first_board = firsts[classes[board]]
                yield Duplicate(line, first, board == first_board, is_certain, mark)
            else:
                firsts[classes[board]] = line, board
