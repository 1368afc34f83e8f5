"""The rules of speech: what may be said of an answer, in the same words everywhere (docs/methodology/speech.md)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from sudoku_bench.bench.folder.method import in_clock, repetitions
from sudoku_bench.bench.say.phrases import counted, listed, seconds, seconds_between
from sudoku_bench.bench.verdicts import groups
from sudoku_bench.bench.verdicts.answer import EQUIVALENT, TIED, Answer, Workload, answer, answers
from sudoku_bench.bench.verdicts.choice.total_cost import Stretch
from sudoku_bench.bench.verdicts.comparable import CPU, WALL
from sudoku_bench.bench.verdicts.difficulty import crossovers
from sudoku_bench.bench.verdicts.encodings import base, ways
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import SIDES, SWAPPED, Row, beside_one, evidence, percent
from sudoku_bench.bench.verdicts.pairs.precision import half_widths, repetitions_for
from sudoku_bench.bench.verdicts.run_tables import Run

MOST_TOLD = 1000  # repetitions that a precision may need to be told
NAMED = 3  # strategies of a tie that are named
OUTCOMES = {  # verdict -> its place in the sentence of counts
    decision.EQUIVALENT: "equivalent within {margin} in {number}",
    decision.INDISTINGUISHABLE: "not decided in {number}",
    decision.TOO_FEW: "too few data in {number}",
}
NO_CHANGE = "No crossover found between the fastest strategies"
STAR = "* the axis resembles its own work: it counts its own guesses"


def results(run: Run, part: Answer | None = None) -> list[str]:
    """Return a sentence for all collections with the same result; the first one says what to choose.

    In a run of encodings, those under each solver and loader come first, and all that are tied are named.

    Args:
        part: an answer about some of the strategies; by default the one about all.
    """
    told = part or answer(run)
    of_ways = told.encodings if len(told.encodings) > 1 else {}
    lines: list[str] = []
    for way, own in {**of_ways, "": told.workloads}.items():
        alike: dict[object, list[Workload]] = {}
        for one in own:
            key = one.clock, frozenset(one.fastest), one.tie, one.finished, one.faster, one.too_few
            alike.setdefault(key, []).append(one)
        lines += [_result(run, group, way, bool(told.encodings)) for group in alike.values()]
    return lines


def _result(run: Run, group: Sequence[Workload], way: str, of_encodings: bool) -> str:
    one, task = group[0], run.manifest["suite"]["task"]
    under = f" under {way}" if way else ""
    where = listed(place(item.collection, item.clock) for item in group) + under
    if one.too_few:
        return f"No verdict on {where}: {one.too_few}"
    kind = "Fastest" if one.finished else "Best by solved, then PAR-2,"
    start = f"{kind}{'' if task == 'first' else f' at task {task}'} on {where}"
    solved = "" if one.finished else f" ({sum(w.solved for w in group):,} of {sum(w.solves for w in group):,} solves)"
    rest = _usual(run, group) if of_encodings else ""
    rest += f"; faster on a typical puzzle: {listed(one.faster)}" if one.faster else ""
    if not one.tied:
        return f"{start}: {one.best}{solved or _means(run, group)}{_lead(group)}{rest}"
    most = one.strategies if of_encodings else NAMED
    names, others = ", ".join(one.fastest[:most]), len(one.fastest) - most
    more = f" and {others} more" if others > 0 else ""
    return f"{start}, {tie_words(one)}: {names}{more} (of {one.strategies}){solved}{rest}"


def _usual(run: Run, group: Sequence[Workload]) -> str:
    """Return how many times as long as the best the encoding takes that others are compared with; empty if unknown."""
    usual = {way.strategies.get(base(run)) for way in ways(run)}
    rows = [row for one in group for row in one.rows if row["a"] in usual and evidence(row).ratio]
    is_known = len(rows) == 1 or not any(math.isnan(row["ratio"]) for row in rows)
    is_one = len(rows) == len(group) and len({row["a"] for row in rows}) == 1
    return f"; {rows[0]['a']} takes {_takes(rows)}" if is_one and is_known else ""


def tie_words(one: Workload) -> str:
    """Return how the fastest strategies are tied."""
    if one.tie == EQUIVALENT:
        return f"equivalent within {percent(one.rows[0]['margin'])}"
    return "statistically tied" if one.tie == TIED else "not decided because of unfinished solves"


def place(collection: str, clock: str) -> str:
    """Return the name of a collection, with the clock unless it is that of CPU time."""
    return collection + (" by wall time" if clock == WALL else "")


def _means(run: Run, group: Sequence[Workload]) -> str:
    """Return the geometric mean, by which verdicts compare, of the fastest strategy, or the range over collections."""
    where = [one.collection for one in group if one.clock == CPU]
    summary = run.summary[(run.summary["strategy"] == group[0].best) & run.summary["collection"].isin(where)]
    if summary.empty or summary["gmean_s"].isna().any():
        return ""
    times = seconds_between(summary["gmean_s"].min(), summary["gmean_s"].max())
    return in_clock(f" ({times} of CPU time, geometric mean)", run.manifest)


def _lead(group: Sequence[Workload]) -> str:
    """Return how many times as long the nearest follower takes, on one collection with its interval."""
    rows = [one.rows[0] for one in group]
    if any(math.isnan(row["ratio"]) or row["verdict"] != decision.B_FASTER for row in rows):
        return ""
    return f"; the next takes {_takes(rows)}"


def _takes(rows: Sequence[Row]) -> str:
    """Return how many times as long a strategy takes as the best: one with its interval, of several the range."""
    shown, ratios = evidence(rows[0]), sorted(float(row["ratio"]) for row in rows)
    between = f"{beside_one(ratios[0])} to {beside_one(ratios[-1])} times as long"
    return between if len(rows) > 1 else f"{shown.ratio} times as long {shown.interval}"


def changes(part: Answer, most: int = 1) -> list[str]:
    """Return the first crossovers of an answer as sentences; one if there is none between its fastest strategies."""
    found = crossovers.sentences(pd.DataFrame(part.changes)) if part.changes else []
    hidden = len(found) - most
    more = f"; and {counted(hidden, 'more crossover')}" if hidden > 0 else ""
    return [f"{line}{f'; {STAR}' if '*' in line else ''}{more}" for line in found[:most]]


def parts(run: Run) -> dict[str, list[str]]:
    """Return the sentences of the whole answer by what they are about: all strategies (no name), or ``others``."""
    every, *rest = answers(run)
    cheapest = [numbers(every.totals.shape, every.totals.best)] if every.totals else []
    told = {"": results(run, every), "difficulty": changes(every), "number": cheapest}
    for part in rest:
        scope = groups.scope(run).capitalize()
        told["others"] = [f"{scope}: {line[0].lower()}{line[1:]}" for line in (*changes(part), *results(run, part))]
        told["others"][0] = told["others"][0].replace(scope, f"{scope} ({', '.join(part.left_out)})", 1)
    return {name: lines for name, lines in told.items() if lines}


def everything(run: Run) -> list[str]:
    """Return the whole answer: who is fastest, where it changes, for how many puzzles, and the same of the others."""
    return [line for lines in parts(run).values() for line in lines]


def numbers(shape: str, best: Sequence[Stretch]) -> str:
    """Return for which numbers of puzzles, preparation included, which strategy is the cheapest."""
    return f"Cheapest by mean cost with preparation, on {shape} (an estimate): {'; '.join(map(stretch, best))}"


def stretch(one: Stretch) -> str:
    """Return for which numbers of puzzles a strategy is the cheapest, with both parts of its cost."""
    if one.last is None:
        numbers = f"from {one.first:,} puzzles on" if one.first > 1 else "for any number of puzzles"
    elif one.first == 1:
        numbers = f"up to {counted(one.last, 'puzzle')}"
    else:
        numbers = f"from {one.first:,} to {one.last:,}"
    return f"{numbers} {one.strategy} (once {seconds(one.once_s)}, {seconds(one.each_s)} each)"


def short(names: Collection[str]) -> Mapping[str, str]:
    """Return the shortest name that tells each strategy from the others: without its engine where that suffices."""
    heads = {name: name.partition("@")[0] for name in names}
    times = Counter(heads.values())
    return {name: head if times[head] == 1 else name for name, head in heads.items()}


def title(run: Run, names: Collection[str], shape: str) -> str:
    """Return what a figure of times over the guesses of puzzles shows, as a title: an answer about its board.

    Args:
        names: the strategies that took part; shape: of the board, such as ``9x9``.
    """
    shortened = short(names)
    for part in answers(run):
        scope = f"{groups.scope(run).capitalize()}: " if part.left_out else ""
        for row in part.changes:
            if (row["axis"], row["shape"]) == ("guesses", shape):
                ends = {end: shortened.get(row[end], row[end]) for end in ("faster_below", "faster_above")}
                text = f"above {crossovers.claim({**row, **ends}, 'guesses')}"
                return scope + text if scope else text[0].upper() + text[1:]
    return NO_CHANGE


def findable(pairs: pd.DataFrame) -> list[str]:
    """Return the smallest ratio to the best that would have been found for half of the strategies, if it is known."""
    medians = pairs.groupby(["collection", "clock"], sort=False)["findable"].median().dropna().reset_index()
    known = sorted((row["findable"], place(row["collection"], row["clock"])) for row in medians.to_dict("records"))
    texts = [beside_one(ratio) for ratio, _ in known]
    if len(known) > 1:
        texts = [f"from {texts[0]} ({known[0][1]}) to {texts[-1]} ({known[-1][1]})"]
    return [f"Smallest ratio to the best that this run finds in 4 of 5 cases: {text}" for text in texts]


def precision(run: Run) -> list[str]:
    """Return the half-width of the intervals, the median of all pairs; and whether it is the one that was asked for."""
    halves = half_widths(run).groupby(level=[0, 1], sort=False).median().dropna().sort_values()
    target = run.manifest["suite"].get("until")
    if halves.empty:
        return [f"No interval has a half-width: {target} cannot be reached"] if target else []
    number = counted(repetitions(run.manifest), "repetition")
    texts = [f"±{math.expm1(half):.1%}" for half in halves.iloc[list({0, len(halves) - 1})]]
    if len(texts) > 1:
        texts = [f"{text} ({place(*where)})" for text, where in zip(texts, halves.index[[0, -1]], strict=True)]
    line = f"Half-width of the intervals, median of all pairs: {' to '.join(texts)}, after {number}"
    if not target:
        return [line]
    needed = max(repetitions_for(run, math.log1p(float(target.rstrip("%")) / 100)))
    if needed <= repetitions(run.manifest):
        return [f"{line}; {target} was asked for"]
    more = f"{needed:.0f} repetitions" if needed <= MOST_TOLD else "more puzzles, not repetitions"
    return [f"{line}; {target} was asked for, and would need {more}"]


def counts(pairs: pd.DataFrame, head: str) -> str:
    """Return the numbers of verdicts on pairs in a sentence."""
    number = Counter(pairs["verdict"])
    solved = int(((pairs["verdict"] == decision.INDISTINGUISHABLE) & pairs["more_solved"].isin(list(SIDES))).sum())
    number[decision.INDISTINGUISHABLE] -= solved
    margin, decided = percent(pairs["margin"].iloc[0]), sum(number[verdict] for verdict in SWAPPED)
    parts = [
        f"one is faster in {decided}",
        *([f"one solves more in {solved}"] if solved else []),
        *(text.format(margin=margin, number=number[verdict]) for verdict, text in OUTCOMES.items() if number[verdict]),
    ]
    return f"{head}: {len(pairs)} ({', '.join(parts)}); family-wise error rate {percent(decision.ALPHA)}"
