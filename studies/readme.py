"""The first screen of the README: the answer of the reference run as the terminal says it, and what stood again."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from studies.document import TOP, fill
from sudoku_bench.bench.folder import disturbances
from sudoku_bench.bench.say import speech
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.verdicts.between_runs import repeated
from sudoku_bench.bench.verdicts.run_tables import Run

PAGE, REFERENCE = TOP / "README.md", TOP / "results" / "reference"
DISTURBED = "{:.1%} of the first run and {:.1%} of the second were disturbed"
NAME = re.compile(r"(?<![\w`])([a-z][a-z0-9-]*:[^\s,;:()]*[^\s,;:().*])")  # of a strategy


def write() -> None:
    """Fill in the answer of the README from results/reference and results/reference-2."""
    fill(PAGE, "answer", text(REFERENCE, REFERENCE.with_name("reference-2")))


def text(first: Path, second: Path) -> str:
    """Return what the first run says at its end in a terminal, as a list, and what a second of the suite made of it."""
    run, again = run_tables.load(first), run_tables.load(second)
    moved = repeated.movement(run, again, run.all_pairs)
    table = repeated.repeated((run.all_pairs, again.all_pairs), (run.crossovers, again.crossovers), moved.deviation)
    stood = repeated.words(table, moved, _origin(again))[0]
    lasted = (disturbances.lasted(one.manifest) for one in (run, again))
    shares = [disturbed_s / watched_s for disturbed_s, watched_s in lasted]
    told = [*speech.everything(run)[:4], f"{stood}. {DISTURBED.format(*shares)}"]
    wrap = textwrap.TextWrapper(120, initial_indent="- ", subsequent_indent="  ", break_long_words=False)
    wrap.break_on_hyphens = False
    return "\n".join(wrap.fill(NAME.sub(r"`\1`", line)) for line in told)


def _origin(run: Run) -> str:
    return f"{run.manifest['started'][:16].replace('T', ' ')} UTC, with other forms"
