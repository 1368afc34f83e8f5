"""The suites of encodings and engines, and the tables computed from their runs."""

from __future__ import annotations

import json
import sys

import pandas as pd
import pytest

from bench.plan import suite
from bench.plan.strategies import select
from bench.studies import document, encoding_tables
from bench.verdicts import run_tables
from bench.verdicts.summary import summarize
from bench.worker import stopwatch
from datasets import search
from datasets.errors import InputError
from datasets.reading.reader import parse
from solvers import registry
from solvers.strategy import FIRST
from tests.bench.conftest import FOURS

pytestmark = pytest.mark.slow

SUITES = list(encoding_tables.SUITES)


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_of_the_study_names_available_strategies(name: str) -> None:
    shipped = suite.load(name)
    chosen = select(shipped.strategies)
    assert [info.name for info in chosen] == list(shipped.strategies)  # by exact name, each once
    assert all(info.available for info in chosen)


def test_suites_show_every_encoding_scheme_and_engine() -> None:
    from solvers.sat import engines
    from solvers.sat.encodings import DEFAULTS, encoding_and_scheme

    models = {name.removeprefix("sat:").partition("@")[0] for name in suite.load("encodings").strategies}
    assert {"+".join(filter(None, encoding_and_scheme(name))) for name in DEFAULTS} <= models
    assert {"complete+pairwise+substituted", "complete+pairwise+assumptions"} <= models
    backends = {name.partition("@")[2] for name in suite.load("backends").strategies}
    assert set(engines.engines()) - backends <= {"cryptominisat5"}  # python-sat only wraps it; it is another package


@pytest.mark.parametrize("name", SUITES)
def test_every_strategy_of_a_suite_solves(name: str) -> None:
    """Called directly: a process for each of them would take ten times as long."""
    puzzle = parse(FOURS[0])
    [solution] = search.solve(puzzle, limit=2).solutions
    for strategy in (registry.get(wanted)() for wanted in suite.load(name).strategies):
        strategy.prepare(puzzle.shape)
        assert stopwatch.solve(strategy, puzzle, FIRST) == [list(solution)], strategy.name


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_of_the_study_runs(name: str, measure, puzzles) -> None:
    first, *_, last = suite.load(name).strategies
    result = measure(name, "-s", first, "-s", last, "-d", puzzles(FOURS[0]), "--repetitions", 1, "--loops", 1)
    assert result.code == 0, result.err
    assert set(result.statuses()) == {"solved"}
    assert set(result.rows["strategy"]) == {first, last}


@pytest.fixture
def study(measure, puzzles):
    """A small run under the name of a suite."""

    def call(name: str, *strategies: str, file: str = "own.txt"):
        arguments = [argument for strategy in strategies for argument in ("-s", strategy)]
        arguments += ["-d", puzzles(*FOURS, name=file), "--repetitions", 1, "--loops", 1]
        return measure(name, *arguments)

    return call


def main(monkeypatch, capfd, *arguments: object) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["encoding_tables", *map(str, arguments)])
    capfd.readouterr()
    code = encoding_tables.main()
    return code, *capfd.readouterr()


def test_the_page_is_written_from_runs_and_again_from_stored_figures(study, monkeypatch, capfd, tmp_path) -> None:
    names = ("sat:complete+pairwise@glucose4", "sat:minimal+pairwise@glucose4", "sat:log@pycosat")
    runs = [study("propagation", *names[:2]).folder, study("encodings", *names).folder]
    page, store = tmp_path / "page.md", tmp_path / "store"
    page.write_text("before\n{}\nold\n{}\nafter\n".format(*encoding_tables.MARKS), encoding="utf-8")
    options = ("--page", page, "--kept", store)
    code, out, err = main(monkeypatch, capfd, *runs, *options)
    assert (code, err) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{encoding_tables.MARKS[0]}\n\n### Solved without a conflict or a decision")
    assert text.endswith(f"{encoding_tables.MARKS[1]}\nafter\n")
    assert "old" not in text
    assert out.strip() in text
    table = pd.read_csv(store / "table.csv")
    assert [(row.suite, row.strategy) for row in table.itertuples()] == [
        *(("propagation", name) for name in names[:2]),
        *(("encodings", name) for name in names),
    ]
    summary = summarize(run_tables.load(runs[1])).set_index("strategy")
    for row in table[table["suite"] == "encodings"].itertuples():
        assert row.median_s == pytest.approx(summary.loc[row.strategy, "median_s"], rel=1e-5)
        assert row.n_puzzles == 5
    assert main(monkeypatch, capfd, *options)[0] == 0
    assert page.read_text(encoding="utf-8") == text
    main(monkeypatch, capfd, study("encodings", names[2]).folder, *options)
    again = pd.read_csv(store / "table.csv")
    assert list(again["suite"]) == ["propagation", "propagation", "encodings"]


def test_a_run_that_cannot_be_stored_is_a_one_line_error(study, monkeypatch, capfd, tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no marks\n", encoding="utf-8")
    options = ("--page", page, "--kept", tmp_path / "store")
    other = study("unique", "seed:norvig").folder
    incomplete = study("sizes", "seed:norvig").folder
    manifest = incomplete / "manifest.json"
    facts = json.loads(manifest.read_text(encoding="utf-8")) | {"complete": False}
    manifest.write_text(json.dumps(facts), encoding="utf-8")
    for folder, message in ((other, "a run of unique"), (incomplete, "--resume"), (tmp_path / "gone", "gone")):
        code, _, err = main(monkeypatch, capfd, folder, *options)
        assert code == 2
        assert message in err
        assert err.count("\n") == 1
    assert not (tmp_path / "store").exists()
    code, _, err = main(monkeypatch, capfd, *options)
    assert (code, "add both where the text belongs" in err) == (2, True)


def row(strategy: str, **facts: object) -> dict[str, object]:
    base = dict.fromkeys(encoding_tables.COLUMNS)
    return base | {
        **{"suite": "encodings", "strategy": strategy, "collection": "easy", "n_puzzles": 2, "n_solves": 6},
        **{"solved": 6, "wrong": 0, "limit_s": 5.0, "encode_s": 1e-4, "load_s": 2e-3, "search_s": 4e-3},
        **{"release_s": 1e-4, **facts},
    }


def test_the_tables_report_unsolved_puzzles_and_the_fastest_complete_strategies() -> None:
    rows = pd.DataFrame(
        [
            row("sat:fast", median_s=0.00512, median_conflicts=3),
            row("sat:near", median_s=0.0056, search_s=None),
            row("sat:slow", median_s=0.0570),
            row("sat:timeouts", median_s=0.001, solved=4),
            row("sat:out", solved=1),
            row("sat:wrong", median_s=0.001, wrong=1),
        ]
    )
    table = encoding_tables.times_table(rows)
    split = ([cell.strip(" `") for cell in line.strip("|").split("|")] for line in table[4:])
    cells = {name: rest for name, *rest in split}
    assert cells["sat:fast"] == ["5.12", "2.1", "4", "0.1", "3"]
    assert cells["sat:near"] == ["5.6", "2.1", "", "0.1", ""]
    assert [cells[f"sat:{name}"][0] for name in ("timeouts", "out", "wrong")] == [
        "1 (2 of 6 unsolved)",
        "> 5000 (5 of 6 unsolved)",
        "WRONG",
    ]
    assert encoding_tables.fastest_table(rows)[4:] == ["| easy | `sat:fast` 5.12 | `sat:near` 5.6 | `sat:slow` 57 |"]
    assert encoding_tables.fastest_table(rows[:2])[4:] == ["| easy | `sat:fast` 5.12 | `sat:near` 5.6 |  |"]


def test_a_page_without_both_marks_is_an_error(tmp_path) -> None:
    page = tmp_path / "page.md"
    for text in ("nothing", "\n".join(reversed(encoding_tables.MARKS))):
        page.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="add both where the text belongs"):
            document.fill(page, encoding_tables.MARKS, "table")
        assert page.read_text(encoding="utf-8") == text


def test_the_document_shows_the_stored_figures(tmp_path) -> None:
    text = encoding_tables.PAGE.read_text(encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    tables = encoding_tables.as_markdown(*encoding_tables.load_stored(encoding_tables.STORE))
    document.fill(page, encoding_tables.MARKS, tables)
    assert page.read_text(encoding="utf-8") == text
