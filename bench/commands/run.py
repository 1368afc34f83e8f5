"""``sudoku-bench run``: measure strategies on puzzles, then report."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import shlex
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sudoku_bench.bench.commands import report
from sudoku_bench.bench.commands.options import add_shared, limit_s
from sudoku_bench.bench.commands.report_files import DEFAULT_FORMATS, Look
from sudoku_bench.bench.folder import state
from sudoku_bench.bench.plan import strategies, suite, versions
from sudoku_bench.bench.plan.plan import Plan
from sudoku_bench.bench.run import experiment, measuring, probe
from sudoku_bench.bench.run.measuring import Interrupted
from sudoku_bench.bench.say.output import OutputMode, plain_console, print_json, print_line
from sudoku_bench.bench.say.phrases import counted, duration
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.external.command import Command

SPELLED = {  # options that are not spelled like their setting
    "strategies": ("-s", "--strategy"),
    "datasets": ("-d", "--dataset"),
    "timeout_s": ("--timeout",),
    "memory_mib": ("--memory",),
}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Measure strategies on puzzles into a run folder, write its report and print a summary. Options"
        " override the settings of the suite; with -s or -d and no suite, the default settings apply."
    )
    parser.usage = "%(prog)s [SUITE] [-s PATTERN]... [-d NAME|PATH]... [OPTION]..."
    parser.add_argument("suite", nargs="?", metavar="SUITE", help="shipped suite or .toml file (default main)")
    output = add_settings(parser)
    add_shared(output, "--quiet", "--verbose", "--json")
    parser.set_defaults(main=main)


def add_settings(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options of a run in groups; None or an empty list: as the suite has it. Return the group of output."""
    groups = {name: parser.add_argument_group(name) for name in (suite.WHAT, suite.HOW_LONG, suite.MACHINE)}
    for setting in suite.settings():
        add_setting(groups[setting.group], setting)
    add_shared(groups[suite.WHAT], "--plugin", "--command")
    text = "measure -s on the puzzles of another run, with its settings, beside the best of its strategies there"
    groups[suite.WHAT].add_argument("--add-to", type=Path, metavar="RUN", help=text)
    text = "measure and compare two versions of a plug-in file; exit code 1 if a strategy became slower"
    groups[suite.WHAT].add_argument("--versions", nargs=2, metavar=("OLD.py", "NEW.py"), help=text)
    add = groups[suite.MACHINE].add_argument
    dask = "dask measures on the workers of a cluster, see docs/scale.md (default local)"
    add("--engine", choices=("local", "dask"), default="local", help=dask)
    address = "Dask scheduler, such as tcp://node1:8786 (default: workers on this machine)"
    add("--scheduler", metavar="ADDRESS", help=address)
    wait = "how long a run on a cluster waits for workers before it ends, to be resumed (default 10m)"
    add("--wait", dest="wait_s", metavar="TIME", type=wait_s, help=wait)
    output = parser.add_argument_group("output")
    output.add_argument("--out", type=Path, metavar="DIR", help="run folder (default results/TIME-SUITE)")
    figures = "draw the figures of the report (default on)"
    output.add_argument("--figures", choices=("on", "off"), default="on", help=figures)
    output.add_argument("--resume", action="store_true", help="resume the run in --out, or start it if there is none")
    dry = "print what would be measured, and about how long, after a solve of each strategy"
    output.add_argument("--dry-run", action="store_true", help=dry)
    return output


def wait_s(text: str) -> float:
    """Parse the time to wait for workers."""
    return suite.seconds_of(text, "--wait")


def shown(default: object) -> str:
    return f"{default:g}" if isinstance(default, float) else str(default)


def add_setting(group: argparse._ArgumentGroup, setting: suite.Setting) -> None:
    """Add the option of a setting."""
    flags = SPELLED.get(setting.name, (f"--{setting.name.replace('_', '-')}",))
    text = setting.description.replace("%", "%%")
    if setting.default not in (None, (), False):
        text += f" (default {'on' if setting.default is True else shown(setting.default)})"
    how: dict[str, Any] = {"dest": setting.name, "help": text, "metavar": setting.metavar or None}
    if setting.kind is tuple:
        how |= {"action": "append", "default": []}
    elif setting.kind is bool and not setting.default:
        how = {"dest": setting.name, "help": text, "action": "store_const", "const": True}
    elif setting.kind is bool or isinstance(setting.kind, tuple):
        how |= {"choices": ("on", "off"), "metavar": None}
    else:
        how["type"] = limit_s if setting.name == "timeout_s" else setting.kind
    group.add_argument(*flags, **how)


def main(options: argparse.Namespace) -> int:
    """Run the command."""
    return measure_versions(options) if options.versions else measure(options, OutputMode.of(options))


def measure_versions(options: argparse.Namespace) -> int:
    """Measure two versions of a plug-in file in one run, then compare each strategy with its other version."""
    from sudoku_bench.bench.commands import compare

    if options.suite or options.add_to:
        raise InputError("--versions: measures the strategies of two files; give neither a suite nor --add-to")
    if options.sandbox or options.quiet or (options.dry_run and options.json):
        raise InputError("--versions: cannot be combined with --sandbox, --quiet or --dry-run --json; remove that")
    with tempfile.TemporaryDirectory(prefix="sudoku-bench-") as scratch:
        old, new = options.versions
        both = versions.versions(old, new, options.strategies or (), Path(scratch))
        options.strategies = list(both.strategies)
        options.plugin = [*options.plugin, *both.plugins]
        options.out = options.out or Path("results") / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-versions"
        # With --json, the output of the run goes to standard error, so that standard output has the document alone.
        mode = dataclasses.replace(OutputMode.of(options), json=False)
        with contextlib.redirect_stdout(sys.stderr) if options.json else contextlib.nullcontext():
            code = measure(options, mode)
    if code or options.dry_run:
        return code
    return compare.of_versions(options.out, both, options.json)


def measure(options: argparse.Namespace, mode: OutputMode) -> int:
    """Measure what the options ask for, and report."""
    # With --quiet --json, standard error stays empty: the document contains all messages.
    console = plain_console(stderr=True, quiet=mode.quiet and mode.json)
    if options.resume and options.dry_run:
        raise InputError("--dry-run: plans a whole run; remove --resume")
    requested = suite_of(options)
    cluster = measuring.cluster_of(options.engine, options.scheduler, requested, options.wait_s)
    folder = measuring.folder_of(requested, options.out, options.resume)
    command = shlex.join(["sudoku-bench", *sys.argv[1:]])
    complete = options.resume and experiment.is_complete(folder)
    try:
        with Progress(console, mode.quiet) as progress:
            planned = measuring.planned(requested, options.plugin, progress)
            if options.dry_run:
                describe(planned, mode)
                return 0
            measuring.measured(planned, folder, command, progress, options.resume, cluster)
    except Interrupted:
        out = shlex.quote(str(folder))
        console.print(
            f"interrupted; finished rows are in {folder}; resume with the same command and --out {out} --resume",
            soft_wrap=True,
        )
        if mode.json:
            print_json(state.of_run(folder).document)
        return 130
    if complete and report.is_written(folder) and not (mode.json or mode.verbose):
        if mode.text:
            console.print(f"{folder}: is complete; nothing to do", soft_wrap=True)
        return 0
    look = Look(() if getattr(options, "figures", "on") == "off" else DEFAULT_FORMATS)
    return report.report(folder, look=look, mode=mode, notes=list(measuring.notes_on(planned)) if mode.json else ())


def suite_of(options: argparse.Namespace) -> suite.Suite:
    """Return the suite of a command line: the named one, with the settings that the options replace."""
    settings: dict[str, Any] = {f.name: getattr(options, f.name, None) for f in dataclasses.fields(suite.Suite)}
    settings |= {"name": None, "title": None}
    if options.isomorphs:
        settings["isomorphs"] = options.isomorphs == "on"
    for key in ("strategies", "datasets"):
        settings[key] = tuple(settings[key]) if settings[key] else None
    if getattr(options, "add_to", None):
        base = best_of(options)
        settings["strategies"] = (*(settings["strategies"] or ()), *base.strategies)
        requested = base.with_settings(settings)
    else:
        requested = suite.requested(options.suite, settings, bool(options.command or options.plugin))
    declared = tuple(Command.parse(text, requested.task) for text in options.command)
    patterns = (*requested.strategies, *strategies.unnamed(declared, requested.strategies))
    return requested.with_settings({"strategies": patterns, "commands": (*requested.commands, *declared)})


def best_of(options: argparse.Namespace) -> suite.Suite:
    """Return the suite of a run, of whose strategies only the best of each collection are left.

    A report compares each strategy with the best, so the new ones need no other beside them, and ratios between two
    runs are not needed. The run may be by others: its programs are not started unless they are given again.

    Raises:
        InputError: the folder is no run, nothing is to be added, or one of the best is a program that is not given.
    """
    from sudoku_bench.bench.verdicts import run_tables

    if options.suite or not (options.strategies or options.command or options.plugin):
        raise InputError("--add-to: name the strategies to add with -s, --plugin or --command, and no suite")
    run = run_tables.load(options.add_to)
    best = sorted(set(run.pairs["b"])) or sorted(set(run.summary["strategy"]))
    settings = {name: value for name, value in run.manifest["suite"].items() if value is not None}
    base, given = suite.of_record(settings), {text.partition("=")[0] for text in options.command}
    for program in base.commands:
        if program.name not in given and any(map(program.goes_by, best)):
            again = shlex.quote(f"{program.name}={program.command}")
            raise InputError(f"--add-to {options.add_to}: if its program is to run, give it as well: --command {again}")
    noted = f"note: beside the best of {options.add_to}, measured again: {', '.join(best)}; its report has the others"
    noted += f"; without its budget of {base.budget}, all puzzles" if base.budget else ""
    if not getattr(options, "quiet", False):
        print(noted, file=sys.stderr)
    return dataclasses.replace(base, strategies=tuple(best), budget=None, commands=())


def describe(planned: Plan, mode: OutputMode) -> None:
    """Print what a run would measure."""
    if mode.json:
        print_json(plan_document(planned))
    elif not mode.quiet:
        for line in plan_lines(planned):
            print_line(line)


def plan_lines(planned: Plan) -> Iterator[str]:
    """Yield what a run would measure, as text."""
    requested = planned.suite
    yield f"strategies: {', '.join(info.name for info in planned.strategies)}"
    for info in planned.strategies:
        if info.command:
            yield f"{info.name} runs: {info.command.command}"
    for collection in planned.collections:
        yield f"collection: {collection.name}, {counted(len(collection.items), 'puzzle')}"
    launches = counted(requested.launches, "launch", "launches")
    if requested.budget:
        yield (
            f"task {planned.task}, {launches}; a probe determines how many repetitions fit into"
            f" the budget of {requested.budget}"
        )
        return
    rows, likely_s = probe.likely(planned)
    yield (
        f"{counted(rows, 'measurement')} with controls: task {planned.task},"
        f" {counted(requested.repetitions, 'repetition')}, {launches}; about {duration(likely_s)}, and"
        f" {duration(worst_s(planned))} if every solve timed out at {requested.timeout_s:g} s"
    )


def plan_document(planned: Plan) -> dict[str, Any]:
    """Return what a run would measure as a JSON document; rows and seconds are null if a probe determines them."""
    rows, likely_s = (None, None) if planned.suite.budget else probe.likely(planned)
    per_launch = sum(map(planned.repetitions, planned.puzzles))
    own_rows = per_launch * len(planned.strategies) * planned.suite.launches
    return {
        "dry_run": True,
        "suite": dataclasses.asdict(planned.suite),
        "strategies": [info.name for info in planned.strategies],
        "collections": [{"collection": part.name, "puzzles": len(part.items)} for part in planned.collections],
        "rows": rows,
        "rows_without_placebos": None if planned.suite.budget else own_rows,
        "likely_s": likely_s,
        "longest_s": None if planned.suite.budget else worst_s(planned),
        "notes": list(measuring.notes_on(planned)),
    }


def worst_s(planned: Plan) -> float:
    """Return the seconds of the measurements without controls if every first repetition times out."""
    solves = len(planned.puzzles) * len(planned.strategies) * planned.suite.launches
    return solves * planned.suite.timeout_s
