"""Builds the page of a run as one HTML file."""

from __future__ import annotations

import string
from collections.abc import Iterable
from html import escape
from pathlib import Path

from sudoku_bench.bench.figures import sheet
from sudoku_bench.bench.folder.method import in_clock
from sudoku_bench.bench.page import map_table, sections, strips
from sudoku_bench.bench.page.arrays import page_arrays
from sudoku_bench.bench.page.encoding import packed, packed_json
from sudoku_bench.bench.page.gather import PageData, gather
from sudoku_bench.bench.page.head import head
from sudoku_bench.bench.page.scripts import joined
from sudoku_bench.bench.plan.suite import Suite
from sudoku_bench.bench.say.phrases import counted, listed
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.writeup import methods

HERE = Path(__file__).parent
STYLES = ("page.css", "charts.css")
MOST_NAMED = 3  # collections in a title
MOST_BYTES = 8_000_000  # maximum size of a page


def page(run: Run, files: Iterable[str] = (), most_bytes: int = MOST_BYTES) -> bytes:
    """Return the page of a run as the bytes of an HTML file, the same for the same run.

    Args:
        files: files that the page links to, as paths relative to it.
        most_bytes: maximum size. If the page were larger, it shows a random sample of the puzzles and says so.
            Figures and tables other than those of single puzzles always cover all puzzles.
    """
    frame = _template(run, files)
    share = 1.0
    while True:
        content = gather(run, share)
        data = {"facts": packed_json(content.facts), "numbers": packed(content.numbers)}
        size = sum(map(len, data.values())) + len(frame)
        if size <= most_bytes or len(content.facts["rows"]["puzzle"]) <= 1:
            break
        room = (most_bytes - len(frame)) / sum(map(len, data.values()))
        share *= min(0.9, max(0.01, 0.97 * room))
    text = string.Template(frame).substitute(data, shown=sample_note(content, run))
    return text.encode("utf-8", "replace")


def sample_note(content: PageData, run: Run) -> str:
    """Return a paragraph saying that the page holds a sample of the puzzles; empty if it holds all."""
    number, total = len(content.facts["rows"]["puzzle"]), len(page_arrays(run).rows)
    if number == total:
        return ""
    return (
        f'<p class="alarm">To limit its size, this page holds {number:,} of {total:,} puzzles, drawn at random.'
        " The marks of puzzles and the table of puzzles cover these only; everything else covers all puzzles.</p>"
    )


def title_of(run: Run) -> str:
    """Return the title or the name of the suite; without one, what was measured."""
    suite, many = run.manifest["suite"], len(run.collections) > MOST_NAMED
    name = "" if suite.get("name") == Suite.name else suite.get("name")
    where = counted(len(run.collections), "collection") if many else listed(run.collections)
    measured = counted(len(sheet.of_run(run).looks), "strategy", "strategies")
    return str(suite.get("title") or name or f"{measured} on {where}")


def _template(run: Run, files: Iterable[str]) -> str:
    """Return the page without the parts that depend on how many puzzles fit."""
    script, title = joined(), title_of(run)
    values = {
        "head": head(title, STYLES, script),
        "title": escape(title),
        "facts_line": escape(sheet.facts(run)),
        "verdicts": sections.verdicts(run),
        "strips": in_clock(strips.strips(run), run.manifest),
        "map": in_clock(map_table.table(run), run.manifest),
        "environment": in_clock(sections.environment(run), run.manifest),
        "method": sections.paragraphs(methods.paragraphs(run)),
        "files": sections.links(files),
        "script": script,
    }
    template = in_clock((HERE / "template.html").read_text(encoding="utf-8"), run.manifest)
    placeholders = {name: f"${name}" for name in ("facts", "numbers", "shown")}
    return string.Template(template).substitute({k: v.replace("$", "$$") for k, v in values.items()} | placeholders)
