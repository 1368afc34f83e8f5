"""Answers of the analysis: a table, and the text that the command prints."""

from __future__ import annotations

import html
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_bench.bench.commands import compare as compare_command
from sudoku_bench.bench.say import choice as choice_words
from sudoku_bench.bench.say.output import plain_console
from sudoku_bench.bench.verdicts.between_runs import comparison
from sudoku_bench.bench.verdicts.choice import choose as verdict
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.runs import Run, html_of, load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

WIDTH = 100  # of the text of a comparison


@dataclass(frozen=True, repr=False)
class Answer:
    """An answer.

    Attributes:
        text: as the command prints it.
        table: the same in full, columns as in docs/columns.md.
    """

    text: str
    table: pd.DataFrame

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>{html_of(self.table, index=False)}"


@dataclass(frozen=True, repr=False)
class Comparison(Answer):
    """The comparison of two runs.

    Attributes:
        regressed: whether a strategy became slower by more than the margin, or no longer solves what it solved.
    """

    regressed: bool


@dataclass(frozen=True, repr=False)
class Choice(Answer):
    """The strategy to choose.

    Attributes:
        best: the strategy with the lowest total cost.
        tied: those that are not shown to be more expensive.
    """

    best: str
    tied: tuple[str, ...]


def compare(old: Run | str | Path, new: Run | str | Path, margin: float | None) -> Comparison:
    before, after = _run_of(old), _run_of(new)
    result = comparison.compare(before, after, margin, (str(before.folder), str(after.folder)))
    text = io.StringIO()
    compare_command.show_runs(result, plain_console(file=text, width=WIDTH), after.manifest)
    return Comparison(text.getvalue().rstrip(), result.table, result.regressed)


def choose(source: Run | str | Path, task: str | None, datasets: Sequence[str], puzzles: int | None) -> Choice:
    if not isinstance(source, Run) and not (isinstance(source, str | Path) and os.path.isdir(source)):  # noqa: PTH112 - a grid is no error
        name = source if isinstance(source, str | Path) else type(source).__name__
        raise InputError(f"{name}: is no run folder; for puzzles, use `sudoku-bench choose FILE`")
    run = _run_of(source)
    choice = verdict.choose(run, task, tuple(datasets), str(run.folder), puzzles)
    tied = choice.table.loc[choice.table["standing"] == verdict.TIED, "strategy"]
    text = "\n".join(choice_words.of_run(run, choice))
    return Choice(text, choice.table, choice.best, tuple(map(str, tied)))


def _run_of(run: Run | str | Path) -> Run:
    """Return a run, loaded if a folder is given."""
    return run if isinstance(run, Run) else load(run)
