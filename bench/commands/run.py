"""``sudoku-bench run``: measure, then report."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import shlex
import signal
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from bench.commands import report
from bench.folder import state
from bench.plan import plan, suite
from bench.plan.plan import Plan
from bench.run import experiment
from bench.say.progress import Progress
from bench.say.output import TEXT, OutputMode, add_options, print_json, print_line
from solvers.external.command import Command


def add(commands: Any) -> None:
    parser = commands.add_parser("run", help="measure strategies on puzzles, and report")
    parser.add_argument("suite", nargs="?", metavar="SUITE", help="a shipped suite or a .toml file (default main)")
    add_settings(parser)
    add_options(parser)
    parser.set_defaults(main=from_options)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The options of everything that measures."""
    parser.add_argument(
        "-s", "--strategy", action="append", dest="strategies", metavar="PATTERN", help="such as 'sat:*'"
    )
    parser.add_argument("-d", "--dataset", action="append", dest="datasets", metavar="NAME|PATH", help="puzzles")
    parser.add_argument("--task", help="first, unique or count:K (default first)")
    parser.add_argument("--mode", help="warm (default), cold, cold-first or batch:B (B forms in one call)")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N puzzles of each collection")
    parser.add_argument("--sample", type=int, metavar="N", help="N puzzles of each, at random, spread over difficulty")
    parser.add_argument("--skip-bad", action="store_const", const=True, help="pass over bad lines, and count them")
    parser.add_argument("--repetitions", type=int, metavar="R", help="solves of each pair per launch (default 5)")
    parser.add_argument(
        "--budget", metavar="TIME", help="time for pilot and measurements, such as 10m; chooses the repetitions"
    )
    parser.add_argument("--launches", type=int, metavar="L", help="fresh processes (default 1)")
    parser.add_argument(
        "--timeout", type=float, dest="timeout_s", metavar="S", help="CPU seconds per solve (default 10)"
    )
    parser.add_argument("--memory", type=int, dest="memory_mib", metavar="MIB", help="limit per worker (default none)")
    parser.add_argument("--seed", type=int, help="of orders and forms (default 1)")
    parser.add_argument("--isomorphs", choices=("on", "off"), help="solve another form each time (default on)")
    parser.add_argument("--loops", type=int, metavar="N", help="forms per measurement (default: calibrated)")
    parser.add_argument("--gc", choices=("on", "off"), help="Python's garbage collector in workers (default on)")
    parser.add_argument("--jobs", type=int, metavar="J", help="measurements at a time (default 1)")
    parser.add_argument("--margin", type=float, metavar="M", help="differences up to this count as none (default 0.05)")
    parser.add_argument("--pin", metavar="on|off|CORES", help="keep each worker on a core (default off)")
    parser.add_argument("--plugin", action="append", default=[], metavar="FILE.py", help="strategies of your own")
    parser.add_argument(
        "--command", action="append", default=[], metavar="NAME=CMD", help="a program of your own (docs/external.md)"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the run (default results/TIME-SUITE)")
    parser.add_argument("--resume", action="store_true", help="go on with the run that is in --out, if there is one")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be measured")


def from_options(options: argparse.Namespace) -> int:
    """The command."""
    return main(options, OutputMode.of(options))


def main(options: argparse.Namespace, mode: OutputMode = TEXT) -> int:
    """Measure what the options ask for, and report."""
    # To programs alone, the answer says all there is to say.
    console = Console(stderr=True, highlight=False, markup=False, quiet=mode.quiet and mode.json)
    asked = asked_for(options)
    with terminated_as_interrupt(), Progress(console, mode.quiet) as progress:
        progress.begin("checking puzzles")
        planned = plan.make(asked, options.plugin, progress.advance)
        progress.done()
        notes = list(cautions(planned))
        for note in notes:
            progress.warn(f"note: {note}")
        if options.dry_run:
            describe(planned, mode)
            return 0
        now = datetime.now(UTC)
        command = shlex.join(["sudoku-bench", *sys.argv[1:]])
        folder = options.out or Path("results") / f"{now:%Y%m%d-%H%M%S}-{asked.name}"
        complete = options.resume and experiment.is_complete(folder)
        finished = experiment.conduct(planned, folder, command, now, progress, options.resume)
        if finished:
            progress.done()
    if not finished:
        again = shlex.quote(str(folder))
        console.print(
            f"interrupted; the finished rows are in {folder}; go on with the same command and --out {again} --resume",
            soft_wrap=True,
        )
        if mode.json:
            print_json(state.of_run(folder).document)
        return 130
    if complete and report.is_written(folder):
        if mode.text:
            console.print(f"{folder}: is complete; nothing was left to do", soft_wrap=True)
        return report.tell(folder, mode, notes) if mode.json else 0
    return report.main(folder, mode=mode, notes=notes if mode.json else ())


def asked_for(options: argparse.Namespace) -> suite.Suite:
    """The suite of a command line: the one that is named, with single settings replaced.

    Without a name it is ``main``; with ``-s`` or ``-d``, only its strategies or puzzles, under the usual defaults.
    """
    settings: dict[str, Any] = {f.name: getattr(options, f.name, None) for f in dataclasses.fields(suite.Suite)}
    settings |= {"name": None, "title": None}
    if options.isomorphs:
        settings["isomorphs"] = options.isomorphs == "on"
    for key in ("strategies", "datasets"):
        settings[key] = tuple(settings[key]) if settings[key] else None
    if options.suite:
        base = suite.load(options.suite)
    else:
        base = suite.load(suite.DEFAULT)
        if settings["strategies"] or settings["datasets"] or options.command:
            base = suite.Suite(strategies=() if options.command else base.strategies, datasets=base.datasets)
    asked = base.with_settings(settings)
    declared = tuple(Command.parse(text, asked.task) for text in options.command)
    if declared and not options.strategies:
        settings = {"strategies": (*asked.strategies, *(command.name for command in declared))}
    else:
        settings = {}
    return asked.with_settings({**settings, "commands": (*asked.commands, *declared)})


def cautions(planned: Plan) -> Iterator[str]:
    """What the reader of the numbers would otherwise stumble over."""
    for found in planned.collections:
        for skipped in found.skipped:
            yield f"{found.name}: skipped {skipped}"
    odd = sum(1 for s in planned.subjects if not s.decoy and s.reference.solutions != 1)
    if odd and planned.task.name == "first":
        yield (
            f"{odd} puzzles have not exactly one solution; they are solved, but times of the task first are not"
            " compared on them (use --task unique)"
        )
    single = sum(1 for s in planned.subjects if s.reference.sources < 2)
    if single:
        yield f"the number of solutions of {single} puzzles was established by one strategy only"
    for command in planned.suite.commands:
        if not any(info.command == command for info in planned.strategies):
            yield f"the command {command.name} takes no part: no pattern of strategies matches it"
    for info in planned.strategies:
        if not info.available:
            yield f"{info.name} is unsupported here: {info.reason}"


def describe(planned: Plan, mode: OutputMode) -> None:
    """Say what a run would measure."""
    if mode.json:
        print_json(plan_document(planned))
    elif not mode.quiet:
        console = Console(highlight=False, markup=False)
        for line in plan_lines(planned):
            print_line(line, console)


def plan_lines(planned: Plan) -> Iterator[str]:
    """What a run would measure, in words."""
    asked = planned.suite
    yield f"strategies: {', '.join(info.name for info in planned.strategies)}"
    for info in planned.strategies:
        if info.command:
            yield f"{info.name} runs: {info.command.command}"
    for found in planned.collections:
        yield f"collection: {found.name}, {len(found.items)} puzzles"
    if asked.budget:
        yield (
            f"task {planned.task}, {asked.launches} launches, as many repetitions of each collection as the budget of"
            f" {asked.budget} allows; the pilot tells how many"
        )
        return
    rows, worst_s = extent(planned)
    yield (
        f"{rows} measurements, and those of the placebos: task {planned.task}, {asked.repetitions} repetitions,"
        f" {asked.launches} launches; if every solve timed out at {asked.timeout_s:g} s: {worst_s / 60:.1f} minutes"
    )


def plan_document(planned: Plan) -> dict[str, Any]:
    """The same for programs; rows and seconds are null where a pilot has to settle them."""
    rows, worst_s = (None, None) if planned.suite.budget else extent(planned)
    return {
        "dry_run": True,
        "suite": dataclasses.asdict(planned.suite),
        "strategies": [info.name for info in planned.strategies],
        "collections": [{"collection": own.name, "puzzles": len(own.items)} for own in planned.collections],
        "rows_without_placebos": rows,
        "longest_s": worst_s,
        "notes": list(cautions(planned)),
    }


def extent(planned: Plan) -> tuple[int, float]:
    """Measurements without those of placebos, and the seconds that they take if every first one times out."""
    asked = planned.suite
    rows = sum(1 if s.decoy else asked.repetitions for s in planned.subjects) * len(planned.strategies) * asked.launches
    return rows, rows / asked.repetitions * asked.timeout_s


@contextlib.contextmanager
def terminated_as_interrupt() -> Iterator[None]:
    """Let a SIGTERM end the run as tidily as Ctrl-C does."""

    def interrupt(_signal: int, _frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
