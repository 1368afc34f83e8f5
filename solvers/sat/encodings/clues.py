"""Clues in formulas: as unit clauses, as assumptions, or substituted into the rules, alone or with what they imply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, chain, pairwise, product

from sudoku_bench.solvers.sat.amo import Clause, Pattern, Table
from sudoku_bench.solvers.sat.encodings.cell_codes import Readout
from sudoku_bench.solvers.sat.encodings.encoding import Encoding, Size
from sudoku_bench.solvers.sat.encodings.parts import auxiliary, instantiate
from sudoku_bench.solvers.sat.encodings.reduction import candidates

Forbidden = Sequence[tuple[int, int]]  # cells without a clue and values 1 .. N that pencilmarks exclude
Sized = Callable[[int], tuple[Pattern, int]]
Truth = list[int]  # by literal, a negative one counting from the end: 1 true, -1 false, 0 open


@dataclass(frozen=True, eq=False)
class Formula:
    """A puzzle for a solver: clauses, native at-most-one constraints, and how to decode a model."""

    clauses: list[Clause]
    at_mosts: list[Clause]
    size: Size
    readout: Readout


class Rules:
    """The rules of one shape: whatever is the same for every puzzle is generated once, on first use."""

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
    def literals(self) -> list[list[Clause]]:
        """For each cell and value the literals that together state it."""
        shape, literals_of = self.encoding.shape, self.encoding.value_literals
        return [[literals_of(cell, value + 1) for value in range(shape.size)] for cell in range(shape.n_cells)]

    @cached_property
    def reducer(self) -> Reducer | None:
        """Reduces the parts that are not regenerated for each puzzle; None if there are none."""
        clauses = [clause for part in self.encoding.parts if not part.remake for clause in part.clauses()]
        return Reducer(clauses) if clauses else None

    @cached_property
    def groups(self) -> list[tuple[Table, Sized]]:
        """The parts that are regenerated: their tables, and their patterns by the number of open literals."""
        return [(part.table, _sized(part.remake)) for part in self.encoding.parts if part.remake]

    def clue_literals(self, cells: Sequence[int]) -> list[int]:
        """The literals that together state the clues; cells without a clue are 0."""
        return [x for values, value in zip(self.literals, cells, strict=True) if value for x in values[value - 1]]

    def exclusions(self, forbidden: Forbidden) -> list[Clause]:
        """For each cell and value the clause that excludes it."""
        return [[-x for x in self.literals[cell][value - 1]] for cell, value in forbidden]

    def formula_of(self, handling: str) -> Callable[..., Formula]:
        """The method that encodes puzzles under a clue handling, which is not ``assumptions``."""
        return {"substituted": self.substituted, "reduced": self.reduced}.get(handling, self.with_units)

    def with_units(self, cells: Sequence[int], forbidden: Forbidden = ()) -> Formula:
        """The clauses of the clues, then the rules, of which a solver skips what they satisfy as it reads them."""
        units, size = self.units(cells, forbidden)
        return Formula(units + self.clauses, self.at_mosts, size, self.encoding.readout)

    def units(self, cells: Sequence[int], forbidden: Forbidden = ()) -> tuple[list[Clause], Size]:
        """A unit clause for each literal of a clue, a clause for each forbidden value; the size with the rules."""
        units = [[literal] for literal in self.clue_literals(cells)] + self.exclusions(forbidden)
        rules, literals = self.size, sum(map(len, units))
        size = Size(rules.variables, rules.clauses + len(units), rules.literals + literals, rules.at_mosts)
        return units, size

    def substituted(self, cells: Sequence[int], forbidden: Forbidden = ()) -> Formula:
        """The rules with the clues substituted (Kwon & Jain 2006).

        Satisfied clauses and false literals are removed, and the remaining variables are renumbered without gaps.
        Decided are the variables of the clues' cells and, where each value has its own variable, that no peer has the
        clue's value; nothing is propagated further. At-most-one schemes are applied to the open literals.
        """
        return self._simplified(cells, truth_of(self.encoding, cells, forbidden), forbidden)

    def reduced(self, cells: Sequence[int], forbidden: Forbidden = ()) -> Formula:
        """The rules with the clues, and all that singles and locked candidates find, substituted (compare Pfeiffer,
        Karnagel & Scheffler 2010).

        Where each value has its own variable, all candidates found false are removed; otherwise only cells are fixed.
        """
        shape = self.encoding.shape
        masks = candidates(shape, cells, forbidden)
        if masks is None:
            return _contradiction(self.encoding, cells)
        known = [0 if mask & (mask - 1) else mask.bit_length() for mask in masks]
        pairs = product(range(shape.n_cells), range(1, shape.size + 1)) if self.encoding.code.one_hot else ()
        truth = truth_of(self.encoding, known, [(cell, v) for cell, v in pairs if not masks[cell] >> v - 1 & 1])
        return self._simplified(known, truth, [(cell, value) for cell, value in forbidden if not known[cell]])

    def _simplified(self, cells: Sequence[int], truth: Truth | None, forbidden: Forbidden) -> Formula:
        """The rules under the truth values that the cells' values imply; None if they are a contradiction.

        Where a value has no variable of its own, what is forbidden remains as clauses.
        """
        encoding = self.encoding
        reduced = self.reducer.reduce(truth) if truth and self.reducer else []
        if truth is None or [] in reduced:
            return _contradiction(encoding, cells)
        number = _numbering(encoding, truth, reduced)
        if not encoding.code.one_hot:
            reduced += self.exclusions(forbidden)
        clauses = [[number[x] for x in clause] for clause in reduced]
        free = len(number) // 2 + 1
        for table, pattern_of in self.groups:
            free = _remake(pattern_of, _open_rows(table, truth, number), free, clauses)
        if [] in clauses:
            return _contradiction(encoding, cells)
        at_mosts = [row for row in _open_rows(encoding.at_mosts or [], truth, number) if len(row) > 1]
        size = Size(free - 1, len(clauses), sum(map(len, clauses)), len(at_mosts))
        return Formula(clauses, at_mosts, size, _readout(encoding, cells, truth))


class Reducer:
    """A list of clauses that is reduced again and again, each time by other decided literals. Imports NumPy."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        import numpy as np  # not all encodings need it

        self.np = np
        self.literals = np.array(list(chain.from_iterable(clauses)), dtype=np.int64)
        self.clause = np.repeat(np.arange(len(clauses)), [len(clause) for clause in clauses])
        self.count = len(clauses)

    def reduce(self, truth: Truth) -> list[Clause]:
        """Remove satisfied clauses and false literals; an empty clause is a contradiction."""
        np = self.np
        values = np.array(truth, dtype=np.int8)[self.literals]
        satisfied = np.zeros(self.count, dtype=bool)
        satisfied[self.clause[values > 0]] = True
        keep = (values == 0) & ~satisfied[self.clause]
        lengths = np.bincount(self.clause[keep], minlength=self.count)[~satisfied]
        literals = self.literals[keep].tolist()
        return [literals[a:b] for a, b in pairwise(accumulate(lengths.tolist(), initial=0))]


def truth_of(encoding: Encoding, cells: Sequence[int], forbidden: Forbidden = ()) -> Truth | None:
    """The truth value of each literal under the clues; None if two clues clash."""
    shape, code = encoding.shape, encoding.code
    truth = [0] * (2 * encoding.size.variables + 1)
    clues = [(cell, value) for cell, value in enumerate(cells) if value]
    for cell, value in clues:
        for variable, true in enumerate(code.truth[value - 1], start=cell * code.width + 1):
            truth[variable], truth[-variable] = (1, -1) if true else (-1, 1)
    if code.one_hot:
        for cell, value in clues:
            for peer in shape.peers[cell]:
                variable = peer * code.width + value
                if truth[variable] > 0:
                    return None
                truth[variable], truth[-variable] = -1, 1
        for cell, value in forbidden:
            variable = cell * code.width + value
            truth[variable], truth[-variable] = -1, 1
    return truth


def _contradiction(encoding: Encoding, cells: Sequence[int]) -> Formula:
    """The smallest formula without a model that every solver accepts."""
    return Formula([[1], [-1]], [], Size(1, 2, 2), Readout(tuple(cells), (), encoding.code.one_hot))


def _numbering(encoding: Encoding, truth: Truth, reduced: Sequence[Clause]) -> dict[int, int]:
    """The new literal of each old one that remains: open variables of cells first, then all others that occur."""
    first = encoding.cell_variables + 1
    present = [variable for variable in range(1, first) if not truth[variable]]
    present += sorted({abs(x) for clause in reduced for x in clause if abs(x) >= first})
    number = {old: new for new, old in enumerate(present, start=1)}
    return number | {-old: -new for old, new in number.items()}


def _open_rows(table: Table, truth: Truth, number: Mapping[int, int]) -> Iterator[list[int]]:
    """The open literals of each row that has no true one; a row with a true one is satisfied (see ``Part.remake``)."""
    for row in table:
        values = [truth[x] for x in row]
        if 1 not in values:
            yield [number[x] for x, value in zip(row, values, strict=True) if not value]


def _sized(remake: Callable[[int], Pattern]) -> Sized:
    """Generate each pattern once, with the number of its auxiliary variables."""

    @cache
    def sized(n: int) -> tuple[Pattern, int]:
        pattern = remake(n)
        return pattern, auxiliary(pattern, n)

    return sized


def _remake(pattern_of: Sized, rows: Iterable[list[int]], free: int, clauses: list[Clause]) -> int:
    """Append the clauses of a part over the open literals; return the next free variable."""
    for row in rows:
        pattern, step = pattern_of(len(row))
        clauses += instantiate(pattern, row, range(free, free + step))
        free += step
    return free


def _readout(encoding: Encoding, cells: Sequence[int], truth: Truth) -> Readout:
    full = encoding.readout
    base = tuple(clue or start for clue, start in zip(cells, full.base, strict=True))
    adds = tuple(add for variable, add in enumerate(full.adds, start=1) if not truth[variable])
    return Readout(base, adds, full.one_hot)
