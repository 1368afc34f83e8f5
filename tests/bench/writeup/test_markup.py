"""Whatever a name holds, LaTeX and Markdown show it and do not obey it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from bench.writeup import markup

ODD = "$x_{0}$ \\frac{%&#~^ <b>|`"


def test_letters_that_mean_something_to_latex_are_escaped() -> None:
    assert markup.latex(ODD) == (
        r"\$x\_\{0\}\$ \textbackslash{}frac\{\%\&\#\textasciitilde{}\textasciicircum{} "
        r"\textless{}b\textgreater{}\textbar{}\char96{}"
    )
    assert markup.latex("2--3 µs × 4") == r"2-{}-3 \ensuremath{\mu}s \ensuremath{\times} 4"
    assert markup.latex("é 数") == "é [U+6570]"


@given(st.text())
def test_what_latex_gets_has_balanced_braces_and_no_letter_of_its_own_meaning(text: str) -> None:
    made = re.sub(r"\\([\\{}$&#%_]|[a-z]+(\d+)?|,)", "", markup.latex(text).replace("~", ""))
    assert not re.search(r"[\\$&#%_^]", made)
    assert re.sub(r"\{\}", "", made).count("{") == re.sub(r"\{\}", "", made).count("}")


def test_names_may_be_broken_after_their_parts() -> None:
    assert markup.breakable("sat:a+b@c") == r"\texttt{sat:\allowbreak{}a+\allowbreak{}b@\allowbreak{}c}"


def test_letters_that_mean_something_to_markdown_are_escaped() -> None:
    assert markup.markdown("a_b|c <b> *x*") == r"a\_b\|c \<b\> \*x\*"
