"""The exception for unusable input, which the command line reports in one line, and text of others in it."""

from __future__ import annotations

import sys

FORMULA = ("=", "+", "-", "@")  # a spreadsheet computes a field that begins with one of these


class InputError(Exception):
    """Unusable input from the user: a file, an option, a suite or a plug-in.

    The message is one line that says where the fault is (``file:line:`` if there is a line), what is wrong and how to
    fix it. Letters that are not printable appear as escapes.
    """

    def __init__(self, message: str) -> None:
        super().__init__(escaped(message))


def require_linux() -> None:
    """Refuse other systems before anything fails on what they lack.

    Raises:
        InputError: this is not Linux.
    """
    if sys.platform != "linux":
        raise InputError(
            f"needs /proc, CPU affinity and process limits of Linux, and this is {sys.platform}; use WSL 2 or a"
            " container (docs/install.md)"
        )


def escaped(text: str) -> str:
    """Return text with escapes such as ``\\x1b`` for letters that are not printable.

    A terminal obeys control letters, and letters that set the direction of writing change the order of others.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def harmless(text: str) -> str:
    """Return text that is not a formula in a spreadsheet either: an apostrophe before it says that it is text."""
    line = escaped(text)
    return f"'{line}" if line.startswith(FORMULA) else line
