"""Plain text as LaTeX and as Markdown: whatever a strategy is called, it breaks no document and is not lost in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

LATEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
    "µ": r"\ensuremath{\mu}",
    "μ": r"\ensuremath{\mu}",
    "×": r"\ensuremath{\times}",
    "±": r"\ensuremath{\pm}",
    "≤": r"\ensuremath{\le}",
    "≥": r"\ensuremath{\ge}",
    "−": r"\ensuremath{-}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\ldots{}",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
}
BEYOND = "\N{LATIN SMALL LETTER Z WITH CARON}"  # letters up to this one are set up in every LaTeX
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|$~&])")


def latex(text: str) -> str:
    """Text for LaTeX (pdflatex, xelatex, lualatex); a letter that pdflatex would not know is given by its number."""
    letters = (LATEX.get(letter) or _known(letter) for letter in unicodedata.normalize("NFC", text))
    return re.sub("-(?=-)", "-{}", "".join(letters))  # two hyphens are no dash


def breakable(name: str) -> str:
    """A name in LaTeX, in typewriter letters, that may go on in the next line after ``:``, ``+`` and ``@``."""
    broken = re.sub(r"([:+@/])", "\\1\0", name)
    return rf"\texttt{{{latex(broken).replace(chr(0), chr(92) + 'allowbreak{}')}}}"


def markdown(text: str) -> str:
    """Text for Markdown, also in a cell of a table."""
    return MARKDOWN.sub(r"\\\1", text)


def _known(letter: str) -> str:
    if letter in "\0\n" or (letter.isprintable() and letter <= BEYOND):
        return letter
    return f"[U+{ord(letter):04X}]"
