"""``python -m bench`` is the command ``sudoku-bench``."""

import sys

from bench.cli import main

sys.exit(main())
