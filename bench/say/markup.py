"""Plain text as LaTeX: whatever a strategy is called, it breaks no document and is not lost in it.

For pdflatex, xelatex and lualatex with any encoding of fonts, LaTeX's first one (OT1) included.
"""

from __future__ import annotations

import re
import unicodedata

SPECIAL = {
    **{letter: f"\\{letter}" for letter in "_%&#${}"},
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
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
MATHS = {
    **{"−": "-", "×": r"\times", "±": r"\pm", "·": r"\cdot", "≤": r"\leq", "≥": r"\geq", "≈": r"\approx"},
    **{"∞": r"\infty", "→": r"\rightarrow", "∝": r"\propto", "°": r"^{\circ}", "²": "^{2}", "³": "^{3}"},
    **{"µ": r"\mu", "μ": r"\mu", "ρ": r"\rho", "τ": r"\tau", "σ": r"\sigma", "α": r"\alpha"},
}
ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": "."},
    **{"\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c"},
}
KNOWN = frozenset("ßæøœłÆØŒŁ¡¿ı")  # letters without a base that every encoding has


def literal(text: str) -> str:
    """The text for LaTeX, every letter as it is; one that LaTeX's first fonts do not have, by its number (U+4E2D)."""
    letters = map(_literal, unicodedata.normalize("NFC", text))
    return re.sub("-(?=-)", "-{}", "".join(letters))  # two hyphens are no dash


def breakable(name: str) -> str:
    """A name in typewriter letters that may go on in the next line after ``:``, ``+`` and ``@``."""
    parts = re.split(r"(?<=[:+@/])", name)
    return rf"\texttt{{{(chr(92) + 'allowbreak{}').join(map(literal, parts))}}}"


def _literal(letter: str) -> str:
    if letter in SPECIAL:
        return SPECIAL[letter]
    if letter in MATHS:
        return rf"\ensuremath{{{MATHS[letter]}}}"
    if letter.isascii():
        return letter if letter.isprintable() or letter == "\n" else " "
    parts = unicodedata.normalize("NFD", letter)
    base, accent = parts[0], ACCENTS.get(parts[1:])
    if base.isascii() and base.isalpha() and accent:
        return rf"\{accent}{{{base}}}"
    return letter if letter in KNOWN else f"U+{ord(letter):04X}"
