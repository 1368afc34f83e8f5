"""A sample of rated puzzles: ``python -m bench.studies.rated_sample RATINGS.csv SAMPLE.csv --number 280`` writes one
that has as equally many puzzles of each half step of ER as there are.

The sample depends on the puzzles and their ratings only. The CSV has the columns ``puzzle`` (the grid) and ``ER``, and
so has the sample, which can be run (``sudoku-bench run -d SAMPLE.csv``) and correlated
(``bench.studies.difficulty_table``).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.studies.difficulty_table import read_ratings
from datasets.errors import InputError
from datasets.making.dataset.rows import stratified


def sample(ratings: dict[str, float], number: int) -> dict[str, float]:
    """Return up to ``number`` of the ratings (ER by grid), in their order."""
    rows = stratified([{"id": grid, "er": str(er)} for grid, er in ratings.items()], number)
    return {row["id"]: ratings[row["id"]] for row in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description="Write a sample of rated puzzles, stratified by half steps of ER.")
    parser.add_argument("ratings", metavar="RATINGS.csv", type=Path, help="with the columns puzzle and ER")
    parser.add_argument("out", metavar="SAMPLE.csv", type=Path, help="the file to write")
    parser.add_argument("--number", type=int, default=280, metavar="N", help="puzzles (default 280)")
    options = parser.parse_args()
    try:
        chosen = sample(read_ratings(options.ratings), options.number)
        lines = ["puzzle,ER", *(f"{grid},{er}" for grid, er in chosen.items())]
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except InputError as error:
        print(f"rated_sample: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"rated_sample: {options.out}: cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{options.out}: {len(chosen)} puzzles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
