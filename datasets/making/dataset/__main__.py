"""``python -m datasets.making.dataset``: build the data set, or continue a build."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from datasets.errors import InputError
from datasets.making.dataset.build import build

NINES, OTHERS = 100_000, 10_000


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the data set of puzzles with all measures of difficulty.")
    parser.add_argument("--out", type=Path, default=Path("build/dataset"), metavar="DIR", help="default: build/dataset")
    parser.add_argument("--nines", type=int, default=NINES, metavar="N", help=f"9x9 puzzles (default {NINES})")
    parser.add_argument("--others", type=int, default=OTHERS, metavar="N", help=f"of other sizes (default {OTHERS})")
    parser.add_argument("--jobs", type=int, metavar="J", help="processes (default: one per core)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for done, total in build(options.out, options.nines, options.others, options.jobs):
            print(f"\r{done} of {total} chunks", end="", file=sys.stderr, flush=True)
    except InputError as error:
        print(f"\nsudoku-bench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nsudoku-bench: {options.out}: stopped; the same command continues", file=sys.stderr)
        return 130
    print(f"\n{options.out}: done", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
