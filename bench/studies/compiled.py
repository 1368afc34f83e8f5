"""Compile the kernels of the project, before tests that run side by side each do: ``python -m bench.studies.compiled``.

Numba stores what it has compiled beside the code, so this takes time once after a change. Two processes share the work,
because the explainer scale takes about as long as everything else.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys

from datasets.reading.reader import parse

# Its first step is beyond the scale's chains without assumptions in assumptions, so every technique is tried.
HARDEST = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
WORK = 3_000_000  # deduced literals: enough to try each
COMMANDS = (
    ["solve", HARDEST, "-s", "bitboard:bands"],
    ["solve", HARDEST, "-s", "bitboard:cells"],
    ["solve", HARDEST, "-s", "walksat:complete+pairwise+substituted"],
    ["check", "easy", "--minimal"],
    ["generate", "--full"],
    ["generate", "--mine", "guesses", "--steps", "1"],
    ["strength", "easy", "--limit", "1", "--failed"],
)


def rating() -> None:
    from datasets.difficulty.explainer import explain
    from datasets.difficulty.rating import rate

    explain(parse(HARDEST), WORK)
    rate(parse(HARDEST), seed=1, work=WORK)


def others() -> None:
    from bench import cli

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for command in COMMANDS:
            cli.main(command)


def main() -> None:
    second = subprocess.Popen([sys.executable, "-m", "bench.studies.compiled", "others"])
    rating()
    second.wait()


if __name__ == "__main__":
    others() if sys.argv[1:] else main()
