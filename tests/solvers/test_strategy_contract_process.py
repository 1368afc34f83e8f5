"""Every strategy: no output, no undeclared imports, well-formed attributes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

import pytest

from sudoku_bench.bench.plan.strategies import known
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import Task
from tests.solvers.conftest import contract_board

STRATEGIES = list(known())

# Solves without the worker, which discards standard output and error, and reports the imported modules.
SOLVE_BARE = """
import json, sys
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import GaveUp, Task, registry

name, tasks, boxes, cells, report = sys.argv[1:]
shape = Shape(*json.loads(boxes))
at_start = set(sys.modules)
registry.load_builtin()
by_registering = set(sys.modules) - at_start
strategy = registry.get(name)()
strategy.prepare(shape)
counts = []
for task in json.loads(tasks):
    for puzzle in json.loads(cells):
        model = strategy.load(strategy.encode(Puzzle(shape, tuple(puzzle))))
        try:
            counts.append(len(list(strategy.decode(strategy.search(model, Task.parse(task))))))
        except GaveUp:
            counts.append(None)
        strategy.release()
        strategy.counters()
by_solving = set(sys.modules) - at_start
with open(report, "w") as stream:
    json.dump({"counts": counts, "by_registering": list(by_registering), "by_solving": list(by_solving)}, stream)
"""


@pytest.fixture(scope="module", params=STRATEGIES)
def bare(request, puzzles, tmp_path_factory):
    """A strategy called directly, in a process whose standard output and error are captured."""
    info = known()[request.param]
    if not info.available:
        pytest.skip(info.reason)
    tasks = ["count:3" if task == "count" else task for task in info.tasks]
    kinds = {"hard": 1, "two_solutions": 2, "deep_contradiction": 0}
    board = contract_board(info.name, puzzles)
    cells = json.dumps([board[kind].cells for kind in kinds])
    boxes = json.dumps([board["hard"].shape.box_rows, board["hard"].shape.box_cols])
    report = tmp_path_factory.mktemp("bare") / "report.json"
    arguments = [info.name, json.dumps(tasks), boxes, cells, str(report)]
    command = [sys.executable, "-P", "-W", "ignore", "-c", SOLVE_BARE, *arguments]
    process = subprocess.run(command, capture_output=True, env={**os.environ, **info.environ}, check=False)
    assert process.returncode == 0, process.stderr
    facts = json.loads(report.read_text(encoding="utf-8"))
    numbers = [min(number, Task.parse(task).limit) for task in tasks for number in kinds.values()]
    if not registry.get(info.name).complete:  # may give up
        facts["counts"] = [
            number if count is None else count for count, number in zip(facts["counts"], numbers, strict=True)
        ]
    assert facts["counts"] == numbers
    return info, process, facts


@pytest.mark.thorough
def test_nothing_is_printed(bare):
    _, process, _ = bare
    assert (process.stdout, process.stderr) == (b"", b"")


@pytest.mark.thorough
def test_packages_are_not_imported_before_they_are_needed(bare):
    _, _, facts = bare
    assert distributions_of(facts["by_registering"]) == set()


@pytest.mark.thorough
def test_all_packages_that_are_imported_are_declared(bare):
    info, _, facts = bare
    assert distributions_of(facts["by_solving"]) <= with_dependencies(info.requires)


@cache
def installed() -> Mapping[str, list[str]]:
    """The distributions of each package; reading all their lists of files takes half a second."""
    return packages_distributions()


def distributions_of(modules: list[str]) -> set[str]:
    """The distributions, except this project's own, that contain the modules."""
    of_package = installed()
    distributions = {normal(name) for module in modules for name in of_package.get(module.partition(".")[0], [])}
    return distributions - {"sudoku-bench"}


# Optional imports: packages that others import if they are installed.
ALSO_IMPORTED = {"numba": ["scipy", "cffi", "pycparser", "colorama", "pyyaml"], "numpy": ["charset-normalizer"]}


def with_dependencies(distributions: tuple[str, ...]) -> set[str]:
    closure: set[str] = set()
    waiting = list(distributions)
    while waiting:
        name = normal(waiting.pop())
        if name not in closure:
            closure.add(name)
            closure.update(ALSO_IMPORTED.get(name, []))
            try:
                waiting += [re.split(r"[^\w.-]", need, maxsplit=1)[0] for need in requires(name) or []]
            except PackageNotFoundError:  # an optional extra that is not installed
                continue
    return closure


def normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()
