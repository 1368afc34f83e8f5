"""Entry point of the command ``sudoku-bench``, which is the same as ``python -m sudoku_bench``."""

import io
import os
import sys
from typing import Any

from sudoku_bench.datasets.errors import InputError, require_linux


class Unheard(io.FileIO):
    """Standard error, at whose other end there may be nobody: what it says is then lost, and a run goes on."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def open_streams() -> None:
    """Open the standard streams that are closed, as by cron or ``>&-``: a run would write its files into them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # gets the lowest number that is free
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    encoding = sys.stderr.encoding if sys.stderr else None
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(Unheard(2, "w", closefd=False)), encoding, "backslashreplace", line_buffering=True
    )


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        require_linux()
    except InputError as error:
        sys.stderr.write(f"sudoku-bench: {error}\n")
        return 2
    open_streams()
    from sudoku_bench.bench.commands import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
