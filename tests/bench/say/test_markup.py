"""LaTeX and Markdown show any character of a name literally."""

from __future__ import annotations

import re
import string

from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.bench.say import markup

ODD = "$x_{0}$ \\frac{%&#~^ <b>|`"


def test_special_characters_of_latex_are_escaped() -> None:
    assert markup.literal(ODD) == (
        r"\$x\_\{0\}\$ \textbackslash{}frac\{\%\&\#\textasciitilde{}\textasciicircum{} "
        r"\textless{}b\textgreater{}\textbar{}\char96{}"
    )
    assert markup.literal("2--3 µs × 4") == r"2-{}-3 \ensuremath{\mu}s \ensuremath{\times} 4"
    assert markup.literal("é ß 数") == r"\'{e} ß U+6570"
    for letter in string.punctuation:
        assert (markup.literal(letter) == letter) == (letter not in '_%&#${}^~\\<>|"`')


@given(st.text())
def test_latex_has_balanced_braces_and_no_active_characters(text: str) -> None:
    escaped = re.sub(r"\\ensuremath\{[^{}]*(\{[^{}]*\})?\}", "", markup.literal(text))
    escaped = re.sub(r"\\[`'^~=u.\"rHvc]\{[A-Za-z]\}", "", escaped)  # accents
    escaped = re.sub(r"\\([\\{}$&#%_]|[a-z]+(\d+)?|,)", "", escaped.replace("~", ""))
    assert not re.search(r"[\\$&#%_^]", escaped)
    assert re.sub(r"\{\}", "", escaped).count("{") == re.sub(r"\{\}", "", escaped).count("}")


def test_names_may_be_broken_after_their_parts() -> None:
    assert markup.breakable("sat:a+b@c") == r"\texttt{sat:\allowbreak{}a+\allowbreak{}b@\allowbreak{}c}"


def test_special_characters_of_markdown_are_escaped() -> None:
    assert markup.markdown("a_b|c <b> *x*") == r"a\_b\|c \<b\> \*x\*"
