"""Why a program failed: its exit code, and what it says about it."""

from __future__ import annotations

import pytest

from sudoku_bench.solvers.external.program import failure


@pytest.mark.parametrize(
    ("script", "code", "text"),
    [
        ("echo oops >&2; echo more >&2; exit 127", 127, "ended with exit code 127: oops"),
        ("exit 3", 3, "ended with exit code 3"),
        ("echo another fault >&2; exit 4", 3, "ended with exit code 3"),  # it does not fail in the same way
        ("echo fine >&2", 3, "ended with exit code 3"),
        (
            "echo 'Traceback (most recent call last):' >&2; echo 'ValueError: no' >&2; exit 1",
            1,
            "code 1: ValueError: no",
        ),
    ],
)
def test_a_failure_says_what_the_program_says(script: str, code: int, text: str) -> None:
    assert failure(["sh", "-c", script], code).endswith(text)


def test_a_killed_program_is_not_started_again(tmp_path) -> None:
    assert failure(["touch", str(tmp_path / "started")], -9) == "was killed by SIGKILL"
    assert not (tmp_path / "started").exists()
