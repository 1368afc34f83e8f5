"""Whatever a name holds, Markdown shows it and does not obey it."""

from __future__ import annotations

from bench.writeup import markup


def test_letters_that_mean_something_to_markdown_are_escaped() -> None:
    assert markup.markdown("a_b|c <b> *x*") == r"a\_b\|c \<b\> \*x\*"
