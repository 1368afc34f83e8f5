"""Entry point of the command ``sudoku-bench``, which is the same as ``python -m sudoku_bench``."""

from __future__ import annotations

import sys

from sudoku_bench import room


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        room.enter()
    except room.NameTakenError as error:
        print(f"sudoku-bench: {error}", file=sys.stderr)  # noqa: T201
        return 2
    from bench import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
