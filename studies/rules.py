"""The rule that decides pairs, on simulated reports: false claims, coverage, and differences found.

A report has all pairs of its strategies, corrected for their number (Bonferroni). It errs if it calls any strategy
slower than one that is not faster, or two equivalent that differ by the margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import signal

from studies import document
from studies.simulation import DRAWS, Cell, Rows, Simulation, crossed, rate_interval, tastes, within_level
from sudoku_bench.bench.plan.suite import MARGIN
from sudoku_bench.bench.run.probe import MOST_REPETITIONS
from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.means import Means, means
from sudoku_bench.bench.verdicts.pairs.precision import needed
from sudoku_bench.bench.verdicts.pairs.process_variance import ProcessVariance, process_variance

LOG_MARGIN = math.log1p(MARGIN)
MOST_OF_TWO = 0.075  # share of reports on two strategies with a false claim
AT_ONCE = 2_000_000  # log ratios of puzzles in memory
Rng = np.random.Generator
Shape = tuple[int, int, int, int]  # reports, strategies, puzzles, repetitions


@dataclass(frozen=True)
class Data:
    """How log times are drawn: standard deviations of effects, each a number or one per strategy, and what is added.

    Attributes:
        taste: of a puzzle on a strategy, drawn by ``skew``; process: of a repetition's process; noise: of a solve.
        added: draws further log times: reports × strategies × puzzles × repetitions, or broadcast to that.
    """

    taste: Any = 0.0
    skew: str = "exponential"
    process: Any = 0.01
    noise: Any = 0.02
    added: Callable[[Rng, Shape], Any] = lambda *_: 0.0

    def draw(self, rng: Rng, shape: Shape, truth: Floats) -> Floats:
        reports, strategies, puzzles, repetitions = shape
        taste, process, noise = (self._of(value, strategies) for value in (self.taste, self.process, self.noise))
        log_s = truth[:, None, None] + taste * SKEWS[self.skew](rng, (reports, strategies, puzzles))[..., None]
        log_s = log_s + process * rng.standard_normal((reports, strategies, 1, repetitions))
        return np.asarray(log_s + noise * rng.standard_normal(shape) + self.added(rng, shape))

    @staticmethod
    def _of(value: Any, strategies: int) -> Floats:
        """Return a value of each strategy; a pair of values is for the first, third, ... and the others."""
        each = value(strategies) if callable(value) else np.resize(np.atleast_1d(value), strategies)
        return np.asarray(each, dtype=np.float64)[:, None, None]


SKEWS: Mapping[str, Callable[[Rng, tuple[int, ...]], Floats]] = {
    "exponential": lambda rng, shape: tastes(rng, shape, skew=True),
    "normal": lambda rng, shape: tastes(rng, shape, skew=False),
    "lognormal": lambda rng, shape: (rng.lognormal(size=shape) - math.exp(0.5)) / 2.16,
    "t3": lambda rng, shape: rng.standard_t(3, shape) / math.sqrt(3),
}


def every_second(draw: Callable[[Rng, Shape], Floats]) -> Callable[[Rng, Shape], Floats]:
    """Return a draw for the first, third, ... strategy, 0 for the others."""
    return lambda rng, shape: draw(rng, shape) * (np.arange(shape[1]) % 2 == 0)[:, None, None]


def rare(share: float, factor: float, of: str = "solve") -> Callable[[Rng, Shape], Floats]:
    """Return a draw of log times that a share of solves, puzzles or processes takes longer by a factor; mean 0."""

    def draw(rng: Rng, shape: Shape) -> Floats:
        sizes = {"solve": shape, "puzzle": (*shape[:3], 1), "process": (*shape[:2], 1, shape[3])}
        return np.float64(math.log(factor)) * ((rng.random(sizes[of]) < share) - np.float64(share))

    return draw


def engines(rng: Rng, shape: Shape) -> Floats:
    """Draw tastes of engines, which strategies share in groups of three."""
    of_engines: Floats = tastes(rng, shape[:3], skew=True)[:, np.arange(shape[1]) // 3]
    return 0.45 * of_engines[..., None]


def in_time(series: Callable[[Rng, int, int], Floats]) -> Callable[[Rng, Shape], Floats]:
    """Return a draw of what the machine does in the course of a run, in which strategies take turns in random order.

    Args:
        series: draws reports × solves, in the order of the run.
    """

    def draw(rng: Rng, shape: Shape) -> Floats:
        reports, strategies, puzzles, repetitions = shape
        place = rng.random((reports, repetitions, puzzles)).argsort(axis=2)
        turn = rng.random((reports, repetitions, puzzles, strategies)).argsort(axis=3)
        rounds = np.arange(repetitions)[:, None, None]
        at = (rounds * puzzles + place[..., None]) * strategies + turn
        values = series(rng, reports, strategies * puzzles * repetitions)
        found = np.take_along_axis(values, at.reshape(reports, -1), axis=1).reshape(at.shape)
        return np.moveaxis(found, (1, 2, 3), (3, 2, 1))

    return draw


def step(rng: Rng, reports: int, solves: int) -> Floats:
    is_after = np.arange(solves) > rng.uniform(0.1, 0.9, (reports, 1)) * solves
    return np.float64(0.22) * is_after.astype(np.float64)


def autoregressive(rng: Rng, reports: int, solves: int) -> Floats:
    noise = 0.1 * math.sqrt(1 - 0.98**2) * rng.standard_normal((reports, solves))
    return np.asarray(signal.lfilter([1.0], [1.0, -0.98], noise, axis=1))


def two_speeds(rng: Rng, reports: int, solves: int) -> Floats:
    changes = rng.random((reports, solves)) < 1 / 60
    state = (changes.cumsum(axis=1) + rng.integers(2, size=(reports, 1))) % 2
    return np.float64(0.22) * state.astype(np.float64)


def by_difficulty(rng: Rng, shape: Shape) -> Floats:
    """Draw processes that are fast on easy puzzles and slow on hard ones, or the reverse."""
    processes = rng.standard_normal((*shape[:2], 1, shape[3])) * rng.standard_normal((shape[0], 1, shape[2], 1))
    return np.float64(0.03) * processes


DATA: Mapping[str, Data] = {
    "copies: processes 1%, noise 2%": Data(),
    "copies: processes 2%, noise 5%": Data(process=0.02, noise=0.05),
    "processes 3% and 0.5%, by halves": Data(process=(0.03, 0.005)),
    "one strategy 5%, others 0.5%": Data(process=lambda number: np.where(np.arange(number) == 0, 0.05, 0.005)),
    "one process in ten 15% slower": Data(process=0.003, added=rare(0.1, 1.15, "process")),
    "one process in five 6% slower": Data(process=0.003, added=rare(0.2, 1.06, "process")),
    "processes by difficulty, 3%": Data(added=by_difficulty),
    "clock steps by 25% in mid-run": Data(added=in_time(step)),
    "AR(1) 0.98, sd 10%, in run order": Data(added=in_time(autoregressive)),
    "two speeds, 25% apart, 60 solves each": Data(added=in_time(two_speeds)),
    "noise 30% and 2%, by halves": Data(noise=(0.3, 0.02)),
    "tastes exponential 0.3, all": Data(taste=0.3),
    "tastes exponential 0.3, every second": Data(taste=(0.3, 0.0)),
    "tastes lognormal 0.5, every second": Data(taste=(0.5, 0.0), skew="lognormal"),
    "tastes t3 0.3, all": Data(taste=0.3, skew="t3"),
}
TASTES = Data(taste=0.3)
FORMS: Mapping[str, Data] = {
    "forms alike": replace(TASTES, noise=(0.102, 0.02)),
    "1 form in 10 x2.7": replace(TASTES, added=every_second(rare(0.1, math.e))),
    "1 form in 10 x7.4": replace(TASTES, added=every_second(rare(0.1, math.e**2))),
    "forms exponential 0.6": replace(
        TASTES, added=every_second(lambda rng, shape: 0.6 * tastes(rng, shape, skew=True))
    ),
}
SHARED: Mapping[str, Data] = {"engines shared by three": Data(taste=0.22, added=engines)}
UNSEEN: Mapping[str, Data] = {
    f"{share:.0%} of puzzles x{factor:g}": Data(0.1, "normal", added=every_second(rare(share, factor, "puzzle")))
    for share, factor in ((0.02, 60.0), (0.05, 6.0), (0.05, 20.0), (0.1, 3.0))
}
ALL: Mapping[str, Data] = {**DATA, **FORMS, **SHARED, **UNSEEN}


def decided(log_s: Floats, a: Indices, b: Indices) -> Means:
    """Return what the rule says of reports × pairs, one report after the other.

    Args:
        log_s: reports × strategies × puzzles × repetitions.
        a, b: strategies of each pair.
    """
    of_puzzles = log_s.mean(axis=3)
    ratios = (of_puzzles[:, a] - of_puzzles[:, b]).reshape(-1, log_s.shape[2], 1)
    processes = process_variance(log_s, np.ones(log_s.shape[:3], dtype=np.bool_))
    freedoms = np.broadcast_to(processes.freedom, processes.variance.shape)
    return means(ratios, ProcessVariance(processes.variance[:, a, b].ravel(), freedoms[:, a, b].ravel()))


def stopped(log_s: Floats, until: float, level: float, number: int = 5) -> Iterator[Floats]:
    """Yield reports with as many repetitions as ``run --until`` makes, those with the same number together.

    Args:
        log_s: with as many as a run can have; number: that it has so far.
    """
    part, (a, b) = log_s[..., :number], np.triu_indices(log_s.shape[1], 1)
    variance = process_variance(part, np.ones(part.shape[:3], dtype=np.bool_)).variance
    low, high = decision.interval(decided(part, a, b), level)
    half = np.full(variance.shape, np.nan)
    half[:, a, b] = (high - low).reshape(len(part), -1) / 2
    more = np.median(needed(part, variance, half, until)[:, a, b], axis=1)
    more = np.where(more <= MOST_REPETITIONS, np.minimum(more, 2 * number), number).astype(int)
    yield part[more <= number]
    for following in np.unique(more[more > number]):
        yield from stopped(log_s[more == following], until, level, min(MOST_REPETITIONS, following))


def count(
    rng: Rng,
    draws: int,
    *,
    data: str,
    strategies: int,
    puzzles: int = 40,
    repetitions: int = 5,
    lead: float = 0.0,
    slower: float = 0.0,
    collections: int = 1,
    until: float = 0.0,
) -> Rows:
    """Return a row: reports with a false claim and with the last strategy found, and coverage of intervals.

    ``false`` counts all pairs, ``false_best`` those of each strategy with the best, as in ``pairs.csv``. ``cover`` is
    the share of single 95% intervals that hold the true ratio, ``cover_first`` of those of the first strategy.

    Args:
        data: a key of ``ALL``.
        lead: log ratio by which the second strategy is faster than the first; the others are up to twice as far behind.
        slower: share by which the last strategy takes longer than the first.
        until: half-width until which repetitions go on (``rounds``: their mean number); 0: they are given.
    """
    truth = lead * np.linspace(0, 2, strategies)
    truth[1] = -lead
    truth[-1] += math.log1p(slower)
    a, b = np.triu_indices(strategies, 1)
    true = truth[a] - truth[b]
    family = len(a) * collections
    sums, rounds, at_once = np.zeros(len(COUNTED)), 0, max(1, AT_ONCE // (len(a) * puzzles))
    for done in range(0, draws, at_once):
        shape = min(at_once, draws - done), strategies, puzzles, MOST_REPETITIONS if until else repetitions
        drawn = [ALL[data].draw(rng, shape, truth) for _ in range(collections)]
        level = decision.ALPHA / family
        for logs in zip(*(stopped(each, until, level) if until else [each] for each in drawn), strict=True):
            parts = []
            for log_s in filter(len, logs):
                best, mean = log_s.mean(axis=(2, 3)).argmin(axis=1), (log_s[:, a] - log_s[:, b]).mean(axis=(2, 3))
                parts.append(claims(decided(log_s, a, b), mean, true, best, (a, b), family))
                rounds += log_s.shape[0] * log_s.shape[3]
            counted = map(np.stack, zip(*parts, strict=True))
            of_part = [(values.any(0) if values.dtype == bool else values.mean(0)).sum() for values in counted]
            sums += of_part or np.zeros(len(COUNTED))
    row = dict(zip(COUNTED, sums.tolist(), strict=True)) | ({"rounds": rounds / draws} if until else {})
    row |= {key: row[key] / draws for key in ("cover", "cover_first")}
    return [{"reports": draws} | row | ({} if slower else {"found": math.nan})]


COUNTED = ("false", "false_best", "found", "cover", "cover_first")


def claims(
    estimate: Means, mean: Floats, true: Floats, best: Indices, pairs: tuple[Indices, Indices], family: int
) -> tuple[Flags, Flags, Flags, Floats, Floats]:
    """Return ``COUNTED`` of each report.

    Args:
        estimate: of reports × pairs, one report after the other.
        mean: estimated log ratios; true: the true ones; best: strategy with the lowest mean of each report.
        pairs: strategies of each pair.
    """
    level = decision.ALPHA / family
    a, b = pairs
    is_claimed = decision.p_different(estimate).reshape(mean.shape) < level
    low, high = (ends.reshape(mean.shape) for ends in decision.interval(estimate, level))
    is_equivalent = ~is_claimed & (low >= -LOG_MARGIN) & (high <= LOG_MARGIN)
    # The last strategy is b of all its pairs.
    is_false = is_claimed & (np.sign(mean) != np.sign(true)) | is_equivalent & (np.abs(true) >= LOG_MARGIN)
    found = (is_claimed & (mean < 0) & (b == b.max()) & (a == best[:, None])).any(axis=1)
    least, most = (ends.reshape(mean.shape) for ends in decision.interval(estimate, decision.ALPHA))
    covers = (least <= true) & (true <= most)
    with_best = (a == best[:, None]) | (b == best[:, None])
    false = is_false.any(axis=1), (is_false & with_best).any(axis=1)
    return *false, found, covers.mean(axis=1), covers[:, a == 0].mean(axis=1)


def markdown(table: pd.DataFrame) -> str:
    """Return false claims and coverage by data, what is found, forms and near ties, and unseen puzzles."""
    equal = table[table["slower"] == 0]
    is_main = equal["data"].isin(DATA) & (equal["lead"] == 0) & (equal["collections"] == 1)
    parts = (
        "Reports with a false claim in %, by number of strategies, five repetitions (in brackets three);\n"
        "coverage of single 95% intervals of the first of 5 and 15 strategies, whose processes vary most:",
        _main_table(equal[is_main]),
        "Found in %, the last strategy slower:",
        _found_table(table[table["slower"] > 0]),
        "Largest share of reports with a false claim, 15 to 40 puzzles, three and five repetitions:",
        _largest_table(equal[~is_main & ~equal["data"].isin(UNSEEN)]),
        "Reports with a false claim where every second strategy takes longer on rare puzzles, and\n"
        "coverage of single intervals:",
        _unseen_table(equal[equal["data"].isin(UNSEEN)]),
    )
    return "\n\n".join(parts)


def _percent(rows: pd.DataFrame, column: str = "false_best") -> str:
    return f"{100 * rows[column].iloc[0] / rows['reports'].iloc[0]:.1f}"


def _main_table(table: pd.DataFrame) -> str:
    rows = []
    for data, of_data in table.groupby("data", sort=False):
        cells = []
        for size in SIZES:
            own = of_data[of_data["strategies"] == size].set_index("repetitions")
            cells.append(f"{_percent(own.loc[[5]])} ({_percent(own.loc[[3]])})")
        covered = of_data[(of_data["repetitions"] == 5) & (of_data["strategies"] > 2)]
        rows.append([str(data), *cells, _range(covered["cover_first"])])
    return document.table(["data", *map(str, SIZES), "coverage"], rows)


def _range(shares: pd.Series[float]) -> str:
    low, high = (f"{100 * share:.1f}" for share in (shares.min(), shares.max()))
    return low if low == high else f"{low}–{high}"


def _found_table(table: pd.DataFrame) -> str:
    rows = []
    for (data, repetitions, slower), group in table.groupby(["data", "repetitions", "slower"], sort=False):
        own = group.set_index("strategies")
        cells = (f"{float(_percent(own.loc[[size]], 'found')):.0f}" for size in SIZES[1:])
        rows.append([f"{data}; {repetitions} repetitions, +{slower:.0%}", *cells])
    return document.table(["case", *(f"{size} strategies" for size in SIZES[1:])], rows)


def _largest_table(table: pd.DataFrame) -> str:
    kinds = table["data"].mask(table["lead"] > 0, "near ties").mask(table["collections"] > 1, "5 collections of copies")
    shares = (table["false_best"] / table["reports"]).groupby([kinds, table["strategies"]], sort=False).max().unstack()
    rows = [[str(kind), *(f"{100 * share:.1f}%" for share in row)] for kind, row in shares[list(SIZES)].iterrows()]
    return document.table(["data", *(f"{size} strategies" for size in SIZES)], rows)


def _unseen_table(table: pd.DataFrame) -> str:
    rows = []
    for (data, strategies), group in table[table["strategies"] > 2].groupby(["data", "strategies"], sort=False):
        cells = []
        for row in group.sort_values("puzzles").to_dict("records"):
            low, high = rate_interval(int(row["false_best"]), int(row["reports"]))
            false = f"{row['false_best'] / row['reports']:.0%} ({100 * low:.0f}–{high:.0%})"
            cells.append(f"{false}; {row['cover']:.0%}")
        rows.append([f"{data}, {strategies} strategies", *cells])
    return document.table(["data", *(f"{number} puzzles" for number in sorted(set(table["puzzles"])))], rows)


def markdown_until(table: pd.DataFrame) -> str:
    """Return the most false claims, the least coverage, and the mean repetitions of all data and targets."""
    rows = []
    for size in SIZES:
        own = table[table["strategies"] == size]
        most, least = (own["false"] / own["reports"]).max(), own["cover"].min()
        rounds = f"{own['rounds'].min():.0f}–{own['rounds'].max():.0f}"
        rows.append([str(size), f"{100 * most:.1f}", f"{100 * least:.1f}", rounds])
    return document.table(["strategies", "most false claims", "least coverage", "repetitions"], rows)


def is_held(table: pd.DataFrame) -> bool:
    """Return whether reports err in at most 5% of cases; in 7.5% with two strategies, which have nothing to pool."""
    own = table[~table["data"].isin(UNSEEN)]
    is_pair = own["strategies"] == 2
    parts = ((own[is_pair], MOST_OF_TWO), (own[~is_pair], decision.ALPHA))
    return all(within_level(part["false_best"], part["reports"], level) for part, level in parts)


SIZES, COPIES, VARYING = (2, 5, 15), "copies: processes 1%, noise 2%", "copies: processes 2%, noise 5%"
SLOWER = (  # data, repetitions, share by which the last strategy is slower
    *((COPIES, 5, 0.05), (VARYING, 5, 0.05), (VARYING, 5, 0.1), ("processes 3% and 0.5%, by halves", 5, 0.1)),
    *((COPIES, 3, 0.1), ("tastes exponential 0.3, all", 5, 0.1)),
)
PLAIN: dict[str, Any] = {"puzzles": 40, "repetitions": 5, "lead": 0.0, "slower": 0.0, "collections": 1}
CHANGES: tuple[Cell, ...] = (
    *crossed(data=DATA, strategies=SIZES, repetitions=(5, 3)),
    *crossed(data=FORMS, strategies=SIZES, puzzles=(15, 20, 40), repetitions=(5, 3)),
    *crossed(data=SHARED, strategies=SIZES),
    *crossed(data=(COPIES, "tastes exponential 0.3, all"), strategies=SIZES, lead=(0.005, 0.02)),
    *crossed(data=(COPIES,), strategies=SIZES, collections=(5,)),
    *crossed(data=UNSEEN, strategies=SIZES, puzzles=(20, 40, 100)),
    *(
        {"data": data, "strategies": size, "repetitions": repetitions, "slower": slower}
        for data, repetitions, slower in SLOWER
        for size in SIZES[1:]
    ),
)
RULES = Simulation(
    title="false claims, coverage and findings of the rule that decides pairs (8 minutes)",
    file="rules.csv",
    cells=[{**PLAIN, **change, DRAWS: 2000} for change in CHANGES],
    measure=count,
    draws=2000,
    seed=(2026, 11),
    held=is_held,
    markdown=markdown,
)
TARGETS = (
    *((COPIES, 0.01), (COPIES, 0.02), (VARYING, 0.02), (VARYING, 0.04)),
    *(("one strategy 5%, others 0.5%", share) for share in (0.01, 0.03)),
    *(("processes 3% and 0.5%, by halves", 0.03), ("tastes exponential 0.3, all", 0.13)),
)
UNTIL = Simulation(
    title="false claims and coverage if repetitions go on until intervals are narrow (5 minutes)",
    file="until.csv",
    cells=[{"data": data, "until": until, "strategies": size} for data, until in TARGETS for size in SIZES],
    measure=count,
    draws=1000,
    seed=(2026, 12),
    held=is_held,
    markdown=markdown_until,
)
