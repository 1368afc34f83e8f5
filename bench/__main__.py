"""Entry point of ``python -m bench``, which is the same as the command ``sudoku-bench``."""

import sys

from bench.cli import main

sys.exit(main())
