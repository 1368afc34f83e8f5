"""Turns: consecutive measurements of a strategy are sent together, and each has a row as if it were alone."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from bench.process import worker_process
from bench.process.seat import WarmSeat
from bench.run import lane
from tests.bench.conftest import FOURS

pytestmark = pytest.mark.slow

REPETITIONS = 4
CLUES = [sum(cell != "." for cell in text) for text in FOURS]
FEW = min(CLUES)  # of one of the puzzles, and of its forms
INVALID = "solve: the worker sent an invalid reply"
COUNTERS = 2000  # a pipe does not hold three replies with all of them
FATES = {  # of a solve: what it does, the status of its row, and whether the worker is then replaced
    "lives": ("pass", "solved", False),
    "gives-up": ("raise GaveUp('no')", "gave_up", False),
    "raises": ("raise ValueError('no')", "error", True),
    "dies": ("os._exit(3)", "error", True),
    "leaves-a-process": ("subprocess.Popen(['sleep', '600'])", "solved", True),
    "never-ends": ("while True: pass", "timeout", True),
    "writes-into-pipes": ("[scribble(fd) for fd in range(3, 256)]", "error", True),
}


def source(body: str, counters: int) -> str:
    return f"""
        import subprocess
        from solvers.strategy import GaveUp

        def scribble(fd):
            try:
                os.write(fd, b"scribble")
            except OSError:
                pass

        @register
        class Own(Backtracker):
            name = "test:own"

            def search(self, puzzle, task):
                if sum(map(bool, puzzle.cells)) == {FEW}:
                    {body}
                return super().search(puzzle, task)

            def counters(self):
                return {{f"counter-{{number}}": number for number in range({counters})}}
    """


@pytest.fixture
def measured(measure, plugin, puzzles, monkeypatch) -> Callable[..., tuple[pd.DataFrame, list[int]]]:
    """Rows of a run of one strategy, and how many samples were sent together each time."""
    lengths: list[int] = []
    solve_in_turn = WarmSeat.solve_in_turn

    def noted(seat, samples):
        lengths.append(len(samples))
        return solve_in_turn(seat, samples)

    def call(
        body: str, together: int = 3, room_bytes: int = worker_process.ROOM_BYTES, loops: int = 1, counters: int = 0
    ):
        monkeypatch.setattr(WarmSeat, "solve_in_turn", noted)
        monkeypatch.setattr(lane, "TURN_S", 1e6)  # no machine is too slow for turns
        monkeypatch.setattr(lane.Lane.__init__, "__defaults__", (*lane.Lane.__init__.__defaults__[:-1], together))
        monkeypatch.setattr(worker_process, "ROOM_BYTES", room_bytes)
        lengths.clear()
        settings = ("--repetitions", REPETITIONS, "--loops", loops, "--timeout", 1)
        result = measure("-s", "test:own", "--plugin", plugin(source(body, counters)), "-d", puzzles(*FOURS), *settings)
        assert result.code == 0, result.err
        return result.rows, list(lengths)

    return call


@pytest.mark.parametrize("counters", [0, COUNTERS])
@pytest.mark.parametrize("fate", FATES)
def test_each_measurement_of_a_turn_has_its_own_fate(measured, fate: str, counters: int) -> None:
    body, status, replaced = FATES[fate]
    rows, lengths = measured(body, counters=counters)
    assert max(lengths) > 1
    assert not rows.duplicated(["puzzle", "repetition"]).any()
    assert len(rows) == len(FOURS) * REPETITIONS
    few = rows["puzzle"].str.rpartition("-")[2].astype(int) == 1 + CLUES.index(FEW)
    assert set(rows.loc[few, "status"]) == {status}
    assert set(rows.loc[~few, "status"]) == {"solved"}
    assert (rows["worker"].nunique() > REPETITIONS) == replaced  # each repetition begins with a new one


def test_if_nobody_knows_which_solve_wrote_into_a_pipe_each_of_the_turn_is_measured_again_alone(measured) -> None:
    rows, _ = measured(FATES["writes-into-pipes"][0])
    again = rows["reason"].fillna("").str.endswith(lane.AGAIN)
    assert set(rows.loc[again, "status"]) == {"solved", "error"}
    assert set(rows.loc[rows["status"].eq("error"), "reason"]) <= {INVALID, f"{INVALID}; {lane.AGAIN}"}


@pytest.mark.parametrize("loops", [1, 7])
def test_rows_are_those_of_single_measurements(measured, loops: int) -> None:
    columns = ["puzzle", "isomorph", "repetition", "round", "position", "loops", "status", "worker", "stream_position"]
    alone, lengths = measured("pass", together=1, loops=loops)
    assert set(lengths) == {1}
    for room_bytes in (worker_process.ROOM_BYTES, 1):  # with room for one request, the others are sent later
        together, lengths = measured("pass", loops=loops, room_bytes=room_bytes)
        assert max(lengths) == 3
        pd.testing.assert_frame_equal(together[columns], alone[columns])


def test_measurements_of_a_turn_begin_one_after_the_other(measured) -> None:
    rows, _ = measured("time.sleep(0.02)")
    ends_s = rows["started_s"] + rows["wall_s"] * rows["loops"]
    assert (rows["started_s"].to_numpy()[1:] >= ends_s.to_numpy()[:-1] - 1e-5).all()
    assert rows["started_s"].is_monotonic_increasing


def test_phases_of_short_solves_are_timed_apart_only_so_often(measured, monkeypatch) -> None:
    monkeypatch.setattr(lane, "PHASES_APART", 6)
    rows, _ = measured("pass")
    assert list(rows["phases"].eq("apart")) == [True] * 6 + [False] * (len(rows) - 6)
    assert rows["search_cpu_s"].notna().sum() == 6
    assert set(rows["status"]) == {"solved"}
