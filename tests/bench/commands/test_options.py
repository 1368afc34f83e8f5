"""``-s``, ``-d``, ``--alias``, ``--palette`` and ``--figure`` of ``report``."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from sudoku_bench.bench.figures import catalogue
from tests.conftest import STRATEGIES

RUN = "the run"


@pytest.fixture
def copy(small_reference: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_reference, tmp_path / "run"))


@pytest.fixture(scope="module")
def names() -> list[str]:
    return sorted(STRATEGIES)


def test_a_report_of_some_strategies_draws_only_the_figures_asked_for(command, copy: Path, names) -> None:
    before = {path: path.read_bytes() for path in copy.iterdir() if path.is_file()}
    options = ["--figure", "cactus", "-s", names[0], "-s", names[1], "--format", "svg"]
    options += ["--alias", f"{names[0]}=The first"]
    code, out, err = command("report", copy, *options)
    assert (code, err) == (0, "")
    assert out == f"{copy}/selection/cactus.svg\n{copy}/selection/captions.tex\n"
    assert {path: path.read_bytes() for path in copy.iterdir() if path.is_file()} == before
    assert not (copy / "plots").exists()


def test_figure_table_and_macros_are_about_the_selection(command, copy: Path, names) -> None:
    first, second = names[:2]
    options = ["-s", second, "-s", first, "-d", "easy", "--alias", f"{first}=Mine", "--palette", "red,blue"]
    code, _, err = command("report", copy, "--figure", "cactus", "--format", "svg", "--writeup", *options)
    assert (code, err) == (0, "")
    drawn, table, macros, captions = (
        (copy / "selection" / name).read_text(encoding="utf-8")
        for name in ("cactus.svg", "writeup/medians.md", "writeup/numbers.csv", "writeup/captions.tex")
    )
    assert ("#ff0000" in drawn, "#0000ff" in drawn) == (True, True)
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")][2:]
    assert rows == [second, "Mine"]
    assert f"median/easy/{first}," in macros  # an alias is text
    assert "medium" not in table + macros + captions
    assert all(text.count("Mine") for text in (drawn, table))


def test_a_report_has_few_files(command, copy: Path) -> None:
    assert len(catalogue.FIGURES) <= 12
    assert command("report", copy, "--quiet")[0] == 0
    files = [path for path in copy.rglob("*") if path.is_file()]
    assert len(files) <= 45
    assert len([path for path in files if path.suffix == ".csv"]) <= 10  # tables, with rows and puzzles


def test_a_second_run_says_what_stood(command, copy: Path, tmp_path: Path, monkeypatch) -> None:
    """The second run is the first one, but for a strategy that takes four times as long."""
    monkeypatch.setattr(catalogue, "FIGURES", catalogue.FIGURES[:1])
    second = Path(shutil.copytree(copy, tmp_path / "second"))
    rows = pd.read_csv(second / "measurements.csv", dtype=str, keep_default_na=False)
    slowed = (rows["strategy"] == "propagation:bitmask") & (rows["cpu_s"] != "")
    rows.loc[slowed, "cpu_s"] = (4 * rows.loc[slowed, "cpu_s"].astype(float)).astype(str)
    rows.to_csv(second / "measurements.csv", index=False)
    code, out, _ = command("report", copy, "--second", second, "--format", "svg")
    assert code == 0
    assert f"In the second run, {second}:" in " ".join(out.split())
    table = pd.read_csv(copy / "repeated.csv")
    is_slowed = (table["a"] == "propagation:bitmask") | (table["b"] == "propagation:bitmask")
    pairs = table["kind"] == "pair"
    assert table.loc[pairs & ~is_slowed, "moved"].to_numpy() == pytest.approx(1.0)
    written = (copy / "repeated.csv").read_bytes()
    code, out, _ = command("report", copy, "--format", "svg")
    assert f"A second run is known: {copy}/repeated.csv" in " ".join(out.split())
    assert (copy / "repeated.csv").read_bytes() == written


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["report", RUN, "--figure", "cactsu"], "did you mean cactus?"),
        (["report", RUN, "-s", "none:*"], "the run has no measurements of none:*"),
        (["report", RUN, "--second", RUN], "is the run itself"),
        (["report", RUN, "-d", "esay"], "the run has no collection esay; did you mean easy?"),
        (["report", RUN, "--palette", "reddish"], "reddish: is no colour or palette"),
        (["report", RUN, "--alias", "seed:norvig"], "write it as NAME=TEXT"),
        (["report", RUN, "--alias", "nobody=N"], "alias nobody=N"),
        (["report", RUN, "--figure", "cactus", "--baseline", "seed:norvig"], "--baseline: has no effect on cactus"),
        (["report", RUN, "--figure", "forest", "--palette", "red"], "--palette: has no effect on forest"),
        (["report", RUN, "--palette", "red,blue,nonsense"], "nonsense: is no colour"),
        (["report", RUN, "--quiet", "--verbose"], "--verbose: prints all tables"),
        (["report", RUN, "--alias", "seed:norvig=A", "--alias", "seed:norvig=B"], "once for each name"),
        (["export", RUN, "--to", "xlsx", "--out", "t.csv"], "--out t.csv: a file of xlsx ends with .xlsx"),
        (["choose", RUN, "--seed", "0"], "--seed: applies to puzzles only"),
        (["run", "main", "--resume"], "resume: needs out"),
        (["run", "sat", "-s", "@glucose4"], "@glucose4: the suite names no strategy with an engine"),
        (["run", "-d", "easy", "--shard", "1"], "shard must be I/N"),
        (["run", "--versions", "a.py", "b.py", "--sandbox"], "--versions: cannot be combined with --sandbox"),
        (["run", "--engine", "dask", "--scheduler", "tcp://x:1", "--jobs", "8"], "--jobs: the workers of a scheduler"),
        (["generate", "--shape", "9x9/0x9"], "--shape 9x9/0x9: must be"),
        (["generate", "--pencilmarks", "--shape", "12x12/2x6"], "no text of such puzzles says its boxes"),
        (["generate", "--solutions", "several", "--symmetry", "rotational"], "--symmetry: the clue that is removed"),
        (["report", RUN, "-d", "easy", "--verbose"], "--verbose: is about the whole run"),
        (["generate", "--layout", "latin4", "--shape", "9x9"], "--layout latin4: says the size"),
        (["generate", "--full", "--jobs", "2"], "--full: a full grid has no clues"),
        (["list", "encodings", "--failed"], "--failed: goes with --strength"),
        (["list", "encodings", "--strength", "easy", "--shape", "9x9"], "--shape: is for sizes"),
    ],
)
def test_what_has_no_effect_is_one_line(command, small_reference: Path, arguments, complaint: str) -> None:
    code, _, err = command(*(small_reference if word == RUN else word for word in arguments))
    assert (code, len(err.splitlines())) == (2, 1)
    assert complaint in err
