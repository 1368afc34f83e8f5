"""What a puzzle adds to the rules: clues as unit clauses, as assumptions, or put into the clauses as they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from solvers.sat.encodings.encoding import Encoding, Size
from solvers.sat.encodings.parts import Clause, Pattern, Table, auxiliary, lay
from solvers.sat.encodings.readout import Readout

if TYPE_CHECKING:
    from solvers.sat.encodings.reduction import Reducer

Sized = Callable[[int], tuple[Pattern, int]]
Known = list[int]  # by literal, a negative one counting from the end: 1 true, -1 false, 0 open


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
    def others(self) -> Reducer | None:
        """What reduces the parts that are not made anew, where there are any."""
        clauses = [clause for old in self.encoding.parts if not old.remake for clause in old.clauses()]
        if not clauses:
            return None
        from solvers.sat.encodings.reduction import Reducer  # imports NumPy, which not all encodings need

        return Reducer(clauses)

    @cached_property
    def groups(self) -> list[tuple[Table, Sized]]:
        """The parts that are made anew: what they are about, and their patterns by the number of literals left."""
        return [(old.table, _sized(old.remake)) for old in self.encoding.parts if old.remake]

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
        the clue's value; nothing is propagated further. At-most-one schemes are made for the literals left.
        """
        encoding = self.encoding
        known = known_variables(encoding, cells)
        kept = self.others.reduce(known) if known and self.others else []
        if known is None or [] in kept:
            return _contradiction(encoding, cells)
        number = _numbering(encoding, known, kept)
        made = [[number[x] for x in clause] for clause in kept]
        free = len(number) // 2 + 1
        for table, pattern_of in self.groups:
            free = _remake(pattern_of, _open_rows(table, known, number), free, made)
        if [] in made:
            return _contradiction(encoding, cells)
        at_mosts = [row for row in _open_rows(encoding.at_mosts or [], known, number) if len(row) > 1]
        size = Size(free - 1, len(made), sum(map(len, made)), len(at_mosts))
        return Formula(made, at_mosts, size, _readout(encoding, cells, known))


def known_variables(encoding: Encoding, cells: Sequence[int]) -> Known | None:
    """What the clues make of each literal; None if two of them clash."""
    shape, code = encoding.shape, encoding.code
    known = [0] * (2 * encoding.size.variables + 1)
    clues = [(cell, value) for cell, value in enumerate(cells) if value]
    for cell, value in clues:
        for variable, true in enumerate(code.rows[value - 1], start=cell * code.width + 1):
            known[variable], known[-variable] = (1, -1) if true else (-1, 1)
    if code.one_hot:
        for cell, value in clues:
            for peer in shape.peers[cell]:
                variable = peer * code.width + value
                if known[variable] > 0:
                    return None
                known[variable], known[-variable] = -1, 1
    return known


def _contradiction(encoding: Encoding, cells: Sequence[int]) -> Formula:
    """No solution, in the fewest words that every solver understands."""
    return Formula([[1], [-1]], [], Size(1, 2, 2), Readout(tuple(cells), (), encoding.code.one_hot))


def _numbering(encoding: Encoding, known: Known, kept: Sequence[Clause]) -> dict[int, int]:
    """The new literal of each old one that is left: open variables of cells first, then what else occurs."""
    first = encoding.cell_variables + 1
    present = [variable for variable in range(1, first) if not known[variable]]
    present += sorted({abs(x) for clause in kept for x in clause if abs(x) >= first})
    number = {old: new for new, old in enumerate(present, start=1)}
    return number | {-old: -new for old, new in number.items()}


def _open_rows(table: Table, known: Known, number: Mapping[int, int]) -> Iterator[list[int]]:
    """The literals left of each row that has no true one; a row that has one says no more (see ``Part.remake``)."""
    for row in table:
        values = [known[x] for x in row]
        if 1 not in values:
            yield [number[x] for x, value in zip(row, values, strict=True) if not value]


def _sized(remake: Callable[[int], Pattern]) -> Sized:
    """Each pattern is made once, with the number of its auxiliary variables."""

    @cache
    def sized(n: int) -> tuple[Pattern, int]:
        pattern = remake(n)
        return pattern, auxiliary(pattern, n)

    return sized


def _remake(pattern_of: Sized, rows: Iterable[list[int]], free: int, made: list[Clause]) -> int:
    """Add the clauses that a part has over the literals left; returns the next free variable."""
    for row in rows:
        pattern, step = pattern_of(len(row))
        made += lay(pattern, row, range(free, free + step))
        free += step
    return free


def _readout(encoding: Encoding, cells: Sequence[int], known: Known) -> Readout:
    whole = encoding.readout
    base = tuple(clue or start for clue, start in zip(cells, whole.base, strict=True))
    adds = tuple(add for variable, add in enumerate(whole.adds, start=1) if not known[variable])
    return Readout(base, adds, whole.one_hot)
