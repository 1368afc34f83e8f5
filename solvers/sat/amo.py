"""At most one of several: the schemes, each as a pattern of clauses over n literals.

The literals of a pattern are numbered 1 .. n; what a scheme needs beside them is numbered from n+1 on without gaps, so
that a pattern can be laid over any n literals, each time with auxiliary variables of its own (``parts.Part``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import ceil, isqrt
from typing import TypeVar

T = TypeVar("T")

Clause = list[int]
GROUP = 3  # literals to a commander
PAIRED_COMMANDERS = 6  # up to so many are told apart by pairs


@dataclass(frozen=True)
class Scheme:
    """One way to say "at most one of n".

    Attributes:
        name: as in ``complete+product``.
        pattern: clauses over 1 .. n that hold with some values of the auxiliary variables exactly if at most one is
            true; asked for n of 2 and more.
        source: author, year, title.
        whole: the same for exactly one, where that is more than one further clause.
        native: the solver itself knows such constraints, and there are no clauses.
    """

    name: str
    pattern: Callable[[int], list[Clause]]
    source: str
    whole: Callable[[int], list[Clause]] | None = None
    native: bool = False

    def at_most_one(self, n: int) -> list[Clause]:
        return self.pattern(n) if n > 1 else []

    def exactly_one(self, n: int) -> list[Clause]:
        """At least one is a single clause, unless the scheme has a form of its own."""
        if self.whole and n > 1:
            return self.whole(n)
        return [*at_least_one(n), *self.at_most_one(n)]


def at_least_one(n: int) -> list[Clause]:
    return [list(range(1, n + 1))]


def pairwise(n: int) -> list[Clause]:
    """No two together: n(n-1)/2 clauses."""
    return pairs(range(1, n + 1))


def pairs(literals: Sequence[int]) -> list[Clause]:
    return [[-a, -b] for a, b in combinations(literals, 2)]


def seqcounter(n: int) -> list[Clause]:
    """s(i) holds from the first true literal on: 3n-4 clauses, n-1 auxiliary variables."""
    clauses = []
    for i in range(1, n):
        clauses.append([-i, n + i])
        if i > 1:
            clauses.append([-(n + i - 1), n + i])
        clauses.append([-(i + 1), -(n + i)])
    return clauses


def ladder(n: int) -> list[Clause]:
    """``ladder_exactly_one`` without the clauses that demand a literal: 3n-4 clauses, n-1 auxiliary variables."""
    return [clause for clause in ladder_exactly_one(n) if not any(0 < literal <= n for literal in clause)]


def ladder_exactly_one(n: int) -> list[Clause]:
    """y(i) says that the true literal comes after the i-th, and each literal is one step of that ladder: 4n-4 clauses,
    n-1 auxiliary variables."""
    clauses = [[-(n + i + 1), n + i] for i in range(1, n - 1)]
    for i in range(1, n + 1):
        before = [n + i - 1] if i > 1 else []
        after = [n + i] if i < n else []
        clauses.append([i, *(-y for y in before), *after])
        clauses += [[-i, y] for y in before]
        clauses += [[-i, -y] for y in after]
    return clauses


def commander(n: int) -> list[Clause]:
    """Groups of 3 (the last may be smaller), a commander for each that is true exactly if one of its group is; the
    commanders are told apart by pairs where there are up to 6, else by commanders of their own."""
    clauses: list[Clause] = []
    level, free = list(range(1, n + 1)), n + 1
    while len(level) > GROUP:
        groups = split(level, GROUP)
        commanders = list(range(free, free + len(groups)))
        free += len(groups)
        for head, group in zip(commanders, groups, strict=True):
            clauses += [*pairs(group), [-head, *group], *([-member, head] for member in group)]
        level = commanders
        if len(level) <= PAIRED_COMMANDERS:
            break
    return clauses + pairs(level)


def product(n: int) -> list[Clause]:
    """The literals in a rectangle of p = ⌈√n⌉ rows and ⌈n/p⌉ columns: at most one row, and at most one column, each by
    pairs."""
    p = ceil_sqrt(n)
    q = ceil(n / p)
    rows, columns = range(n + 1, n + p + 1), range(n + p + 1, n + p + q + 1)
    places = [[-(i + 1), side] for i in range(n) for side in (rows[i // q], columns[i % q])]
    return [*places, *pairs(rows), *pairs(columns)]


def bitwise(n: int) -> list[Clause]:
    """The number of the true literal in binary: n⌈log₂n⌉ clauses, ⌈log₂n⌉ auxiliary variables."""
    return [clause for i in range(n) for clause in implied_bits([i + 1], i, n + 1, bits_for(n))]


def bimander(n: int) -> list[Clause]:
    """⌈√n⌉ groups, pairs within each, and the number of the true literal's group in binary."""
    groups = split(list(range(1, n + 1)), ceil(n / ceil_sqrt(n)))
    bits = bits_for(len(groups))
    clauses = [clause for group in groups for clause in pairs(group)]
    return clauses + [
        clause for number, group in enumerate(groups) for clause in implied_bits(group, number, n + 1, bits)
    ]


def implied_bits(literals: Sequence[int], number: int, first: int, bits: int) -> list[Clause]:
    """Each literal implies the bits of a number, the lowest in variable ``first``."""
    return [
        [-literal, first + bit if number >> bit & 1 else -(first + bit)] for literal in literals for bit in range(bits)
    ]


def split(items: Sequence[T], width: int) -> list[Sequence[T]]:
    """Neighbours in groups of ``width``; the last may be smaller."""
    return [items[start : start + width] for start in range(0, len(items), width)]


def bits_for(n: int) -> int:
    """⌈log₂n⌉: how many bits tell n things apart."""
    return (n - 1).bit_length()


def ceil_sqrt(n: int) -> int:
    return isqrt(n - 1) + 1


def pysat_pattern(encoding: str, n: int) -> list[Clause]:
    """What PySAT's ``CardEnc`` makes of "at most one", as it is."""
    from pysat.card import CardEnc, EncType

    made = CardEnc.atmost(lits=list(range(1, n + 1)), bound=1, top_id=n, encoding=getattr(EncType, encoding))
    return [list(clause) for clause in made.clauses]


def no_clauses(n: int) -> list[Clause]:
    """For ``native``: the constraint is handed over as it is."""
    return []


SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("pairwise", pairwise, "folklore; also called binomial or naive"),
        Scheme(
            "seqcounter", seqcounter, "Sinz 2005, Towards an optimal CNF encoding of Boolean cardinality constraints"
        ),
        Scheme(
            "ladder",
            ladder,
            "Gent & Nightingale 2004, A new encoding of AllDifferent into SAT",
            whole=ladder_exactly_one,
        ),
        Scheme("pysat-ladder", partial(pysat_pattern, "ladder"), "Gent & Nightingale 2004, as PySAT has it"),
        Scheme("commander", commander, "Klieber & Kwon 2007, Efficient CNF encoding for selecting 1 from N objects"),
        Scheme("product", product, "Chen 2010, A new SAT encoding of the at-most-one constraint"),
        Scheme(
            "bitwise",
            bitwise,
            "Prestwich 2007, Variable dependency in local search: prevention is better than cure",
        ),
        Scheme("bimander", bimander, "Nguyen & Mai 2015, A new method to encode the at-most-one constraint into SAT"),
        Scheme(
            "totalizer",
            partial(pysat_pattern, "totalizer"),
            "Bailleux & Boufkhad 2003, Efficient CNF encoding of Boolean cardinality constraints; by PySAT",
        ),
        Scheme(
            "mtotalizer",
            partial(pysat_pattern, "mtotalizer"),
            "Ogawa, Liu, Hasegawa, Koshimura & Fujita 2013, Modulo based CNF encoding of cardinality constraints and "
            "its application to MaxSAT solvers; by PySAT",
        ),
        Scheme(
            "kmtotalizer",
            partial(pysat_pattern, "kmtotalizer"),
            "Morgado, Ignatiev & Marques-Silva 2015, MSCG: robust core-guided MaxSAT solving; by PySAT",
        ),
        Scheme(
            "cardnetwrk",
            partial(pysat_pattern, "cardnetwrk"),
            "Asín, Nieuwenhuis, Oliveras & Rodríguez-Carbonell 2009, Cardinality networks and their applications; "
            "by PySAT",
        ),
        Scheme(
            "sortnetwrk",
            partial(pysat_pattern, "sortnetwrk"),
            "Batcher 1968, Sorting networks and their applications; by PySAT",
        ),
        Scheme(
            "native",
            no_clauses,
            "Liffiton & Maglalang 2012, A cardinality solver: more expressive constraints for free",
            native=True,
        ),
    )
}
