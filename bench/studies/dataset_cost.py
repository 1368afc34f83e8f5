"""The cost of the data set: ``python -m bench.studies.dataset_cost`` makes some chunks of each recipe and extrapolates.

The chunks are beyond those of the data set, so their costs are those of a sample; the first chunk of each recipe, which
compiles what it needs, does not count. Neither does the process that counts conflicts beyond the first 300 of a form,
which few puzzles up to 12×12 need.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from bench.worker.clocks import own_cpu_s
from datasets.making.dataset.__main__ import NINES, OTHERS
from datasets.making.dataset.build import chunks_of
from datasets.making.dataset.rows import chunk_rows

FIRST = 1_000_000  # number of the first chunk


@dataclass(frozen=True)
class Cost:
    """Puzzles of a recipe in the data set, those that were made to measure it, and the CPU seconds that these took."""

    recipe: str
    n_puzzles: int
    n_made: int
    cpu_s: float

    @property
    def core_hours(self) -> float:
        """The cost of the recipe's puzzles in the data set."""
        return self.n_puzzles * self.cpu_s / self.n_made / 3600


def costs(nines: int, others: int, most_chunks: int) -> Iterator[Cost]:
    """Measure each recipe.

    Args:
        nines, others: numbers of 9×9 puzzles and of puzzles of other sizes in the data set.
        most_chunks: chunks of each recipe, fewer if a recipe needs fewer; at least one.
    """
    for recipe, n_chunks in chunks_of(nines, others).items():
        measured = range(FIRST + 1, FIRST + 1 + min(most_chunks, n_chunks))
        chunk_rows(recipe.name, FIRST)
        begin_s = own_cpu_s()
        n_made = sum(len(chunk_rows(recipe.name, number)) for number in measured)
        yield Cost(recipe.name, n_chunks * recipe.chunk, n_made, own_cpu_s() - begin_s)


def as_markdown(measured: list[Cost]) -> str:
    """Return the table of the costs, and their sum."""
    lines = ["| recipe | puzzles | CPU ms per puzzle | core-hours | made to measure it |", "| --- |" + " ---: |" * 4]
    for cost in measured:
        ms = 1000 * cost.cpu_s / cost.n_made
        lines.append(f"| `{cost.recipe}` | {cost.n_puzzles} | {ms:.3g} | {cost.core_hours:.2f} | {cost.n_made} |")
    total = sum(cost.n_puzzles for cost in measured), sum(cost.core_hours for cost in measured)
    lines.append(f"| all | {total[0]} | | {total[1]:.2f} | {sum(cost.n_made for cost in measured)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what the data set costs, by recipe.")
    parser.add_argument("--nines", type=int, default=NINES, metavar="N", help=f"9x9 puzzles (default {NINES})")
    parser.add_argument("--others", type=int, default=OTHERS, metavar="N", help=f"of other sizes (default {OTHERS})")
    parser.add_argument("--chunks", type=int, default=5, metavar="K", help="chunks of each recipe (default 5)")
    options = parser.parse_args()
    if options.chunks < 1:
        parser.error(f"--chunks is {options.chunks}; at least one chunk is needed")
    print(as_markdown(list(costs(options.nines, options.others, options.chunks))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
