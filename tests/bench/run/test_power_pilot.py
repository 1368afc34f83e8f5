"""``run --power``: a pilot that leaves nothing behind but its answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.run import power_pilot
from tests.bench.conftest import FOURS

pytestmark = pytest.mark.slow

SOURCE = """
    class Busy(Backtracker):
        def search(self, puzzle, task):
            end = time.thread_time() + self.seconds
            while time.thread_time() < end:
                pass
            return super().search(puzzle, task)

    for name, seconds in (("a", 0.0005), ("b", 0.005)):
        register(type("Busy", (Busy,), {"name": f"test:{name}", "seconds": seconds}))
"""


def test_it_says_how_few_measurements_decide_a_clear_difference(
    command, plugin, puzzles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power_pilot, "PUZZLES", 4)
    monkeypatch.chdir(tmp_path)
    many = puzzles(*FOURS * 40)
    asked = ("run", "-s", "test:*", "--plugin", plugin(SOURCE), "-d", many, "--loops", 1, "--pin", "off", "--power")
    code, out, _ = command(*asked, "--quiet", "--json")
    assert code == 0
    [found] = json.loads(out)["power"]
    assert (found["collection"], found["strategies"], found["pairs"]) == ("own", 2, 1)
    assert found["planned"] == [200, 5]
    assert found["decided"] == found["enough_decided"] == 1
    assert found["enough"][0] < 200
    assert not (tmp_path / "results").exists()


def test_a_budget_leaves_nothing_to_choose(command, puzzles) -> None:
    code, _, err = command("run", "-s", "bitboard:*", "-d", puzzles(FOURS[0]), "--budget", "1m", "--power")
    assert code == 2
    assert "--power: the budget determines the repetitions" in err
