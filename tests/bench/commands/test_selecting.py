"""``-s``, ``--alias`` and ``--figure`` of ``report``, ``compare`` and ``recommend``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import bench
from tests.conftest import TOP

pytestmark = pytest.mark.slow

REFERENCE = TOP / "results" / "reference"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the reference run without its figures."""
    left_out = shutil.ignore_patterns("plots", "writeup", "*.html")
    return Path(shutil.copytree(REFERENCE, tmp_path / "run", ignore=left_out))


@pytest.fixture(scope="module")
def names() -> list[str]:
    return sorted(set(bench.load(REFERENCE).summary["strategy"]))


def test_a_report_of_some_strategies_draws_only_the_figures_asked_for(command, copy: Path, names) -> None:
    before = {path: path.read_bytes() for path in copy.iterdir() if path.is_file()}
    options = ["--figure", "cactus", "-s", names[0], "-s", names[1], "--format", "svg"]
    options += ["--alias", f"{names[0]}=The first"]
    code, out, err = command("report", copy, *options)
    assert (code, err) == (0, "")
    assert out == f"{copy}/selection/cactus.svg\n"
    assert {path: path.read_bytes() for path in copy.iterdir() if path.is_file()} == before
    assert not (copy / "plots").exists()


def test_a_recommendation_is_among_the_chosen_strategies(command, names) -> None:
    chosen = names[:3]
    options = [word for name in chosen for word in ("-s", name)]
    code, out, _ = command("recommend", REFERENCE, "--workload", "stream", "--json", *options)
    assert code == 0
    assert {row["strategy"] for row in json.loads(out)["strategies"]} == set(chosen)


def test_a_comparison_shows_aliases(command, names) -> None:
    options = ["-s", names[0], "-s", names[1], "--alias", f"{names[0]}=A:mine"]
    code, out, err = command("compare", REFERENCE, "--json", *options)
    assert code == 0, err
    assert {name for row in json.loads(out)["rows"] for name in (row["a"], row["b"])} == {"A:mine", names[1]}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["report", REFERENCE, "--figure", "cactsu"], "did you mean cactus?"),
        (["report", REFERENCE, "-s", "none:*"], "the run has no measurements of none:*"),
        (["report", REFERENCE, "--figure", "cactus", "--power"], "--power: is about the whole run"),
        (["recommend", REFERENCE, "--workload", "stream", "--alias", "seed:norvig"], "write it as NAME=TEXT"),
        (["compare", REFERENCE, "--alias", "nobody=N"], "alias nobody=N"),
        (["compare", "--interleave", "a.py", "b.py", "--alias", "a=b"], "remove it with --interleave"),
    ],
)
def test_what_cannot_be_selected_is_one_line(command, arguments, complaint: str) -> None:
    code, _, err = command(*arguments)
    assert (code, len(err.splitlines())) == (2, 1)
    assert complaint in err
