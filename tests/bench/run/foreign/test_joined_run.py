"""Shards of a run: together they are the run, and what is no part of it is refused."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.bench.folder import seal
from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.folder.store import whole_rows
from sudoku_bench.bench.plan import plan
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.run import experiment
from sudoku_bench.bench.run.foreign import joined_run
from sudoku_bench.bench.say.output import plain_console
from sudoku_bench.bench.say.progress import Progress
from sudoku_bench.bench.verdicts import run_tables
from tests.bench.conftest import FOURS

KEY = ["strategy", "collection", "puzzle", "isomorph", "launch", "repetition", "status", "solutions"]
SETTINGS = ("-s", "backtracking:*", "--repetitions", 2, "--task", "unique", "--quiet")
SHARDS = 3


@pytest.fixture
def measured(measure_all, puzzles, command):
    """A function: measure the puzzles with these settings, and return the folder."""
    file = puzzles(*FOURS, FOURS[0])  # a copy of a grid has forms of its own

    def measure(*arguments: object) -> Path:
        result = measure_all("-d", file, *SETTINGS, *arguments)
        assert result.code == 0, result.err
        return result.folder

    return measure


def of_strategies(folder: Path) -> list[tuple]:
    rows = run_tables.load(folder).measurements
    rows = rows[rows["placebo"].isna() & rows["decoy"].isna()]
    return sorted(rows[KEY].itertuples(index=False, name=None))


def test_joined_shards_have_the_rows_of_the_whole_run(measured, command, tmp_path: Path) -> None:
    shards = [measured("--shard", f"{number}/{SHARDS}") for number in (2, 3, 1)]
    out, whole = tmp_path / "joined", measured()
    code, _, err = command("join", *shards, "--out", out, "--quiet")
    assert (code, err) == (0, "")
    assert of_strategies(out) == of_strategies(whole)
    run, one = run_tables.load(out), run_tables.load(whole)
    assert not run.edited
    assert run.manifest["planned_rows"] == len(run.measurements)
    facts = ["puzzle", "grid", "group", "guesses", "solutions"]
    own = [each.puzzles.loc[each.puzzles["decoy"].isna(), facts] for each in (run, one)]
    assert own[0].to_csv(index=False) == own[1].to_csv(index=False)
    workers = run.measurements.groupby("worker")[["strategy", "launch", "repetition"]].nunique()
    assert (workers == 1).all(axis=None)


@settings(max_examples=9)
@given(st.integers(1, 6))
def test_each_puzzle_is_in_one_shard_with_its_forms(shards: int) -> None:
    suite = Suite(strategies=("backtracking:plain",), datasets=("classics",), limit=6)

    def keys(planned: plan.Plan) -> list[tuple[str, int, int]]:
        return [(each.name, each.first_form, each.group) for each in planned.puzzles]

    parts = [keys(plan.make(suite.with_settings({"shard": f"{number}/{shards}"}))) for number in range(1, shards + 1)]
    assert sorted(key for part in parts for key in part) == sorted(keys(plan.make(suite)))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def edit(folder: Path, **changes: object) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, value in changes.items():
        place = manifest["suite"] if name in manifest["suite"] else manifest
        place[name] = value
    (folder / "manifest.json").write_text(json.dumps(seal.sealed(folder, manifest)))


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda one, _: shutil.rmtree(one), "no such folder"),
        (lambda one, _: edit(one, shard=None), "is a whole run, not a shard"),
        (lambda one, _: edit(one, complete=False), "is not complete"),
        (lambda one, _: edit(one, shard="2/2"), "is shard 2/2, as"),
        (lambda one, _: edit(one, shard="1/3"), "shard 3/3 is missing"),
        (lambda one, _: edit(one, seed=2), "suite.seed is 2 and 1"),
        (lambda one, _: edit(one, code=["other"]), "code is ['other'] and"),
        (lambda one, _: edit(one, packages={"numpy": "1"}), "packages is"),
        (lambda one, _: edit(one, machine={"cpu": "a toaster", "python": "3"}), "python is 3 and"),
        (lambda one, _: (one / "measurements.csv").write_text("x\n"), "measurements.csv"),
        (lambda _, out: (out.mkdir(), (out / "x").touch()), "is not empty"),
    ],
)
def test_what_is_no_part_of_the_run_is_refused(shards_of_two, command, tmp_path: Path, damage, complaint: str) -> None:
    one, two = (shutil.copytree(folder, tmp_path / folder.name) for folder in shards_of_two)
    damage(one, tmp_path / "joined")
    code, out, err = command("join", one, two, "--out", tmp_path / "joined")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert complaint in err
    assert not (tmp_path / "joined" / "manifest.json").exists()


def test_unlike_machines_are_joined_on_request_and_told(shards_of_two, command, tmp_path: Path) -> None:
    one, two = (shutil.copytree(folder, tmp_path / folder.name) for folder in shards_of_two)
    machine = json.loads((one / "manifest.json").read_text())["machine"]
    text = (one / "measurements.csv").read_text()
    host = run_tables.load(one).measurements["host"].iloc[0]
    (one / "measurements.csv").write_text(text.replace(host, "host-2"))
    edit(one, machine=machine | {"cpu": "another processor"})
    arguments = ("join", one, two, "--out", tmp_path / "joined")
    assert command(*arguments)[0] == 2
    code, out, _ = command(*arguments, "--unlike-hosts")
    assert code == 0
    assert "UNLIKE HOSTS: measured on 2 hosts of 2 kinds" in out


def conduct(top: Path, number: int, resume: bool = False) -> Path:
    """Measure a shard of two, or what it lacks, as `run` does; return its folder."""
    suite = Suite(strategies=("backtracking:plain",), datasets=(str(top / "fours.txt"),), pin="off", repetitions=1)
    planned, folder = plan.make(suite.with_settings({"shard": f"{number}/2"})), top / f"shard{number}"
    with Progress(plain_console(quiet=True), quiet=True) as progress:
        experiment.conduct(planned, folder, "run", datetime.now(UTC), progress, resume)
    return folder


@pytest.fixture(scope="module")
def shards_of_two(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two shards of a run, as `run` leaves them."""
    top = tmp_path_factory.mktemp("shards")
    (top / "fours.txt").write_text("\n".join(FOURS))
    return [conduct(top, number) for number in (1, 2)]


@settings(max_examples=5, deadline=None)
@given(st.lists(st.tuples(st.sampled_from((1, 2)), st.floats(0, 1)), min_size=1, max_size=2))
def test_shards_that_die_anywhere_and_are_resumed_lose_no_row(shards_of_two, deaths: list[tuple[int, float]]) -> None:
    top = shards_of_two[0].parent
    expected = sorted(key(row) for folder in shards_of_two for _, row in whole_rows(folder, Row))
    for number, share in deaths:
        rows = top / f"shard{number}" / "measurements.csv"
        data = rows.read_bytes()
        head = data.index(b"\n") + 1
        rows.write_bytes(data[: head + int(share * (len(data) - head))])  # also in the middle of a row
        manifest = rows.with_name("manifest.json")
        facts = json.loads(manifest.read_text()) | {"complete": False}
        del facts[seal.KEY]
        manifest.write_text(json.dumps(facts))
        conduct(top, number, resume=True)
    with TemporaryDirectory() as out:
        joined_run.write(shards_of_two, Path(out, "joined"))
        assert sorted(key(row) for _, row in whole_rows(Path(out, "joined"), Row)) == expected


def key(row: Row) -> tuple[object, ...]:
    return row.attempt, row.isomorph, row.repetition, row.status, row.solutions, row.placebo or ""
