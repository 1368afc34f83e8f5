"""Makes the embedded collection ``hardest`` (see ``datasets.make_hardest``): ``python -m bench.make_hardest``.

It stands here because one of the three objectives asks a solver, of which ``datasets`` knows nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench import conflicts
from datasets import make_hardest

FUNCTIONS = {"guesses": None, "te_rounds": make_hardest.te_rounds, "conflicts": conflicts.objective}
FOLDER = Path(make_hardest.__file__).parent / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the files of the collection `hardest` again.")
    parser.add_argument("--lineages", type=int, default=make_hardest.LINEAGES, help="of each objective")
    parser.add_argument("--work", type=Path, default=Path("hardest.work.jsonl"), help="finished lineages are kept here")
    options = parser.parse_args()
    collected = make_hardest.collect(FUNCTIONS, options.lineages, options.work)
    make_hardest.write(collected, FOLDER)
    print(f"hardest: {len(collected)} puzzles", file=sys.stderr)


if __name__ == "__main__":
    main()
