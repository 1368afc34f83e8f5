"""Render tables as LaTeX (booktabs) and as Markdown, narrow enough for a column or a page of IEEE, ACM and LNCS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sudoku_bench.bench.reports.bibliography import cited
from sudoku_bench.bench.say.markup import literal, markdown

TEXT, NUMBER = "text", "number"
LONG = 45  # rows that fit on a page
COLUMN_PT, PAGE_PT = 241.0, 347.0  # the narrowest column (of ACM) and page (of LNCS)
LETTER_PT, GAP_PT = 4.3, 6.0  # mean width of letters of 8 pt, which are those of digits, and between columns


class Bold(str):
    """The text of a cell that stands out."""


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        name: stem of its file names.
        title: a short title.
        columns: heading and kind (``TEXT`` or ``NUMBER``) of each column.
        groups: rows that belong together; groups are separated by extra space. A row of one cell heads those below.
        note: what a reader needs to know to read the table.
    """

    name: str
    title: str
    columns: Sequence[tuple[str, str]]
    groups: Sequence[Sequence[Sequence[str]]]
    note: str

    @property
    def rows(self) -> int:
        return sum(map(len, self.groups))


def width_pt(columns: Sequence[Sequence[str]]) -> float:
    """Return the approximate width of a table whose columns have these cells, in points."""
    return sum(LETTER_PT * max(map(len, cells), default=0) for cells in columns) + GAP_PT * (len(columns) - 1)


def as_latex(table: Table) -> str:
    """Return a ``tabular`` with its note, for use in ``table`` or ``table*``; a ``longtable`` if it is long."""
    long = table.rows > LONG
    layout = "".join("r" if kind == NUMBER else "l" for _, kind in table.columns)
    head = " & ".join(literal(heading) for heading, _ in table.columns) + r" \\"
    groups = ["\n".join(_latex_row(table, row) for row in group) for group in table.groups]
    body = "\n\\addlinespace\n".join(group for group in groups if group)
    note = cited(table.note)
    comment = f"% {table.title}. Requires the package booktabs" + (
        " and longtable; in a two-column class, put it after \\onecolumn." if long else "."
    )
    small = f"{comment}\n{{\\footnotesize\\setlength{{\\tabcolsep}}{{{GAP_PT / 2:g}pt}}%\n"
    if long:
        top = f"\\toprule\n{head}\n\\midrule"
        return (
            f"{small}\\begin{{longtable}}{{@{{}}{layout}@{{}}}}\n{top}\n\\endhead\n\\bottomrule\n\\endfoot\n{body}\n"
            f"\\end{{longtable}}\n\\noindent {note}\\par}}\n"
        )
    return (
        f"{small}\\noindent\\begin{{tabular}}{{@{{}}{layout}@{{}}}}\n\\toprule\n{head}\n\\midrule\n{body}\n\\bottomrule\n"
        f"\\end{{tabular}}\n\\par\\smallskip\\noindent\\parbox{{\\linewidth}}{{\\raggedright {note}}}\\par}}\n"
    )


def _latex_row(table: Table, row: Sequence[str]) -> str:
    if len(row) < len(table.columns):
        return rf"\multicolumn{{{len(table.columns)}}}{{@{{}}l@{{}}}}{{\emph{{{literal(row[0])}}}}} \\"
    cells = [rf"\textbf{{{literal(text)}}}" if isinstance(text, Bold) else literal(text) for text in row]
    return " & ".join(cells) + r" \\"


def as_markdown(table: Table) -> str:
    """Return a GitHub-flavoured Markdown table with its title above and its note below."""
    head = " | ".join(markdown(heading) for heading, _ in table.columns)
    rule = " | ".join("---:" if kind == NUMBER else "---" for _, kind in table.columns)
    rows = [_markdown_row(table, row) for group in table.groups for row in group]
    title, note = f"**{markdown(table.title)}**", markdown(table.note)
    return "\n".join([title, "", f"| {head} |", f"| {rule} |", *rows, "", note, ""])


def _markdown_row(table: Table, row: Sequence[str]) -> str:
    cells = [f"**{markdown(text)}**" if isinstance(text, Bold) else markdown(text) for text in row]
    return f"| {' | '.join([*cells, *[''] * (len(table.columns) - len(cells))])} |"
