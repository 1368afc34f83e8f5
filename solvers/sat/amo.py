"""At-most-one schemes, each as a pattern of clauses over n literals.

The literals of a pattern are numbered 1 .. n, and its auxiliary variables from n+1 on without gaps, so that a pattern
can be applied to any n literals, each time with its own auxiliary variables (``encodings.parts.Part``).

A new scheme is a function here and its entry in ``SCHEMES``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, isqrt
from typing import TypeVar

T = TypeVar("T")

Clause = list[int]
Pattern = list[Clause]
Table = list[list[int]]  # rows of literals

GROUP = 3  # literals per commander
PAIRED_COMMANDERS = 6  # up to this number of commanders, at most one by pairs


@dataclass(frozen=True)
class Scheme:
    """One way to express "at most one of n".

    Attributes:
        name: as in ``complete+product``.
        pattern: the clauses for n of 2 and more. Some values of the auxiliary variables satisfy them exactly if at most
            one of 1 .. n is true.
        exactly_one_pattern: the same for exactly one, if that is not simply one further clause.
        native: the solver accepts such constraints natively, so there are no clauses.
    """

    name: str
    pattern: Callable[[int], Pattern]
    exactly_one_pattern: Callable[[int], Pattern] | None = None
    native: bool = False

    def at_most_one(self, n: int) -> Pattern:
        return self.pattern(n) if n > 1 else []

    def exactly_one(self, n: int) -> Pattern:
        """At least one is a single clause, unless the scheme has its own pattern for exactly one."""
        if self.exactly_one_pattern and n > 1:
            return self.exactly_one_pattern(n)
        return [*at_least_one(n), *self.at_most_one(n)]


def at_least_one(n: int) -> Pattern:
    return [list(range(1, n + 1))]


def pairwise(n: int) -> Pattern:
    """No two are both true (folklore, also called binomial or naive): n(n-1)/2 clauses."""
    return pairs(range(1, n + 1))


def pairs(literals: Sequence[int]) -> Pattern:
    return [[-a, -b] for a, b in combinations(literals, 2)]


def seqcounter(n: int) -> Pattern:
    """A sequential counter: s(i) is true from the first true literal on (Sinz 2005).

    3n-4 clauses, n-1 auxiliary variables.
    """
    clauses = []
    for i in range(1, n):
        clauses.append([-i, n + i])
        if i > 1:
            clauses.append([-(n + i - 1), n + i])
        clauses.append([-(i + 1), -(n + i)])
    return clauses


def ladder(n: int) -> Pattern:
    """One step of a ladder; it has a separate exactly-one form (Gent & Nightingale 2004).

    ``ladder_exactly_one`` without the clauses that require a literal: 3n-4 clauses, n-1 auxiliary variables.
    """
    return [clause for clause in ladder_exactly_one(n) if not any(0 < literal <= n for literal in clause)]


def ladder_exactly_one(n: int) -> Pattern:
    """y(i) states that the true literal comes after the i-th, and each literal is one step of that ladder: 4n-4
    clauses, n-1 auxiliary variables (Gent & Nightingale 2004)."""
    clauses = [[-(n + i + 1), n + i] for i in range(1, n - 1)]
    for i in range(1, n + 1):
        before = [n + i - 1] if i > 1 else []
        after = [n + i] if i < n else []
        clauses.append([i, *(-y for y in before), *after])
        clauses += [[-i, y] for y in before]
        clauses += [[-i, -y] for y in after]
    return clauses


def commander(n: int) -> Pattern:
    """Groups of 3 with a commander each, which is true exactly if one of the group is (Klieber & Kwon 2007).

    The last group may be smaller. At most one commander is true: by pairs if there are up to 6, else by further
    commanders.
    """
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


def product(n: int) -> Pattern:
    """At most one row and one column of a rectangle of p = ⌈√n⌉ rows and ⌈n/p⌉ columns (Chen 2010).

    At most one row, and at most one column, are expressed by pairs.
    """
    p = ceil_sqrt(n)
    q = ceil(n / p)
    rows, columns = range(n + 1, n + p + 1), range(n + p + 1, n + p + q + 1)
    places = [[-(i + 1), side] for i in range(n) for side in (rows[i // q], columns[i % q])]
    return [*places, *pairs(rows), *pairs(columns)]


def bitwise(n: int) -> Pattern:
    """The number of the true literal in binary (Prestwich 2007): n⌈log₂n⌉ clauses, ⌈log₂n⌉ auxiliary variables."""
    return [clause for i in range(n) for clause in implied_bits([i + 1], i, n + 1, bits_for(n))]


def bimander(n: int) -> Pattern:
    """⌈√n⌉ groups by pairs, and the number of the true literal's group in binary (Nguyen & Mai 2015)."""
    groups = split(list(range(1, n + 1)), ceil(n / ceil_sqrt(n)))
    bits = bits_for(len(groups))
    clauses = [clause for group in groups for clause in pairs(group)]
    return clauses + [
        clause for number, group in enumerate(groups) for clause in implied_bits(group, number, n + 1, bits)
    ]


def heule(n: int) -> Pattern:
    """Three literals and a new one that stands for them, until four are left (Knuth 2015, after Heule).

    3n-6 clauses, ⌊(n-3)/2⌋ auxiliary variables, for n of 3 and more.
    """
    clauses: list[Clause] = []
    literals, free = list(range(1, n + 1)), n + 1
    while len(literals) > 4:
        clauses += pairs([*literals[:3], -free])
        literals, free = [free, *literals[3:]], free + 1
    return clauses + pairs(literals)


def tree(n: int) -> Pattern:
    """A binary tree: a node is true if a literal below it is, and its two halves never both are (compare Bailleux &
    Boufkhad 2003).

    The totalizer cut at one: 3n-5 clauses, n-2 auxiliary variables; the root needs no variable.
    """
    clauses: list[Clause] = []
    level, free = list(range(1, n + 1)), n + 1
    while len(level) > 2:
        parents: list[int] = []
        for children in split(level, 2):
            if len(children) == 2:
                clauses += [*pairs(children), *([-child, free] for child in children)]
                children, free = [free], free + 1
            parents += children
        level = parents
    return clauses + pairs(level)


def implied_bits(literals: Sequence[int], number: int, first: int, bits: int) -> Pattern:
    """Each literal implies the bits of a number, the lowest in variable ``first``."""
    return [
        [-literal, first + bit if number >> bit & 1 else -(first + bit)] for literal in literals for bit in range(bits)
    ]


def split(items: Sequence[T], width: int) -> list[Sequence[T]]:
    """Split a sequence into groups of ``width`` neighbours; the last may be smaller."""
    return [items[start : start + width] for start in range(0, len(items), width)]


def bits_for(n: int) -> int:
    """⌈log₂n⌉: the number of bits that distinguish n items."""
    return (n - 1).bit_length()


def ceil_sqrt(n: int) -> int:
    return isqrt(n - 1) + 1


def from_pysat(name: str, description: str) -> Scheme:
    """A scheme that PySAT generates, with its description as the docstring of its pattern."""

    def pattern(n: int) -> Pattern:
        from pysat.card import CardEnc, EncType

        encoding = getattr(EncType, name.removeprefix("pysat-"))
        formula = CardEnc.atmost(lits=list(range(1, n + 1)), bound=1, top_id=n, encoding=encoding)
        return [list(clause) for clause in formula.clauses]

    pattern.__doc__ = description
    return Scheme(name, pattern)


def native(n: int) -> Pattern:
    """A native constraint, for engines that support it (Liffiton & Maglalang 2012): no clauses."""
    return []


SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("pairwise", pairwise),
        Scheme("seqcounter", seqcounter),
        Scheme("ladder", ladder, exactly_one_pattern=ladder_exactly_one),
        from_pysat(
            "pysat-ladder",
            "The ladder as generated by PySAT (Gent & Nightingale 2004): 4n clauses, n+1 auxiliary variables.",
        ),
        Scheme("commander", commander),
        Scheme("product", product),
        Scheme("bitwise", bitwise),
        Scheme("bimander", bimander),
        Scheme("heule", heule),
        Scheme("tree", tree),
        from_pysat("totalizer", "A tree that sorts in unary, generated by PySAT (Bailleux & Boufkhad 2003)."),
        from_pysat("mtotalizer", "The totalizer with a modulus, generated by PySAT (Ogawa et al. 2013)."),
        from_pysat(
            "kmtotalizer",
            "A totalizer of groups with a modulus, generated by PySAT (Morgado, Ignatiev & Marques-Silva 2015).",
        ),
        from_pysat("cardnetwrk", "A cardinality network, generated by PySAT (Asín et al. 2009)."),
        from_pysat("sortnetwrk", "A sorting network, generated by PySAT (Batcher 1968)."),
        Scheme("native", native, native=True),
    )
}
