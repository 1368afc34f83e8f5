"""What a person at a terminal or in a notebook reads while kernels are compiled. Elsewhere nothing is said."""

from __future__ import annotations

import logging
import sys

KERNELS = logging.getLogger("sudoku_bench.datasets.kernels")  # hears of each kernel when its compilation begins
BETWEEN_S = 5.0


class Teller(logging.Handler):
    """Prints a line when the first kernel is compiled, and then every few seconds how many there were."""

    number = 0
    told_s = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        self.number += 1
        if record.created - self.told_s >= BETWEEN_S:
            self.told_s = record.created
            done = f"{self.number} functions so far" if self.number > 1 else "once per installation, up to 90 s"
            sys.stderr.write(f"compiling: {done}\n")


def tell_compiling() -> None:
    """Have this process say what it compiles, if it speaks to a person."""
    if (sys.stderr.isatty() or "ipykernel" in sys.modules) and not KERNELS.handlers:
        KERNELS.addHandler(Teller())
        KERNELS.setLevel(logging.INFO)
