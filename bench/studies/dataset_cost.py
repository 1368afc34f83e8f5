"""What the data set costs: the table of docs/dataset.md, printed."""

from __future__ import annotations

from bench.studies.document import table
from bench.worker.clocks import own_cpu_s
from datasets.errors import InputError
from datasets.making.dataset.__main__ import NINES, OTHERS
from datasets.making.dataset.build import chunks_of
from datasets.making.dataset.rows import chunk_rows

FIRST_CHUNK = 1_000_000  # beyond those of the data set, so that the costs are those of a sample


def dataset_cost(*, chunks: int = 5) -> None:
    """Measure what the data set costs: --chunks of each recipe, extrapolated to its numbers of puzzles.

    The first chunk of each recipe, which compiles what it needs, does not count. Neither does the process that counts
    conflicts beyond the first 300 of a form, which few puzzles up to 12×12 need.
    """
    if chunks < 1:
        raise InputError(f"--chunks is {chunks}; at least one chunk is needed")
    costs = []
    for recipe, needed in chunks_of(NINES, OTHERS).items():
        chunk_rows(recipe.name, FIRST_CHUNK)
        begin_s = own_cpu_s()
        made = sum(len(chunk_rows(recipe.name, FIRST_CHUNK + 1 + number)) for number in range(min(chunks, needed)))
        cpu_s = (own_cpu_s() - begin_s) / made
        puzzles = needed * recipe.chunk
        costs.append((f"`{recipe.name}`", puzzles, f"{1000 * cpu_s:.3g}", puzzles * cpu_s / 3600, made))
    _, numbers, _, hours, measured = zip(*costs, strict=True)
    costs.append(("all", sum(numbers), "", sum(hours), sum(measured)))
    cells = [[name, str(puzzles), ms, f"{hours:.2f}", str(made)] for name, puzzles, ms, hours, made in costs]
    print(table(["recipe", "puzzles", "CPU ms per puzzle", "core-hours", "made to measure it"], cells, numbers=True))
