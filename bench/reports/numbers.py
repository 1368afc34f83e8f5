"""The named numbers of a run that a text can quote.

A name is a path of quantity, collection and strategy: ``median/easy/seed:norvig``, ``ratio/easy/A/B`` (time of A / time
of B), ``crossover/A/B`` (A is faster below, B above). Characters of a collection or strategy that are special in LaTeX,
Markdown or a path are written as in quoted-printable text: ``=`` and two hexadecimal digits.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sudoku_bench.bench.folder import disturbances, outcomes
from sudoku_bench.bench.reports.facts import Facts
from sudoku_bench.bench.say import speech
from sudoku_bench.bench.say.phrases import seconds
from sudoku_bench.bench.verdicts.choice.vbs import VBS
from sudoku_bench.bench.verdicts.pairs import decision
from sudoku_bench.bench.verdicts.pairs.evidence import SWAPPED, evidence, p_text, significant, slower_first, turned
from sudoku_bench.bench.verdicts.pairs.noise import ALL
from sudoku_bench.bench.verdicts.run_tables import Run

SECONDS, PERCENT, PURE = "s", "%", ""
TIMES = ("median", "gmean", "gmean_lo", "gmean_hi", "p25", "p75", "p95", "max", "par2", "wall_median")
ENDS = ("", "_lo", "_hi")
COUNTS = ("solved", "timeouts", "inferred", "unsupported", "memouts", "gave_up", "errors", "wrong")
VERDICTS = (*SWAPPED, decision.EQUIVALENT, decision.INDISTINGUISHABLE, decision.TOO_FEW)


@dataclass(frozen=True)
class Number:
    """A quantity or a text to quote.

    Attributes:
        value: the value in ``unit``; None for a text.
        unit: ``s``, ``%`` or empty.
        text: the rounded value with a readable unit.
    """

    value: float | None
    unit: str
    text: str

    @property
    def bare(self) -> str:
        """The value without its unit, for other programs; a text unchanged."""
        return self.text if self.value is None else f"{self.value:.6g}"


Numbers = dict[str, Number]


def numbers(run: Run) -> Numbers:
    """Return all numbers of a run in a fixed order, pairs last; unknown values are omitted."""
    facts = Facts(run)
    parts = (_of_run(facts), _of_machine(facts), _of_tables(run), _of_pairs(run))
    named: Numbers = {}
    for part in parts:
        for name, number in part:
            named.setdefault(name, number)  # keeps the first of several crossovers of a pair
    return named


def path(*parts: object) -> str:
    """Return the name of a number, with special characters escaped."""

    def escape(match: re.Match[str]) -> str:
        return "".join(f"={byte:02X}" for byte in match[0].encode())

    return "/".join(re.sub(r"[^A-Za-z0-9:@+_.,()-]", escape, str(part)) for part in parts)


def count(value: float) -> Number:
    """Return an integer as a number."""
    return Number(float(value), PURE, f"{int(value):,}")


def time(value_s: float) -> Number:
    """Return a time; its text has the unit that fits best."""
    return Number(float(value_s), SECONDS, seconds(value_s))


def ratio(value: float) -> Number:
    """Return a pure number; its text has three significant digits."""
    return Number(float(value), PURE, significant(value))


def share(value: float) -> Number:
    """Return a fraction as a percentage."""
    return Number(100 * float(value), PERCENT, f"{100 * value:.3g}%")


def label(text: object) -> Number:
    """Return a text as an entry without a value."""
    return Number(None, "", str(text))


def p_value(value: float) -> Number:
    """Return a p-value; below 0.001 its text is the bound."""
    return Number(float(value), PURE, p_text(value))


Named = Iterator[tuple[str, Number]]


def _of_run(facts: Facts) -> Named:
    real, suite = facts.real, facts.manifest["suite"]
    yield "puzzles", count(real.groupby(["collection", "puzzle"]).ngroups)
    yield "strategies", count(len(facts.names))
    yield "collections", count(real["collection"].nunique())
    yield "measurements", count(len(real))
    yield "ran_out", count(facts.counts["timeout"])
    for kind in ("solved", "inferred", "unsupported", "wrong"):
        yield kind, count(facts.counts[kind])
    yield "timeouts", count(facts.counts["timeout"] + facts.counts["inferred"])
    yield "unfinished", count(outcomes.not_finished(facts.counts))
    yield "outcomes", label(outcomes.sentence(facts.counts))
    for name, sentences in speech.parts(facts.run).items():
        yield path("answer", name) if name else "answer", label(f"{'. '.join(sentences)}.")
    yield "limit", time(float(facts.setting("timeout_s")))
    for name in ("repetitions", "launches", "seed"):
        if name in suite:
            yield name, count(suite[name])


def _of_machine(facts: Facts) -> Named:
    about, manifest = facts.manifest["machine"], facts.manifest
    memory_mib, (disturbed_s, watched_s) = about.get("memory_mib"), disturbances.lasted(manifest)
    texts = {
        "machine/cpu": about.get("cpu"),
        "machine/distribution": about.get("distribution"),
        "machine/kernel": about.get("kernel"),
        "version/python": about.get("python"),
        **{path("version", package): version for package, version in manifest.get("packages", {}).items()},
        "commit": ((manifest.get("git") or {}).get("commit") or "")[:12],
        "date": (manifest.get("started") or "")[:10],
    }
    yield from ((name, label(text)) for name, text in texts.items() if text)
    if about.get("cores_logical"):
        yield "machine/cores", count(about["cores_logical"])
    if memory_mib:
        yield "machine/memory_gib", Number(memory_mib / 1024, PURE, f"{memory_mib / 1024:.0f}")
    if watched_s:
        yield "disturbed", share(disturbed_s / watched_s)


def _of_tables(run: Run) -> Named:
    """Yield the numbers of the run's tables."""
    where = ("collection", "strategy")
    yield from _of_columns(run.summary, where, {f"{name}_s": (name, time) for name in TIMES} | dict.fromkeys(COUNTS))
    enough = run.vbs[run.vbs["n_puzzles"] >= decision.LEAST_PUZZLES]
    is_best = enough["strategy"] == VBS
    yield from _of_columns(enough[is_best], ("collection",), {"median_s": ("vbs_median", time)})
    yield from _of_columns(enough[~is_best], where, {"fastest_share": ("vbs_share", share)})
    rows = run.noise[run.noise["collection"] == ALL]
    yield from _of_columns(rows.assign(beyond=rows["resolvable"] - 1), ("strategy",), {"beyond": ("noise", share)})
    crossings = run.crossovers[run.crossovers["told"] == "yes"]
    ends = {"crossover": ("crossover", ratio), "lo": ("crossover_lo", ratio), "hi": ("crossover_hi", ratio)}
    ends |= {f"ratio_{third}": (f"crossover_{third}", ratio) for third in ("easiest", "hardest")}
    pair = ("faster_below", "faster_above")
    yield from _of_columns(crossings[crossings["axis"] == "guesses"], pair, ends)
    yield from _of_columns(crossings, ("axis", "shape", *pair), ends)
    if run.encodings is not None:
        yield from _of_columns(
            run.encodings, ("shape", "encoding"), dict.fromkeys(("variables", "clauses", "literals"))
        )


def _of_columns(
    table: pd.DataFrame, where: Sequence[str], columns: Mapping[str, tuple[str, Callable[[float], Number]] | None]
) -> Named:
    """Yield the known numbers of some columns, row by row.

    Args:
        where: the columns that the names of the numbers end with.
        columns: for each column, the quantity that the names begin with, and what makes a number of its value; None: a
            count with the name of the column.
    """
    for line in table.to_dict("records"):
        for column, (name, number) in ((column, how or (column, count)) for column, how in columns.items()):
            if not pd.isna(line[column]):
                yield path(name, *(line[part] for part in where)), number(line[column])


def _of_pairs(run: Run) -> Named:
    """Yield the count of each verdict; then each pair with the slower strategy first, then in the other order."""
    table = run.quoted
    yield "pairs", count(len(table))
    yield "pairs/decided", count(table["verdict"].isin(list(SWAPPED)).sum())
    for verdict in VERDICTS:
        yield f"pairs/{verdict}", count((table["verdict"] == verdict).sum())
    lines = [slower_first(line) for line in table.to_dict("records")]
    for line in (*lines, *map(turned, lines)):
        yield from _of_pair(line)


def _of_pair(line: Mapping[Any, Any]) -> Named:
    """Yield the numbers of a pair; their texts are those of its evidence."""
    by = "wall_" if line["clock"] == "wall" else ""
    pair, shown = (line["collection"], line["a"], line["b"]), evidence(line)
    if not pd.isna(line["ratio"]):
        yield path(f"{by}ratio", *pair), Number(float(line["ratio"]), PURE, shown.ratio)
    for end, text in (("ratio_lo", shown.low), ("ratio_hi", shown.high)):
        if text:
            yield path(by + end, *pair), Number(float(line[end]), PURE, text)
    if shown.p:
        yield path(f"{by}p", *pair), p_value(line["p_holm"])
    yield path(f"{by}verdict", *pair), label(shown.finding)
    yield path(f"{by}evidence", *pair), label(shown.sentence)
    yield path(f"{by}wins", *pair), count(line["wins"])


def near(name: str, known: Iterable[str]) -> list[str]:
    """Return names similar to an unknown one: the same parts in another order, else similar spellings."""
    names = list(known)
    reordered = [other for other in names if sorted(other.split("/")) == sorted(name.split("/"))]
    return reordered or difflib.get_close_matches(name, names, n=3, cutoff=0.75)
