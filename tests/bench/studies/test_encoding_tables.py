"""The suites of encodings and engines, and the tables that are made of their runs."""

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
from datasets.errors import InputError
from tests.bench.conftest import FOURS

STUDY = list(encoding_tables.SUITES)


@pytest.mark.parametrize("name", STUDY)
def test_a_suite_of_the_study_names_strategies_that_are_there(name: str) -> None:
    found = suite.load(name)
    chosen = select(found.strategies)
    assert [info.name for info in chosen] == list(found.strategies)  # by their own names, each once
    assert all(info.available for info in chosen)


def test_suites_show_every_encoding_scheme_and_engine() -> None:
    from solvers.sat import engines
    from solvers.sat.encodings import DEFAULTS, encoding_and_scheme

    models = {name.removeprefix("sat:").partition("@")[0] for name in suite.load("encodings").strategies}
    assert {"+".join(filter(None, encoding_and_scheme(name))) for name in DEFAULTS} <= models
    assert {"complete+pairwise+substituted", "complete+pairwise+assumptions"} <= models
    own = {name.partition("@")[2] for name in suite.load("backends").strategies}
    assert set(engines.engines()) - own <= {"cryptominisat5"}  # python-sat only wraps it; its package is another


@pytest.mark.parametrize("name", ["encodings", "backends", "sizes"])
def test_a_suite_of_the_study_runs(name: str, measure, puzzles) -> None:
    result = measure(name, "-d", puzzles(*FOURS), "--limit", 1, "--repetitions", 1, "--loops", 1)
    assert result.code == 0, result.err
    assert set(result.statuses()) == {"solved"}
    assert sorted(result.rows["strategy"]) == sorted(suite.load(name).strategies)


@pytest.fixture
def study(measure, puzzles):
    """A small run under the name of a suite."""

    def call(name: str, *strategies: str, file: str = "own.txt"):
        asked = [argument for strategy in strategies for argument in ("-s", strategy)]
        asked += ["-d", puzzles(*FOURS, name=file), "--repetitions", 1, "--loops", 1]
        return measure(name, *asked)

    return call


def main(monkeypatch, capfd, *arguments: object) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["encoding_study", *map(str, arguments)])
    capfd.readouterr()
    code = encoding_tables.main()
    return code, *capfd.readouterr()


def test_the_page_is_written_from_runs_and_again_from_what_is_kept(study, monkeypatch, capfd, tmp_path) -> None:
    names = ("sat:complete+pairwise@glucose4", "sat:minimal+pairwise@glucose4", "sat:log@pycosat")
    runs = [study("propagation", *names[:2]).folder, study("encodings", *names).folder]
    page, kept = tmp_path / "page.md", tmp_path / "kept"
    page.write_text("before\n{}\nold\n{}\nafter\n".format(*encoding_tables.MARKS), encoding="utf-8")
    options = ("--page", page, "--kept", kept)
    code, out, err = main(monkeypatch, capfd, *runs, *options)
    assert (code, err) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{encoding_tables.MARKS[0]}\n\n### How far")
    assert text.endswith(f"{encoding_tables.MARKS[1]}\nafter\n")
    assert "old" not in text
    assert out.strip() in text
    table = pd.read_csv(kept / "table.csv")
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
    again = pd.read_csv(kept / "table.csv")
    assert list(again["suite"]) == ["propagation", "propagation", "encodings"]


def test_what_cannot_be_taken_in_is_one_line(study, monkeypatch, capfd, tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no marks\n", encoding="utf-8")
    options = ("--page", page, "--kept", tmp_path / "kept")
    own = study("unique", "seed:norvig").folder
    part = study("sizes", "seed:norvig").folder
    manifest = part / "manifest.json"
    facts = json.loads(manifest.read_text(encoding="utf-8")) | {"complete": False}
    manifest.write_text(json.dumps(facts), encoding="utf-8")
    for folder, complaint in ((own, "a run of unique"), (part, "--resume"), (tmp_path / "gone", "gone")):
        code, _, err = main(monkeypatch, capfd, folder, *options)
        assert code == 2
        assert complaint in err
        assert err.count("\n") == 1
    assert not (tmp_path / "kept").exists()
    code, _, err = main(monkeypatch, capfd, *options)
    assert (code, "put them where the text goes" in err) == (2, True)


def row(strategy: str, **facts: object) -> dict[str, object]:
    base = dict.fromkeys(encoding_tables.COLUMNS)
    return base | {
        **{"suite": "encodings", "strategy": strategy, "collection": "easy", "n_puzzles": 2, "n_solves": 6},
        **{"solved": 6, "wrong": 0, "limit_s": 5.0, "encode_s": 1e-4, "load_s": 2e-3, "search_s": 4e-3},
        **{"release_s": 1e-4, **facts},
    }


def test_the_tables_say_what_was_not_solved_and_who_is_fastest_of_the_others() -> None:
    rows = pd.DataFrame(
        [
            row("sat:fast", median_s=0.00512, median_conflicts=3),
            row("sat:near", median_s=0.0056, search_s=None),
            row("sat:slow", median_s=0.0570),
            row("sat:timeouts", median_s=0.001, solved=4),
            row("sat:out", solved=1),
            row("sat:liar", median_s=0.001, wrong=1),
        ]
    )
    lines = encoding_tables.times_table(rows)
    split = ([cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines[4:])
    cells = {name: rest for name, *rest in split}
    assert cells["sat:fast"] == ["5.12", "2.1", "4", "0.1", "3"]
    assert cells["sat:near"] == ["5.6", "2.1", "", "0.1", ""]
    assert [cells[f"sat:{name}"][0] for name in ("timeouts", "out", "liar")] == [
        "1 (2 of 6 unsolved)",
        "> 5000 (5 of 6 unsolved)",
        "WRONG",
    ]
    assert encoding_tables.least_table(rows)[4:] == ["| easy | `sat:fast` 5.12 | `sat:near` 5.6 | `sat:slow` 57 |"]
    assert encoding_tables.least_table(rows[:2])[4:] == ["| easy | `sat:fast` 5.12 | `sat:near` 5.6 |  |"]


def test_the_page_must_have_its_marks(tmp_path) -> None:
    page = tmp_path / "page.md"
    for text in ("nothing", "\n".join(reversed(encoding_tables.MARKS))):
        page.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="put them where the text goes"):
            document.fill(page, encoding_tables.MARKS, "table")
        assert page.read_text(encoding="utf-8") == text


def test_the_document_shows_what_is_kept(tmp_path) -> None:
    shown = encoding_tables.PAGE.read_text(encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(shown, encoding="utf-8")
    document.fill(
        page, encoding_tables.MARKS, encoding_tables.as_markdown(*encoding_tables.load_kept(encoding_tables.KEPT))
    )
    assert page.read_text(encoding="utf-8") == shown
