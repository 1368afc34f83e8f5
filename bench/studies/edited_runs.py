"""What the commands make of run folders that were edited at random: part of ``make faults``.

An edit must be refused in one line, or reported (``Edited: ...``), or change nothing that the tables hold. It must
never end in a traceback. Each edit has a random generator of its own, so that it can be made again by its number.
"""

from __future__ import annotations

import contextlib
import io
import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import ParamSpec

from rich.console import Console

from bench import cli
from bench.commands import report_files
from bench.folder import seal, state
from bench.folder.store import ENCODINGS, MEASUREMENTS, PUZZLES, finished_rows, read_manifest
from bench.page import document as page
from bench.plan import plan
from bench.plan.plan import Plan
from bench.plan.suite import Suite
from bench.run import experiment
from bench.say.progress import Progress
from bench.studies import document, edits
from bench.verdicts import run_tables
from bench.verdicts.run_tables import Run
from bench.writeup import pack
from datasets.errors import InputError

REFERENCE = document.TOP / "results" / "reference"
CLAIM = "It has 30<!-- puzzles --> puzzles.\n"
ROWS = 45
REFUSED, SAID, SAME, SILENT = "refused", "said", "the same", "SILENT"
COMPLETE = "complete"
FINE = (REFUSED, SAID, SAME, COMPLETE, "tables", "exit code 0", "exit code 1", "exit code 2")
P = ParamSpec("P")
COMMANDS_EVERY, REPORT_EVERY = 50, 1000  # edits: that often all commands but `report` read it, and `report` does
FORMS = "1.....3..4....2.", ".24....234......"  # 4x4 puzzles of the run that is resumed


def edited(numbers: range, seed: int, top: Path) -> Counter[str]:
    """Edit a run folder at random, once for each number, and read it; count what became of it, also by exception."""
    outcomes = Counter[str]()
    whole, folder, claims = top / "run", top / "edited", top / "claims.md"
    edits.copy_part(REFERENCE, whole, ROWS)
    claims.write_text(CLAIM, encoding="utf-8")
    before = contents(whole)
    for number in numbers:
        rng = random.Random(f"{seed} {number}")
        edits.renew(whole, folder)
        for _ in range(rng.choice((1, 1, 3))):
            edits.random_edit(folder, rng)
        found = [or_exception(read, folder, before)]
        if number % COMMANDS_EVERY == 0:
            found += [or_exception(of_command, arguments) for arguments in commands(folder, whole, claims)]
            found.append(or_exception(tables, folder))
        if number % REPORT_EVERY == 0:
            found.append(or_exception(of_command, ("report", folder, "--format", "svg")))
        outcomes.update(numbered(outcome, number) for outcome in found)
    return outcomes


def resumed(numbers: range, seed: int, top: Path) -> Counter[str]:
    """Edit an interrupted run at random, once for each number, and resume it; count what became of it."""
    outcomes = Counter[str]()
    whole, folder, puzzles = top / "small", top / "small-edited", top / "puzzles.txt"
    puzzles.write_text("\n".join(FORMS) + "\n", encoding="utf-8")
    settings = {"strategies": ["seed:norvig", "backtracking:plain"], "datasets": [str(puzzles)], "repetitions": 2}
    planned = plan.make(Suite().with_settings(settings | {"loops": 1, "pin": "off"}))
    conducted(planned, whole)
    lines = (whole / MEASUREMENTS).read_text(encoding="utf-8").splitlines(keepends=True)
    for number in numbers:
        rng = random.Random(f"{seed} {number}")
        edits.renew(whole, folder)
        (folder / MEASUREMENTS).write_text("".join(lines[: rng.randrange(1, len(lines))]), encoding="utf-8")
        edits.interrupt(folder)
        edits.random_edit(folder, rng)
        outcomes[numbered(or_exception(conducted, planned, folder), number)] += 1
    return outcomes


def conducted(planned: Plan, folder: Path) -> str:
    """Start or resume a run; return what became of it."""
    progress = Progress(Console(quiet=True), quiet=True)
    try:
        finished = experiment.conduct(planned, folder, "faults", datetime.now(UTC), progress, resume=True)
        rows = len(list(finished_rows(folder)))
    except InputError as error:
        return REFUSED if "\n" not in str(error) else "several lines"
    return COMPLETE if finished and rows == read_manifest(folder)["planned_rows"] else f"{rows} rows"


def contents(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in (MEASUREMENTS, PUZZLES, ENCODINGS)]


def read(folder: Path, before: Sequence[bytes]) -> str:
    """Read the state and the rows of a run; return what became of it."""
    try:
        _ = state.of_run(folder).document
        run = run_tables.load(folder)
    except InputError as error:
        return REFUSED if "\n" not in str(error) else "several lines"
    if run.edited:
        return SAID
    # Without checksums in the manifest, it is a run of an earlier version.
    return SAME if contents(folder) == before or seal.KEY not in read_manifest(folder) else SILENT


def tables(folder: Path) -> str:
    """Compute all tables, the write-up and the page of a run."""
    try:
        run = run_tables.load(folder)
        compute(run)
        list(pack.files(run, {}))
        page.page(run)
    except InputError:
        return REFUSED
    return "tables"


def compute(run: Run) -> None:
    for table in report_files.TABLES:
        getattr(run, table)


def commands(folder: Path, other: Path, claims: Path) -> tuple[tuple[str | Path, ...], ...]:
    """Return the commands that read a run, and write nothing."""
    return (
        ("status", folder),
        ("status", folder, "--json"),
        ("compare", folder),
        ("compare", folder, "--baseline", edits.STRATEGIES[0], "--json"),
        ("compare", other, folder),
        ("choose", folder),
        ("claims", claims, folder),
    )


def of_command(arguments: Sequence[str | Path]) -> str:
    """Run a command; return its exit code, or what is wrong with its message."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as err:
        code = cli.main([str(argument) for argument in arguments])
    lines = [line for line in err.getvalue().splitlines() if not line.startswith("note: ")]
    if code == 2 and len(lines) != 1:
        return f"several lines from {arguments[0]}"
    return f"exit code {code}"


def or_exception(call: Callable[P, str], *arguments: P.args, **named: P.kwargs) -> str:
    """Return what a call returns, or the exception that it ends in: a user would see a traceback."""
    try:
        return call(*arguments, **named)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:120]


def numbered(outcome: str, number: int) -> str:
    """Return an outcome, with the number of the edit if it breaks the promise."""
    return outcome if outcome in FINE else f"{outcome} (edit {number})"


def broken(outcomes: Counter[str]) -> list[str]:
    """Return the outcomes that break the promise, with their numbers."""
    return [f"{times} {outcome}" for outcome, times in outcomes.items() if outcome not in FINE]
