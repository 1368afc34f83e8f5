"""From settings to rows, in the process of whoever asks."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from sudoku_bench.bench.run.measuring import interrupted_once


@pytest.fixture
def interruptible() -> Iterator[None]:
    """In the background of a script, Ctrl-C is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_second_interrupt_does_not_disturb_the_end_of_a_run(interruptible) -> None:
    ended = []

    def run() -> None:
        with interrupted_once():
            try:
                os.kill(os.getpid(), signal.SIGINT)
            finally:
                os.kill(os.getpid(), signal.SIGINT)
                ended.append(True)

    with pytest.raises(KeyboardInterrupt):
        run()
    assert ended
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
