"""The one exception for input that cannot be used, so that the command line can answer it with one line."""

from __future__ import annotations


class InputError(Exception):
    """Input from a person (file, option, suite, plug-in) that cannot be used.

    The message is one line that says what is wrong, where (``file:line:`` when there is one) and how to mend it.
    """
