"""Run folders that are edited at random, as hands, failing disks and strangers do it, and what commands make of them.

An edit must be refused in one line, or reported (``Edited: ...``), or change nothing that the tables hold, unless a
stranger forges the checksums. It must never end in a traceback, nor change a file outside of the folder. Each edit has
a random generator of its own, so that it can be made again by its number.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from studies.document import TOP
from sudoku_bench.bench.commands import cli
from sudoku_bench.bench.folder import seal, state
from sudoku_bench.bench.folder.rows import Brief
from sudoku_bench.bench.folder.store import ENCODINGS, MANIFEST, MEASUREMENTS, PUZZLES, read_manifest, whole_rows
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.datasets.errors import InputError

REFERENCE = TOP / "results" / "reference"
STRATEGIES = ("bitboard:bands", "seed:pycosat", "sat:complete+pairwise@cadical195")  # of the part that is edited
COLLECTIONS = ("easy", "hard", "size4")
ROWS = 45
CLAIM = "It has 30<!-- puzzles --> puzzles.\n"
FORMS = "1.....3..4....2.\n.24....234......\n"  # 4x4 puzzles of the run that is resumed
WORDS = (
    *("", "x", "-1", "0", "nan", "inf", "1e400", "=cmd()", "9" * 30, '"', "\0", "\u202e", "\xff", "solved", "null"),
    *("a:x;touch PWN;:", "9" * 5000, "\x1b]0;t\x07", "../../decoy/rc", "99x99", "count:5"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 1.5, 10**30, float("nan"), "", "\x1b[1m", [], [1], {}, {"a": 1}, "'", "count:" + "9" * 5000),
    *("batch:" + "9" * 5000, "0-99999", "sudoku-bench run '"),
)
FORGED = "forged"  # of the manifest: a stranger has made checksums that fit
DECOY = "decoy"  # folder beside the run, which must stay as it is
OWN_FILES = ("manifest.json", "measurements.csv", "puzzles.csv", "encodings.csv", ".reported.json", ".lock")
WRITTEN = (*OWN_FILES, "summary.csv", "report.html", "plots", "writeup", "plots/cactus.svg", "vbs.csv.part")
REFUSED, SAID, UNCHANGED, DONE = FINE = ("refused", "said", "the same", "done")

Check = Callable[[Path, int], Iterator[str]]
Action = Callable[[Path], tuple[Path, Check]]


def edited(action: Action, numbers: range, seed: int) -> Counter[str]:
    """Edit a run at random, once for each number; count what became of it, with the number if that is not ``FINE``.

    Args:
        action: makes the run in a folder of its own, and a check: what becomes of an edited run, given its number.
    """
    outcomes = Counter[str]()
    with tempfile.TemporaryDirectory() as top:
        whole, check = action(Path(top))
        decoy = Path(top) / DECOY
        (decoy / "plots").mkdir(parents=True)
        (decoy / "rc").write_text("alias ls=ls\n", encoding="utf-8")
        before = files_in(decoy)
        for number in numbers:
            rng, folder = random.Random(f"{seed} {number}"), Path(top) / "edited"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(whole, folder)
            for _ in range(rng.choice((1, 1, 3))):
                (link if rng.random() < 0.15 else random_edit)(folder, rng)
            if rng.random() < 0.2:
                forge(folder)
            found = list(check(folder, number))
            found += [] if files_in(decoy) == before else ["a file outside was changed"]
            outcomes.update(what if what in FINE else f"{what} (edit {number})" for what in found)
    return outcomes


def files_in(folder: Path) -> dict[str, str]:
    """Return the files in a folder with their contents."""
    return {str(path.relative_to(folder)): path.read_text() if path.is_file() else "" for path in folder.rglob("*")}


def link(folder: Path, rng: random.Random) -> None:
    """Put a link that leads out of the run, or a pipe, in the place of a file or a folder of it."""
    path = folder / rng.choice(WRITTEN)
    with contextlib.suppress(OSError):  # an edit before has put another thing there
        path.parent.mkdir(exist_ok=True)
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        if rng.random() < 0.2:
            os.mkfifo(path)
        else:
            path.symlink_to(folder.parent / DECOY / rng.choice(("plots", "rc", "rc", "new")))


def forge(folder: Path) -> None:
    """Seal a run again as it is now."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        if not (folder / MANIFEST).is_symlink() and (folder / MANIFEST).is_file():
            forged = seal.sealed(folder, json.loads((folder / MANIFEST).read_bytes()) | {FORGED: True})
            (folder / MANIFEST).write_text(json.dumps(forged), encoding="utf-8")


def read(top: Path) -> tuple[Path, Check]:
    """A part of the reference run, whose state and rows are read, and which a command uses."""
    whole, claims = top / "run", top / "claims.md"
    copy_part(REFERENCE, whole, ROWS)
    claims.write_text(CLAIM, encoding="utf-8")

    def check(folder: Path, number: int) -> Iterator[str]:
        yield outcome(partial(unlike, folder, whole))
        commands = (
            *(("status", folder), ("status", folder, "--json"), ("choose", folder), ("claims", claims, folder)),
            *(("compare", folder), ("compare", folder, "--baseline", STRATEGIES[0], "--json")),
            *(("compare", whole, folder), ("report", folder, "--writeup", "--format", "svg")),
            ("export", folder, "--to", "csv-wide", "--out", top / "out.csv"),
            ("export", folder, "--to", "xlsx", "--out", top / "out.xlsx"),
            ("run", "-s", STRATEGIES[0], "--add-to", folder, "--dry-run"),
        )
        yield outcome(partial(of_command, *commands[number % len(commands)]))

    return whole, check


def resumed(top: Path) -> tuple[Path, Check]:
    """A run of which half is there, as if it had been killed, and which is resumed."""
    whole, puzzles = top / "run", top / "puzzles.txt"
    puzzles.write_text(FORMS, encoding="utf-8")
    settings = ("--repetitions", 2, "--loops", 1, "--pin", "off", "--resume", "--quiet")
    command = ("run", "-s", "seed:norvig", "-s", "backtracking:plain", "-d", puzzles, *settings, "--out")
    of_command(*command, whole)
    lines = (whole / MEASUREMENTS).read_text(encoding="utf-8").splitlines(keepends=True)
    (whole / MEASUREMENTS).write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    manifest = read_manifest(whole) | {"complete": False, "ended": None}
    del manifest[seal.KEY]
    (whole / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")

    def check(folder: Path, _number: int) -> Iterator[str]:
        what = outcome(partial(of_command, *command, folder))
        rows = len(list(whole_rows(folder, Brief))) if what == DONE else 0
        yield what if what != DONE or rows == len(lines) - 1 else f"{rows} rows"

    return whole, check


def copy_part(run: Path, folder: Path, rows: int) -> None:
    """Copy the first rows of some strategies of the reference run into a new folder, as a run of its own."""
    folder.mkdir()
    measurements, puzzles = (
        pd.read_csv(run / name, dtype=str, keep_default_na=False) for name in (MEASUREMENTS, PUZZLES)
    )
    chosen = measurements["strategy"].str.rpartition(" ")[2].isin(STRATEGIES)  # placebos have a word before the name
    part = measurements[chosen & measurements["collection"].isin(COLLECTIONS)].head(rows)
    part.to_csv(folder / MEASUREMENTS, index=False)
    puzzles.merge(part[["collection", "puzzle"]].drop_duplicates()).to_csv(folder / PUZZLES, index=False)
    shutil.copy(run / ENCODINGS, folder / ENCODINGS)
    manifest = read_manifest(run) | {"planned_rows": len(part)}
    (folder / MANIFEST).write_text(json.dumps(seal.sealed(folder, manifest), indent=2), encoding="utf-8")


def random_edit(folder: Path, rng: random.Random) -> None:
    """Edit one place of one file: bytes of any, or a field or line of a table, or a value of the manifest."""
    paths = [path for path in (folder / name for name in (MANIFEST, *seal.TABLES)) if path.is_file()]
    path = rng.choice([path for path in paths if not path.is_symlink()] or [folder / "new"])
    path.touch()
    data = path.read_bytes()
    if data and rng.random() < 0.2:
        place = rng.randrange(len(data))
        path.write_bytes(data[:place] + rng.choice((b"", rng.randbytes(1) + data[place + 1 :])))
    elif path.name == MANIFEST:
        with contextlib.suppress(ValueError):  # an edit before has broken it
            document = json.loads(data)
            damage(document, rng)
            path.write_text(json.dumps(document), encoding="utf-8")
    else:
        lines = data.decode("utf-8", "surrogateescape").splitlines(keepends=True) or [","]
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


def unlike(folder: Path, whole: Path) -> str:
    """Read the state and the rows of a run; return whether it is said that they are not those of the whole run."""
    _ = state.of_run(folder).document
    run = run_tables.load(folder)
    if run.edited or FORGED in run.manifest:
        return SAID
    tables = [[(run / name).read_bytes() for name in seal.TABLES] for run in (folder, whole)]
    # Without checksums in the manifest, it is a run of an earlier version.
    return UNCHANGED if tables[0] == tables[1] or seal.KEY not in read_manifest(folder) else "SILENT"


def of_command(*arguments: object) -> str:
    """Run a command; return whether it was done or refused, or what is wrong with its message."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = cli.main([str(argument) for argument in arguments])
    if not (out.getvalue() + err.getvalue()).replace("\n", "").isprintable():
        return f"control letters from {arguments[0]}"
    if code != 2:
        return DONE if code in (0, 1) else f"exit code {code} from {arguments[0]}"
    lines = [line for line in err.getvalue().splitlines() if line.startswith("sudoku-bench: ")]
    return REFUSED if len(lines) == 1 else f"several lines from {arguments[0]}"


def outcome(call: Callable[[], str]) -> str:
    """Return what a call returns, that it is refused, or the exception that it ends in: a user sees a traceback."""
    try:
        return call()
    except InputError as error:
        return REFUSED if "\n" not in str(error) else "several lines"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:120]
