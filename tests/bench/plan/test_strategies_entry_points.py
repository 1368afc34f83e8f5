"""Strategies of installed distributions, and entry points that fail."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.plan.strategies import GROUP, known
from tests.bench.conftest import BACKTRACKER, FOURS

OWN = """
@register
class Own(Backtracker):
    name = "offered:NAME"
"""


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Add a distribution to the path of this process and its children."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site))
    modules = set(sys.modules)

    def write(name: str, points: str, **sources: str) -> None:
        info = site / f"{name.replace('-', '_')}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{points}\n", encoding="utf-8")
        for module, source in sources.items():
            (site / f"{module}.py").write_text(BACKTRACKER + source, encoding="utf-8")

    yield write
    assert not {name for name in set(sys.modules) - modules if name.startswith("offered_")}  # nothing was imported here


def test_an_entry_point_provides_the_strategies_of_its_module(offer, measure, command, puzzles) -> None:
    offer(
        "some-solvers", "any name = offered_a", offered_a=OWN.replace("NAME", "first") + OWN.replace("NAME", "second")
    )
    offer("other-solvers", "x = offered_b:Sub.Own", offered_b="class Sub:" + OWN.replace("\n", "\n    "))
    _, out, err = command("list", "strategies", "offered:*", "--json")
    assert err == ""
    assert {row["strategy"]: row["available"] for row in json.loads(out)} == {
        "offered:first": True,
        "offered:second": True,
        "offered:NAME": True,
    }
    result = measure("-s", "offered:*", "-d", puzzles(FOURS[0]), "--repetitions", 1)
    assert set(result.statuses()) == {"solved"}
    manifest = json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["packages"]["some-solvers"] == manifest["packages"]["other-solvers"] == "1.5"


BROKEN = {
    "gone": ("no_such_module:Class", "ModuleNotFoundError: No module named 'no_such_module'"),
    "raises": ("offered_raises", "LookupError: no settings"),
    "exits": ("offered_exits", "importing it ends its process (exit code 3)"),
    "empty": ("offered_empty", "registers no strategy"),
    "taken": ("offered_taken", "seed:norvig: the name is taken"),
    "former": (
        "offered_former",
        "/offered_former.py:35: No module named 'solvers'; write `from sudoku_bench import Str",
    ),
}


def test_a_failed_entry_point_is_listed_with_its_reason_and_affects_no_other(offer, command, measure, puzzles) -> None:
    offer(
        "broken-solvers",
        "\n".join(f"{name} = {value}" for name, (value, _) in BROKEN.items()),
        offered_raises="raise LookupError('no\\nsettings')",
        offered_exits="print('bye'); os._exit(3)",
        offered_empty="",
        offered_former="from solvers import Strategy",
        offered_taken=OWN.replace("offered:NAME", "seed:norvig"),
    )
    code, out, err = command("list", "strategies", "--json")
    assert (code, err) == (0, "")
    rows = {row["strategy"]: row for row in json.loads(out)}
    for name, (_, reason) in BROKEN.items():
        row = rows.pop(f"entry-point:broken-solvers/{name}")
        assert not row["available"]
        assert row["reason"].startswith(f"entry point {name}")
        assert "of broken-solvers 1.5: " in row["reason"]
        assert reason in row["reason"]
        assert row["reason"].isprintable()
    assert rows["seed:norvig"]["available"]
    result = measure("-s", "entry-point:*/gone", "-s", "seed:norvig", "-d", puzzles(FOURS[0]), "--repetitions", 1)
    assert set(zip(result.rows["strategy"], result.rows["status"], strict=True)) == {
        ("entry-point:broken-solvers/gone", "unsupported"),
        ("seed:norvig", "solved"),
    }


def test_an_entry_point_that_hangs_is_tried_once(offer, monkeypatch) -> None:
    offer("slow-solvers", "slow = offered_slow", offered_slow="time.sleep(600)")
    monkeypatch.setattr(strategies, "DESCRIBE_LIMIT_S", 0.3)
    info = known()["entry-point:slow-solvers/slow"]
    assert info.reason.endswith("importing it takes more than 0.3 s")
    monkeypatch.setattr(strategies, "DESCRIBE_LIMIT_S", 600)
    assert known()["entry-point:slow-solvers/slow"] == info
