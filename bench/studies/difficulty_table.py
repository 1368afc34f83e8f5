"""Correlations of difficulty measures: ``python -m bench.studies.difficulty_table RUN RATINGS.csv`` writes the tables
of ``docs/difficulty.md``.

The tables hold rank correlations (Spearman) of every measure with an external rating, with solve times and with
conflicts, over all puzzles and over the hardest, and the ceiling of each: what a perfect measure could reach, given the
random errors of both sides. The run provides measures, times and conflicts. The CSV provides the rating, in the columns
``puzzle`` (the grid) and ``ER``. Only puzzles in both are used.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from bench.studies import document
from bench.verdicts import run_tables
from bench.verdicts.difficulty.measures import MIN_PUZZLES, correlation
from bench.verdicts.run_data import of_strategies
from datasets.difficulty.rating import COLUMNS
from datasets.errors import InputError
from datasets.reading.reader import parse

PAGE = document.TOP / "docs" / "difficulty.md"
MARKS = "<!-- correlations: made by bench.studies.difficulty_table -->", "<!-- end -->"

HARDEST = 0.25  # share of the puzzles, those with the most guesses, that has tables of its own
TABLES = (  # a column of the measurements, what it is, and the share of the puzzles
    ("cpu_s", "the time of the whole solve", 1.0),
    ("search_cpu_s", "the time of its search", 1.0),
    ("conflicts", "its conflicts", 1.0),
    ("search_cpu_s", "the time of its search, hardest quarter by guesses", HARDEST),
    ("conflicts", "its conflicts, hardest quarter by guesses", HARDEST),
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


def study(run: run_tables.Run, ratings: dict[str, float], quantity: str = "cpu_s") -> pd.DataFrame:
    """Return Spearman's ρ of each measure (rows: ``NAMES``) with ``ER`` and with a quantity of each strategy (columns).

    Args:
        ratings: ER by grid (in one line).
        quantity: column of the measurements; a strategy without values gets an empty column.

    Raises:
        InputError: fewer than ``MIN_PUZZLES`` puzzles of the run are rated, or it lacks a measure.
    """
    missing = [column for column in COLUMNS if column not in run.puzzles]
    if missing:
        raise InputError(f"the puzzles of the run have no column {missing[0]}; make the run again")
    puzzles = run.puzzles[run.puzzles["grid"].isin(ratings)].set_index(["collection", "puzzle"])
    if len(puzzles) < MIN_PUZZLES:
        raise InputError(f"{len(puzzles)} puzzles of the run are rated; {MIN_PUZZLES} are needed")
    measures = measures_of(puzzles)
    measures["ER"] = puzzles["grid"].map(ratings)
    targets = measures[["ER"]].join(per_puzzle(run.measurements, quantity))
    return pd.DataFrame(
        {
            target: {name: correlation(measures[name], targets[target]) for name in NAMES if name != target}
            for target in targets
        }
    )


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


def ceilings(run: run_tables.Run, ratings: dict[str, float], quantity: str = "cpu_s") -> pd.DataFrame:
    """Return the largest ρ that random errors leave possible, of the shape of ``study``.

    It is the root of the product of both reliabilities (Spearman 1904). That of a quantity is the rank correlation of
    odd and even repetitions, stepped up to all of them (Spearman 1910, Brown 1910); NaN with fewer than two. That of a
    measure follows from its standard errors; measures without errors, and ER, have reliability 1.
    """
    puzzles = run.puzzles[run.puzzles["grid"].isin(ratings)].set_index(["collection", "puzzle"])
    numbers = measures_of(puzzles)
    of_measure = {name: _reliability_of_measure(numbers, name) for name in (*numbers, "ER")}
    odd = run.measurements["repetition"] % 2 == 1
    halves = [per_puzzle(run.measurements[half], quantity).reindex(puzzles.index) for half in (odd, ~odd)]
    columns = {"ER": 1.0}
    for strategy in per_puzzle(run.measurements, quantity):
        r = correlation(*(half[strategy] if strategy in half else pd.Series(math.nan, half.index) for half in halves))
        columns[str(strategy)] = 0.0 if r <= 0 else 2 * r / (1 + r)
    return pd.DataFrame(
        {
            target: {name: math.sqrt(of_measure[name] * of_quantity) for name in NAMES if name != target}
            for target, of_quantity in columns.items()
        }
    )


def _reliability_of_measure(numbers: pd.DataFrame, name: str) -> float:
    """Return the share of a measure's variance that is not random error, on the scale log(1 + x)."""
    if f"{name}_se" not in numbers:
        return 1.0
    known = numbers[np.isfinite(numbers[name])]
    total = np.log1p(known[name]).var()
    error = ((known[f"{name}_se"] / (1 + known[name])) ** 2).mean()
    return max(0.0, float(1 - error / total)) if total > 0 else math.nan


def half_width(rho: float, n: int) -> float:
    """Return half the 95% interval of Spearman's ρ, on its wider side (Fieller, Hartley & Pearson 1957)."""
    return rho - math.tanh(math.atanh(rho) - 1.96 * math.sqrt(1.06 / (n - 3)))


def as_markdown(run: run_tables.Run, ratings: dict[str, float]) -> str:
    """Return the tables in Markdown, with a description of their data."""
    all_parts = {share: _with_most_guesses(run, ratings, share) for *_, share in TABLES}
    parts = {share: part for share, part in all_parts.items() if share == 1 or len(part) >= MIN_PUZZLES}
    tables = [_table(run, parts[share], quantity, title) for quantity, title, share in TABLES if share in parts]
    widths = " and ".join(
        ", ".join(f"{_cell(half_width(rho, len(part)))} about {_cell(rho)}" for rho in (0.5, 0.8, 0.9))
        + f" with {len(part)} puzzles"
        for part in parts.values()
    )
    machine = run.manifest["machine"].get("cpu") or "an unnamed machine"
    facts = (
        f"After a stroke, the ceiling that random errors leave to ρ. {len(parts[1.0])} puzzles, {len(run.measurements)}"
        f" solves on {machine}. The measure `conflicts` counts those of"
        f" {run.manifest.get('conflict_engine', 'an unnamed solver')}. Half the 95% interval of ρ is {widths}."
    )
    return "\n\n".join([*filter(None, tables), facts]) + "\n"


def _with_most_guesses(run: run_tables.Run, ratings: dict[str, float], share: float) -> dict[str, float]:
    """Return the ratings of this share of the run's puzzles."""
    rated = run.puzzles[run.puzzles["grid"].isin(ratings)]
    guesses = pd.to_numeric(rated["guesses"])
    return {grid: ratings[grid] for grid in rated["grid"][guesses >= guesses.quantile(1 - share)]}


def _table(run: run_tables.Run, ratings: dict[str, float], quantity: str, title: str) -> str:
    """Return one table; strategies without values are left out, and "" if all are."""
    table, ceiling = study(run, ratings, quantity).dropna(axis="columns", how="all"), ceilings(run, ratings, quantity)
    if set(table) <= {"ER"}:
        return ""
    heads = ["ER" if name == "ER" else f"`{name}`" for name in table]
    lines = [f"| ρ with {title} | " + " | ".join(heads) + " |", "| --- |" + " --- |" * len(heads)]
    for name, label in NAMES.items():
        cells = [_with_ceiling(table[target].get(name), ceiling[target].get(name)) for target in table]
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _with_ceiling(rho: float | None, ceiling: float | None) -> str:
    text = "" if rho is None else _cell(rho)
    return f"{text} / {_cell(ceiling)}" if text and ceiling is not None and not math.isnan(ceiling) else text


def _cell(rho: float) -> str:
    return "" if np.isnan(rho) else f"{rho:.2f}".replace("0.", ".")


def read_ratings(path: Path) -> dict[str, float]:
    """Read a CSV of ratings; return ER by grid.

    Raises:
        InputError: the file cannot be read, or a row has no puzzle or no number.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = {"puzzle", "ER"} - set(reader.fieldnames or ())
            if missing:
                raise InputError(f"{path}:1: no column {' and '.join(sorted(missing))}; name them in the first line")
            return dict(_rating(row, f"{path}:{reader.line_num}") for row in reader)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a text file; a CSV with the columns puzzle and ER is needed") from None


def _rating(row: dict[str, str], where: str) -> tuple[str, float]:
    try:
        return parse(row["puzzle"] or "").text, float(row["ER"] or "")
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except ValueError:
        raise InputError(f"{where}: ER is {row['ER']!r}; write a number") from None


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the tables of correlations in docs/difficulty.md.")
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a run on the rated puzzles")
    parser.add_argument("ratings", metavar="RATINGS.csv", type=Path, help="with the columns puzzle and ER")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to rewrite (default docs/difficulty.md)")
    options = parser.parse_args()
    try:
        run, ratings = run_tables.load(options.run), read_ratings(options.ratings)
        run = run_tables.Run(run.manifest, of_strategies(run.measurements), run.puzzles)
        tables = as_markdown(run, ratings)
        document.fill(options.page, MARKS, tables)
    except (InputError, OSError) as error:
        print(f"difficulty_table: {error}", file=sys.stderr)
        return 2
    print(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
