"""``sudoku-bench solve``: solve a puzzle, or each puzzle of a file, and check the answers."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path

from sudoku_bench.bench.commands.in_order import until_fault
from sudoku_bench.bench.commands.options import add_shared, limit_s
from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.run.solve_list import Answers, ListSolver
from sudoku_bench.bench.say.output import plain_console
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Packed, Puzzle, bordered, cells_text, in_parts
from sudoku_bench.datasets.reading.reader import BadLine, parse, read_packed, split
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.external.command import Command
from sudoku_bench.solvers.strategy import Task

DEFAULT = "sat:complete+pairwise@cadical195"  # of a few puzzles: it is loaded at once; and of the largest boards
LIMIT_S = 60.0
FEW = 100
DEFAULTS = f"{DEFAULT}; for {FEW} puzzles or more bitboard:bands if 9x9, bitboard:cells up to 16x16"
NAME = re.compile(r"([a-z0-9-]+)-(\d+)")  # of a puzzle of an embedded collection
AHEAD = 1000  # puzzles that are read before the first is solved: a file that is no list of puzzles has no answers


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Solve a puzzle, or each puzzle of a file, and check the answers. Exit code 1 if a puzzle is not solved or,"
        " with --task unique, does not have exactly one solution."
    )
    add_shared(parser, "puzzle")
    add_shared(parser, "-s", metavar="NAME", help=f"name of the strategy (default: {DEFAULTS})")
    add_shared(parser, "--task")
    limit = "CPU seconds per puzzle, or 1m (default 60)"
    parser.add_argument("--timeout", type=limit_s, default=LIMIT_S, metavar="S", help=limit)
    add_shared(parser, "--skip-bad")
    parser.add_argument("--lines", action="store_true", help="print one line per puzzle: its solutions, or why not")
    steps = "print the steps by which a person would solve it, each with its reason"
    parser.add_argument("--steps", action="store_true", help=steps)
    add_shared(parser, "--plugin", "--command")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Solve and print; return 1 if a puzzle is not solved, or has no unique solution with ``--task unique``."""
    is_free = not (options.strategies or options.plugin or options.command)
    if options.steps and not (is_free and options.task == "first" and options.timeout == LIMIT_S and not options.lines):
        raise InputError("--steps: shows how a person would solve it; give no other option with it")
    entries = read(options.puzzle, options.skip_bad)
    if options.steps:
        return max(_print_steps(puzzle) for packed in entries for puzzle in packed)
    task = Task.parse(options.task)
    if not 0 < options.timeout < float("inf"):
        raise InputError(f"--timeout must be more than 0, not {options.timeout}")
    declared = [Command.parse(text, str(task)) for text in options.command]
    patterns = [*options.strategies, *strategies.unnamed(declared, options.strategies)]
    chosen = [strategies.exact(DEFAULT)] if is_free else strategies.select(patterns, options.plugin, declared)
    if len(chosen) > 1:
        given = [*options.strategies, *options.plugin, *(command.name for command in declared)]
        verb = "matches" if len(given) == 1 else "are"
        raise InputError(f"{' and '.join(given)} {verb} {len(chosen)} strategies; name one with -s")
    if reason := obstacle(chosen[0], task):
        raise InputError(reason)
    ahead = _ahead(entries, FEW)
    is_free = is_free and sum(map(len, ahead)) >= FEW

    @cache
    def info_for(shape: Shape) -> StrategyInfo:
        return strategies.exact(fastest_for(shape)) if is_free else chosen[0]

    solved = answered(info_for, chain(ahead, entries), task, options.timeout)
    return _print_answers(solved, task, _is_file(options.puzzle), options.lines)


def fastest_for(shape: Shape) -> str:
    """Return the strategy that is fastest for puzzles of a shape, by ``bench/run/screening.csv``."""
    if shape.size > 16:
        return DEFAULT
    return "bitboard:bands" if shape == Shape(3, 3) else "bitboard:cells"


def answered(
    info_for: Callable[[Shape], StrategyInfo], puzzles: Iterable[Packed], task: Task, timeout_s: float
) -> Iterator[tuple[Packed, Answers]]:
    """Yield batches of puzzles with their answers, from a worker for each strategy.

    Raises:
        InputError: reading the puzzles raised it. Those before it are yielded first.
    """
    faults: list[InputError] = []
    solvers: dict[str, ListSolver] = {}
    with contextlib.ExitStack() as stack:
        for shape, of_shape in groupby(until_fault(puzzles, faults), key=attrgetter("shape")):
            if (info := info_for(shape)).name not in solvers:
                solvers[info.name] = stack.enter_context(ListSolver(info, task, timeout_s))
            yield from solvers[info.name].batches(of_shape)
    if faults:
        raise faults[0]


def read(text: str, skip_bad: bool = False) -> Iterator[Packed]:
    """Read the puzzles of a file while they are used, or a puzzle by its text or its name, such as hardest-010.

    Args:
        skip_bad: a bad line is a note on standard error.

    Raises:
        InputError: the text is none of these; or the file cannot be read, contains a bad line, or contains no puzzle.
            For a fault near its beginning, this is raised at once.
    """
    if not _is_file(text):
        if skip_bad:
            raise InputError("--skip-bad: applies to files; remove it")
        if named := _named(text):
            return iter([packed(named)])
        try:
            return iter([packed(parse(text))])
        except InputError as error:
            raise InputError(f"neither a file nor a puzzle: {error}") from None
    entries = _puzzles(text, skip_bad)
    ahead = _ahead(entries, AHEAD)
    if not ahead:
        raise InputError(f"{text}: holds no puzzle; write one per line")
    return chain(ahead, entries)


def packed(puzzle: Puzzle, line: int = 1) -> Packed:
    return Packed(puzzle.shape, puzzle.cell_bytes, (line,))


def _ahead(puzzles: Iterator[Packed], number: int) -> list[Packed]:
    """Read so many puzzles, or a few more; fewer if there are no more."""
    ahead: list[Packed] = []
    while number > 0 and (more := next(puzzles, None)):
        ahead.append(more)
        number -= len(more)
    return ahead


def read_one(text: str) -> Puzzle:
    """Read the only puzzle of a file, or a puzzle by its text or its name.

    Raises:
        InputError: as ``read``, or there are several puzzles.
    """
    puzzles = [puzzle for several in read(text) for puzzle in several]
    if len(puzzles) != 1:
        raise InputError(f"{text}: has {len(puzzles)} puzzles; give one of them, such as a line of the file")
    return puzzles[0]


def _named(text: str) -> Puzzle | None:
    """Return the puzzle of an embedded collection that has this name; None if this is no such name."""
    from sudoku_bench.datasets.collections import catalogue

    match = NAME.fullmatch(text)
    if not match or match[1] not in catalogue.entries():
        return None
    named = {item.name: item.puzzle for item in catalogue.load(match[1]).items}
    if text not in named:
        raise InputError(f"{text}: {match[1]} has {len(named)} puzzles, up to {list(named)[-1]}")
    return named[text]


def _puzzles(path: str, skip_bad: bool) -> Iterator[Packed]:
    for item in read_packed(path):
        if not isinstance(item, BadLine):
            yield item if isinstance(item, Packed) else packed(item.puzzle, item.line)
            continue
        message = f"{split(path)[0]}:{item.line}: {item.message}"
        if not skip_bad:
            raise InputError(message)
        print(f"note: skipped {message}", file=sys.stderr)


def _is_file(text: str) -> bool:
    try:
        file, _ = split(text)
        return text == "-" or (bool(file) and (Path(file).exists() or ("/" in file and "\n" not in file)))
    except (OSError, ValueError):  # too long for a path, or contains NUL
        return False


def _print_steps(puzzle: Puzzle) -> int:
    from sudoku_bench.bench.say.explained import explained
    from sudoku_bench.datasets.steps.words import line

    print(puzzle.bordered, end="\n\n")
    found = explained(puzzle)
    for number, step in enumerate(found.steps, 1):
        print(f"{number:3}. {line(puzzle.shape, step)}")
    solution = f"\n{bordered(puzzle.shape, found.solution)}\n" if found.solution else ""
    print("\n".join(filter(None, (solution, found.words, found.fault))))
    return 0 if found.solution else 1


def obstacle(info: StrategyInfo, task: Task) -> str:
    """Return why a strategy cannot solve the task here; empty if it can."""
    if not info.available:
        return f"{info.name}: {info.reason}"
    if task.name not in info.tasks:
        return f"{info.name} does not offer the task {task.name}; it offers {', '.join(info.tasks)}"
    return ""


def _print_answers(solved: Iterable[tuple[Packed, Answers]], task: Task, is_file: bool, in_lines: bool) -> int:
    """Print the answers, and return the exit code."""
    code = number = 0
    with _counting(is_file and sys.stderr.isatty() and not sys.stdout.isatty()) as show_count:
        for batch, answers in solved:
            if in_lines and {*answers.counts} == {1}:
                texts = in_parts(answers.grids.translate(batch.shape.text_table), len(batch))
                sys.stdout.write(b"\n".join([*texts, b""]).decode("ascii"))
            else:
                sys.stdout.write("".join(_texts(batch, answers, task, is_file, in_lines)))  # it may be unbuffered
            is_no = answers.faults or (task.name != "count" and {*answers.counts} != {1})
            code = code or int(bool(is_no))
            number += len(batch)
            show_count(number)
    return code


def _texts(batch: Packed, answers: Answers, task: Task, is_file: bool, in_lines: bool) -> Iterator[str]:
    """Yield what is printed about each puzzle."""
    for place, (line, grids) in enumerate(zip(batch.lines, answers.of_each(), strict=True)):
        if fault := answers.faults.get(place):
            yield f"line {line}: {fault}\n" if is_file else f"{fault}\n"
        elif in_lines:
            yield (" ".join(cells_text(batch.shape, cells) for cells in grids) or "no solution") + "\n"
        else:
            yield _text(batch.shape, grids, task)


@contextlib.contextmanager
def _counting(is_shown: bool) -> Iterator[Callable[[int], object]]:
    """Yield what shows the number of solved puzzles on a terminal. A single puzzle does without loading rich."""
    if not is_shown:
        yield int
        return
    with plain_console(stderr=True).status("solving ...") as status:
        yield lambda number: status.update(f"{number:,} puzzles solved")


def _text(shape: Shape, answer: Sequence[bytes], task: Task) -> str:
    if task.name == "count":
        grids = "".join(f"{cells_text(shape, cells)}\n" for cells in answer)
        completeness = "limit reached" if len(answer) == task.limit else "all there are"
        return f"{grids}{counted(len(answer), 'solution')} ({completeness})\n"
    grids = "".join(f"{bordered(shape, cells)}\n\n" for cells in answer)
    if not answer:
        return "no solution\n"
    if task.name == "unique":
        return grids + ("exactly one solution\n" if len(answer) == 1 else "not unique: two solutions are shown above\n")
    return grids
