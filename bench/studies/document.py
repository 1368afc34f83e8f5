"""Documents with a section that a command writes between two marks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from datasets.errors import InputError

TOP = Path(__file__).resolve().parents[2]  # of the checkout


def fill(page: Path, marks: tuple[str, str], text: str) -> None:
    """Replace the text between the two marks of a page.

    Raises:
        InputError: the page cannot be read or written, or does not contain both marks in order.
    """
    begin, end = marks
    try:
        head, begin_mark, rest = page.read_text(encoding="utf-8").partition(begin)
        _, end_mark, tail = rest.partition(end)
        if not begin_mark or not end_mark:
            raise InputError(f"{page}: has no line {begin} followed by {end}; add both where the text belongs")
        page.write_text(f"{head}{begin}\n\n{text.strip()}\n\n{end}{tail}", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{page}: {error.strerror}") from None


def fill_from_run(page: Path, marks: tuple[str, str], suite: str, text_of: Callable[[Path], str]) -> int:
    """Fill a page from the run that the command line names; return the exit code.

    Args:
        suite: of the run, for the help.
        text_of: the text for a run's folder; it raises InputError if the folder does not do.
    """
    name = page.relative_to(TOP)
    parser = argparse.ArgumentParser(description=f"Write the results of a run into {name}.")
    parser.add_argument("run", type=Path, help=f"the folder of a finished run of the suite {suite}")
    try:
        fill(page, marks, text_of(parser.parse_args().run))
    except InputError as error:
        print(f"{Path(sys.argv[0]).stem}: {error}", file=sys.stderr)
        return 2
    return 0
