"""No printed form contradicts itself: every verdict on a pair agrees with the numbers printed beside it.

Random runs are printed in every form, and the texts are parsed: nothing here looks at how they came to be.
"""

from __future__ import annotations

import csv
import functools
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sudoku_bench.bench.folder.reported import Written
from sudoku_bench.bench.reports import tables, tabular
from sudoku_bench.bench.reports.page.tables import pair_table
from sudoku_bench.bench.say import json_report
from sudoku_bench.bench.say.output import json_rows
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.verdicts.simulated_runs import Spread, a_run, drawn, together

NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
TAKES = re.compile(
    rf"(?P<a>\S+) takes (?:(?P<bound>at least|at most) )?(?P<ratio>{NUMBER})(?: to (?P<top>{NUMBER}))? times as long as"
    rf" (?P<b>[^\s,;]+)(?: \[(?P<low>{NUMBER}), (?P<high>{NUMBER}|∞)\])?"
)
PREFIXES = (  # of a sentence -> what it claims
    (r"not decided: $", "open"),
    (r"equivalent within (\S+)%: $", "equivalent"),
    (r"differs, by less than (\S+)%: $", "less"),
    (r"differs, but maybe by less than (\S+)%: $", "maybe"),
)
FINDINGS = {  # of a table -> claim and side
    r"slower": ("differs", 1),
    r"faster": ("differs", -1),
    r"slower, maybe by < (\S+)%": ("maybe", 1),
    r"faster, maybe by < (\S+)%": ("maybe", -1),
    r"slower, by < (\S+)%": ("less", 1),
    r"faster, by < (\S+)%": ("less", -1),
    r"equivalent": ("equivalent", 0),
    r"not decided|solves (more|fewer)": ("open", 0),
    r"too few data": ("none", 0),
}


@dataclass(frozen=True)
class Shown:
    """What a text shows of a pair: a claim with its margin, and the numbers beside it (NaN: not shown)."""

    where: str
    claim: str  # differs, maybe, less, equivalent, open or none
    side: int  # 1: a is slower
    margin: float
    ratio: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan

    def faults(self) -> Iterator[str]:
        """Yield the contradictions between claim and numbers."""
        for text, wrong in self._checks():
            if wrong:
                yield f"{self}: {text}"

    def _checks(self) -> Iterator[tuple[str, bool]]:
        low, high, wide = self.low, self.high, 1 + self.margin
        apart, inside, outside = low > 1 or high < 1, low >= 1 / wide and high <= wide, low > wide or high < 1 / wide
        has_interval = not (math.isnan(low) and math.isnan(high))
        yield "the ratio is outside its interval", self.ratio < low or self.ratio > high
        if self.claim == "none":
            yield "an interval or p where nothing was decided", has_interval or not math.isnan(self.p)
        elif self.claim in ("open", "equivalent"):
            yield "the interval excludes 1", self.claim == "open" and apart
            yield "p is significant", self.p < 0.05
            yield "the interval reaches beyond the margin", self.claim == "equivalent" and has_interval and not inside
            beyond = self.ratio < 1 / wide or self.ratio > wide
            yield "the ratio is beyond the margin", self.claim == "equivalent" and beyond
        else:
            yield "the interval includes 1", not apart
            yield "p is not significant", self.p >= 0.05
            yield "the ratio is on the other side", (self.ratio < 1) if self.side > 0 else (self.ratio > 1)
            yield "the interval is on the other side", not (low > 1 if self.side > 0 else high < 1)
            yield "the interval is beyond the margin", self.claim in ("maybe", "less") and outside
            yield "the interval reaches beyond the margin", self.claim == "less" and not inside


def number(text: str | None) -> float:
    return math.nan if not text or text == "–" else math.inf if text == "∞" else float(text)


def of_sentence(where: str, text: str, margin: float) -> Iterator[tuple[str, str, Shown]]:
    """Yield the names and the content of each part of a sentence that compares two strategies; a is the slower one."""
    for match in TAKES.finditer(text):
        before, claim = text[: match.start()], "differs"
        for pattern, word in PREFIXES:
            if found := re.search(pattern, before):
                claim = word
                assert not found.groups() or float(found[1]) == pytest.approx(100 * margin), text
        ratio, low, high = (number(match[name]) for name in ("ratio", "low", "high"))
        if match["bound"] or match["top"]:  # an interval in words
            low, high, ratio = ratio, number(match["top"]) if match["top"] else math.inf, math.nan
            if match["bound"] == "at most":
                low, high = 0.0, low
        assert claim != "open" or math.isnan(ratio) or text[match.end() :].endswith(", the interval includes 1"), text
        yield match["a"], match["b"], Shown(where, claim, 1, margin, ratio, low, high)


def of_cells(where: str, ratio: str, interval: str, p: str, finding: str, margin: float) -> Shown:
    """Return the content of a row of a table."""
    [(claim, side)] = [meaning for pattern, meaning in FINDINGS.items() if re.fullmatch(pattern, finding)]
    percents = re.findall(r"(\S+)%", finding)
    assert all(float(percent) == pytest.approx(100 * margin) for percent in percents)
    ends = re.fullmatch(rf"\[({NUMBER}), ({NUMBER}|∞)\]", interval)
    assert ends or interval in ("", "–"), interval
    low, high = (number(end) for end in ends.groups()) if ends else (math.nan, math.nan)
    single = number(ratio) if re.fullmatch(NUMBER, ratio) else math.nan
    return Shown(where, claim, side, margin, single, low, high, 0.0005 if p == "< 0.001" else number(p))


def plain(latex: str) -> str:
    """Return the visible text of LaTeX as the write-up makes it."""
    latex = re.sub(r"\\phantom\{[^}]*\}|\\allowbreak\{\}", "", latex)
    for command, letter in (
        (r"\textendash{}", "–"), (r"\textless{}", "<"), (r"\ensuremath{\infty}", "∞"), (r"\ensuremath{\geq}", "≥"),
        (r"\ensuremath{\leq}", "≤"), (r"\%", "%"), (r"\_", "_"),
    ):  # fmt: skip
        latex = latex.replace(command, letter)
    return re.sub(r"\\texttt\{([^}]*)\}", r"\1", latex).strip()


Found = Iterator[tuple[str, str, str, Shown]]  # collection and clock, a, b, content


def in_json(run: Run, margin: float) -> Found:
    """Of the document: the sentence of each pair, and its verdict beside its numbers."""
    document = json.loads(json.dumps(json_report.of_run(Path("run"), run, Written((), ())), allow_nan=False))
    for row in document["pairs"]:
        place, names = f"{row['collection']}/{row['clock']}", (row["a"], row["b"])
        yield place, *names, of_verdict("json", row, margin)
        parts = list(of_sentence("json", row["evidence"], margin))
        assert len(parts) <= 1
        for a, b, shown in parts:
            assert {a, b} == set(names)
            yield place, a, b, shown
        known = r"too few|not decided: unfinished solves leave|\S+ solves more within the limit"
        assert parts or re.match(known, row["evidence"]), row["evidence"]


def _faults_of_columns(run: Run) -> Iterator[str]:
    """Yield contradictions between the answers on the margin and on what is solved, and the numbers in the same row."""
    for row in json_rows(run.pairs):
        low, high, wide = row["ratio_lo"] or 0.0, row["ratio_hi"] or math.inf, 1 + row["margin"]
        answers = {"yes": low > wide or high < 1 / wide, "no": low >= 1 / wide and high <= wide, "": True}
        if not answers[row["beyond_margin"]]:
            yield f"{row}: {row['beyond_margin']}, but the interval says otherwise"
        more = {"a": row["only_a"] > row["only_b"], "b": row["only_a"] < row["only_b"], "": True}[row["more_solved"]]
        if not more or (row["more_solved"] != "") != ((row["p_solved"] or 1.0) < 0.05):
            yield f"{row}: {row['more_solved']} solves more, but the numbers say otherwise"


def in_csv(run: Run, margin: float) -> Found:
    """Of the file, as it is written."""
    text = run.pairs.to_csv(index=False, lineterminator="\n", float_format="%.6g")
    for row in csv.DictReader(io.StringIO(text)):
        yield f"{row['collection']}/{row['clock']}", row["a"], row["b"], of_verdict("csv", row, margin)


def of_verdict(where: str, row: dict[str, Any], margin: float) -> Shown:
    """Return the content of a row of the table of pairs, JSON or CSV."""
    claims = {"a_faster": ("differs", -1), "b_faster": ("differs", 1), "too_few": ("none", 0)}
    claim, side = claims.get(row["verdict"], ({"indistinguishable": "open"}.get(row["verdict"], row["verdict"]), 0))
    known = (float(row[key]) if row[key] not in ("", None) else math.nan for key in ("ratio_lo", "ratio_hi"))
    low, high = known
    if not (math.isnan(low) and math.isnan(high)):
        low, high = (0.0 if math.isnan(low) else low), (math.inf if math.isnan(high) else high)
    ratio, p = (float(row[key]) if row[key] not in ("", None) else math.nan for key in ("ratio", "p_holm"))
    return Shown(where, claim, side, margin, ratio, low, high, p)


def in_tables(run: Run, margin: float) -> Found:
    """Of the write-up, as LaTeX."""
    for table in tables.tables(run):
        if table.name != "pairs":
            continue
        place = best = ""
        for line in tabular.as_latex(table).splitlines():
            head = re.match(r"\\multicolumn.*\\emph\{(\S+)( \(wall\))?, against (.*)\}\} ", line)
            if head:
                place, best = f"{head[1]}/{'wall' if head[2] else 'cpu'}", plain(head[3])
            cells = [plain(cell) for cell in line.removesuffix(r"\\").split(" & ")]
            if len(cells) == 4 and place:
                yield place, cells[0], best, of_cells(table.name, cells[1], cells[2], "", cells[3], margin)


def in_page(run: Run, margin: float) -> Found:
    """Of the table of pairs on the page."""
    for a, b, collection, clock, finding, *cells in pair_table(run.pairs)["rows"]:
        ratio, interval, p = (cell or "" for cell in cells[:3])
        yield f"{collection}/{clock}", a, b, of_cells("page", ratio, interval, p, finding, margin)


FORMS: tuple[Callable[[Run, float], Found], ...] = (in_json, in_csv, in_tables, in_page)


def faults(run: Run) -> list[str]:
    """Return all contradictions in what is printed about the pairs of a run."""
    margin, found = float(run.manifest["suite"].get("margin", 0.05)), []
    sides: dict[tuple[str, frozenset[str]], set[str]] = {}
    for form in FORMS:
        for place, a, b, shown in form(run, margin):
            found += shown.faults()
            if shown.claim in ("differs", "maybe", "less"):
                claim = f"{a if shown.side < 0 else b} faster"
            else:
                claim = shown.claim
            sides.setdefault((place, frozenset((a, b))), set()).add(claim)
    found += [f"{place}, {set(pair)}: {claims}" for (place, pair), claims in sides.items() if len(claims) > 1]
    return [*found, *_faults_of_columns(run)]


LOG_RATIOS = (0.0, 0.002, 0.02, 0.045, 0.06, 0.08, 0.1, 0.15, 1.0)
SPREADS = (
    *(Spread(0.001, 0.001, 0.0005, 0.001), Spread(0.02, 0.02, 0.005, 0.01)),
    *(Spread(0.1, 0.05, 0.01, 0.02), Spread(1.0, 0.3)),
)
SEEDS = 12


@functools.cache
def random_run(seed: int) -> Run:
    """Return a run of random size, differences, noise, limit, clock and margin."""
    rng = np.random.default_rng(seed)
    names = [f"s:{number}" for number in range(rng.integers(2, 6))]
    logs = rng.choice(LOG_RATIOS, len(names))
    repetitions, finished = int(rng.choice([1, 2, 3, 5], p=[0.05, 0.15, 0.4, 0.4])), rng.choice([1.0, 0.9, 0.5])
    parts = []
    for place in range(rng.integers(1, 4)):
        puzzles = int(rng.choice([3, 14, 15, 25, 40], p=[0.05, 0.05, 0.2, 0.3, 0.4]))
        factors = np.exp(rng.permutation(logs))
        curves = {
            name: functools.partial(np.multiply, 0.01 * factor) for name, factor in zip(names, factors, strict=True)
        }
        spread = SPREADS[rng.integers(len(SPREADS))]
        seconds = drawn(curves, np.exp(rng.standard_normal(puzzles)), repetitions, rng, spread)
        limit_s = 1e9 if finished == 1 else float(np.quantile(seconds, finished))
        parts.append(a_run(seconds, names, np.ones(puzzles), limit_s, collection=f"tier{place}"))
    run = together(*parts)
    rows = run.measurements
    cores = np.where((rows["strategy"] == names[0]) & (rng.random() < 0.3), 3, 1)
    suite = run.manifest["suite"] | {"isomorphs": True, "margin": float(rng.choice([0.05, 0.01, 0.2]))}
    about = {
        "suite": suite,
        "machine": {"cpu": "simulated", "cores_logical": 4, "python": "3"},
        "started": "2026-01-02",
    }
    return replace(
        run,
        manifest=run.manifest | about | {"planned_rows": len(rows)},
        measurements=rows.assign(wall_s=rows["wall_s"] / cores),
        puzzles=run.puzzles.assign(grid="." * 81),
    )


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_printed_form_contradicts_itself(seed: int) -> None:
    assert faults(random_run(seed)) == []


def test_random_runs_have_pairs_of_every_kind() -> None:
    """Guards the test above: it must not pass because it meets no difficult case."""
    tables_of_pairs = [random_run(seed).pairs for seed in range(SEEDS)]
    kinds = Counter(kind for table in tables_of_pairs for kind in table["verdict"] + " " + table["beyond_margin"])
    assert set(kinds) == {
        *("b_faster yes", "b_faster no", "b_faster "),  # b is the best of its collection
        *("equivalent no", "indistinguishable ", "too_few "),
        "a_faster yes",  # of one that solves fewer
    }
    assert any((table["clock"] == "wall").any() for table in tables_of_pairs)
    assert any((table["at_least"].notna() | table["at_most"].notna()).any() for table in tables_of_pairs)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda table: table.assign(ratio_lo=table["ratio"] / 1.001, ratio_hi=table["ratio"] * 1.001),  # too narrow
        lambda table: table.assign(p_holm=table["p"]),  # not corrected
        lambda table: table.assign(ratio=1 / table["ratio"]),
        lambda table: table.assign(beyond_margin="no"),
        lambda table: table.assign(verdict=table["verdict"].replace("b_faster", "indistinguishable")),
    ],
    ids=["interval", "p", "ratio", "margin", "verdict"],
)
def test_numbers_of_another_question_are_found_out(wrong: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    """Guards the test above: it must fail where the numbers beside a verdict are not those that decided it."""
    found = []
    for right in map(random_run, range(4)):
        run = replace(right)
        run.__dict__["pairs"] = wrong(right.pairs)
        found += faults(run)
    assert found
