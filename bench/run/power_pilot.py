"""A pilot before a large run: a few puzzles of each collection, from which follows how many the run needs.

Its rows go into a temporary folder and never into a run, so that the choice of a design cannot favour a verdict.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.plan import plan
from bench.plan.suite import Suite
from bench.run import experiment
from bench.say.progress import Progress
from bench.verdicts import run_tables
from bench.verdicts.spread import design
from bench.verdicts.spread.design import Expected
from datasets.collections.catalogue import Choice
from datasets.errors import InputError

PUZZLES, REPETITIONS = 30, 3  # of each collection


def expected(requested: Suite, plugins: Sequence[str], progress: Progress) -> list[Expected]:
    """Measure a pilot of a suite; return what the suite, and a smaller one, can be expected to decide.

    Raises:
        InputError: the suite cannot be measured, or its budget determines the repetitions.
        KeyboardInterrupt: the pilot was interrupted.
    """
    if requested.budget:
        raise InputError("--power: the budget determines the repetitions; give --repetitions instead")
    choice = Choice(requested.limit, requested.sample, requested.seed, requested.skip_bad)
    collections = plan.load_collections(requested.datasets, choice)
    replicates = requested.repetitions * requested.launches
    planned = {each.name: (len(each.items), replicates) for each in collections}
    sample = min(PUZZLES, requested.sample or PUZZLES)
    pilot = dataclasses.replace(requested, sample=sample, repetitions=REPETITIONS, launches=1, cluster=None)
    progress.begin("checking puzzles of the pilot")
    made = plan.make(pilot, plugins, progress.advance)
    with tempfile.TemporaryDirectory(prefix="sudoku-bench-") as folder:
        run = Path(folder) / "pilot"
        if not experiment.conduct(made, run, "sudoku-bench run --power", datetime.now(UTC), progress):
            raise KeyboardInterrupt
        progress.end()
        return design.expected(run_tables.load(run), planned)
