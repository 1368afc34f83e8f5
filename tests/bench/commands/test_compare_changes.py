"""Changes between runs as they are printed: every verdict agrees with the numbers beside it."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd
from rich.console import Console

from sudoku_bench.bench.commands.compare import show_changes
from sudoku_bench.bench.verdicts.between_runs import comparison
from tests.bench.test_bench_no_contradiction import NUMBER
from tests.bench.verdicts.between_runs.test_comparison import two_runs

CHANGE = re.compile(rf"│ (s:\w) +│ own +│ +({NUMBER}) │ +\[({NUMBER}), ({NUMBER})\] │ (.*?) +│")
MEANINGS = {"REGRESSION": 1, "improvement": -1, "no change": 0, "inconclusive": None}


def printed(table: pd.DataFrame, margin: float) -> str:
    text = io.StringIO()
    show_changes(table, margin, Console(file=text, width=1000))
    return text.getvalue()


def changes(seed: int) -> Iterator[tuple[str, float, float, float, str, str]]:
    """Yield what ``compare`` prints of two random runs: strategy, ratio, ends, verdict, and all of the text."""
    rng = np.random.default_rng(seed)
    factors = rng.choice([1.0, 1.01, 1.03, 1.05, 1.055, 1.1, 0.95, 0.8], 3)
    margin = float(rng.choice([0.0, 0.01, 0.05]))
    process = float(rng.choice([0.0005, 0.002, 0.01, 0.03]))
    result = comparison.compare(*two_runs(seed, tuple(factors), process, puzzles=4), [], margin)
    text = printed(result.table, margin)
    found = CHANGE.findall(text)
    assert len(found) == 3
    for strategy, ratio, low, high, verdict in found:
        yield strategy, float(ratio), float(low), float(high), verdict, text


def test_changes_between_runs_agree_with_the_intervals_printed_beside_them() -> None:
    met: Counter[str] = Counter()
    for seed in range(40):
        for strategy, ratio, low, high, verdict, text in changes(seed):
            wide = 1 + float(re.search(r"^margin (\S+):", text, re.M)[1])
            side = (low > wide) - (high < 1 / wide)
            within = wide > 1 and low >= 1 / wide and high <= wide
            assert low <= ratio <= high, text
            assert side == (MEANINGS[verdict] or 0), text
            assert within == (verdict == "no change"), text
            possibly = re.search(rf"{strategy} on own(?:; s:. on own)*: (slower|faster), but possibly", text)
            reason = possibly[1] if possibly else ""
            met[f"{verdict} {reason}".strip()] += 1
            if verdict == "inconclusive":
                assert reason == ("slower" if low > 1 else "faster" if high < 1 else ""), text
    assert set(met) == {*MEANINGS, "inconclusive slower", "inconclusive faster"}
