"""What stood in a second run of the same suite, and how much ratios moved between the two.

An interval of a ratio is about one run. What the whole run has in common (the state of the machine, where programs lie
in memory, the order in which processes ran) is seen only in another run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from sudoku_bench.bench.verdicts.arrays import Floats
from sudoku_bench.bench.verdicts.between_runs.compatibility import counted_rows, same_forms
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import amount, interval_of, ratio_text, turned
from sudoku_bench.bench.verdicts.run_data import RunData, of_strategies
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.naming import counted

OF_RUN = ("ratio", "lo", "hi", "verdict")
KEY, FIGURES = ("collection", "clock", "a", "b"), ("ratio", "ratio_lo", "ratio_hi")  # of pairs
CROSSED = dict(  # columns of crossovers as those of pairs
    zip(("shape", "axis", "faster_below", "faster_above", "crossover", "lo", "hi"), (*KEY, *FIGURES), strict=True)
)
STOOD, OPEN, REVERSED = "yes", "open", "no"
REPEATED_COLUMNS = (
    *("kind", "collection", "clock", "a", "b"),
    *(f"{column}_{run}" for run in (1, 2) for column in OF_RUN),
    *("stood", "moved", "beyond", "between", "quote_lo", "quote_hi"),
)
PAIR, CROSSOVER = "pair", "crossover"
TOLD = "told"
Z_95 = 1.96
PUZZLE = ["collection", "puzzle", "grid"]
NAMED = 10  # verdicts that did not stand and are named
FINDINGS = {
    decision.A_FASTER: "faster",
    decision.B_FASTER: "slower",
    decision.EQUIVALENT: "equivalent",
    decision.INDISTINGUISHABLE: "not decided",
    decision.TOO_FEW: "too few data",
    TOLD: "a crossover",
}
CLAIMS = (decision.A_FASTER, decision.B_FASTER, decision.EQUIVALENT)
Row = Mapping[Any, Any]


def require_repeat(first: RunData, second: RunData, names: tuple[str, str]) -> None:
    """Check that a run measured the same strategies on the same puzzles in the same way.

    Raises:
        InputError: it did not.
    """
    facts = [
        {
            "tasks": run.manifest["suite"]["task"],
            "modes": run.manifest["suite"]["mode"],
            "strategies": set(of_strategies(run.measurements)["strategy"]),
            "puzzles": set(
                run.puzzles.reindex(columns=PUZZLE).astype(object).fillna("").itertuples(index=False, name=None)
            ),
        }
        for run in (first, second)
    ]
    different = [name for name, value in facts[0].items() if facts[1][name] != value]
    if different:
        raise InputError(
            f"{names[1]}: is not a second run of {names[0]}, because their {' and '.join(different)} differ"
        )


def repeated(
    pairs: tuple[pd.DataFrame, pd.DataFrame], crossovers: tuple[pd.DataFrame, pd.DataFrame], between: float = math.nan
) -> pd.DataFrame:
    """Return a row per pair and per crossover that the first run tells, columns ``REPEATED_COLUMNS``.

    A claim of the first run ``stood`` if the second makes it too, is ``open`` if that decides nothing, and else was
    reversed.

    Args:
        pairs, crossovers: tables of the first run and of the second one: all pairs of both.
        between: standard deviation of a log ratio between runs (``movement``).
    """
    told = [
        table[table["told"] == "yes"].reindex(columns=list(CROSSED)).rename(columns=CROSSED).assign(verdict=TOLD)
        for table in crossovers
    ]
    quoted, second = widened(pairs[0], between), pairs[1].to_dict("records")
    of_pairs = _rows(PAIR, pairs[0], [*second, *map(turned, second)], _stood)
    rows = [
        row | {"between": between, "quote_lo": low, "quote_hi": high}
        for row, low, high in zip(of_pairs, quoted["ratio_lo"], quoted["ratio_hi"], strict=True)
    ]
    rows += _rows(CROSSOVER, told[0], told[1].to_dict("records"), _met)
    table = pd.DataFrame(rows, columns=list(REPEATED_COLUMNS))
    numbers = [name for name in REPEATED_COLUMNS if name.startswith((*OF_RUN[:3], "moved", "between", "quote"))]
    return table.astype(dict.fromkeys(numbers, float))


def _stood(row: Row, again: Row) -> str:
    """Return what the second run says of a claim on a pair; empty if there is none."""
    if row["verdict"] not in CLAIMS:
        return ""
    if again.get("verdict") not in CLAIMS:
        return OPEN
    return STOOD if row["verdict"] == again["verdict"] else REVERSED


def _met(row: Row, again: Row) -> str:
    """Return what the second run says of a crossover."""
    is_apart = not again or row["ratio_lo"] > again["ratio_hi"] or again["ratio_lo"] > row["ratio_hi"]
    return REVERSED if is_apart else STOOD


def _rows(
    kind: str, first: pd.DataFrame, second: Iterable[Row], stood: Callable[[Row, Row], str]
) -> Iterator[dict[str, Any]]:
    """Yield for each claim of the first run the figures of both, and what the second says of it."""
    known: dict[tuple[Any, ...], Row] = {}
    for row in second:
        known.setdefault(tuple(row[column] for column in KEY), row)
    for row in first.to_dict("records"):
        subject = {column: row[column] for column in KEY}
        again = known.get(tuple(subject.values()), {})
        figures = np.array([[each.get(name, math.nan) for name in FIGURES] for each in (row, again)], dtype=float)
        columns: dict[str, Any] = {"kind": kind} | subject
        for run, each, values in zip((1, 2), (row, again), figures.tolist(), strict=True):
            columns |= zip((f"{name}_{run}" for name in OF_RUN), (*values, each.get("verdict", "")), strict=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(figures)
        moved = float(logs[1, 0] - logs[0, 0])
        is_beyond = abs(moved) > math.hypot(*(logs[:, 2] - logs[:, 1]) / 2)  # False if anything is unknown
        yield columns | {"stood": stood(row, again), "moved": math.exp(moved), "beyond": "yes" if is_beyond else ""}


@dataclass(frozen=True)
class Movement:
    """The standard deviation of a log ratio between runs, beyond what its processes and forms explain.

    Attributes:
        deviation: the estimate; lo, hi: its 95% interval (jackknife over strategies); NaN if unknown.
        number: of ratios.
    """

    deviation: float
    lo: float
    hi: float
    number: int


def movement(first: RunData, second: RunData, every_pair: pd.DataFrame) -> Movement:
    """Return how much the ratios of any two strategies moved.

    Both runs solved the same puzzles, so the difference of two log ratios has none of the variance between puzzles that
    the intervals of the ratios contain. Its error is that of a mean over repetitions, each with processes of its own.
    The component of a run is (d² − error²) / 2, averaged over the pairs, and at least 0. The pairs with the best alone
    would share its movement, and it is the best because it was lucky.

    Args:
        every_pair: all pairs of strategies, columns collection, clock, a and b.
    """
    seeds = first.manifest["suite"].get("seed"), second.manifest["suite"].get("seed")
    is_paired = same_forms(counted_rows(first), counted_rows(second), seeds)
    rows = every_pair.to_dict("records")
    components = np.array([_component(first, second, row, is_paired) for row in rows])
    known = np.isfinite(components)
    components = components[known]
    if len(components) < 2:
        return Movement(math.nan, math.nan, math.nan, len(components))
    pairs = np.array([(row["a"], row["b"]) for row in rows])[known]
    variance = float(components.mean())
    without = [(pairs != name).all(axis=1) for name in np.unique(pairs)]
    left = np.array([components[kept].mean() for kept in without if kept.any()])
    error = math.sqrt((len(left) - 1) * float(left.var())) if len(left) > 1 else math.nan
    ends = (variance, variance - Z_95 * error, variance + Z_95 * error)
    deviation, low, high = (math.sqrt(max(0.0, end)) if math.isfinite(end) else math.nan for end in ends)
    return Movement(deviation, low, high, len(components))


def _component(first: RunData, second: RunData, row: Row, is_paired: bool) -> float:
    """Return the estimate of the variance of a run from one pair; NaN if it is unknown."""
    figures = _log_ratios(first, second, row)
    if min(map(len, figures)) < 2:
        return math.nan
    difference = float(figures[1].mean() - figures[0].mean())
    if is_paired and len(figures[0]) == len(figures[1]):
        error = float((figures[1] - figures[0]).var(ddof=1)) / len(figures[0])
    else:
        error = sum(float(of_run.var(ddof=1)) / len(of_run) for of_run in figures)
    return (difference**2 - error) / 2


def _log_ratios(first: RunData, second: RunData, row: Row) -> list[Floats]:
    """Return for each run the mean log ratio of each repetition, over puzzles that both strategies always solved."""
    logs: list[pd.DataFrame] = []
    for run in (first, second):
        times = (run.wall if row["clock"] == "wall" else run.cpu).get(row["collection"])
        if times is None or not {row["a"], row["b"]} <= set(times.strategies):
            return [np.array([])] * 2
        log_s = np.where(times.censored, np.nan, times.log_s)
        a, b = (log_s[times.strategies.index(name)] for name in (row["a"], row["b"]))
        order = pd.MultiIndex.from_tuples(times.repetitions)
        logs.append(pd.DataFrame(a - b, index=list(times.puzzles), columns=order).sort_index(axis=1).dropna())
    puzzles = logs[0].index.intersection(logs[1].index)
    return [table.loc[puzzles].mean().to_numpy() if len(puzzles) else np.array([]) for table in logs]


def widened(pairs: pd.DataFrame, between: float) -> pd.DataFrame:
    """Return a table of pairs whose intervals, and the verdicts that follow, include the variation between runs.

    The distance of an end from the ratio (or its bound) and the standard deviation between runs, at the level of the
    interval, are added in quadrature: two independent errors of the log ratio. P-values of the one run are removed.

    Args:
        between: standard deviation of a log ratio between runs; NaN or 0 returns the table as it is.
    """
    if not between > 0 or pairs.empty:
        return pairs
    tail = decision.ALPHA / pairs["family"].clip(lower=1) / 2
    reach = stats.norm.isf(tail) * between
    low, high = (
        np.exp(np.log(centre) + side * np.hypot(np.log(end / centre), reach))
        for side, end, centre in (
            (-1, pairs["ratio_lo"], pairs["ratio"].fillna(pairs["at_least"])),
            (1, pairs["ratio_hi"], pairs["ratio"].fillna(pairs["at_most"])),
        )
    )
    few, margin = pairs["verdict"] == decision.TOO_FEW, math.log1p(pairs["margin"].iloc[0])
    least = np.log(low).mask(low.isna() & ~few, -math.inf).to_numpy(dtype=np.float64)
    most = np.log(high).mask(high.isna() & ~few, math.inf).to_numpy(dtype=np.float64)
    return pairs.assign(
        ratio_lo=low,
        ratio_hi=high,
        p_holm=math.nan,
        verdict=decision.verdicts(least, most, margin),
        beyond_margin=decision.beyond_margin(least, most, margin),
    )


def between_note(between: float) -> str:
    """Return a sentence on what widened intervals include, with a leading space; empty if they are not."""
    return f" Intervals include the variation between runs ({between:.1%})." if between > 0 else ""


def words(table: pd.DataFrame, moved: Movement, second: str) -> list[str]:
    """Return sentences on what stood in the second run, and on how much ratios moved."""
    of_pairs = table[(table["kind"] == PAIR) & table["verdict_1"].isin(CLAIMS)]
    crossings = table[table["kind"] == CROSSOVER]
    stood, is_open, lost = (int((of_pairs["stood"] == state).sum()) for state in (STOOD, OPEN, REVERSED))
    pairs = f"of {counted(len(of_pairs), 'claim')} of the first run {stood:,} stood,"
    pairs += f" {counted(is_open, 'is', 'are')} open, {lost or 'none'}"
    counts = [
        f"{pairs} {'were' if lost > 1 else 'was'} reversed" if len(of_pairs) else "",
        f"of {len(crossings)} crossovers {(crossings['stood'] == STOOD).sum()} stood" if len(crossings) else "",
    ]
    lines = [f"In the second run, {second}: {'; '.join(filter(None, counts)) or 'the first made no claim'}"]
    claimed = pd.concat([of_pairs[of_pairs["stood"] == REVERSED], crossings[crossings["stood"] != STOOD]])
    named = claimed.to_dict("records")
    lines += [f"  did not stand: {_named(row)}" for row in named[:NAMED]]
    if len(named) > NAMED:
        lines.append(f"  and {len(named) - NAMED} more: see repeated.csv")
    if math.isfinite(moved.deviation):
        ends = f" {interval_of(moved.lo, moved.hi, '{:.1%}'.format)}".rstrip()
        known = table.loc[(table["kind"] == PAIR) & table["moved"].notna(), "beyond"]
        lines.append(
            f"Between the runs a ratio varies by {moved.deviation:.1%}{ends} (standard deviation) more than its"
            f" processes and forms explain; {(known == 'yes').sum()} of {len(known)} moved beyond both intervals."
            " Intervals to be quoted include it"
        )
    return lines


def _named(row: Row) -> str:
    versus = f"{row['collection']}: {row['a']} / {row['b']}"
    text, unknown = (ratio_text, "?") if row["kind"] == PAIR else (amount, "an unknown place")
    values = [text(row[f"ratio_{run}"]) if math.isfinite(row[f"ratio_{run}"]) else unknown for run in (1, 2)]
    if row["kind"] == CROSSOVER:
        versus += f" cross over {row['clock']} at {values[0]}"
        return f"{versus}, then {f'at {values[1]}' if row['verdict_2'] else 'not at all'}"
    wall = " (wall)" if row["clock"] == "wall" else ""
    verdicts = [FINDINGS.get(row[f"verdict_{run}"], "not measured") for run in (1, 2)]
    return f"{versus}{wall} {values[0]} ({verdicts[0]}), then {values[1]} ({verdicts[1]})"
