"""The blocks of the grid of encodings and engines: crossed factors whose levels spell the names of strategies."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from bench.plan.suite import Suite
from bench.studies.document import TOP
from solvers.sat.encodings import CLUE_SUFFIXES

PUZZLES = TOP / "results" / "encodings" / "puzzles"
UNITS = "units"  # clues as unit clauses, whose level is empty


@dataclass(frozen=True)
class Block:
    """A crossed design, measured in a run of its own.

    Attributes:
        factors: the levels of each factor, as parts of the names of strategies: a name is ``sat:`` and a level of
            each factor, in their order.
        datasets: names of collections, or of files in ``PUZZLES``.
        sample: number of puzzles of each collection.
    """

    name: str
    factors: Mapping[str, tuple[str, ...]]
    datasets: tuple[str, ...]
    sample: int = 18  # a verdict on each of the pairs of a block needs so many
    task: str = "first"
    timeout_s: float = 4.0
    repetitions: int = 3
    launches: int = 1

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of levels of each factor."""
        return tuple(map(len, self.factors.values()))

    @property
    def cells(self) -> list[dict[str, str]]:
        """The level of each factor in each combination, the levels of the last factor in turn first."""
        return [dict(zip(self.factors, levels, strict=True)) for levels in itertools.product(*self.factors.values())]

    @property
    def strategies(self) -> list[str]:
        return [f"sat:{''.join(cell.values())}" for cell in self.cells]

    @property
    def suite(self) -> Suite:
        return Suite().with_settings(
            {
                "name": f"grid-{self.name}",
                "strategies": tuple(self.strategies),
                "datasets": tuple(map(place, self.datasets)),
                "sample": self.sample,
                "task": self.task,
                "timeout_s": self.timeout_s,
                "repetitions": self.repetitions,
                "launches": self.launches,
            }
        )


def place(name: str) -> str:
    """The path of a file in ``PUZZLES``; the name of any other collection as it is."""
    path = PUZZLES / f"{name}.txt"
    return str(path) if path.exists() else name


def level_name(level: str) -> str:
    """A level as tables show it: without what joins it to the rest of a strategy's name."""
    return level.lstrip("+@") or UNITS


def led_by(sign: str, *names: str) -> tuple[str, ...]:
    return tuple(sign + name for name in names)


ENGINES = led_by("@", "cadical195", "glucose4", "minisat22", "maplechrono", "mergesat3")
THREE = led_by("@", "cadical195", "glucose4", "minisat22")
TWO = led_by("@", "cadical195", "glucose4")
NINE_ONLY = ("log", "hall-pairs", "diagrams")  # too slow, or too large, beyond 9x9
SIX = ("minimal+pairwise", "irredundant+pairwise", "complete+pairwise", "complete+product", "augmented", "order")
LARGE = ("minimal+pairwise", "complete+pairwise", "complete+product", "augmented")
FOUR = ("minimal+pairwise", "complete+pairwise", "augmented", "order")
STRONG = ("complete+pairwise", "complete+product", "augmented")
FEW = ("complete+pairwise", "augmented", "order")
SCHEMES = led_by("+", "pairwise", "seqcounter", "ladder", "commander", "product", "bimander", "heule", "tree")
NATIVE = led_by("@", "minicard", "gluecard3", "gluecard4")  # accept at-most-one constraints
TUNED = led_by("@cadical195", "", "+plain", "+phase=0", "+seed=1")
NINES = ("minimal", "hardest")
BOTH = ("hardest", "size16")
SIXTEENS = ("size16", "16x16-105", "16x16-125")
TWENTY_FIVES = ("size25", "25x25-320")

BLOCKS = {
    block.name: block
    for block in (
        Block("9x9", {"encoding": (*SIX, *NINE_ONLY), "engine": ENGINES}, NINES),
        Block("9x9-unique", {"encoding": SIX, "engine": ENGINES}, NINES, task="unique"),
        Block("9x9-count", {"encoding": FEW, "engine": ENGINES}, ("9x9-several",), task="count:100"),
        Block("12x12", {"encoding": SIX, "engine": ENGINES}, ("size12",)),
        Block("16x16", {"encoding": SIX, "engine": ENGINES}, SIXTEENS),
        Block("25x25", {"encoding": LARGE, "engine": THREE}, TWENTY_FIVES),
        Block("36x36", {"encoding": STRONG, "engine": TWO}, ("36x36-700",), timeout_s=20.0),
        Block("schemes", {"encoding": ("minimal", "complete"), "scheme": SCHEMES, "engine": TWO}, BOTH),
        Block(
            "clues", {"encoding": FEW, "clues": CLUE_SUFFIXES, "engine": TWO}, BOTH,
            repetitions=1, launches=3,
        ),
        Block(
            "native",
            {"encoding": ("complete+pairwise", "complete+product", "complete+native"), "engine": NATIVE},
            ("hardest", "size16", "size25"),
        ),
        Block("options", {"encoding": FOUR, "engine": TUNED}, ("size16",)),
    )
}  # fmt: skip
