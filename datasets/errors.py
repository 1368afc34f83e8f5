"""The exception for unusable input, which the command line reports in one line."""

from __future__ import annotations


class InputError(Exception):
    """Unusable input from the user: a file, an option, a suite or a plug-in.

    The message is one line that says where the fault is (``file:line:`` if there is a line), what is wrong and how to
    fix it.
    """
