"""Puzzles rated elsewhere: samples of them, and correlations of measures of difficulty with their ratings.

A file of ratings is a CSV with the columns ``puzzle`` (the grid) and ``ER``.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from bench.studies.document import DOCS, fill, table
from bench.verdicts import run_tables
from bench.verdicts.run_data import RunData, of_strategies
from datasets.difficulty.rating import COLUMNS
from datasets.errors import InputError
from datasets.reading import reader

PAGE = DOCS / "difficulty.md"
MIN_PUZZLES = 10  # that a correlation needs
HARDEST = 0.25  # share of the puzzles, those with the most guesses, that has tables of its own


class Target(NamedTuple):
    """What measures are correlated with: a column of the measurements, what it is, and the share of the puzzles."""

    column: str
    name: str
    share: float


TARGETS = (
    Target("cpu_s", "the time of the whole solve", 1.0),
    Target("search_cpu_s", "the time of its search", 1.0),
    Target("conflicts", "its conflicts", 1.0),
    Target("search_cpu_s", "the time of its search, hardest quarter by guesses", HARDEST),
    Target("conflicts", "its conflicts, hardest quarter by guesses", HARDEST),
)
NAMES = {
    "guesses": "mean guesses",
    "conflicts": "mean conflicts",
    "lookahead": "mean look-aheads",
    "te": "trial-and-error rounds, depth 2 above depth 1",
    "te_rounds": "trial-and-error rounds without depth",
    "unsolved_singles": "unsolved after singles",
    "unsolved_locked": "unsolved after locked candidates",
    "backdoor": "backdoor size",
    "er": "`er`",
    "ep": "`ep`",
    "ed": "`ed`",
    "fewer_clues": "fewer clues",
    "ER": "ER itself",
}


def correlation(one: pd.Series[float], other: pd.Series[float]) -> float:
    """Return Spearman's ρ over the puzzles for which both are known (Spearman 1904); ties have mean ranks.

    NaN if there are too few such puzzles, or one of the two does not vary over them.
    """
    both_known = one.notna() & other.notna()
    if both_known.sum() < MIN_PUZZLES or one[both_known].nunique() < 2 or other[both_known].nunique() < 2:
        return math.nan
    return float(stats.spearmanr(one[both_known], other[both_known]).statistic)


def read(path: Path) -> dict[str, float]:
    """Read a file of ratings; return ER by grid (in one line).

    Raises:
        InputError: the file cannot be read, or a row has no puzzle or no number.
    """
    ratings = {}
    for item in reader.load_file(path):
        rating = dict(item.facts).get("ER", "")
        try:
            ratings[item.puzzle.text] = float(rating)
        except ValueError:
            raise InputError(f"{path}: the ER of {item.puzzle.text} is {rating!r}; write a number") from None
    return ratings


def correlations(run: Path, ratings: Path) -> None:
    """Write the rank correlations (Spearman) of measures of difficulty into docs/difficulty.md.

    The run provides measures, times and conflicts, the CSV a rating; only puzzles in both are used.
    """
    fill(PAGE, "correlations", markdown(run_tables.load(run), read(ratings)))


def markdown(run: RunData, ratings: dict[str, float]) -> str:
    """Return the tables, with a description of their data.

    Args:
        ratings: ER by grid (in one line).

    Raises:
        InputError: fewer than ``MIN_PUZZLES`` puzzles of the run are rated, or it lacks a measure.
    """
    if missing := [column for column in COLUMNS if column not in run.puzzles]:
        raise InputError(f"the puzzles of the run have no column {missing[0]}; make the run again")
    run = RunData(run.manifest, of_strategies(run.measurements), run.puzzles)
    puzzles = run.puzzles[run.puzzles["grid"].isin(ratings)].set_index(["collection", "puzzle"])
    if len(puzzles) < MIN_PUZZLES:
        raise InputError(f"{len(puzzles)} puzzles of the run are rated; {MIN_PUZZLES} are needed")
    guesses = pd.to_numeric(puzzles["guesses"])
    parts = {share: puzzles[guesses >= guesses.quantile(1 - share)] for share in (1.0, HARDEST)}
    parts = {share: part for share, part in parts.items() if share == 1 or len(part) >= MIN_PUZZLES}
    measures = {share: measures_of(part).assign(ER=part["grid"].map(ratings)) for share, part in parts.items()}
    tables = [
        correlation_table(run.measurements, measures[target.share], target)
        for target in TARGETS
        if target.share in parts
    ]
    widths = " and ".join(
        ", ".join(f"{short(half_width(rho, len(part)))} about {short(rho)}" for rho in (0.5, 0.8, 0.9))
        + f" with {len(part)} puzzles"
        for part in parts.values()
    )
    facts = (
        f"Random errors leave no ρ above the product of the ceilings of its row and column. {len(puzzles)} puzzles,"
        f" {len(run.measurements)} solves on {run.manifest['machine'].get('cpu') or 'an unnamed machine'}. The measure"
        f" `conflicts` counts those of {run.manifest.get('conflict_engine', 'an unnamed solver')}. Half the 95%"
        f" interval of ρ is {widths}."
    )
    return "\n\n".join([*filter(None, tables), facts])


def measures_of(puzzles: pd.DataFrame) -> pd.DataFrame:
    """Return the measures as numbers that rise with difficulty; values beyond a scale rank above all values on it."""
    text = puzzles.astype(str)
    numbers = pd.DataFrame(index=puzzles.index)
    for column in COLUMNS:
        beyond = text[column].str.startswith(">")
        numbers[column] = pd.to_numeric(text[column].where(~beyond, "inf"), errors="coerce")
    top = numbers["te_rounds"].max() + 1
    numbers["te"] = numbers["te_rounds"] + top * (numbers["te_depth"] - 1)
    numbers["fewer_clues"] = -numbers["clues"]
    return numbers


def per_puzzle(measurements: pd.DataFrame, quantity: str) -> pd.DataFrame:
    """Return the median time or the mean count of each puzzle (rows) by strategy (columns); infinite if that solve was
    not finished (of counts, if any was not)."""
    values = measurements[quantity].where(measurements["status"] == "solved", math.inf)
    groups = values.groupby([measurements[column] for column in ("collection", "puzzle", "strategy")])
    return (groups.median() if quantity.endswith("_s") else groups.mean()).unstack()


def correlation_table(measurements: pd.DataFrame, measures: pd.DataFrame, target: Target) -> str:
    """Return a row for each of ``NAMES`` and a column for ER and each strategy with values; "" if there is none.

    The last row and column are ceilings, the roots of reliabilities: random errors leave no ρ above the product of two
    (Spearman 1904). The reliability of times and conflicts is the rank correlation of odd and even repetitions, stepped
    up to all of them (Spearman 1910, Brown 1910); not known with fewer than two. That of ER is 1.
    """
    values = per_puzzle(measurements, target.column).reindex(measures.index)
    odd = measurements["repetition"] % 2 == 1
    halves = [per_puzzle(measurements[half], target.column).reindex(measures.index) for half in (odd, ~odd)]
    columns, ceilings = {"ER": measures["ER"]}, {"ER": 1.0}
    for strategy in values:
        r = correlation(*(half.get(strategy, pd.Series(math.nan, half.index)) for half in halves))
        columns[f"`{strategy}`"] = values[strategy]
        ceilings[f"`{strategy}`"] = 0.0 if r <= 0 else math.sqrt(2 * r / (1 + r))
    rho = pd.DataFrame(
        {
            head: {name: correlation(measures[name], values) for name in NAMES if name != head}
            for head, values in columns.items()
        }
    ).dropna(axis="columns", how="all")
    if set(rho) <= {"ER"}:
        return ""
    rows = [
        [label, *map(short, rho.loc[name]), short(math.sqrt(reliability(measures, name)))]
        for name, label in NAMES.items()
    ]
    rows.append(["ceiling", *(short(ceilings[str(head)]) for head in rho), ""])
    return table([f"ρ with {target.name}", *map(str, rho), "ceiling"], rows)


def reliability(measures: pd.DataFrame, name: str) -> float:
    """Return the share of a measure's variance that is not random error, on the scale log(1 + x); 1 without errors."""
    if f"{name}_se" not in measures:
        return 1.0
    finite = measures[np.isfinite(measures[name])]
    total = np.log1p(finite[name]).var()
    error = ((finite[f"{name}_se"] / (1 + finite[name])) ** 2).mean()
    return max(0.0, float(1 - error / total)) if total > 0 else math.nan


def half_width(rho: float, n: int) -> float:
    """Return half the 95% interval of Spearman's ρ, on its wider side (Fieller, Hartley & Pearson 1957)."""
    return rho - math.tanh(math.atanh(rho) - 1.96 * math.sqrt(1.06 / (n - 3)))


def short(rho: float) -> str:
    """Return it as text; nothing if it is not known."""
    return "" if math.isnan(rho) else f"{rho:.2f}".replace("0.", ".")
