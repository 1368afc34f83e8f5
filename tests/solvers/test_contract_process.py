"""What every strategy must leave alone in its process, and what it must say of itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

import pytest

from bench.plan.strategies import known
from solvers import registry
from solvers.strategy import Task
from tests.solvers.conftest import contract_board

STRATEGIES = list(known())

# Solves without the worker, whose standard output and error lead nowhere, and tells which modules it imported.
SOLVE_BARE = """
import json, sys
from datasets.puzzle import Puzzle
from datasets.shape import Shape
from solvers import GaveUp, Task, registry

name, tasks, boxes, cells, report = sys.argv[1:]
shape = Shape(*json.loads(boxes))
at_start = set(sys.modules)
registry.load_builtin()
by_registering = set(sys.modules) - at_start
strategy = registry.get(name)()
strategy.prepare(shape)
found = []
for task in json.loads(tasks):
    for puzzle in json.loads(cells):
        model = strategy.load(strategy.encode(Puzzle(shape, tuple(puzzle))))
        try:
            found.append(len(list(strategy.decode(strategy.search(model, Task.parse(task))))))
        except GaveUp:
            found.append(None)
        strategy.release()
        strategy.counters()
by_solving = set(sys.modules) - at_start
with open(report, "w") as stream:
    json.dump({"found": found, "by_registering": list(by_registering), "by_solving": list(by_solving)}, stream)
"""


@pytest.fixture(scope="module", params=STRATEGIES)
def bare(request, puzzles, tmp_path_factory):
    """A strategy called directly, in a process whose standard output and error are kept."""
    info = known()[request.param]
    if not info.available:
        pytest.skip(info.reason)
    tasks = ["count:3" if task == "count" else task for task in info.tasks]
    kinds = {"hard": 1, "two_solutions": 2, "deep_contradiction": 0}
    board = contract_board(info.name, puzzles)
    cells = json.dumps([board[kind].cells for kind in kinds])
    boxes = json.dumps([board["hard"].shape.box_rows, board["hard"].shape.box_cols])
    report = tmp_path_factory.mktemp("bare") / "report.json"
    command = [
        sys.executable,
        "-P",
        "-W",
        "ignore",
        "-c",
        SOLVE_BARE,
        info.name,
        json.dumps(tasks),
        boxes,
        cells,
        str(report),
    ]
    done = subprocess.run(command, capture_output=True, env={**os.environ, **info.environ}, check=False)
    assert done.returncode == 0, done.stderr
    facts = json.loads(report.read_text(encoding="utf-8"))
    numbers = [min(number, Task.parse(task).limit) for task in tasks for number in kinds.values()]
    if not registry.get(info.name).complete:  # may give up
        facts["found"] = [
            number if found is None else found for found, number in zip(facts["found"], numbers, strict=True)
        ]
    assert facts["found"] == numbers
    return info, done, facts


def test_nothing_is_printed(bare):
    _, done, _ = bare
    assert (done.stdout, done.stderr) == (b"", b"")


def test_packages_are_not_imported_before_they_are_needed(bare):
    _, _, facts = bare
    assert distributions_of(facts["by_registering"]) == set()


def test_all_packages_that_are_imported_are_declared(bare):
    info, _, facts = bare
    assert distributions_of(facts["by_solving"]) <= with_dependencies(info.requires)


def distributions_of(modules: list[str]) -> set[str]:
    """The distributions, other than this project's, that modules come from."""
    of_package = packages_distributions()
    found = {normal(name) for module in modules for name in of_package.get(module.partition(".")[0], [])}
    return found - {"sudoku-bench"}


# What packages import where it is installed, without needing it.
ALSO_IMPORTED = {"numba": ["scipy", "cffi", "pycparser"], "numpy": ["charset-normalizer"]}


def with_dependencies(distributions: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    waiting = list(distributions)
    while waiting:
        name = normal(waiting.pop())
        if name not in found:
            found.add(name)
            found.update(ALSO_IMPORTED.get(name, []))
            try:
                waiting += [re.split(r"[^\w.-]", need, maxsplit=1)[0] for need in requires(name) or []]
            except PackageNotFoundError:  # an extra that nobody asked for
                continue
    return found


def normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


@pytest.mark.parametrize("info", known().values(), ids=STRATEGIES)
def test_what_a_strategy_says_of_itself_is_well_formed(info):
    assert re.fullmatch(r"[a-z0-9-]+:[\w-]+(\+[\w-]+)*(@[\w.-]+)?", info.name)
    assert info.tasks
    assert set(info.tasks) <= {"first", "unique", "count"}
    assert len(set(info.tasks)) == len(info.tasks)
    assert all(re.fullmatch(r"[A-Za-z0-9][\w.-]*", distribution) for distribution in info.requires)
    assert all(isinstance(text, str) for pair in info.environ.items() for text in pair)
    assert isinstance(info.persistent, bool)
