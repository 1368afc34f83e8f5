"""Copies of a strategy: alike they cost the same, slowed they cost a known share more."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from studies.copies import MEMORY, SEARCH, Slowdown, busy_core, write_plugin
from sudoku_bench import solvers
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.strategy import FIRST, Strategy

READING_S = 1e-6  # that a reading of the clock takes


@pytest.mark.parametrize("kind", [SEARCH, MEMORY])
@pytest.mark.parametrize("share", [0.05, 0.1])
def test_a_copy_costs_the_share_more_and_only_its_search(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, share: float, kind: str
) -> None:
    now = [0.0]

    def spend(seconds: float) -> None:
        now[0] += seconds

    class Base(Strategy):
        scale = 1.0

        def encode(self, puzzle: Puzzle) -> Any:
            spend(0.010 * self.scale)

        def search(self, model: Any, task: Any) -> Any:
            spend(0.020 * self.scale)
            return "answer"

        def release(self) -> None:
            spend(0.010 * self.scale)

    copies: dict[str, type[Strategy]] = {}
    monkeypatch.setattr(time, "process_time", lambda: spend(READING_S) or now[0])
    monkeypatch.setattr(registry, "load_builtin", lambda: None)
    monkeypatch.setattr(registry, "get", lambda _name: Base)
    monkeypatch.setattr(solvers, "register", lambda strategy: copies.update({strategy.name: strategy}))
    plugin = write_plugin(tmp_path / "run", "test:base", {"copy:a": Slowdown(), "copy:b": Slowdown(share, kind)})
    exec(compile(plugin.read_text(encoding="utf-8"), "plugin.py", "exec"), {})

    costs: dict[str, list[tuple[float, float]]] = {name: [] for name in copies}
    for name, copy in copies.items():
        strategy = copy()
        for scale in (1.0, 1.0, 5.0, 0.5):
            strategy.scale = scale  # type: ignore[attr-defined]
            begin = now[0]
            strategy.encode(None)  # type: ignore[arg-type]
            encoded = now[0]
            assert strategy.search(None, FIRST) == "answer"
            searched = now[0]
            strategy.release()
            costs[name].append((now[0] - begin, searched - encoded))
    # In the first solve of a process, which is never timed, the copy does not know yet what follows its search.
    for (plain, plain_search), (slow, slow_search) in list(zip(costs["copy:a"], costs["copy:b"], strict=True))[1:]:
        assert slow / plain == pytest.approx(1 + share, abs=0.001)
        assert slow_search - plain_search == pytest.approx(slow - plain, abs=1e-9)


def test_the_busy_core_is_busy_until_the_end() -> None:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        with pytest.raises(InputError, match="second core"):
            busy_core().__enter__()
        return
    with busy_core() as burner:
        assert os.sched_getaffinity(burner) == {cores[-1]}
    with pytest.raises(ProcessLookupError):
        os.kill(burner, 0)
