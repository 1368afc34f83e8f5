"""What a puzzle adds to the rules: clues as unit clauses, as assumptions, or put into the clauses as they are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from solvers.encodings.encoding import Encoding, Readout, Size
from solvers.encodings.parts import Clause, Part, Table

HANDLINGS = ("units", "substituted", "assumptions")  # the first where none is named

Flat = NDArray[np.int32]
Widths = NDArray[np.int64]
Known = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Formula:
    """A puzzle for a solver: clauses, constraints of which at most one literal is true, and the way back to cells."""

    clauses: list[Clause]
    at_mosts: list[Clause]
    size: Size
    readout: Readout


class Rules:
    """The rules of one shape: what is the same for every puzzle is made once, when it is first needed."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding

    @cached_property
    def clauses(self) -> list[Clause]:
        return self.encoding.clauses()

    @cached_property
    def at_mosts(self) -> list[Clause]:
        return self.encoding.at_most_ones()

    @cached_property
    def size(self) -> Size:
        return self.encoding.size

    @cached_property
    def flat(self) -> tuple[Flat, Widths]:
        """The literals of all clauses, and for each the number of its clause; without the parts that ``substituted``
        makes anew."""
        parts = [old for old in self.encoding.parts if not _remade(old)]
        literals = [_EMPTY, *(rows.reshape(-1) for old in parts for rows in old.arrays())]
        widths = np.concatenate([np.empty(0, np.int64), *(old.widths() for old in parts)])
        return np.concatenate(literals), np.repeat(np.arange(widths.size), widths)

    def clue_literals(self, cells: Sequence[int]) -> list[int]:
        """The literals that together say what the clues are; cells without a clue are 0."""
        say = self.encoding.value_literals
        return [literal for cell, value in enumerate(cells) if value for literal in say(cell, value)]

    def with_units(self, cells: Sequence[int]) -> Formula:
        """A unit clause for each literal of a clue, then the rules: a solver that has seen the clues passes over the
        clauses that they satisfy while it reads them."""
        units = [[literal] for literal in self.clue_literals(cells)]
        rules = self.size
        size = Size(rules.variables, rules.clauses + len(units), rules.literals + len(units), rules.at_mosts)
        return Formula(units + self.clauses, self.at_mosts, size, self.encoding.readout)

    def substituted(self, cells: Sequence[int]) -> Formula:
        """The rules with what the clues say put in: satisfied clauses and false literals are gone, and the variables
        left are numbered anew, without gaps (Kwon & Jain 2006, "Optimized CNF encoding for Sudoku puzzles").

        Known are the variables of the clues' cells and, where each value has a variable of its own, that no peer has
        the clue's value; nothing is propagated further. At-most-one schemes with auxiliary variables are made for the
        literals left.
        """
        encoding = self.encoding
        known = known_variables(encoding, cells)
        reduced = None if known is None else _reduce(*self.flat, known)
        if known is None or reduced is None:
            return _contradiction(encoding, cells)
        number = _numbering(encoding, known, reduced[0])
        made = _cut(_renumber(number, reduced[0]), reduced[1])
        free = int(number.max()) + 1
        for old in filter(_remade, encoding.parts):
            for new in _remake(old, known, number, free):
                if [] in new.pattern:
                    return _contradiction(encoding, cells)
                made += new.clauses()
                free = new.next
        at_mosts = _at_mosts_left(encoding, known, number)
        size = Size(free - 1, len(made), sum(map(len, made)), len(at_mosts))
        return Formula(made, at_mosts, size, _readout(encoding, cells, known))


_EMPTY: Flat = np.empty(0, dtype=np.int32)


def known_variables(encoding: Encoding, cells: Sequence[int]) -> Known | None:
    """For each variable 0 .. the last: 1 if the clues make it true, -1 if false, 0 if open; None if two clash."""
    shape, code = encoding.shape, encoding.code
    known = np.zeros(encoding.size.variables + 1, dtype=np.int8)
    clues = [(cell, value) for cell, value in enumerate(cells) if value]
    table = code.table(shape)
    for cell, value in clues:
        known[table[cell]] = np.where(code.rows[value - 1], 1, -1)
    if code.one_hot:
        for cell, value in clues:
            others = table[list(shape.peers[cell]), value - 1]
            if (known[others] > 0).any():
                return None
            known[others] = -1
    return known


def _contradiction(encoding: Encoding, cells: Sequence[int]) -> Formula:
    """No solution, in the fewest words that every solver understands."""
    return Formula([[1], [-1]], [], Size(1, 2, 2), Readout(tuple(cells), (), encoding.code.one_hot))


def _remade(old: Part) -> bool:
    """Whether a part is made anew for the literals left, rather than reduced clause by clause."""
    return old.remake is not None and old.auxiliary > 0


def _values(literals: Flat, known: Known) -> Known:
    """1 for a true literal, -1 for a false one, 0 for an open one."""
    both_signs = np.concatenate([-known[:0:-1], known])
    values: Known = both_signs[literals + (known.size - 1)]
    return values


def _reduce(literals: Flat, clause: Widths, known: Known) -> tuple[Flat, Widths] | None:
    """Literals and widths of the clauses left; None if one of them is empty."""
    values = _values(literals, known)
    count = int(clause[-1]) + 1 if clause.size else 0
    satisfied = np.zeros(count, dtype=bool)
    satisfied[clause[values > 0]] = True
    keep = (values == 0) & ~satisfied[clause]
    left = np.bincount(clause[keep], minlength=count)[~satisfied]
    return None if (left == 0).any() else (literals[keep], left)


def _numbering(encoding: Encoding, known: Known, literals: Flat) -> Flat:
    """The new number of each old variable: open ones of cells first, then what else occurs; 0 for all others."""
    present = np.zeros(known.size, dtype=bool)
    present[np.abs(literals)] = True
    present[1 : encoding.cell_variables + 1] = known[1 : encoding.cell_variables + 1] == 0
    return np.where(present, np.cumsum(present), 0).astype(np.int32)


def _renumber(number: Flat, literals: Flat) -> Flat:
    renumbered: Flat = number[np.abs(literals)] * np.sign(literals)
    return renumbered


def _cut(literals: Flat, widths: Widths) -> list[Clause]:
    flat = literals.tolist()
    return [flat[a:b] for a, b in pairwise(accumulate(widths.tolist(), initial=0))]


def _remake(old: Part, known: Known, number: Flat, free: int) -> list[Part]:
    """The part over the literals left of each row, row length by row length.

    A row with a true literal says nothing more: its other literals are values of the same cell, or places of a value in
    the same unit, and known to be false.
    """
    assert old.remake is not None
    made = []
    for rows, n in _open_rows(old.table, known):
        made.append(Part(old.says, _renumber(number, rows), old.remake(n), free, old.remake))
        free = made[-1].next
    return made


def _open_rows(table: Table, known: Known) -> list[tuple[Table, int]]:
    """The open literals of the rows that have no true one, gathered by their number."""
    values = _values(table, known)
    undecided = ~(values > 0).any(axis=1)
    table, is_open = table[undecided], values[undecided] == 0
    counts = is_open.sum(axis=1)
    made = []
    for n in np.unique(counts).tolist():
        rows = counts == n
        made.append((table[rows][is_open[rows]].reshape(int(rows.sum()), n), n))
    return made


def _at_mosts_left(encoding: Encoding, known: Known, number: Flat) -> list[Clause]:
    if encoding.at_mosts is None:
        return []
    rows = [(rows, n) for rows, n in _open_rows(encoding.at_mosts, known) if n > 1]
    return [literals for found, _ in rows for literals in _renumber(number, found).tolist()]


def _readout(encoding: Encoding, cells: Sequence[int], known: Known) -> Readout:
    whole = encoding.readout
    base = tuple(clue or start for clue, start in zip(cells, whole.base, strict=True))
    open_ones = np.flatnonzero(known[1 : encoding.cell_variables + 1] == 0).tolist()
    return Readout(base, tuple(whole.adds[k] for k in open_ones), whole.one_hot)
