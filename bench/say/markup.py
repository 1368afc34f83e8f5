"""Escape plain text for LaTeX and Markdown, whatever characters a strategy's name contains.

The LaTeX works with pdflatex, xelatex and lualatex and any font encoding, including OT1.
"""

from __future__ import annotations

import re
import unicodedata

SPECIAL = {
    **{character: f"\\{character}" for character in "_%&#${}"},
    **{"^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}", "|": r"\textbar{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", '"': r"\char34{}", "`": r"\char96{}", "…": r"\ldots{}"},
    **{"–": r"\textendash{}", "—": r"\textemdash{}", "‘": "`", "’": "'", "“": "``", "”": "''"},
    **{"\N{NO-BREAK SPACE}": "~", "\N{NARROW NO-BREAK SPACE}": r"\,"},
}
MATHS = {
    **{"−": "-", "×": r"\times", "±": r"\pm", "·": r"\cdot", "≤": r"\leq", "≥": r"\geq", "≈": r"\approx"},
    **{"∞": r"\infty", "→": r"\rightarrow", "∝": r"\propto", "°": r"^{\circ}", "²": "^{2}", "³": "^{3}"},
    **{"µ": r"\mu", "μ": r"\mu", "ρ": r"\rho", "τ": r"\tau", "σ": r"\sigma", "α": r"\alpha", "←": r"\leftarrow"},
}
MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"  # combining
ACCENTS = dict(zip(MARKS, "`'^~=u.\"rHvc", strict=True))
UNACCENTED = frozenset("ßæøœłÆØŒŁ¡¿ı")  # characters without a base letter that every font encoding has
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|$~&])")


def literal(text: str) -> str:
    """Escape text for LaTeX; a character that OT1 fonts lack becomes its code point (U+4E2D)."""
    escaped = map(_literal, unicodedata.normalize("NFC", text))
    return re.sub("-(?=-)", "-{}", "".join(escaped))  # keeps LaTeX from turning two hyphens into a dash


def breakable(name: str) -> str:
    """Return a name in ``\\texttt`` that may break across lines after ``:``, ``+``, ``@``, ``/`` and ``-``."""
    parts = re.split(r"(?<=[:+@/-])(?!-)", name)
    return rf"\texttt{{{(chr(92) + 'allowbreak{}').join(map(literal, parts))}}}"


def _literal(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if character in MATHS:
        return rf"\ensuremath{{{MATHS[character]}}}"
    if character.isascii():
        return character if character.isprintable() or character == "\n" else " "
    parts = unicodedata.normalize("NFD", character)
    base, accent = parts[0], ACCENTS.get(parts[1:])
    if base.isascii() and base.isalpha() and accent:
        return rf"\{accent}{{{base}}}"
    return character if character in UNACCENTED else f"U+{ord(character):04X}"


def markdown(text: str) -> str:
    """Escape text for Markdown, also inside a table cell."""
    return MARKDOWN.sub(r"\\\1", text)
