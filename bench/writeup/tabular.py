"""Render tables as LaTeX (booktabs) and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sudoku_bench.bench.say.markup import breakable, literal, markdown
from sudoku_bench.bench.writeup.bibliography import cited

NAME, TEXT, NUMBER = "name", "text", "number"
LONG = 45  # rows that fit on a page


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        name: stem of its file names.
        title: a short title.
        columns: heading and kind (``NAME``, ``TEXT`` or ``NUMBER``) of each column.
        groups: rows that belong together; groups are separated by extra space.
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
    if long:
        top = f"\\toprule\n{head}\n\\midrule"
        return (
            f"{comment}\n\\begin{{longtable}}{{@{{}}{layout}@{{}}}}\n{top}\n\\endhead\n\\bottomrule\n\\endfoot\n{body}\n"
            f"\\end{{longtable}}\n{{\\footnotesize\\noindent {note}\\par}}\n"
        )
    return (
        f"{comment}\n\\begin{{tabular}}{{@{{}}{layout}@{{}}}}\n\\toprule\n{head}\n\\midrule\n{body}\n\\bottomrule\n"
        f"\\end{{tabular}}\n\\par\\smallskip\\parbox{{\\linewidth}}{{\\footnotesize\\raggedright {note}}}\n"
    )


def _latex_row(table: Table, row: Sequence[str]) -> str:
    cells = [
        breakable(text) if kind == NAME and text and text[0] != "(" else literal(text)
        for text, (_, kind) in zip(row, table.columns, strict=True)
    ]
    return " & ".join(cells) + r" \\"


def as_markdown(table: Table) -> str:
    """Return a GitHub-flavoured Markdown table with its title above and its note below."""
    head = " | ".join(markdown(heading) for heading, _ in table.columns)
    rule = " | ".join("---:" if kind == NUMBER else "---" for _, kind in table.columns)
    rows = [f"| {' | '.join(map(markdown, row))} |" for group in table.groups for row in group]
    title, note = f"**{markdown(table.title)}**", markdown(table.note)
    return "\n".join([title, "", f"| {head} |", f"| {rule} |", *rows, "", note, ""])
