"""The whole page, of one run."""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path

from plotly.offline import get_plotlyjs

from bench.figures import sheet
from bench.page import sections
from bench.page.gather import Gathered, gather
from bench.page.pack import checksum, packed, packed_json
from bench.page.scripts import joined
from bench.verdicts.run_tables import Run
from bench.writeup import methods

NAME = "report.html"
HERE = Path(__file__).parent
MOST_BYTES = 8_000_000  # of a page


def page(run: Run, files: Iterable[str] = (), most_bytes: int = MOST_BYTES) -> bytes:
    """The page of a run as the bytes of an HTML file, the same for the same run.

    Args:
        files: what lies beside the page, as paths relative to it: the page links to them.
        most_bytes: the page stays below, by showing fewer puzzles if it must; it then says so. What was worked out
            before (verdicts, medians, curves, pairs) is always of all puzzles.
    """
    frame = _frame(run, files)
    share = 1.0
    while True:
        gathered = gather(run, share)
        data = {"facts": packed_json(gathered.facts), "numbers": packed(gathered.numbers)}
        size = sum(map(len, data.values())) + len(frame)
        if size <= most_bytes or len(gathered.facts["rows"]["puzzle"]) <= 1:
            break
        room = (most_bytes - len(frame)) / sum(map(len, data.values()))
        share *= min(0.9, max(0.01, 0.97 * room))
    text = string.Template(frame).substitute(data, shown=shown(gathered, run))
    return text.encode("utf-8", "replace")


def shown(gathered: Gathered, run: Run) -> str:
    """In words that not all puzzles are in the page, if that is so."""
    decoys = run.puzzles["decoy"].notna().sum() if "decoy" in run.puzzles else 0
    total = len(run.puzzles) - int(decoys)
    number = len(gathered.facts["rows"]["puzzle"]) // max(1, len(gathered.facts["tasks"]))
    if number == total:
        return ""
    return (
        f'<p class="alarm">For its size this page holds {number:,} of {total:,} puzzles, drawn at random: the plot, the'
        " summary of what is chosen and the table of puzzles are of these. Verdicts, medians, curves and pairs are of"
        " all.</p>"
    )


def _frame(run: Run, files: Iterable[str]) -> str:
    """The page, but for what depends on how many puzzles fit."""
    suite = run.manifest["suite"]
    script, library = joined(), get_plotlyjs()
    values = {
        "title": escape(str(suite.get("title") or suite.get("name") or "A run of sudoku-bench")),
        "facts_line": escape(sheet.facts(run)),
        "verdicts": sections.verdicts(run),
        "medians": sections.medians(run),
        "environment": sections.environment(run),
        "method": sections.paragraphs(methods.paragraphs(run)),
        "files": sections.links(files),
        "style": (HERE / "page.css").read_text(encoding="utf-8"),
        "script": script,
        "script_sum": checksum(script),
        "library": _library(library),
        "library_sum": checksum(library),
    }
    template = (HERE / "template.html").read_text(encoding="utf-8")
    kept = {name: f"${name}" for name in ("facts", "numbers", "shown")}
    return string.Template(template).substitute({k: v.replace("$", "$$") for k, v in values.items()} | kept)


@cache
def _library(source: str) -> str:
    return packed(source.encode())
