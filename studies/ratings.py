"""Puzzles rated elsewhere: samples of them, and correlations of measures of difficulty with their ratings.

A file of ratings is a CSV with the columns ``puzzle`` (the grid) and ``ER``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
from scipy import stats

from studies.document import DOCS, fill, table
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.bench.verdicts.run_data import RunData, of_strategies
from sudoku_bench.datasets.difficulty.rating import COLUMNS
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading import reader

PAGE = DOCS / "difficulty.md"
MIN_PUZZLES = 10  # that a correlation needs
HARDEST = 0.25  # share of the puzzles, those with the most guesses, that has columns of its own
LEARNING = ("sat", "cp-sat")  # families that learn clauses
KINDS = {True: "SAT, CP-SAT", False: "other searches"}  # by whether they learn clauses
NAMES = {
    "guesses": "mean guesses",
    "conflicts": "mean conflicts",
    "te": "trial-and-error rounds, depth 2 above depth 1",
    "unsolved_locked": "unsolved after locked candidates",
    "er": "`er`",
    "ep": "`ep`",
    "fewer_clues": "fewer clues",
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

    The run provides measures and times, the CSV a rating; only puzzles in both are used.
    """
    fill(PAGE, "correlations", markdown(run_tables.load(run), read(ratings)))


def markdown(run: RunData, ratings: dict[str, float]) -> str:
    """Return a table with a row for each of ``NAMES``, and a description of its data.

    Its columns are the correlations with ER, and the range of those with the search times of strategies of each kind,
    over all puzzles and over the hardest.

    Args:
        ratings: ER by grid (in one line).

    Raises:
        InputError: fewer than ``MIN_PUZZLES`` puzzles of the run are rated, or it lacks a measure.
    """
    if missing := [column for column in COLUMNS if column not in run.puzzles]:
        raise InputError(f"the puzzles of the run have no column {missing[0]}; make the run again")
    solves = of_strategies(run.measurements)
    puzzles = run.puzzles[run.puzzles["grid"].isin(ratings)].set_index(["collection", "puzzle"])
    if len(puzzles) < MIN_PUZZLES:
        raise InputError(f"{len(puzzles)} puzzles of the run are rated; {MIN_PUZZLES} are needed")
    guesses = pd.to_numeric(puzzles["guesses"])
    hardest = puzzles[guesses >= guesses.quantile(1 - HARDEST)]
    parts = {"all": puzzles} | ({"hardest quarter": hardest} if len(hardest) >= MIN_PUZZLES else {})
    measures = measures_of(puzzles)
    known = puzzles["grid"].map(ratings)
    columns = {"ER": {name: short(correlation(measures[name], known)) for name in NAMES}}
    for title, part in parts.items():
        columns |= {f"{kind}: {title}": cells for kind, cells in ranges(solves, measures_of(part)).items()}
    rows = [[label, *(cells.get(name, "") for cells in columns.values())] for name, label in NAMES.items()]
    widths = " and ".join(
        ", ".join(f"{short(half_width(rho, len(part)))} about {short(rho)}" for rho in (0.5, 0.8, 0.9))
        + f" with {len(part)} puzzles"
        for part in parts.values()
    )
    facts = (
        f"{len(puzzles)} puzzles, {len(solves)} solves on {run.manifest['machine'].get('cpu') or 'an unnamed machine'}."
        f" `conflicts` counts those of {run.manifest.get('conflict_engine', 'an unnamed solver')}. Half the 95%"
        f" interval of ρ is {widths}."
    )
    return f"{table(['ρ with', *columns], rows)}\n\n{facts}"


def ranges(solves: pd.DataFrame, measures: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Return the ranges of correlations of each kind of strategy, by kind and measure."""
    values = per_puzzle(solves).reindex(measures.index)
    by_kind: dict[str, dict[str, str]] = {}
    for learns, kind in KINDS.items():
        of_kind = [name for name in values if (str(name).partition(":")[0] in LEARNING) == learns]
        by_kind[kind] = {each: span(correlation(measures[each], values[name]) for name in of_kind) for each in NAMES}
    return by_kind


def span(values: Iterable[float]) -> str:
    """Return the lowest and the highest of values that are known as text; one alone, or nothing, if there are none."""
    texts = [short(value) for value in sorted(value for value in values if not math.isnan(value))]
    return " to ".join(dict.fromkeys([*texts[:1], *texts[-1:]]))


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


def per_puzzle(solves: pd.DataFrame) -> pd.DataFrame:
    """Return the median search time of each puzzle (rows) by strategy (columns); a solve not finished is infinite."""
    times = solves["search_cpu_s"].where(solves["status"] == "solved", math.inf)
    return times.groupby([solves[column] for column in ("collection", "puzzle", "strategy")]).median().unstack()


def half_width(rho: float, n: int) -> float:
    """Return half the 95% interval of Spearman's ρ, on its wider side (Fieller, Hartley & Pearson 1957)."""
    return rho - math.tanh(math.atanh(rho) - 1.96 * math.sqrt(1.06 / (n - 3)))


def short(rho: float) -> str:
    """Return it as text; nothing if it is not known."""
    return "" if math.isnan(rho) else f"{rho:.2f}".replace("0.", ".").replace("-", "−")
