"""The reference of the commands is true. It may lack what is new, which ``make tables`` adds."""

from __future__ import annotations

import pytest

from bench.studies import command_reference
from datasets.errors import InputError


def test_every_line_of_the_page_is_true() -> None:
    begin, end = command_reference.MARKS
    text = command_reference.PAGE.read_text(encoding="utf-8").partition(begin)[2].partition(end)[0]
    lines = [line for line in text.splitlines() if line]
    assert len(lines) > 50
    assert [line for line in lines if line not in set(command_reference.reference())] == [], "run `make tables`"


def test_a_page_without_marks_is_refused(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("# Commands\n")
    monkeypatch.setattr(command_reference, "PAGE", tmp_path / "page.md")
    assert command_reference.main() == 2
    with pytest.raises(InputError, match="has no line"):
        command_reference.document.fill(command_reference.PAGE, command_reference.MARKS, "")
