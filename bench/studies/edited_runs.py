"""Run folders that are edited at random, as hands and failing disks do it, and what the commands make of them.

An edit must be refused in one line, or reported (``Edited: ...``), or change nothing that the tables hold. It must
never end in a traceback. Each edit has a random generator of its own, so that it can be made again by its number.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import cli
from bench.commands import report_files
from bench.folder import seal, state
from bench.folder.store import ENCODINGS, MANIFEST, MEASUREMENTS, PUZZLES, finished_rows, read_manifest
from bench.page import document as page
from bench.studies.document import TOP
from bench.verdicts import run_tables
from bench.writeup import pack
from datasets.errors import InputError

REFERENCE = TOP / "results" / "reference"
STRATEGIES = ("bitboard:bands", "seed:pycosat", "sat:complete+pairwise@cadical195")  # of the part that is edited
COLLECTIONS = ("easy", "hard", "size4")
ROWS = 45
CLAIM = "It has 30<!-- puzzles --> puzzles.\n"
FORMS = "1.....3..4....2.\n.24....234......\n"  # 4x4 puzzles of the run that is resumed
WORDS = ("", "x", "-1", "0", "nan", "inf", "1e400", "=cmd()", "9" * 30, '"', "\0", "\u202e", "\xff", "solved", "null")
VALUES: tuple[Any, ...] = (None, True, -1, 1.5, 10**30, float("nan"), "", "\x1b[1m", [], [1], {}, {"a": 1})
REFUSED, SAID, UNCHANGED, SILENT, TABLES = "refused", "said", "the same", "SILENT", "tables"
FINE = (REFUSED, SAID, UNCHANGED, TABLES, "exit code 0", "exit code 1", "exit code 2")
COMMANDS_EVERY, REPORT_EVERY = 50, 1000  # edits: that often all commands but `report` read it, and `report` does

Command = tuple[object, ...]


def edited(numbers: range, seed: int, top: Path) -> Counter[str]:
    """Edit a run folder at random, once for each number, and read it; count what became of it, also by exception."""
    outcomes = Counter[str]()
    whole, folder, claims = top / "run", top / "edited", top / "claims.md"
    copy_part(REFERENCE, whole, ROWS)
    claims.write_text(CLAIM, encoding="utf-8")
    before = contents(whole)
    readers: tuple[Command, ...] = (
        ("status", folder),
        ("status", folder, "--json"),
        ("compare", folder),
        ("compare", folder, "--baseline", STRATEGIES[0], "--json"),
        ("compare", whole, folder),
        ("choose", folder),
        ("claims", claims, folder),
    )
    for number in numbers:
        rng = random.Random(f"{seed} {number}")
        renew(whole, folder)
        for _ in range(rng.choice((1, 1, 3))):
            random_edit(folder, rng)
        found = [or_exception(read, folder, before)]
        if number % COMMANDS_EVERY == 0:
            found += [or_exception(of_command, *command) for command in readers]
            found.append(or_exception(tables, folder))
        if number % REPORT_EVERY == 0:
            found.append(or_exception(of_command, "report", folder, "--format", "svg"))
        outcomes.update(numbered(outcome, number) for outcome in found)
    return outcomes


def resumed(numbers: range, seed: int, top: Path) -> Counter[str]:
    """Edit an interrupted run at random, once for each number, and resume it; count what became of it."""
    outcomes = Counter[str]()
    whole, folder, puzzles = top / "small", top / "small-edited", top / "puzzles.txt"
    puzzles.write_text(FORMS, encoding="utf-8")
    settings = ("--repetitions", 2, "--loops", 1, "--pin", "off", "--resume", "--quiet")
    command: Command = ("run", "-s", "seed:norvig", "-s", "backtracking:plain", "-d", puzzles, *settings, "--out")
    of_command(*command, whole)
    lines = (whole / MEASUREMENTS).read_text(encoding="utf-8").splitlines(keepends=True)
    for number in numbers:
        rng = random.Random(f"{seed} {number}")
        renew(whole, folder)
        (folder / MEASUREMENTS).write_text("".join(lines[: rng.randrange(1, len(lines))]), encoding="utf-8")
        manifest = read_manifest(folder) | {"complete": False, "ended": None}  # as if it had been killed
        del manifest[seal.KEY]
        (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        random_edit(folder, rng)
        outcome = or_exception(of_command, *command, folder)
        if outcome == "exit code 0" and (rows := len(list(finished_rows(folder)))) != len(lines) - 1:
            outcome = f"{rows} rows"
        outcomes[numbered(outcome, number)] += 1
    return outcomes


def copy_part(run: Path, folder: Path, rows: int) -> None:
    """Copy the first rows of some strategies of the reference run into a new folder, as a run of its own."""
    folder.mkdir()
    header, *lines = (run / MEASUREMENTS).read_text(encoding="utf-8").splitlines(keepends=True)
    fields = [line.split(",")[:3] for line in lines]  # strategy, collection, puzzle
    kept = [
        number
        for number, (label, collection, _) in enumerate(fields)
        if label.rpartition(" ")[2] in STRATEGIES and collection in COLLECTIONS
    ][:rows]
    puzzles = {tuple(fields[number][1:]) for number in kept}
    first, *rest = (run / PUZZLES).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / MEASUREMENTS).write_text("".join([header, *(lines[number] for number in kept)]), encoding="utf-8")
    of_part = [line for line in rest if tuple(line.split(",")[:2]) in puzzles]
    (folder / PUZZLES).write_text("".join([first, *of_part]), encoding="utf-8")
    shutil.copy(run / ENCODINGS, folder / ENCODINGS)
    manifest = read_manifest(run) | {"planned_rows": len(kept)}
    (folder / MANIFEST).write_text(json.dumps(seal.sealed(folder, manifest), indent=2), encoding="utf-8")


def renew(run: Path, folder: Path) -> None:
    """Copy a run folder over another."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(run, folder)


def random_edit(folder: Path, rng: random.Random) -> None:
    """Edit one place of one file: a field, a line, a byte, or a value of the manifest."""
    paths = [folder / name for name in (MANIFEST, MEASUREMENTS, PUZZLES, ENCODINGS)]
    path = rng.choice([path for path in paths if path.exists()])
    if path.name == MANIFEST and rng.random() < 0.7:
        with contextlib.suppress(ValueError):  # an edit before has broken it
            document = json.loads(path.read_bytes())
            damage(document, rng)
            path.write_text(json.dumps(document), encoding="utf-8")
    elif path.name == MANIFEST or rng.random() < 0.2:
        data = bytearray(path.read_bytes())
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
            path.write_bytes(data[: rng.randrange(len(data))] if rng.random() < 0.2 else data)
    else:
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True) or [","]
        place = rng.randrange(len(lines))
        lines[place] = edited_line(lines[place], rng)
        path.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")


def edited_line(line: str, rng: random.Random) -> str:
    """Return a line of a table with another field, twice, cut off, empty, or not at all."""
    if rng.random() < 0.7:
        fields = line.rstrip("\n").split(",")
        fields[rng.randrange(len(fields))] = rng.choice(WORDS)
        return ",".join(fields) + "\n"
    return rng.choice((line * 2, "", line[: rng.randrange(1 + len(line))], "\n"))


def damage(value: Any, rng: random.Random) -> None:
    """Replace or remove one value somewhere in a document."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.8:
        damage(value[key], rng)
    elif rng.random() < 0.3:
        del value[key]
    else:
        value[key] = rng.choice(VALUES)


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
    return UNCHANGED if contents(folder) == before or seal.KEY not in read_manifest(folder) else SILENT


def tables(folder: Path) -> str:
    """Compute all tables, the write-up and the page of a run."""
    try:
        run = run_tables.load(folder)
        for table in report_files.TABLES:
            getattr(run, table)
        list(pack.files(run, {}))
        page.page(run)
    except InputError:
        return REFUSED
    return TABLES


def of_command(*arguments: object) -> str:
    """Run a command; return its exit code, or what is wrong with its message."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as err:
        code = cli.main([str(argument) for argument in arguments])
    lines = [line for line in err.getvalue().splitlines() if not line.startswith("note: ")]
    return f"several lines from {arguments[0]}" if code == 2 and len(lines) != 1 else f"exit code {code}"


def or_exception(call: Callable[..., str], *arguments: object) -> str:
    """Return what a call returns, or the exception that it ends in: a user would see a traceback."""
    try:
        return call(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:120]


def numbered(outcome: str, number: int) -> str:
    """Return an outcome, with the number of the edit if it breaks the promise."""
    return outcome if outcome in FINE else f"{outcome} (edit {number})"


def broken(outcomes: Counter[str]) -> list[str]:
    """Return the outcomes that break the promise, with their numbers."""
    return [f"{times} {outcome}" for outcome, times in outcomes.items() if outcome not in FINE]
