"""The encoder as a library: the rules of Sudoku and of Latin squares as clauses, and clauses of one's own.

``encode`` returns clauses, what their variables mean, and the way back from a model to the cells. ``Clauses`` collects
clauses of any problem, with at-most-one constraints under every scheme.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import SCHEMES, Clause, Scheme
from sudoku_bench.solvers.sat.encodings import CLUE_HANDLINGS, build
from sudoku_bench.solvers.sat.encodings.cell_codes import Readout, direct
from sudoku_bench.solvers.sat.encodings.clues import Rules
from sudoku_bench.solvers.sat.encodings.encoding import Encoding, Size
from sudoku_bench.solvers.sat.encodings.parts import Part, auxiliary, instantiate
from sudoku_bench.solvers.sat.names import parse_model


@dataclass(frozen=True, eq=False)
class Cnf:
    """Rules, or a puzzle, as clauses.

    Attributes:
        clauses: lists of non-zero integers.
        at_mosts: lists of literals of which at most one is true, where no clauses say so (scheme ``native``).
        size: numbers of variables, clauses and literals, duplicates counted.
        readout: decodes models.
        encoding: of the rules; None if the clues were substituted, which renumbers the variables.
    """

    clauses: list[Clause]
    at_mosts: list[Clause]
    size: Size
    readout: Readout
    encoding: Encoding | None

    def literals(self, cell: int, value: int) -> list[int]:
        """The literals that together state that a cell (0 .. N²-1, row by row) has a value (1 .. N).

        Raises:
            InputError: the clues were substituted.
        """
        if self.encoding is None:
            raise InputError("variables are numbered anew where clues are substituted; encode the shape instead")
        return self.encoding.value_literals(cell, value)

    def decode(self, model: Iterable[int]) -> list[int]:
        """The N² cells of a model, given as literals in any order; auxiliary variables are ignored."""
        return self.readout.cells(model)

    def excluding(self, model: Iterable[int]) -> Clause:
        """A clause that excludes the cells of a model, whatever its auxiliary variables; empty if no cell is open."""
        return self.readout.other_cells(model)


def encode(board: Shape | Puzzle, name: str = "complete") -> Cnf:
    """Encode the rules of a board, or a puzzle with its clues.

    ``Shape.of_size(N, "latin")`` is a Latin square.

    Args:
        name: an encoding, such as ``log`` or ``complete+product``; for a puzzle also ``complete+substituted`` or
            ``complete+reduced``, where clues are otherwise unit clauses.

    Raises:
        InputError: there is no such encoding or scheme, or it cannot be applied.
    """
    model, clues = parse_model(name)
    shape = board if isinstance(board, Shape) else board.shape
    clues_of = ((0,) * shape.n_cells,) if isinstance(board, Shape) else (board.cells, board.forbidden)
    if clues == "assumptions":
        raise InputError(
            f"{name}: clauses contain no assumptions; encode the shape, and assume `literals` of the clues"
        )
    encoding = build(model, shape)
    formula = Rules(encoding).formula_of(clues)(*clues_of)
    keeps_numbers = clues in ("", CLUE_HANDLINGS[0])
    return Cnf(formula.clauses, formula.at_mosts, formula.size, formula.readout, encoding if keeps_numbers else None)


class Clauses:
    """Clauses of a problem of one's own, and its variables, numbered from 1 on.

    Attributes:
        clauses: all clauses so far.
        variables: the highest variable so far.
    """

    def __init__(self, variables: int = 0) -> None:
        self.clauses: list[Clause] = []
        self.variables = variables

    def new(self, number: int) -> list[int]:
        """So many new variables."""
        first = self.variables + 1
        self.variables += number
        return list(range(first, first + number))

    def add(self, *literals: int) -> None:
        """Add a clause: at least one of the literals is true."""
        self.clauses.append(list(literals))

    def at_most_one(self, literals: Sequence[int], scheme: str = "pairwise") -> None:
        """At most one of the literals is true, with auxiliary variables if the scheme needs some.

        Raises:
            InputError: there is no such scheme, or it has no clauses.
        """
        self._apply(_scheme(scheme).at_most_one(len(literals)), literals)

    def exactly_one(self, literals: Sequence[int], scheme: str = "pairwise") -> None:
        """Exactly one of the literals is true.

        Raises:
            InputError: as for ``at_most_one``.
        """
        self._apply(_scheme(scheme).exactly_one(len(literals)), literals)

    def _apply(self, pattern: Sequence[Clause], literals: Sequence[int]) -> None:
        step = auxiliary(list(pattern), len(literals))
        self.clauses += instantiate(list(pattern), literals, self.new(step))


def _scheme(name: str) -> Scheme:
    if name not in SCHEMES or SCHEMES[name].native:
        usable = ", ".join(key for key, scheme in SCHEMES.items() if not scheme.native)
        raise InputError(f"no at-most-one scheme with clauses is called {name!r}; choose one of {usable}")
    return SCHEMES[name]


def of_clauses(name: str, shape: Shape, clauses: Iterable[Sequence[int]]) -> Encoding:
    """Make an encoding of clauses over one variable for each cell and value, with auxiliary variables above N³.

    Raises:
        InputError: a clause is empty, or holds something other than non-zero integers.
    """
    pattern = [[int(literal) for literal in clause] for clause in clauses]
    for number, clause in enumerate(pattern, start=1):
        if not clause or 0 in clause:
            raise InputError(f"encoding {name}: clause {number} is {clause}; a clause is a list of non-zero integers")
    cells = shape.size**3
    part = Part(f"the clauses of {name}", [list(range(1, cells + 1))], pattern, cells + 1)
    return Encoding(name, shape, direct(shape.size), (part,))
