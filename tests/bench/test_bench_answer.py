"""Every view of the answer says what the rows say: random runs, facts recomputed from rows by other code, compared."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_bench.bench.figures import time_vs_difficulty, verdict_map
from sudoku_bench.bench.figures.style import NothingToDrawError
from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.reports import methods, numbers
from sudoku_bench.bench.reports.page import sections
from sudoku_bench.bench.say import choice, ending, speech, terminal
from sudoku_bench.bench.verdicts import answer as answers
from sudoku_bench.bench.verdicts.choice import choose
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError
from tests.bench.verdicts.simulated_runs import Spread, a_run, drawn, together

SEEDS = 10
LEAST_FACTS = 500
TIES = r"statistically tied|equivalent within \S+|not decided because of unfinished solves"
UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
Rows = list[dict[str, Any]]
Fact = tuple[str, object, object]  # what it is about, as it is told, as the rows have it


@functools.cache
def random_run(seed: int) -> Run:
    """A run with curves that cross, noise, limits, inferred timeouts, unsupported boards and a wrong answer."""
    rng = np.random.default_rng(seed)
    names = ["a:x@e", "a:y@e", "a:y@f", "b:z", "c:fast"][: rng.integers(3, 6)]
    slopes, levels = rng.choice([0.0, 0.3, 0.6, 0.9], len(names)), np.exp(rng.choice([0.0, 0.01, 0.5, 3.0], len(names)))
    curves = {
        name: functools.partial(lambda x, a, b: 1e-3 * a * (1 + x) ** b, a=level, b=slope)
        for name, level, slope in zip(names, levels, slopes, strict=True)
    }
    finished, repetitions, parts = rng.choice([1.0, 0.97, 0.7]), int(rng.choice([2, 3, 5], p=[0.1, 0.5, 0.4])), []
    for tier in range(rng.integers(1, 4)):
        guesses = np.exp(rng.uniform(tier, tier + 2, int(rng.choice([9, 20, 30])))) - 1
        spread = Spread(0.1, 0.05, 0.005, 0.01)
        seconds = drawn(curves, guesses, repetitions, rng, spread)
        limit_s = 1e9 if finished == 1 else float(np.quantile(seconds, finished))
        parts.append(a_run(seconds, names, guesses, limit_s, collection=f"tier{tier}"))
    run = together(*parts)
    rows = run.measurements.copy()
    late = rows["status"] == "timeout"
    rows.loc[late & (rows["repetition"] > 1), "reason"] = "not repeated: timed out before in this launch"
    rows.loc[late & (rng.random(len(rows)) < 0.3), "reason"] = "not tried: the first 5 puzzles timed out"
    if rng.random() < 0.4:
        lacking = (rows["strategy"] == names[0]) & (rows["collection"] == "tier0")
        rows.loc[lacking, ["status", "reason"]] = ["unsupported", "9x9 only"]
    if rng.random() < 0.2:
        rows.loc[rows.index[rows["strategy"] == names[1]][:1], ["status", "reason"]] = ["wrong", "two fives in row 1"]
    about = {"machine": {"cpu": "simulated", "cores_logical": 2}, "started": "2026-01-02", "planned_rows": len(rows)}
    suite = run.manifest["suite"] | {"isomorphs": True}
    manifest = run.manifest | about | {"suite": suite, "strategies": [{"name": n, "plugin": "own.py"} for n in names]}
    return replace(run, manifest=manifest, measurements=rows, puzzles=run.puzzles.assign(grid="." * 81))


def rows_of(run: Run) -> Rows:
    return [{str(key): value for key, value in row.items()} for row in run.measurements.to_dict("records")]


def kind_of(row: dict[str, Any]) -> str:
    inferred = row["status"] == "timeout" and str(row["reason"])[:4] == "not "
    return "inferred" if inferred else str(row["status"])


def in_seconds(text: str) -> float:
    number, unit = text.replace(",", "").split()
    return float(number) * UNITS[unit]


def same(told: str, true: float) -> tuple[str, str]:
    """Both with three digits: what is told is rounded."""
    return f"{float(told.replace(',', '')):.2g}", f"{float(f'{true:.3g}'):.2g}"


def fastest(run: Run) -> dict[str, tuple[str, set[str], set[str]]]:
    """The best, those tied with it and all that took part, by collection: from rows and from the decisions on pairs."""
    rows = rows_of(run)
    wrong = {row["strategy"] for row in rows if row["status"] == "wrong"}
    result = {}
    for collection in dict.fromkeys(row["collection"] for row in rows):
        own = [row for row in rows if row["collection"] == collection and row["strategy"] not in wrong]
        own = [r for r in own if not any(o["strategy"] == r["strategy"] and o["status"] == "unsupported" for o in own)]
        names = list(dict.fromkeys(row["strategy"] for row in own))
        pairs = [row for row in run.pairs.to_dict("records") if row["collection"] == collection]
        if len(names) < 2 or all(row["verdict"] == "too_few" for row in pairs):
            continue
        everything = all(row["status"] == "solved" for row in own if row["strategy"] in names)
        solved = Counter(row["strategy"] for row in own if row["status"] == "solved")
        complete = max(solved.values()) == len(own) / len(names)

        def cost(name: str, own: Rows = own, complete: bool = complete) -> float:
            times = [r["cpu_s"] if r["status"] == "solved" else 2 * r["limit_s"] for r in own if r["strategy"] == name]
            return float(np.mean(np.log(times))) if complete else float(np.mean(times))

        best = min(names, key=lambda name: (-solved[name], cost(name)))
        behind = {r["a"] for r in pairs if r["verdict"] in ("a_faster", "b_faster") or r["more_solved"] == "b"}
        assert everything <= complete
        result[collection] = best, set(names) - behind - {best}, set(names)
    return result


def of_results(run: Run) -> Iterator[Fact]:
    """Of the sentences on who is fastest."""
    true, rows, told = fastest(run), rows_of(run), set()
    for line in speech.results(run):
        match = re.match(rf"(No verdict|Fastest|Best by solved, then PAR-2,) on (.*?)(?:, ({TIES}))?: (.*)", line)
        assert match, line
        places = re.split(", | and ", match[2])
        told |= set(places)
        for collection in places:
            if match[1] == "No verdict":
                yield f"{line}: no verdict", collection in true, False
                continue
            best, tied, names = true[collection]
            shown = re.match(r"(\S+?)(?:;|,| \(|$)", match[4])
            assert shown, line
            solved = [r["status"] == "solved" for r in rows if (r["strategy"], r["collection"]) == (best, collection)]
            yield f"{line}: kind", match[1] == "Fastest", all(solved)
            yield f"{line}: tie", bool(match[3]), bool(tied)
            yield f"{line}: the first is best or tied", shown[1] in {best, *tied}, True
            if counted := re.search(r"\(of (\d+)\)", line):
                yield f"{line}: strategies", int(counted[1]), len(names)
            own = [r for r in rows if (r["strategy"], r["collection"]) == (best, collection)]
            if (mean := re.search(r"\(([\d.,]+) (\S+) of CPU time, geometric mean", line)) and len(places) == 1:
                medians = [np.median([r["cpu_s"] for r in own if r["puzzle"] == p]) for p in {r["puzzle"] for r in own}]
                yield f"{line}: mean", *same(mean[1], math.exp(np.mean(np.log(medians))) / UNITS[mean[2]])
            times = re.search(r"takes ([\d.,]+) times as long \[", line)
            if times and all(row["status"] == "solved" for row in rows):
                ratios = []
                for name in names - {best}:
                    pairs = [(r, s) for r in rows if r["strategy"] == name for s in rows if s["strategy"] == best
                             if all(r[k] == s[k] for k in ("collection", "puzzle", "repetition"))
                             and r["collection"] == collection]  # fmt: skip
                    if all(r["status"] == "solved" for r, _ in pairs):
                        ratios.append(math.exp(np.mean([math.log(r["cpu_s"] / s["cpu_s"]) for r, s in pairs])))
                yield f"{line}: ratio", *same(times[1], min(ratios))
    yield "collections with a result", told, set(run.pairs["collection"])


def of_counts(run: Run) -> Iterator[Fact]:
    """Of how solves ended: at the end of a run, in the method, in the macros, in the map."""
    rows = rows_of(run)
    kinds = Counter(map(kind_of, rows))
    named = numbers.numbers(run)
    for name in ("ran_out", "inferred", "unsupported", "solved"):
        yield f"macro {name}", named[name].value, kinds["timeout" if name == "ran_out" else name]
    late = kinds.total() - kinds["solved"] - kinds["unsupported"]
    yield "macro unfinished", named["unfinished"].value, late
    texts = [line for line in ending.warnings(run) if line.startswith("Of ")]
    yield "the end tells of unfinished solves", bool(texts), late > 0
    method = " ".join(methods.paragraphs(run))
    texts += re.findall(r"Of [\d,]+ solves [^.]*", method)
    for text in texts:
        yield f"{text}: all", int(re.match(r"Of ([\d,]+)", text)[1].replace(",", "")), kinds.total()  # type: ignore[index]
        head = text.partition(": ")[0]
        for kind, words in outcomes.WORDS.items():
            found = re.search(rf"([\d,]+) {words}", head)
            yield f"{text}: {kind}", int(found[1].replace(",", "")) if found else 0, kinds[kind]
    for cell in verdict_map.data(run).table.to_dict("records"):
        if cell["state"] == verdict_map.LATE:
            own = [r for r in rows if (r["strategy"], r["collection"]) == (cell["strategy"], cell["collection"])]
            tried = {row["puzzle"] for row in own if not str(row["reason"]).startswith("not tried")}
            yield "puzzles tried", int(verdict_map.texts_of(cell)[1].partition("/")[2]), len(tried)


def of_marks(run: Run) -> Iterator[Fact]:
    """Of the frames of the map and the marks of the table in the terminal."""
    true, cells = fastest(run), terminal.cells_of(run)
    for cell in verdict_map.data(run).table.to_dict("records"):
        best, tied, _ = true.get(cell["collection"], ("", set(), set()))
        name = cell["strategy"]
        expected = "" if name not in {best, *tied} else verdict_map.SHARED if tied else verdict_map.FASTEST
        yield f"frame of {name}", cell["place"], expected
        text = cells[cell["collection"]].get(name, "")
        yield f"mark of {name}", text.endswith(terminal.FASTEST), expected == verdict_map.FASTEST


def of_changes(run: Run) -> Iterator[Fact]:
    """Of crossovers: their place is within their collection, those left out take no part, the title is the answer."""
    for part in answers.answers(run):
        for row in part.changes:
            yield "crossing without those left out", {row["a"], row["b"]} & set(part.left_out), set()
            if found := re.match(r"within (\S+)", row["within"]):
                own = run.puzzles.loc[run.puzzles["collection"] == found[1], row["axis"]]
                yield "within", own.min() <= row["crossover"] <= own.max(), True
            yield "below is faster on easy puzzles", row["faster_below"] in (row["a"], row["b"]), True
    try:
        title = time_vs_difficulty.data(run).title
    except NothingToDrawError:
        return
    known = [row for part in answers.answers(run) for row in part.changes if row["axis"] == "guesses"]
    yield f"{title}: crosses", "is faster than" in title, bool(known)
    if known:
        over, under = re.search(r"(\S+) is faster than (\S+)$", title).groups()  # type: ignore[union-attr]
        for text, name in ((over, known[0]["faster_above"]), (under, known[0]["faster_below"])):
            alike = [other for other in set(run.measurements["strategy"]) if f"{other}@".startswith(f"{text}@")]
            yield f"{title}: names one strategy", alike, [name]


def of_costs(run: Run) -> Iterator[Fact]:
    """Of what is cheapest for how many puzzles, and of the choice: by brute force."""
    rows = rows_of(run)
    wrong = {row["strategy"] for row in rows if row["status"] in ("wrong", "unsupported")}
    own = [row for row in rows if row["strategy"] not in wrong]
    names = [n for n in {r["strategy"] for r in own} if all(r["status"] == "solved" for r in own if r["strategy"] == n)]
    each = {name: float(np.mean([r["cpu_s"] for r in own if r["strategy"] == name])) for name in names}
    for text in speech.parts(run).get("number", []):
        if any(row["status"] == "unsupported" for row in rows):
            break  # who takes part then depends on the collection
        for first, name, cost in re.findall(r"(?:from|up to|for any) ([\d,]*).*? (\S+) \(once .*?, (.*?) each\)", text):
            yield f"{text}: {name}", name, min(each, key=lambda name: each[name])
            yield f"{text}: {first}", *same(cost.split()[0], each[name] / UNITS[cost.split()[1]])
    try:
        chosen = choose.choose(run)
    except InputError:
        return
    if names:
        yield "the choice", chosen.best, min(each, key=lambda name: each[name])
    else:
        solved = Counter(row["strategy"] for row in own if row["status"] == "solved")
        yield "the choice solves most", solved[chosen.best], max(solved.values())
    yield "choose names it first", next(choice.lines(chosen)).split()[1], chosen.best


def of_views(run: Run) -> Iterator[Fact]:
    """The same first sentence at the end of a run, on the page, with --verbose and in the macros; and the faults."""
    first = speech.results(run)[0]
    yield "terminal", ending.conclusion(run, Path("run"))[0], first
    yield "verbose", terminal.verdict_lines(run)[0], first
    yield "page", re.findall(r"<li>(.*?)</li>", sections.verdicts(run))[0], first
    yield "macro", numbers.numbers(run)["answer"].text.startswith(first), True
    faults = [row for row in rows_of(run) if row["status"] == "wrong"]
    told = [line for line in ending.warnings(run) if "check-plugin own.py" in line]
    yield "faults told", len(told), len({row["strategy"] for row in faults})
    for line, row in zip(told, faults, strict=False):
        yield line, all(row[key] in line for key in ("strategy", "puzzle", "reason")), True


VIEWS: tuple[Callable[[Run], Iterator[Fact]], ...] = (
    *(of_results, of_counts, of_marks, of_changes, of_costs, of_views),
)


def facts(run: Run) -> list[Fact]:
    return [fact for view in VIEWS for fact in view(run)] if len(run.pairs) else []


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_view_says_what_the_rows_say(seed: int) -> None:
    assert [fact for fact in facts(random_run(seed)) if fact[1] != fact[2]] == []


def test_there_is_enough_to_compare_and_a_wrong_answer_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guards the test above."""
    assert sum(len(facts(random_run(seed))) for seed in range(SEEDS)) >= LEAST_FACTS
    right = answers.workloads

    def wrong(run: Run) -> tuple[answers.Workload, ...]:
        return tuple(replace(one, best=one.rows[0]["a"], tied=()) for one in right(run))

    monkeypatch.setattr(answers, "workloads", wrong)
    found = [fact for seed in range(4) for fact in facts(replace(random_run(seed))) if fact[1] != fact[2]]
    assert found
