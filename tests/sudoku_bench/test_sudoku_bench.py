"""The Python interface: the examples of its documentation, and what they do not show."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import sudoku_bench as sb
from sudoku_bench import given
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.solvers import registry

FRAME = pd.DataFrame({"puzzle": [".24....234......", "1.....3..4....2."]})


@pytest.mark.thorough
@pytest.mark.parametrize(
    "function",
    [sb.run, sb.load, sb.compare, sb.choose, sb.solve, sb.rate, sb.encode, sb.strategies, sb.encodings],
    ids=lambda each: each.__name__,
)
def test_the_examples_run_as_written(beside_results: Path, function) -> None:
    [example] = doctest.DocTestFinder().find(function, function.__name__, globs={})
    assert example.examples
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert result.failed == 0


def test_all_names_can_be_imported() -> None:
    for name in sb.__all__:
        assert getattr(sb, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'compere'"):
        sb.compere  # noqa: B018


def test_a_run_takes_what_a_notebook_has_at_hand(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A class that refers to its surroundings, grids of every kind, and a data frame; no figures unless asked."""
    rows = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 2, 0]]
    frame = pd.DataFrame({"id": [7], "puzzle": [".24....234......"]})
    answer = [[int(digit) for digit in "1342423124133124"]]

    class Mine(sb.Strategy):
        name = "mine:one"

        def search(self, puzzle, task):
            if puzzle.cells != tuple(np.ravel(rows)):
                raise sb.GaveUp("not mine")
            return answer

    asked = {"isomorphs": False, "repetitions": 1, "pin": "off", "progress": False}
    data = [rows, np.array(rows), "1.....3..4....2.", frame]
    run = sb.run(strategies=[Mine, "seed:n*"], datasets=data, out=tmp_path / "run", **asked)
    assert capfd.readouterr().err == ""
    assert run.strategies == ("mine:one", "seed:norvig")
    rows_of_mine = run.measurements.query("strategy == 'mine:one'").groupby("collection")["status"].agg(set)
    assert rows_of_mine.to_dict() == {"grids": {"solved"}, "frame": {"gave_up"}}
    assert not (run.folder / "plots").exists()
    assert sb.solve(rows, Mine) == ["1342423124133124"]
    odd = [sb.Puzzle(sb.Shape(2, 2, "x"), (1, *[0] * 15)), sb.Puzzle(sb.Shape(3, 2), (1, *[0] * 35))]
    loaded = [catalogue.load(path).items[0].puzzle for path in given.datasets([*odd, rows])]
    assert [puzzle.shape for puzzle in loaded] == [odd[0].shape, odd[1].shape, sb.Shape(2, 2)]
    rating = sb.rate([rows, "." * 16])
    assert list(rating["clues"]) == [4, 0]
    assert [str(rating[column].dtype) for column in ("clues", "guesses", "te_depth", "er")] == [
        *("int64", "float64", "float64", "float64")
    ]


OWN = type("Own", (sb.Strategy,), {"name": "my:own"})


@pytest.mark.parametrize(
    ("action", "fault"),
    [
        (lambda: sb.rate(7), "int is no grid"),
        (lambda: sb.rate([[[1, 2], [3]]]), "2 numbers are no grid"),
        (lambda: sb.solve("1.....3..4....2.", "seed:*"), r"matches \d strategies"),
        (lambda: sb.run(strategies=[int], datasets="size4"), "is no strategy; give a pattern"),
        (lambda: sb.run(strategies="seed:no", datasets="size4", progress=False), "no strategy is called seed:no"),
        (lambda: sb.run(strategies=[OWN, OWN], datasets="size4", progress=False), "^the name my:own is taken"),
        (lambda: sb.run(limit="3"), "limit is '3', not an integer"),
        (lambda: sb.run("mian"), "did you mean main"),
        (lambda: sb.run("main", resume=True), "resume: needs out"),
        (lambda: sb.strategies("seed:norvi"), "no strategies match seed:norvi; did you mean seed:norvig?"),
        (lambda: sb.encodings("lgo"), "no encodings match lgo; did you mean log?"),
        (lambda: sb.choose("easy"), "easy: is no run folder; for puzzles, use `sudoku-bench choose FILE`"),
        (lambda: sb.choose(FRAME), "DataFrame: is no run folder"),
        (lambda: sb.solve(FRAME), "^sb.solve and sb.encode take one puzzle, not a data frame"),
        (lambda: sb.encode([]), "^0 puzzles are given; give one"),
        (lambda: sb.run(datasets=FRAME[:0], progress=False), "^data frame: holds no puzzle; give at least one"),
        (lambda: sb.load(FRAME), "DataFrame is no run; give a run folder"),
        (lambda: sb.run(engine="ray"), "engine must be local or dask, not 'ray'"),
    ],
)
def test_what_cannot_be_used_is_an_input_error(action, fault: str) -> None:
    with pytest.raises(sb.InputError, match=fault):
        action()


NUMBER = 53007000000601905


@pytest.mark.parametrize(
    ("puzzles", "fault"),
    [
        (
            pd.DataFrame({"puzzle": [FRAME.puzzle[0], None]}),
            "data frame, row 2: the field puzzle is empty; fill or",
        ),
        (pd.Series([None, FRAME.puzzle[0]]), "data frame, row 1: the field puzzle is empty; fill or drop it"),
        *((pd.DataFrame({"puzzle": [NUMBER] * n}), "data frame, row 1: a number, which loses") for n in (1, 2, 16)),
        (pd.DataFrame({"id": [1, 2], "puzzle": [NUMBER / 2] * 2}), "data frame, row 1: a number, which loses"),
        (pd.DataFrame({"puzzle": [1e9]}), "data frame, row 1: a number, which loses"),
        (pd.DataFrame({"x": ["hello"]}), r"data frame, row 1: no field .*\(x\); call the column of puzzles puzzle"),
        (FRAME.assign(solution="4" * 16), "data frame, row 1: the solution given with the puzzle differs"),
        ([FRAME, FRAME.puzzle.str[:-1]], "data frame1, row 1: 15 characters"),
        (FRAME.to_dict("list"), r"dict is no grid; give the puzzle in it, or pandas.DataFrame\(...\)"),
        (FRAME.to_dict("records"), r"dict is no grid; give the puzzle in it, or pandas.DataFrame\(...\)"),
        ([1], "1 number is no grid"),
    ],
)
def test_what_is_wrong_with_a_data_frame_is_told_by_its_rows(puzzles, fault: str) -> None:
    for call in (sb.rate, lambda puzzles: sb.run(strategies="seed:norvig", datasets=puzzles, progress=False)):
        with pytest.raises(sb.InputError, match=f"^{fault}"):
            call(puzzles)


def test_a_series_is_a_list_of_puzzles() -> None:
    assert sb.rate(FRAME.puzzle)["clues"].to_list() == [5, 4]


def test_the_name_of_a_class_of_this_process_alone_is_no_strategy_of_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine(sb.Strategy):
        name = "mine:here"

    monkeypatch.setitem(registry._registered, "mine:here", Mine)
    with pytest.raises(sb.InputError, match="mine:here is registered in this process alone; give its class"):
        sb.solve("1.....3..4....2.", "mine:here")
    assert "mine:here" not in set(sb.strategies()["strategy"])


def test_a_run_is_measured_and_can_be_resumed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = {"strategies": ["seed:norvig", "propagation:bitmask"], "datasets": "size4", "limit": 2, "repetitions": 3}
    run = sb.run(out=tmp_path / "run", pin="off", loops=1, **asked)
    assert run.folder == tmp_path / "run"
    assert run.strategies == ("propagation:bitmask", "seed:norvig")
    assert (run.measurements["status"] == "solved").all()
    assert "note: with fewer" not in capfd.readouterr().err
    again = sb.run(out=tmp_path / "run", pin="off", loops=1, resume=True, **asked)
    assert len(again.measurements) == len(run.measurements)


def test_a_run_shows_what_it_holds(small_reference: Path) -> None:
    run = sb.load(small_reference)
    assert f"{len(run.measurements):,} measurements" in repr(run)
    assert "\n" not in repr(run)
    page = run._repr_html_()
    assert all(name in page for name in run.strategies)
    assert "<table" in page
    assert all(isinstance(line, str) and line for line in (*run.verdicts, run.verdicts[0]))


def test_a_figure_shows_the_chosen_strategies_by_their_aliases(small_reference: Path) -> None:
    run = sb.load(small_reference)
    kept, other = run.strategies[:2]
    figure = run.figure("cactus", strategies=[kept, other], aliases={kept: "Mine"})
    labels = [text.get_text().splitlines()[0] for axes in figure.axes for text in axes.texts]
    assert "Mine" in labels
    assert not any(name in " ".join(labels) for name in run.strategies[2:])


def test_figures_are_drawn_into_axes(small_reference: Path) -> None:
    run, figure = sb.load(small_reference), Figure()
    left, right = figure.subplots(1, 2)
    for name in ("time_vs_difficulty", "verdict_map", "forest", "phases"):
        left.clear()
        assert run.figure(name, ax=left, datasets=["easy", "hard"]) is figure, name
        assert left.has_data()
    assert not right.has_data()
    with pytest.raises(sb.InputError, match="no figure encodings: no two SAT encodings"):
        run.figure("encodings", axes=[left, right])
    with pytest.raises(sb.InputError, match="no figure forest: it has 1 panel; give axes= with as many"):
        run.figure("forest", axes=[left, right])
    with pytest.raises(sb.InputError, match="no figure is called cactsu; did you mean cactus"):
        sb.load(small_reference).figure("cactsu")
