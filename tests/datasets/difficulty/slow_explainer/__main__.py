"""Rate the puzzles of a CSV again and compare: ``python -m tests.datasets.difficulty.slow_explainer RATINGS.csv``."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.datasets.difficulty.slow_explainer.rows import Compared, Row, chosen, compared
from tests.datasets.difficulty.slow_explainer.table import lines


def main() -> int:
    """Print the table; end with 1 if any rating differs."""
    parser = argparse.ArgumentParser(prog="slow_explainer", description=__doc__)
    parser.add_argument("ratings", type=Path, help="a CSV with the columns puzzle, ER, EP and ED")
    parser.add_argument("--number", type=int, help="number of rows to choose at random (all by default)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    options = parser.parse_args()
    try:
        selected = chosen(options.ratings, options.number)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    results = all_compared(selected, options.jobs)
    sys.stdout.writelines(f"{line}\n" for line in lines(results))
    return 0 if all(all(result.agreement) for result in results) else 1


def all_compared(selected: list[Row], jobs: int) -> list[Compared]:
    """Rate the puzzles in this process or in several."""
    if jobs == 1:
        return [compared(row) for row in selected]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(compared, selected, chunksize=4))


if __name__ == "__main__":
    sys.exit(main())
