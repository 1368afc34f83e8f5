"""The summary of a run fits the terminal, is complete, and claims only what the verdicts support."""

from __future__ import annotations

import dataclasses
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len
from rich.console import Console

from sudoku_bench.bench.folder import outcomes
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import CASES, case
from tests.bench.verdicts.simulated_runs import a_run
from tests.bench.verdicts.test_answer import table as pairs_of

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def printed(run: Run, width: int = 80, **settings: Any) -> str:
    text = io.StringIO()
    terminal.show(run, Console(file=text, width=width, highlight=False, markup=False, **settings))
    return text.getvalue()


def tables(run: Run, width: int = 80, **settings: Any) -> list[str]:
    """Return the lines of the tables without the rest."""
    text = io.StringIO()
    console = Console(file=text, width=width, highlight=False, markup=False, **settings)
    for table in terminal.tables(terminal.cells_of(run), sorted(set(run.summary["strategy"])), width):
        console.print(table)
    return text.getvalue().splitlines()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("width", [80, 40])
def test_every_line_fits_a_terminal(name: str, width: int) -> None:
    lines = ESCAPES.sub("", printed(case(name), width, force_terminal=True)).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert max(map(cell_len, tables(case(name), width))) <= width
    assert not ESCAPES.search(printed(case(name), width))


@pytest.mark.parametrize("name", CASES)
def test_every_strategy_and_collection_is_in_the_tables_whole(name: str) -> None:
    run = case(name)
    letters = re.sub(r"\s", "", "".join(line[:45] for line in tables(run)))
    for strategy in set(run.summary["strategy"]):
        if cell_len(strategy) <= 32:  # longer names continue on the next line, beside numbers
            assert re.sub(r"\s", "", strategy) in letters
    for collection in run.collections:
        assert collection in printed(run, 80)


def test_headings_are_whole_where_there_is_room() -> None:
    [table] = terminal.tables({"hyperfine": {"wc": "1 s"}}, ["wc"], 80)
    assert [column.width for column in table.columns] == [len("strategy"), len("hyperfine")]


def test_a_cell_is_a_median_or_a_bound() -> None:
    line: dict[str, Any] = dict.fromkeys((*outcomes.COLUMNS.values(), "timeouts"), 0)
    line |= {"disqualified": "", "limit_s": 10.0, "median_s": 0.00283, "n_measurements": 4}
    assert terminal.cell(line) == "2.83 ms"
    assert terminal.cell(line | {"timeouts": 1}) == "2.83 ms!"
    assert terminal.cell(line | {"disqualified": "wrong: 1 on hard"}) == "WRONG!"
    assert terminal.cell(line | {"disqualified": "mistimed: 1 on hard"}) == "MISTIMED!"
    unknown = line | {"median_s": float("nan")}
    assert terminal.cell(unknown | {"timeouts": 2, "errors": 2}) == "-!"
    assert terminal.cell(unknown | {"timeouts": 3}) == ">10 s!"
    late = outcomes.of_line(line | {"timeouts": 3, "inferred": 2, "errors": 1})
    assert outcomes.text(late) == "1 ran out of time, 2 inferred, 1 ended with an error"


def test_a_table_does_not_need_colours() -> None:
    run = case("usual")
    coloured = tables(run, force_terminal=True, color_system="truecolor")
    assert any(map(ESCAPES.search, coloured))
    assert [ESCAPES.sub("", line) for line in coloured] == tables(run)


def test_cautions_name_collections_whose_puzzles_are_not_all_independent() -> None:
    run = case("usual")
    name = run.collections[0]
    group = [1 if place < 4 else place for place in range(len(run.puzzles))]
    [line] = terminal.cautions(dataclasses.replace(run, puzzles=run.puzzles.assign(group=group)))
    number = int((run.puzzles["collection"] == name).sum())
    assert line == (
        f"Independent puzzles: {name} {number - 3} of {number}; isomorphs, and puzzles of one lineage, count as one"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_unencodable_characters_are_replaced(small_reference: Path, encoding: str) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding, "LANG": "C", "LC_ALL": "C"}
    code = (
        "import sys; from rich.console import Console; from sudoku_bench.bench.commands import cli;"
        " from sudoku_bench.bench.say import terminal; from sudoku_bench.bench.verdicts import run_tables;"
        " cli.main(['list', 'suites']);"
        " terminal.show(run_tables.load(sys.argv[1]), Console(highlight=False, markup=False));"
        " print('µ×≥≤…\\u0448', file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, str(small_reference)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stderr.decode(encoding).strip() == {"ascii": "ux", "latin-1": "µ×"}[encoding] + ">=<=~\\u0448"
    text = done.stdout.decode(encoding)
    lines = text[text.index("Median CPU time") :].partition("\nFastest")[0].splitlines()
    assert len(lines) > 5
    assert max(map(len, lines)) <= 80
    assert "?" not in text
    assert (" us" in text) == (encoding == "ascii")


def test_every_report_says_which_puzzles_it_sees() -> None:
    """1 - 0.05 ** (1 / n) of the puzzles: so rare may a kind be that 95% of samples of n have."""
    rows = pairs_of("b>a", "c>a")
    assert terminal.seen(rows) == [
        "All this holds for kinds of puzzles that make up at least 13.9% (20 independent puzzles) of such puzzles;"
        " rarer kinds may be missing, however long they take"
    ]
    both = pd.concat([rows, pairs_of("b>a", collection="hard", n_independent=40)])
    assert "at least 7.2% (40 independent puzzles) to 13.9% (20) of such" in terminal.seen(both)[0]
    assert terminal.seen(pairs_of("b!a")) == []


def test_a_clock_that_may_have_been_replaced_is_told() -> None:
    run = a_run(np.ones((2, 3, 1)), ["a", "b"], np.ones(3))
    assert terminal.replaced_clock(run) == []
    run.manifest["machine"]["environment"] = {"FAKETIME": "+1y", "LD_PRELOAD": "faketime.so", "PYTHONHASHSEED": "0"}
    [line] = terminal.replaced_clock(run)
    assert "FAKETIME, LD_PRELOAD" in line
    assert line in terminal.cautions(run)
