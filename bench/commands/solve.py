"""``sudoku-bench solve``: solve a puzzle, or each puzzle of a file, and check the answers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.commands.run import add_external_strategies
from bench.plan import strategies
from bench.process.strategy_info import StrategyInfo
from bench.process.watch import WorkerDied
from bench.process.worker_process import Sample, Worker
from bench.say.phrases import counted
from datasets.errors import InputError
from datasets.puzzle import Puzzle, bordered, cells_text
from datasets.reading.reader import load_file, parse, split
from datasets.verify import answer_fault
from solvers.external.command import Command
from solvers.strategy import Task

DEFAULT = "sat:complete+pairwise@cadical195"
MAX_GUESSES = 200_000  # limit of the check for missed solutions


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "solve",
        help="solve a puzzle, or the puzzles of a file",
        description="Solve a puzzle, or each puzzle of a file, and check the answers. Exit code 1 if a puzzle is not"
        " solved or, with --task unique, does not have exactly one solution.",
    )
    parser.add_argument(
        "puzzle",
        metavar="PUZZLE|FILE",
        help="81 characters (. for an empty cell), a grid, or a file; - for standard input",
    )
    parser.add_argument(
        "-s", "--strategy", action="append", metavar="NAME", help=f"name of the strategy (default {DEFAULT})"
    )
    parser.add_argument("--task", default="first", help="first, unique or count:K (default first)")
    parser.add_argument(
        "--timeout", type=float, default=60.0, metavar="S", help="limit per puzzle in CPU seconds (default 60)"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="print sizes, times by phase and counters; -s may be a pattern and be repeated",
    )
    parser.add_argument(
        "--candidates", action="store_true", help="only propagate singles and print the remaining candidates"
    )
    add_external_strategies(parser)
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Solve and print; return 1 if a puzzle is not solved, or has no unique solution with ``--task unique``."""
    puzzles = read(options.puzzle)
    if options.candidates:
        return max(_print_candidates(puzzle) for puzzle in puzzles)
    task = Task.parse(options.task)
    if not 0 < options.timeout < float("inf"):
        raise InputError(f"--timeout must be more than 0, not {options.timeout}")
    declared = [Command.parse(text, str(task)) for text in options.command]
    chosen = strategies.select(options.strategy or [DEFAULT], options.plugin, declared)
    if options.explain:
        return max(_explain(chosen, puzzle, task, options.timeout) for puzzle in puzzles)
    if len(chosen) > 1:
        names = " and ".join(options.strategy)
        verb = "matches" if len(options.strategy) == 1 else "are"
        raise InputError(f"{names} {verb} {len(chosen)} strategies; name one, or add --explain")
    if obstacle := _obstacle(chosen[0], task):
        raise InputError(obstacle)
    return max(_solve(chosen[0], puzzle, task, options.timeout) for puzzle in puzzles)


def read(text: str) -> list[Puzzle]:
    """Read the puzzles of a file, or parse the text as a puzzle.

    Raises:
        InputError: the text is neither.
    """
    if text == "-" or _is_path(text):
        return [entry.puzzle for entry in load_file(text)]
    try:
        return [parse(text)]
    except InputError as error:
        raise InputError(f"neither a file nor a puzzle: {error}") from None


def _is_path(text: str) -> bool:
    try:
        file, _ = split(text)
        return bool(file) and (Path(file).exists() or ("/" in file and "\n" not in file))
    except (OSError, ValueError):  # too long for a path, or contains NUL
        return False


def _print_candidates(puzzle: Puzzle) -> int:
    from solvers.seeds.norvig import candidates, candidates_grid

    cells = candidates(puzzle)
    if cells is None:
        print("the clues contradict each other")
        return 1
    print(candidates_grid(puzzle.shape, cells), end="\n\n")
    return 0


def _obstacle(info: StrategyInfo, task: Task) -> str:
    """Return why a strategy cannot solve the task here; empty if it can."""
    if not info.available:
        return f"{info.name}: {info.reason}"
    if task.name not in info.tasks:
        return f"{info.name} does not offer the task {task.name}; it offers {', '.join(info.tasks)}"
    return ""


def _solve(info: StrategyInfo, puzzle: Puzzle, task: Task, timeout_s: float) -> int:
    solved = _answer_of(info, puzzle, task, timeout_s)
    if solved.fault:
        print(solved.fault)
        return 1
    _print_answer(puzzle, solved.answer, task)
    return _exit_code(solved, task)


def _explain(chosen: Sequence[StrategyInfo], puzzle: Puzzle, task: Task, timeout_s: float) -> int:
    """Solve with each strategy; print the answer once, and the facts about each solve."""
    from bench.say import explain

    columns, correct, code = {}, None, 0
    for info in chosen:
        solved = Solved(fault=_obstacle(info, task))
        if not solved.fault:
            solved = _answer_of(info, puzzle, task, timeout_s)
        correct = correct or (None if solved.fault else solved)
        columns[info.name] = explain.facts_of(solved.fault or _summary(solved.answer), solved.prepared, solved.reply)
        code = max(code, _exit_code(solved, task))
    if correct:
        _print_answer(puzzle, correct.answer, task)
        print()
    explain.show(columns)
    return code


@dataclass(frozen=True)
class Solved:
    """Result of a solve.

    Attributes:
        answer: the checked solutions.
        prepared: the worker's reply to ``prepare``.
        reply: the worker's reply to ``solve``.
        fault: why there is no correct answer; empty if there is one.
    """

    answer: Sequence[Sequence[int]] = ()
    prepared: Mapping[str, Any] = field(default_factory=dict)
    reply: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""


def _exit_code(solved: Solved, task: Task) -> int:
    return 0 if not solved.fault and (task.name == "count" or len(solved.answer) == 1) else 1


def _summary(answer: Sequence[Sequence[int]]) -> str:
    return f"{counted(len(answer), 'solution')}, correct"


def _answer_of(info: StrategyInfo, puzzle: Puzzle, task: Task, timeout_s: float) -> Solved:
    """Solve a puzzle in a worker process and check the answer."""
    worker = Worker(info, number=1)
    prepared: Mapping[str, Any] = {}
    try:
        started = worker.start()
        prepared = worker.prepare(puzzle.shape) if started["status"] == "ok" else started
        sample = Sample([puzzle], task, timeout_s, phases=not info.streams)
        reply = worker.solve(sample) if prepared["status"] == "ok" else prepared
    except WorkerDied as death:
        return Solved(prepared=prepared, fault=f"{death.status}: {death.reason}")
    finally:
        worker.close()
    if "malformed" in reply:
        return Solved(prepared=prepared, fault=f"wrong: malformed answer: {reply['malformed']}")
    if reply["status"] != "ok":
        return Solved(prepared=prepared, fault=f"{reply['status']}: {reply['reason']}")
    answer: list[list[int]] = reply["answers"][0]
    fault = _fault(puzzle, answer, task)
    return Solved(answer, prepared, reply, f"wrong answer of {info.name}: {fault}" if fault else "")


def _fault(puzzle: Puzzle, answer: Sequence[Sequence[int]], task: Task) -> str | None:
    """Return what is wrong with an answer, by the rules and by the number of solutions that the kernel counts."""
    from datasets.search import solve

    reference = solve(puzzle, task.limit, max_guesses=MAX_GUESSES)
    return answer_fault(puzzle, answer, expected=len(reference.solutions) if reference.complete else len(answer))


def _print_answer(puzzle: Puzzle, answer: Sequence[Sequence[int]], task: Task) -> None:
    if task.name == "count":
        for cells in answer:
            print(cells_text(puzzle.shape, cells))
        completeness = "limit reached" if len(answer) == task.limit else "all there are"
        print(f"{counted(len(answer), 'solution')} ({completeness})")
        return
    for cells in answer:
        print(bordered(puzzle.shape, cells), end="\n\n")
    if not answer:
        print("no solution")
    elif task.name == "unique":
        print("exactly one solution" if len(answer) == 1 else "not unique: two solutions are shown above")
