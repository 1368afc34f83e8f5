"""Tasks as text, and the defaults of a strategy."""

from __future__ import annotations

import pytest

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import Strategy, Task
from sudoku_bench.solvers.strategy import distinct


@pytest.mark.parametrize(
    ("text", "name", "limit"),
    [
        ("first", "first", 1),
        ("unique", "unique", 2),
        ("count:1", "count", 1),
        ("count:2", "count", 2),
        ("count:1000000", "count", 1_000_000),
    ],
)
def test_a_task_is_parsed_and_formatted(text, name, limit):
    task = Task.parse(text)
    assert (task.name, task.limit) == (name, limit)
    assert str(task) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "First", "first ", "all", "first:1", "unique:2", "count", "count:", "count:0", "count:-1"),
        *("count:+5", "count: 5", "count:1.5", "count:1e3", "count:x", "count:1_000", "count:1000001"),
        *("count:٣", "count:²", "count:5:6", "counts:5", ":5"),
    ],
)
def test_other_texts_are_not_tasks(text):
    with pytest.raises(InputError, match="first, unique or count:K") as refused:
        Task.parse(text)
    assert repr(text) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_only_search_must_be_written():
    class Smallest(Strategy):
        def search(self, model, task):
            return [model.cells][: task.limit]

    strategy = Smallest()
    puzzle = Puzzle(Shape(1, 2), (1, 2, 2, 1))
    strategy.prepare(puzzle.shape)
    answer = strategy.search(strategy.load(strategy.encode(puzzle)), Task.parse("first"))
    assert [list(cells) for cells in strategy.decode(answer)] == [[1, 2, 2, 1]]
    strategy.release()
    assert dict(strategy.counters()) == {}
    assert set(strategy.tasks) == {"first", "unique", "count"}
    assert not strategy.persistent


def test_solutions_are_enumerated_until_the_limit():
    excluded = []
    assert distinct(iter([1, 2, 3]).__next__, excluded.append, 2) == [1, 2]
    assert excluded == [1]


def test_enumeration_stops_if_there_are_no_more_solutions():
    assert distinct(iter([1, 2, None]).__next__, lambda solution: None, 5) == [1, 2]
    assert distinct(iter([1, 2]).__next__, lambda solution: solution < 2, 5) == [1, 2]
