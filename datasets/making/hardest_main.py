"""Makes the embedded collection ``hardest`` (see ``datasets.making.hardest``): ``python -m datasets.making.hardest_main``.

It stands here because one of the three objectives asks a solver, of which ``datasets`` knows nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from datasets.collections.catalogue import DATA
from datasets.difficulty import conflicts
from datasets.making import hardest

FUNCTIONS = {"guesses": None, "te_rounds": hardest.te_rounds, "conflicts": conflicts.objective}
FOLDER = DATA


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the files of the collection `hardest` again.")
    parser.add_argument("--lineages", type=int, default=hardest.LINEAGES, help="of each objective")
    parser.add_argument("--work", type=Path, default=Path("hardest.work.jsonl"), help="finished lineages are kept here")
    options = parser.parse_args()
    collected = hardest.collect(FUNCTIONS, options.lineages, options.work)
    hardest.write(collected, FOLDER)
    print(f"hardest: {len(collected)} puzzles", file=sys.stderr)


if __name__ == "__main__":
    main()
