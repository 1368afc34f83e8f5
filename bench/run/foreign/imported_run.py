"""Imported timings as a run folder, which every report reads.

Times by a clock that the tool does not have stay empty in measurements.csv, and reports say which clock they compare.
What a file claims (an answer, that there is one, that there is none) is checked against the two reference strategies;
what cannot be checked is ``unverified``. Several files with the same strategies are launches; other strategies are
joined, puzzle by puzzle.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from sudoku_bench.bench.folder import method, seal
from sudoku_bench.bench.folder.method import CPU, WALL
from sudoku_bench.bench.folder.rows import FINISHED, Row
from sudoku_bench.bench.folder.store import PUZZLES, Store
from sudoku_bench.bench.plan import reference
from sudoku_bench.bench.plan.plan import PlannedPuzzle
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run.experiment import method_of_this_version
from sudoku_bench.bench.run.foreign.puzzle_names import PuzzleNames
from sudoku_bench.bench.run.foreign.timing import Imported, Source, Timing
from sudoku_bench.bench.run.side_tables import PUZZLE_COLUMNS, puzzle_rows
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.difficulty.conflicts import unused_engine
from sudoku_bench.datasets.errors import InputError, harmless
from sudoku_bench.datasets.making.groups import groups
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers.external import printed
from sudoku_bench.solvers.external.program import CommandFault
from sudoku_bench.solvers.strategy import GaveUp, Task

# Constants of the method that do not apply: no guard by another clock is known.
UNKNOWN_METHOD = {"lead_in_s": 0.0, "placebo_puzzles": 0, "wall_factor": 1.0, "wall_slack_s": 0.0}
MAX_REPETITIONS = 20  # of a solve; more measurements are averaged in blocks
CLAIM = re.compile(r"\s*(sat|satisfiable|solved|true|yes)\s*", re.IGNORECASE)  # of a solution that is not shown
ABOVE = 10.0  # the recorded limit of a tool without one, as a multiple of the longest time

Place = tuple[str, str]  # collection and name of a puzzle
Planned = dict[Place, PlannedPuzzle]
Solves = dict[tuple[str, Place, int], list[Timing]]  # by strategy, puzzle and launch


def write(
    imports: Sequence[Imported], folder: Path, puzzles: str | None, mode: str, command: str, progress: Progress
) -> Counter[str]:
    """Write a run of imported timings into a new folder; return the number of its rows by status.

    Args:
        puzzles: a file or collection in which the puzzles have names; None: the collections that the timings name.
        mode: ``warm`` (the process is alive) or ``cold`` (a process per solve).

    Raises:
        InputError: a puzzle is unknown, files do not belong together, or the folder is not empty.
    """
    Store.require_new(folder)
    require_alike(imports)
    clock = clock_of([timing for imported in imports for timing in imported.timings])
    solves, boards = located(imports, puzzles)
    planned = planned_of(boards, next(iter(solves.values()))[0].task, puzzles, progress)
    rows = list(rows_of(solves, planned, imports[0].source, mode, clock))
    progress.begin("rating puzzles", len(planned))
    rated = list(puzzle_rows(list(planned.values()), unused_engine(row.strategy for row in rows), progress))
    store = Store.create(folder)
    try:
        store.write_table(PUZZLES, PUZZLE_COLUMNS, rated)
        store.append(rows)
        manifest = manifest_of([each.source for each in imports], planned, rows, command)
        store.write_manifest(seal.sealed(folder, manifest))
    finally:
        store.close()
    return Counter(row.status for row in rows)


def require_alike(imports: Sequence[Imported]) -> None:
    """Check that files can be parts of one run.

    Raises:
        InputError: tools, limits, processors or tasks differ, or the commits of a strategy.
    """
    known: dict[str, tuple[object, Path]] = {}
    for imported in imports:
        source = imported.source
        facts = [("tool", source.tool.partition(" ")[0]), ("time limit", source.limit_s)]
        facts += [("processor", source.machine.get("cpu"))]
        facts += [(f"commit of {name}", source.commit) for name in {timing.strategy for timing in imported.timings}]
        facts += [("task", task) for task in {timing.task for timing in imported.timings}]
        for what, value in facts:
            before, path = known.setdefault(what, (value, source.path))
            if value != before:
                raise InputError(
                    f"{source.path}: its {what} is {value}, that of {path} is {before}; a run is measured in one way,"
                    " so import them into different runs"
                )


def clock_of(timings: Sequence[Timing]) -> str:
    """Return the clock that all measurements have, the CPU clock if they have both; an InputError if they have none."""
    wall = next((timing for timing in timings if not timing.cpu_s), None)
    if wall and (other := next((timing for timing in timings if not timing.wall_s), None)):
        raise InputError(f"{wall.where}: is wall time, {other.where} CPU time; import them into different runs")
    return WALL if wall else CPU


def located(imports: Sequence[Imported], puzzles: str | None) -> tuple[Solves, dict[Place, Puzzle]]:
    """Return the measurements of each solve, and the puzzles.

    Raises:
        InputError: a puzzle is unknown, or two have the same name.
    """
    solves, boards, launches = Solves(), dict[Place, Puzzle](), Counter[tuple[str, Place]]()
    for imported in imports:
        find, found = cache(PuzzleNames(imported.source.path.parent, puzzles).find), set[tuple[str, Place]]()
        for timing in imported.timings:
            name, puzzle = find(timing.collection, timing.puzzle)
            name = harmless(name)
            place = timing.collection, name
            if boards.setdefault(place, puzzle) != puzzle:
                raise InputError(f"{timing.where}: another puzzle of {place[0]} is called {name}; give it another name")
            launch = launches[timing.strategy, place] + 1
            solves.setdefault((timing.strategy, place, launch), []).append(timing)
            found.add((timing.strategy, place))
        launches.update(found)
    return solves, boards


def planned_of(boards: dict[Place, Puzzle], task: str, puzzles: str | None, progress: Progress) -> Planned:
    """Return the puzzles with the number of solutions of each, and their groups."""
    progress.begin("checking puzzles", len(boards))
    named = [(name, puzzle) for (_, name), puzzle in boards.items()]
    references = reference.establish(named, Task.parse(task).limit, progress.advance)
    known = catalogue.lineages()
    if puzzles:
        given = catalogue.load(puzzles)
        known = known | {item.puzzle.text: given.lineage_of(item) for item in given.items}
    numbers = groups(list(boards.values()), [known.get(puzzle.text, "") for puzzle in boards.values()])
    return {
        place: PlannedPuzzle(*place, puzzle, ref, first_form=0, group=group)
        for (place, puzzle), ref, group in zip(boards.items(), references, numbers, strict=True)
    }


def rows_of(solves: Solves, planned: Planned, source: Source, mode: str, clock: str) -> Iterator[Row]:
    """Yield the rows. Strategies that finished a solve have equally many repetitions."""
    check, parts = cache(judged), list[tuple[tuple[str, Place, int], list[Timing]]]()
    for key, timings in solves.items():
        board, solutions = planned[key[1]].puzzle, planned[key[1]].reference.solutions
        found = (timing.status or check(board, solutions, timing.answer, timing.task) for timing in timings)
        outcomes = zip(timings, found, strict=True)
        parts.append((key, [t if t.status else replace(t, status=each[0], reason=each[1]) for t, each in outcomes]))
    finished = [len(timings) for _, timings in parts if any(timing.status in FINISHED for timing in timings)]
    most, started_s = min([MAX_REPETITIONS, *finished]), 0.0
    limit_s = limit_of([timing for _, timings in parts for timing in timings], source)
    for position, ((strategy, (collection, name), launch), timings) in enumerate(parts, 1):
        for number, timing in enumerate(blocks(timings, min(most, len(timings))), 1):
            is_timed = timing.status in FINISHED
            yield Row(
                strategy=strategy,
                collection=collection,
                puzzle=name,
                isomorph=0,
                task=timing.task,
                mode=mode,
                launch=launch,
                repetition=number,
                loops=timing.loops,
                status=timing.status,
                reason=timing.reason or None,
                limit_s=limit_s,
                limit_clock=clock,
                wall_s=timing.wall_s if is_timed else None,
                cpu_s=timing.cpu_s if is_timed and clock == CPU else None,
                peak_rss_mib=timing.memory_mib,
                round=number,
                position=position,
                started_s=started_s,
                host=harmless(str(source.machine.get("cpu") or "unknown")),
            )
            started_s += timing.seconds * timing.loops


def blocks(timings: Sequence[Timing], number: int) -> Iterator[Timing]:
    """Yield means of ``number`` blocks of successive measurements, which depend less on each other than single ones.

    A block in which one did not finish is not finished.
    """
    ends = [len(timings) * block // number for block in range(number + 1)]
    for block in (timings[start:end] for start, end in itertools.pairwise(ends)):
        first = next((timing for timing in block if timing.status not in FINISHED), block[0])
        yield replace(
            first,
            wall_s=statistics.fmean(timing.wall_s or 0.0 for timing in block) or None,
            cpu_s=statistics.fmean(timing.cpu_s or 0.0 for timing in block) or None,
            memory_mib=max(timing.memory_mib or 0.0 for timing in block) or None,
            loops=sum(timing.loops for timing in block),
        )


def judged(puzzle: Puzzle, solutions: int, answer: str, task: str) -> tuple[str, str]:
    """Return the status of a finished measurement and why it is not solved, from what the file says of its answer."""
    if not answer:
        return "unverified", "the file has no answer to check"
    if CLAIM.fullmatch(answer):
        why = "the file has no solution to check" if solutions else "the puzzle has no solution"
        return "unverified" if solutions else "wrong", f"said {answer}; {why}"
    try:
        limit = Task.parse(task).limit
        found = printed.solutions_in(answer.encode(), puzzle, limit)
    except GaveUp:
        return "gave_up", f"said {answer}"
    except CommandFault as fault:
        return "error", str(fault)
    fault_found = answer_fault(puzzle, found, min(limit, solutions))
    return ("wrong", fault_found) if fault_found else ("solved", "")


def limit_of(timings: Sequence[Timing], source: Source) -> float:
    """Return the time limit in seconds; for a tool without one the shortest timeout, or a number above all times."""
    timed_out = [timing.seconds for timing in timings if timing.status == "timeout"]
    return source.limit_s or min(timed_out, default=ABOVE * max(timing.seconds for timing in timings))


def manifest_of(sources: Sequence[Source], planned: Planned, rows: Sequence[Row], command: str) -> dict[str, Any]:
    """Return the manifest: what the tool records, and that the run is imported."""
    source = sources[0]
    strategies = tuple(dict.fromkeys(row.strategy for row in rows))
    sizes = Counter(collection for collection, _ in planned)
    suite = Suite(
        name="imported",
        title=f"imported from {source.tool}",
        strategies=strategies,
        datasets=tuple(sizes),
        task=rows[0].task,
        mode=rows[0].mode,
        repetitions=max(row.repetition for row in rows),
        launches=max(row.launch for row in rows),
        timeout_s=rows[0].limit_s,
        isomorphs=False,
        pin="off",
    )
    has_limit = source.limit_s is not None or any(row.status == "timeout" for row in rows)
    tools = ", ".join(dict.fromkeys(each.tool for each in sources))
    files = [{"name": each.path.name, "sha256": sha256(each.path.read_bytes()).hexdigest()} for each in sources]
    return {
        "format": 3,
        "command": command,
        "imported": {"tool": tools, "files": files, "has_limit": has_limit},
        "clock": rows[0].limit_clock,
        method.KEY: dataclasses.asdict(method_of_this_version()) | UNKNOWN_METHOD,
        "suite": dataclasses.asdict(suite),
        "task": suite.task,
        "strategies": [{"name": name} for name in strategies],
        "collections": [{"name": name, "puzzles": number, "skipped": []} for name, number in sizes.items()],
        "references_by_sources": dict(Counter(str(each.reference.sources) for each in planned.values())),
        "started": source.started,
        "machine": dict.fromkeys(("cpu", "cores_logical", "python")) | dict(source.machine),
        "packages": {},
        "git": {"commit": source.commit, "dirty": source.dirty},
        "ended": None,
        "complete": True,
        "planned_rows": len(rows),
        "rows_by_status": dict(Counter(row.status for row in rows)),
    }
