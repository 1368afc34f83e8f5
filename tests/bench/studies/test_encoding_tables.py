"""The suites of encodings and engines, and the tables computed from their runs."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from bench.plan import suite
from bench.plan.strategies import select
from bench.studies import document, encoding_tables, strength_tables
from bench.verdicts import run_tables
from datasets.errors import InputError
from solvers.sat import engines
from solvers.sat.encodings import DEFAULTS, encoding_and_scheme
from tests.bench.conftest import FOURS

pytestmark = pytest.mark.slow


def test_suites_show_every_encoding_scheme_and_engine() -> None:
    models = {name.removeprefix("sat:").partition("@")[0] for name in suite.load("encodings").strategies}
    assert {"+".join(filter(None, encoding_and_scheme(name))) for name in DEFAULTS} <= models
    assert {"complete+pairwise+substituted", "complete+pairwise+assumptions"} <= models
    backends = {name.partition("@")[2] for name in suite.load("backends").strategies}
    assert set(engines.engines()) - backends <= {"cryptominisat5"}  # python-sat only wraps it; it is another package


@pytest.mark.parametrize("name", encoding_tables.SUITES)
def test_every_strategy_of_a_suite_is_available(name: str) -> None:
    names = suite.load(name).strategies
    assert [info.name for info in select(names) if info.available] == list(names)  # by exact name, each once


@pytest.fixture
def study(measure, puzzles):
    """A small run under the name of a suite: its folder."""

    def call(name: str, *strategies: str) -> Path:
        arguments = [argument for strategy in strategies for argument in ("-s", strategy)]
        return measure(name, *arguments, "-d", puzzles(*FOURS), "--repetitions", 1, "--loops", 1).folder

    return call


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A page and a store instead of those of the project."""
    page = tmp_path / "page.md"
    page.write_text("\n".join(document.marks("tables")), encoding="utf-8")
    monkeypatch.setattr(encoding_tables, "PAGE", page)
    monkeypatch.setattr(encoding_tables, "STORE", tmp_path / "store")
    return page


def test_the_page_is_written_from_runs_and_again_from_stored_figures(study, page: Path) -> None:
    names = ("sat:complete+pairwise@glucose4", "sat:minimal+pairwise@glucose4", "sat:log@pycosat")
    runs = [study("propagation", *names[:2]), study("encodings", *names)]
    encoding_tables.write(*runs)
    text = document.region(page, "tables")
    assert text.startswith("### Solved without a conflict or a decision")
    table, _ = encoding_tables.stored()
    assert list(table["strategy"]) == [*names[:2], *names]
    of_encodings = table[table["suite"] == "encodings"].set_index("strategy")
    medians = run_tables.load(runs[1]).summary.set_index("strategy")["median_s"]
    assert of_encodings["median_s"].to_dict() == pytest.approx(medians.to_dict(), rel=1e-5)
    assert set(of_encodings["n_puzzles"]) == {5}
    encoding_tables.write()
    assert document.region(page, "tables") == text
    encoding_tables.write(study("encodings", names[2]))
    assert list(encoding_tables.stored()[0]["suite"]) == ["propagation", "propagation", "encodings"]


def test_a_run_that_cannot_be_stored_is_a_one_line_error(study, page: Path, tmp_path: Path) -> None:
    other, incomplete = study("unique", "seed:norvig"), study("sizes", "seed:norvig")
    manifest = incomplete / "manifest.json"
    facts = json.loads(manifest.read_text(encoding="utf-8")) | {"complete": False}
    manifest.write_text(json.dumps(facts), encoding="utf-8")
    for folder, message in ((other, "a run of unique"), (incomplete, "--resume"), (tmp_path / "gone", "gone")):
        with pytest.raises(InputError, match=message):
            encoding_tables.write(folder)
    assert not (tmp_path / "store").exists()


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
    table, fastest = list(encoding_tables.times_tables(rows))[1::2]
    split = ([cell.strip(" `") for cell in line.strip("|").split("|")] for line in table.splitlines()[2:])
    cells = {name: rest for name, *rest in split}
    assert cells["sat:fast"] == ["5.12", "2.1", "4", "0.1", "3"]
    assert cells["sat:near"] == ["5.6", "2.1", "", "0.1", ""]
    assert [cells[f"sat:{name}"][0] for name in ("timeouts", "wrong")] == ["1 (2 of 6 unsolved)", "WRONG"]
    assert cells["sat:out"][0] == "> 5000 (5 of 6 unsolved)"
    assert fastest.splitlines()[2] == "| easy | `sat:fast` 5.12 | `sat:near` 5.6 | `sat:slow` 57 |"
    *_, fastest = encoding_tables.times_tables(rows[:2])
    assert fastest.splitlines()[2] == "| easy | `sat:fast` 5.12 | `sat:near` 5.6 |  |"


def test_the_documents_show_the_stored_figures() -> None:
    tables = encoding_tables.markdown(*encoding_tables.stored())
    assert document.region(encoding_tables.PAGE, "tables") == tables
    assert document.region(strength_tables.PAGE, "strength") == strength_tables.markdown()
