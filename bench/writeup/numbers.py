"""The named numbers of a run that a text can quote.

A name is a path of quantity, collection and strategy: ``median/easy/seed:norvig``, ``ratio/easy/A/B`` (time of A / time
of B), ``crossover/A/B`` (A is faster below, B above). Characters of a collection or strategy that are special in LaTeX,
Markdown or a path are written as in quoted-printable text: ``=`` and two hexadecimal digits.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from bench.folder.rows import FINISHED
from bench.say.phrases import seconds
from bench.verdicts.choice.vbs import VBS
from bench.verdicts.pairs import decision
from bench.verdicts.pairs.evidence import SWAPPED, evidence, p_text, significant, slower_first, turned
from bench.verdicts.pairs.noise import ALL
from bench.verdicts.run_tables import Run
from bench.writeup.facts import Facts

SECONDS, PERCENT, PURE = "s", "%", ""
TIMES = ("median", "gmean", "gmean_lo", "gmean_hi", "p25", "p75", "p95", "max", "par2", "prepare", "wall_median")
COUNTS = ("solved", "timeouts", "memouts", "gave_up", "errors", "wrong")
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
    parts = (
        _of_run(facts), _of_machine(facts), _of_collections(facts), _of_strategies(run), _of_best(run),
        _of_propagation(run), _of_noise(run), _of_crossovers(run), _of_growth(run), _of_encodings(run.encodings),
        _of_pairs(run),
    )  # fmt: skip
    named: Numbers = {}
    for part in parts:
        for name, number in part:
            named.setdefault(name, number)  # keeps the first of several crossovers of a pair
    return named


def path(*parts: object) -> str:
    """Return the name of a number, with special characters escaped."""
    return "/".join(re.sub(r"[^A-Za-z0-9:@+_.,()-]", _hexadecimal, str(part)) for part in parts)


def _hexadecimal(match: re.Match[str]) -> str:
    return "".join(f"={byte:02X}" for byte in match[0].encode())


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


def _known(value: Any) -> bool:
    return value is not None and not pd.isna(value)


Named = Iterator[tuple[str, Number]]


def _of_run(facts: Facts) -> Named:
    real, suite = facts.real, facts.suite
    yield "puzzles", count(real.groupby(["collection", "puzzle"]).ngroups)
    yield "strategies", count(len(facts.names))
    yield "collections", count(real["collection"].nunique())
    yield "measurements", count(len(real))
    for name, status in (("solved", "solved"), ("timeouts", "timeout"), ("wrong", "wrong")):
        yield name, count(facts.with_status(status))
    yield "unfinished", count(len(real) - sum(map(facts.with_status, FINISHED)))
    yield "limit", time(float(facts.setting("timeout_s")))
    for name in ("repetitions", "launches", "seed"):
        if name in suite:
            yield name, count(suite[name])
    yield "margin", share(float(facts.setting("margin")))
    yield "task", label(facts.setting("task"))
    yield "mode", label(facts.setting("mode"))


def _of_machine(facts: Facts) -> Named:
    about, manifest = facts.manifest["machine"], facts.manifest
    memory_mib, looks = about.get("memory_mib"), manifest.get("disturbance", [])
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
    watched_s = sum(look["seconds"] for look in looks)
    if watched_s:
        yield "disturbed", share(sum(look["disturbed_s"] for look in looks) / watched_s)


def _of_collections(facts: Facts) -> Named:
    for name, rows in facts.real[["collection", "puzzle", "status"]].groupby("collection", sort=False):
        yield path("puzzles", name), count(rows["puzzle"].nunique())
        yield path("measurements", name), count(len(rows))
        yield path("timeouts", name), count((rows["status"] == "timeout").sum())


def _of_strategies(run: Run) -> Named:
    """Yield the numbers of the summary; names include task and mode if the run has several."""
    summary = run.summary
    several = len(summary[["task", "mode"]].drop_duplicates()) > 1
    for line in summary.to_dict("records"):
        where = (line["collection"], line["task"], line["mode"]) if several else (line["collection"],)
        for figure in TIMES:
            if _known(line[f"{figure}_s"]):
                yield path(figure, *where, line["strategy"]), time(line[f"{figure}_s"])
        for status in COUNTS:
            yield path(status, *where, line["strategy"]), count(line[status])


def _of_best(run: Run) -> Named:
    """Yield the numbers of the virtual best solver on collections with enough puzzles for a verdict."""
    for line in run.vbs[run.vbs["n_puzzles"] >= decision.LEAST_PUZZLES].to_dict("records"):
        if line["strategy"] == VBS:
            for figure in ("median", "gmean", "par2", "crossfit_gmean"):
                if _known(line[f"{figure}_s"]):
                    yield path(f"vbs_{figure}", line["collection"]), time(line[f"{figure}_s"])
            continue
        if _known(line["fastest_share"]):
            yield path("vbs_share", line["collection"], line["strategy"]), share(line["fastest_share"])
            yield path("vbs_only", line["collection"], line["strategy"]), count(line["only"])


def _of_propagation(run: Run) -> Named:
    for line in run.propagation.to_dict("records"):
        for figure in ("no_conflict", "no_decision"):
            for end in ("", "_lo", "_hi"):
                if _known(line[figure + end]):
                    yield path(figure + end, line["collection"], line["strategy"]), share(line[figure + end])


def _of_noise(run: Run) -> Named:
    """Yield what placebos show, in per cent: for all collections together, then for each."""
    for line in run.noise.to_dict("records"):
        if _known(line["resolvable"]):
            name = "noise" if line["placebo"] == "instrument" else "presentation"
            where = () if line["collection"] == ALL else (line["collection"],)
            yield path(name, *where, line["strategy"]), share(float(line["resolvable"]) - 1)


def _of_crossovers(run: Run) -> Named:
    """Yield the reported crossovers; those over guesses also have a short name."""
    table = run.crossovers
    for line in table[table["told"] == "yes"].to_dict("records"):
        pair = (line["faster_below"], line["faster_above"])
        for figure, column in (("crossover", "crossover"), ("crossover_lo", "lo"), ("crossover_hi", "hi")):
            if _known(line[column]):
                if line["axis"] == "guesses":
                    yield path(figure, *pair), ratio(line[column])
                yield path(figure, line["axis"], line["shape"], *pair), ratio(line[column])


def _of_growth(run: Run) -> Named:
    """Yield the factors by which times grow when guesses, or cells, double."""
    for line in run.scaling.to_dict("records"):
        boards = (line["shape"],) if line["over"] == "guesses" else ()
        for figure, column in (("growth", "per_doubling"), ("power", "power")):
            for end in ("", "_lo", "_hi"):
                if _known(line[column + end]):
                    yield path(figure + end, line["over"], *boards, line["strategy"]), ratio(line[column + end])


def _of_encodings(table: pd.DataFrame | None) -> Named:
    for line in [] if table is None else table.to_dict("records"):
        for figure in ("variables", "clauses", "literals"):
            yield path(figure, line["shape"], line["encoding"]), count(line[figure])


def _of_pairs(run: Run) -> Named:
    """Yield the count of each verdict; then each pair with the slower strategy first, then in the other order."""
    table = run.pairs
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
    if _known(line["ratio"]):
        yield path(f"{by}ratio", *pair), Number(float(line["ratio"]), PURE, shown.ratio)
    if _known(line["at_least"]):
        yield path(f"{by}ratio_least", *pair), ratio(line["at_least"])
    for end, text in (("decided_lo", shown.low), ("decided_hi", shown.high)):
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
    parts = sorted(name.split("/"))
    reordered = [other for other in names if sorted(other.split("/")) == parts]
    return reordered or difflib.get_close_matches(name, names, n=3, cutoff=0.75)
