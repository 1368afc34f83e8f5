"""The numbers of a run as files: macros for LaTeX, and a table for everything else."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping

from bench.say.markup import literal
from bench.writeup.numbers import Number
from bench.writeup.words import counted

MACROS = 30_000  # that pdflatex has room for, with names as long as these are


def as_csv(found: Mapping[str, Number]) -> str:
    """The numbers as a table: name, value, unit, text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("name", "value", "unit", "text"))
    for name, number in found.items():
        writer.writerow((name, "" if number.value is None else number.bare, number.unit, number.text))
    return text.getvalue()


PREAMBLE = r"""% Numbers of a run of sudoku-bench; made by `sudoku-bench report`, which makes this file again.
%   \bench{median/easy/seed:norvig}      the number as a text says it, with its unit
%   \benchraw{median/easy/seed:norvig}   the bare value: seconds, per cent, or a pure number
%   \benchif{median/easy/seed:norvig}{...}{...}   the first text if the run has the number, else the second
%   \claim{median/easy/seed:norvig}{1.61 ms}   shows its second argument; `sudoku-bench claims` checks it
% All names stand in numbers.csv.
\makeatletter
\providecommand*\bench[1]{\sudokubench@show{text}{#1}}
\providecommand*\benchraw[1]{\sudokubench@show{bare}{#1}}
\providecommand\benchif[3]{\ifcsname sudokubench:text:\detokenize{#1}\endcsname#2\else#3\fi}
\providecommand\claim[2]{#2}
\newcommand*\sudokubench@show[2]{%
  \ifcsname sudokubench:#1:\detokenize{#2}\endcsname
    \csname sudokubench:#1:\detokenize{#2}\expandafter\endcsname
  \else\expandafter\sudokubench@unknown\expandafter{\detokenize{#2}}\fi}
\protected\def\sudokubench@unknown#1{%
  \PackageError{sudoku-bench}{The run has no number `#1'}{numbers.csv, beside numbers.tex, has all names.}\textbf{??}}
\newcommand*\sudokubench@number[3]{%
  \expandafter\gdef\csname sudokubench:text:\detokenize{#1}\endcsname{#2}%
  \expandafter\gdef\csname sudokubench:bare:\detokenize{#1}\endcsname{#3}}
"""


def as_latex(found: Mapping[str, Number], most: int = MACROS) -> str:
    """The numbers as macros of LaTeX; beyond ``most`` of them the last, which are of pairs, are left out."""
    kept = list(found.items())[:most]
    lines = [rf"\sudokubench@number{{{name}}}{{{_shown(number)}}}{{{literal(number.bare)}}}" for name, number in kept]
    left = len(found) - len(kept)
    rest = [f"% {counted(left, 'number')} of pairs left out here; numbers.csv has them"] if left else []
    return "\n".join([PREAMBLE.rstrip(), *rest, *lines, r"\makeatother", ""])


def _shown(number: Number) -> str:
    """Text in LaTeX, its unit after a thin space."""
    shown = re.sub(r"(?<=\d) (?=(?:s|ms|µs|ns)$)", "\N{NARROW NO-BREAK SPACE}", number.text)
    return literal(shown)
