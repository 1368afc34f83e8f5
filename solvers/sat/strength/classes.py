"""Classes of encodings that derive the same in every state, and which of them derive more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sudoku_bench.solvers.sat.strength.prober import Candidates, is_at_least_as_strong


@dataclass(frozen=True)
class StrengthClass:
    """Encodings that left the same candidates in every state that was tried.

    Attributes:
        names: the encodings.
        left: the mean number of candidates left in a state.
        weaker: the places (0, 1, ...) of the classes that derive less, or the same, in each state and less in some.
    """

    names: tuple[str, ...]
    left: float
    weaker: tuple[int, ...]


def classes(derived: Mapping[str, Sequence[Candidates]]) -> list[StrengthClass]:
    """Group encodings by what they derive in the same states; those that leave the fewest candidates come first.

    Args:
        derived: for each encoding the candidates that it leaves in each state, all in the same order.
    """
    members: dict[tuple[Candidates, ...], list[str]] = {}
    for name, lefts in derived.items():
        members.setdefault(tuple(lefts), []).append(name)
    ranked = sorted(members, key=lambda lefts: (total(lefts), members[lefts]))
    return [
        StrengthClass(
            tuple(members[lefts]),
            total(lefts) / max(1, len(lefts)),
            tuple(k for k, other in enumerate(ranked) if other != lefts and is_at_least_as_strong(lefts, other)),
        )
        for lefts in ranked
    ]


def total(lefts: Sequence[Candidates]) -> int:
    return sum(left.bit_count() for left in lefts)
