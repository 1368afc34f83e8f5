"""What a person at a terminal reads while kernels are compiled."""

from __future__ import annotations

import logging

import pytest

from sudoku_bench.bench.say import compiling


def test_the_first_kernel_has_a_line_and_then_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    teller = compiling.Teller()
    for second in (100, 101, 103, 106, 107, 112):
        teller.emit(logging.makeLogRecord({"created": float(second)}))
    assert capsys.readouterr().err.splitlines() == [
        "compiling: once per installation, up to 90 s",
        "compiling: 4 functions so far",
        "compiling: 6 functions so far",
    ]


def test_only_a_terminal_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    logger = compiling.KERNELS
    monkeypatch.setattr(logger, "handlers", [])
    compiling.tell_compiling()
    assert logger.handlers == []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for _ in range(2):
        compiling.tell_compiling()
        assert len(logger.handlers) == 1
    logger.setLevel(logging.NOTSET)
