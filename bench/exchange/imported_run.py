"""Imported timings as a run folder, which every report reads.

An imported run records the clock that its tool has. Where that is the wall clock alone, ``cpu_s`` stays empty in
measurements.csv, and reports compare wall times and say so. Answers are checked against the two reference strategies
where the file has solutions; otherwise the status is ``unverified``. Several files that hold the same
strategies are launches; other strategies are joined, puzzle by puzzle.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudoku_bench.bench.exchange.puzzle_names import PuzzleNames
from sudoku_bench.bench.exchange.timing import Imported, Source, Timing, number_of_repetitions
from sudoku_bench.bench.folder import method, seal
from sudoku_bench.bench.folder.method import CPU, WALL
from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.folder.store import PUZZLES, Store
from sudoku_bench.bench.plan import reference
from sudoku_bench.bench.plan.plan import PlannedPuzzle
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run.experiment import method_of_this_version
from sudoku_bench.bench.run.side_tables import PUZZLE_COLUMNS, puzzle_rows
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.difficulty.conflicts import unused_engine
from sudoku_bench.datasets.errors import InputError, harmless
from sudoku_bench.datasets.making.groups import groups
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.verify import answer_fault
from sudoku_bench.solvers.strategy import Task

# Constants of the method that do not apply: no guard by another clock is known.
UNKNOWN_METHOD = {"lead_in_s": 0.0, "placebo_puzzles": 0}
UNKNOWN_METHOD |= {"wall_factor": 1.0, "wall_slack_s": 0.0}
ABOVE = 10.0  # the recorded limit of a tool without one, as a multiple of the longest time


@dataclass(frozen=True)
class Solve:
    """A timing with the puzzle that it is about; launches count the files in which the strategy solves it."""

    timing: Timing
    planned: PlannedPuzzle
    launch: int


def write(
    imports: Sequence[Imported], folder: Path, puzzles: str | None, mode: str, command: str, progress: Progress
) -> None:
    """Write a run of imported timings into a new folder.

    Args:
        imports: the contents of the files.
        puzzles: a file or collection in which the puzzles have names; None: the collections that the timings name.
        mode: ``warm`` (the process is alive) or ``cold`` (a process per solve).

    Raises:
        InputError: a puzzle is unknown, a solve occurs twice, files do not belong together, or the folder is not empty.
    """
    Store.require_new(folder)
    sources = [imported.source for imported in imports]
    require_alike(imports)
    solves = located(imports, puzzles, progress)
    planned_puzzles = list({(s.planned.collection, s.planned.name): s.planned for s in solves}.values())
    rows = list(rows_of(solves, sources[0], mode))
    progress.begin("rating puzzles", len(planned_puzzles))
    engine = unused_engine(solve.timing.strategy for solve in solves)
    rated = list(puzzle_rows(planned_puzzles, engine, progress))
    store = Store.create(folder)
    try:
        store.write_table(PUZZLES, PUZZLE_COLUMNS, rated)
        store.append(rows)
        store.write_manifest(seal.sealed(folder, manifest_of(sources, solves, planned_puzzles, rows, mode, command)))
    finally:
        store.close()


def require_alike(imports: Sequence[Imported]) -> None:
    """Check that files can be parts of one run.

    Raises:
        InputError: tools, limits or processors differ, or the commits of a strategy.
    """
    first, commits = imports[0].source, dict[str, Source]()
    for imported in imports:
        source = imported.source
        facts = [
            ("tool", source.tool.partition(" ")[0], first.tool.partition(" ")[0], first),
            ("time limit", source.limit_s, first.limit_s, first),
            ("processor", source.machine.get("cpu"), first.machine.get("cpu"), first),
        ]
        for strategy in {timing.strategy for timing in imported.timings}:
            before = commits.setdefault(strategy, source)
            facts.append((f"commit of {strategy}", source.commit, before.commit, before))
        for what, one, other, before in facts:
            if one != other:
                raise InputError(
                    f"{source.path}: its {what} is {one}, that of {before.path} is {other}; a run is measured in one"
                    " way, so import them into different runs"
                )


def located(imports: Sequence[Imported], puzzles: str | None, progress: Progress) -> list[Solve]:
    """Return the timings with their puzzles, and the number of solutions of each."""
    first = imports[0].source.path
    tasks = sorted({timing.task for imported in imports for timing in imported.timings})
    if len(tasks) > 1:
        raise InputError(f"{first}: has the tasks {', '.join(tasks)}; a run has one, so split the file")
    found: list[tuple[int, Timing, str]] = []
    boards: dict[tuple[str, str], Puzzle] = {}
    launches = Counter[tuple[str, str, str]]()
    for imported in imports:
        names = PuzzleNames(imported.source.path.parent, puzzles)
        done: set[tuple[str, str, str]] = set()
        for timing in imported.timings:
            collection, strategy = timing.collection, timing.strategy
            name, puzzle = names.find(collection, timing.puzzle, timing.where)
            name = harmless(name)
            key = (strategy, collection, name)
            if key in done:
                raise InputError(
                    f"{imported.source.path}: {strategy} solves {name} of {collection} twice; give it two names"
                )
            if boards.setdefault((collection, name), puzzle) != puzzle:
                raise InputError(
                    f"{timing.where}: another puzzle of {collection} is called {name}, too; give it another name"
                )
            done.add(key)
            launches[key] += 1
            found.append((launches[key], timing, name))
    progress.begin("checking puzzles", len(boards))
    references = reference.establish(
        [(name, puzzle) for (_, name), puzzle in boards.items()], Task.parse(tasks[0]).limit, progress.advance
    )
    known = catalogue.lineages()
    if puzzles:
        given = catalogue.load(puzzles)
        known = known | {item.puzzle.text: given.lineage_of(item) for item in given.items}
    numbers = groups(list(boards.values()), [known.get(puzzle.text, "") for puzzle in boards.values()])
    planned_puzzles = {
        key: PlannedPuzzle(*key, puzzle, ref, first_form=0, group=group)
        for (key, puzzle), ref, group in zip(boards.items(), references, numbers, strict=True)
    }
    return [Solve(timing, planned_puzzles[timing.collection, name], launch) for launch, timing, name in found]


def rows_of(solves: Sequence[Solve], source: Source, mode: str) -> Iterator[Row]:
    """Yield the rows: a solve that did not finish in one repetition is unfinished in all."""
    repetitions = number_of_repetitions([solve.timing for solve in solves])
    limit_s, started_s = limit_of(solves, source), 0.0
    for position, solve in enumerate(solves, 1):
        timing, planned = solve.timing, solve.planned
        status, reason = judged(solve)
        finished = not timing.status
        blocks = timing.in_blocks(min(repetitions, len(timing.wall_s)))
        for number, (wall_s, cpu_s, loops) in enumerate(blocks, 1):
            yield Row(
                strategy=timing.strategy,
                collection=planned.collection,
                puzzle=planned.name,
                isomorph=0,
                task=timing.task,
                mode=mode,
                launch=solve.launch,
                repetition=number,
                loops=loops,
                status=status,
                reason=reason,
                limit_s=limit_s,
                limit_clock=CPU if timing.cpu_s else WALL,
                wall_s=wall_s if finished else None,
                cpu_s=cpu_s if finished else None,
                round=number,
                position=position,
                started_s=started_s,
                host=harmless(str(source.machine.get("cpu") or "unknown")),
            )
            started_s += wall_s * loops


def judged(solve: Solve) -> tuple[str, str | None]:
    """Return the status of a solve, and the reason if it is not solved."""
    timing, planned = solve.timing, solve.planned
    if timing.status:
        return timing.status, timing.reason or None
    if timing.solution is None:
        return "unverified", f"{timing.where.rpartition(': ')[2]} has no solution"
    limit = Task.parse(timing.task).limit
    cells = [planned.puzzle.shape.symbols.find(symbol) + 1 for symbol in timing.solution]
    fault = answer_fault(planned.puzzle, [cells], min(limit, planned.reference.solutions))
    return ("wrong", fault) if fault else ("solved", None)


def limit_of(solves: Sequence[Solve], source: Source) -> float:
    """Return the time limit in seconds; for a tool without a limit, a number above all times."""
    longest_s = max(max(solve.timing.wall_s) for solve in solves)
    return source.limit_s or ABOVE * longest_s


def manifest_of(
    sources: Sequence[Source],
    solves: Sequence[Solve],
    planned_puzzles: Sequence[PlannedPuzzle],
    rows: Sequence[Row],
    mode: str,
    command: str,
) -> dict[str, Any]:
    """Return the manifest: what the tool records, and that the run is imported."""
    source = sources[0]
    has_cpu = all(solve.timing.cpu_s for solve in solves)
    strategies = tuple(dict.fromkeys(solve.timing.strategy for solve in solves))
    sizes = Counter(planned.collection for planned in planned_puzzles)
    suite = Suite(
        name="imported",
        title=f"imported from {source.tool}",
        strategies=strategies,
        datasets=tuple(sizes),
        task=solves[0].timing.task,
        mode=mode,
        repetitions=max(row.repetition for row in rows),
        launches=max(solve.launch for solve in solves),
        timeout_s=limit_of(solves, source),
        isomorphs=False,
        pin="off",
    )
    tools = ", ".join(dict.fromkeys(each.tool for each in sources))
    files = [{"name": source.path.name, "sha256": source.sha256} for source in sources]
    return {
        "format": 3,
        "command": command,
        "imported": {
            "tool": tools,
            "files": files,
            "has_limit": source.limit_s is not None,
        },
        "clock": CPU if has_cpu else WALL,
        method.KEY: dataclasses.asdict(method_of_this_version()) | UNKNOWN_METHOD,
        "suite": dataclasses.asdict(suite),
        "task": suite.task,
        "strategies": [{"name": name} for name in strategies],
        "collections": [{"name": name, "puzzles": number, "skipped": []} for name, number in sizes.items()],
        "references_by_sources": dict(Counter(str(planned.reference.sources) for planned in planned_puzzles)),
        "started": source.started,
        "machine": dict.fromkeys(("cpu", "cores_logical", "python")) | dict(source.machine),
        "packages": {},
        "git": {"commit": source.commit, "dirty": source.dirty},
        "ended": None,
        "complete": True,
        "planned_rows": len(rows),
        "rows_by_status": dict(Counter(row.status for row in rows)),
    }
