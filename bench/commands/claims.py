"""``sudoku-bench claims``: check the marked numbers of a document against a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from sudoku_bench.bench.commands.options import add_shared
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.datasets.errors import InputError


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = "Check the marked numbers of a document against a run. Exit code 1 if a number disagrees."
    parser.add_argument(
        "document", metavar="DOC", type=Path, help="document in Markdown, in LaTeX (.tex), or a notebook (.ipynb)"
    )
    add_shared(parser, "run")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Print a line per number that disagrees with the run, and return 1 if there is one.

    Raises:
        InputError: the document cannot be read, has no mark, or has a mark without a number or with an unknown name;
            or the folder is not a run.
    """
    # Imported here because they import pandas.
    from sudoku_bench.bench.reports import claims
    from sudoku_bench.bench.reports.numbers import numbers
    from sudoku_bench.bench.say import terminal
    from sudoku_bench.bench.verdicts import run_tables

    document: Path = options.document
    text = text_of(document)
    run = run_tables.load(options.run)
    terminal.note_edits(run)
    numbers_of_run = numbers(run)
    marked = claims.claims_of(text, document.suffix == ".tex", numbers_of_run, str(document))
    faults = [fault for claim in marked if (fault := claims.fault_of(claim, numbers_of_run[claim.name]))]
    for fault in faults:
        print(f"{document}:{fault}")
    disagreements = f"{len(faults)} {'disagrees' if len(faults) == 1 else 'disagree'} with the run"
    print(f"{counted(len(marked), 'claim')}, {disagreements if faults else 'all agree with the run'}")
    return 1 if faults else 0


def text_of(document: Path) -> str:
    """Return the text of a document; of a notebook that of its Markdown.

    Raises:
        InputError: it is no text, or no notebook.
    """
    from sudoku_bench.bench.reports import claims

    try:
        text = document.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{document}: cannot be read: is not UTF-8 text") from None
    return claims.text_of_notebook(text, str(document)) if document.suffix == ".ipynb" else text
