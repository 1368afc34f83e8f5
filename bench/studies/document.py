"""Documents with a part that a command writes: what stands between two marks."""

from __future__ import annotations

from pathlib import Path

from datasets.errors import InputError

TOP = Path(__file__).resolve().parents[2]  # of the checkout


def fill(page: Path, marks: tuple[str, str], text: str) -> None:
    """Put the text between the marks of a page, in place of what is there.

    Raises:
        InputError: the page cannot be read or written, or has not both marks, in order.
    """
    begin, end = marks
    try:
        head, found, rest = page.read_text(encoding="utf-8").partition(begin)
        _, closed, tail = rest.partition(end)
        if not found or not closed:
            raise InputError(f"{page}: has no line {begin} with {end} below it; put them where the text goes")
        page.write_text(f"{head}{begin}\n\n{text.strip()}\n\n{end}{tail}", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{page}: {error.strerror}") from None
