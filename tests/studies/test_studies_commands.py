"""Programs as commands: their arguments follow from the function, and errors are one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from studies import __main__ as command
from studies import faults
from studies.__main__ import STUDIES, execute, main
from sudoku_bench.datasets.errors import InputError


def test_every_program_is_listed_with_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(STUDIES)
    assert all(len(line.split()) > 3 and line.endswith(".") for line in lines)
    assert main(["nothing"]) == 2
    assert capsys.readouterr().err.splitlines() == lines


def test_parameters_are_arguments_and_results_are_exit_codes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[object] = []

    def program(run: Path, *names: str, number: int = 3) -> bool | None:
        """Do something."""
        calls.append((run, names, number))
        if number < 0:
            raise InputError("no such number")
        if number > 9:
            raise KeyboardInterrupt
        return None if number else False

    monkeypatch.setattr(command, "program_of", lambda _: program)
    arguments = (["r", "a", "b"], ["r", "--number", "0"], ["r", "--number", "-1"], ["r", "--number", "10"])
    assert [execute("x", words) for words in arguments] == [0, 1, 2, 130]
    assert calls[:2] == [(Path("r"), ("a", "b"), 3), (Path("r"), (), 0)]
    assert capsys.readouterr().err == "x: no such number\nx: interrupted\n"
    with pytest.raises(SystemExit, match="2"):
        execute("x", [])


@pytest.mark.parametrize("words", ["grid 7x7", "faults all"])
def test_a_name_or_number_that_does_not_do_is_one_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_of_the_catalogue_that_is_not_there_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "CATALOGUE", {"Nothing": ("nothing/test_absent.py",)})
    assert [outcome.held for outcome in faults.single_faults()] == [False]
