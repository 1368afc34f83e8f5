"""Entry point of the command ``sudoku-bench``, which is the same as ``python -m sudoku_bench``."""

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    from sudoku_bench.bench import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
