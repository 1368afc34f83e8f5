"""Whatever a name holds, LaTeX shows it and does not obey it."""

from __future__ import annotations

import re
import string

from hypothesis import given
from hypothesis import strategies as st

from bench.say import markup

ODD = "$x_{0}$ \\frac{%&#~^ <b>|`"


def test_letters_that_mean_something_to_latex_are_escaped() -> None:
    assert markup.literal(ODD) == (
        r"\$x\_\{0\}\$ \textbackslash{}frac\{\%\&\#\textasciitilde{}\textasciicircum{} "
        r"\textless{}b\textgreater{}\textbar{}\char96{}"
    )
    assert markup.literal("2--3 µs × 4") == r"2-{}-3 \ensuremath{\mu}s \ensuremath{\times} 4"
    assert markup.literal("é ß 数") == r"\'{e} ß U+6570"
    for letter in string.punctuation:
        assert (markup.literal(letter) == letter) == (letter not in '_%&#${}^~\\<>|"`')


@given(st.text())
def test_what_latex_gets_has_balanced_braces_and_no_letter_of_its_own_meaning(text: str) -> None:
    made = re.sub(r"\\ensuremath\{[^{}]*(\{[^{}]*\})?\}", "", markup.literal(text))
    made = re.sub(r"\\[`'^~=u.\"rHvc]\{[A-Za-z]\}", "", made)  # accents
    made = re.sub(r"\\([\\{}$&#%_]|[a-z]+(\d+)?|,)", "", made.replace("~", ""))
    assert not re.search(r"[\\$&#%_^]", made)
    assert re.sub(r"\{\}", "", made).count("{") == re.sub(r"\{\}", "", made).count("}")


def test_names_may_be_broken_after_their_parts() -> None:
    assert markup.breakable("sat:a+b@c") == r"\texttt{sat:\allowbreak{}a+\allowbreak{}b@\allowbreak{}c}"
