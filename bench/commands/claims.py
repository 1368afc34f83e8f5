"""``sudoku-bench claims``: is every number that is marked in a text what the run says?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from datasets.errors import InputError


def add(commands: Any) -> None:
    parser = commands.add_parser("claims", help="check the numbers that are marked in a text against a run")
    parser.add_argument("document", metavar="DOC", type=Path, help="a text in Markdown, or in LaTeX (.tex)")
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a run, such as results/bench")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """The command: 1 if a number is not what the run says, with a line for each.

    Raises:
        InputError: the document cannot be read, has no mark, a mark that the run has no number for, or one without a
            number; or the folder is not a run.
    """
    # pandas is loaded only here, where it is needed.
    from bench.verdicts import run_tables
    from bench.writeup import claims, pack
    from bench.writeup.numbers import numbers

    document: Path = options.document
    try:
        text = document.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{document}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{document}: cannot be read: it is not text in UTF-8") from None
    known = numbers(run_tables.load(options.run), pack.encodings_of(options.run))
    found = claims.claims_of(text, document.suffix == ".tex", known, str(document))
    faults = [fault for claim in found if (fault := claims.fault_of(claim, known[claim.name]))]
    for fault in faults:
        print(f"{document}:{fault}")
    total = "1 claim" if len(found) == 1 else f"{len(found)} claims"
    print(f"{total}, all as the run says" if not faults else f"{total}, {len(faults)} not as the run says")
    return 1 if faults else 0
