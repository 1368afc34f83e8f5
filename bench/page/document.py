"""Builds the page of a run as one HTML file."""

from __future__ import annotations

import base64
import gzip
import json
import string
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from plotly.offline import get_plotlyjs

from bench.figures import sheet
from bench.folder.method import in_clock
from bench.page import sections
from bench.page.gather import PageData, gather
from bench.page.head import head
from bench.page.scripts import joined
from bench.verdicts.run_tables import Run
from bench.writeup import methods

HERE = Path(__file__).parent
STYLES = ("page.css", "charts.css")
PACKING = 6  # of gzip: half the time of 9, for 1% more bytes
MOST_BYTES = 8_000_000  # maximum size of a page


def page(run: Run, files: Iterable[str] = (), most_bytes: int = MOST_BYTES) -> bytes:
    """Return the page of a run as the bytes of an HTML file, the same for the same run.

    Args:
        files: files that the page links to, as paths relative to it.
        most_bytes: maximum size. If the page were larger, it shows a random sample of the puzzles and says so.
            Verdicts, medians, curves and pairs always cover all puzzles.
    """
    frame = _template(run, files)
    share = 1.0
    while True:
        content = gather(run, share)
        data = {
            "facts": packed_json(content.facts),
            "numbers": packed(content.numbers),
            "details": packed(content.details_numbers),
        }
        size = sum(map(len, data.values())) + len(frame)
        if size <= most_bytes or len(content.facts["rows"]["puzzle"]) <= 1:
            break
        room = (most_bytes - len(frame)) / sum(map(len, data.values()))
        share *= min(0.9, max(0.01, 0.97 * room))
    text = string.Template(frame).substitute(data, shown=sample_note(content, run))
    return text.encode("utf-8", "replace")


def sample_note(content: PageData, run: Run) -> str:
    """Return a paragraph saying that the page holds a sample of the puzzles; empty if it holds all."""
    decoys = run.puzzles["decoy"].notna().sum() if "decoy" in run.puzzles else 0
    total = len(run.puzzles) - int(decoys)
    number = len(content.facts["rows"]["puzzle"]) // max(1, len(content.facts["tasks"]))
    if number == total:
        return ""
    return (
        f'<p class="alarm">To limit its size, this page holds {number:,} of {total:,} puzzles, drawn at random.'
        " The plot, the summary of the selection and the table of puzzles cover these only. Verdicts, medians,"
        " curves and pairs cover all puzzles.</p>"
    )


def _template(run: Run, files: Iterable[str]) -> str:
    """Return the page without the parts that depend on how many puzzles fit."""
    suite = run.manifest["suite"]
    script, library = joined(), get_plotlyjs()
    title = str(suite.get("title") or suite.get("name") or "A run of sudoku-bench")
    values = {
        "head": head(title, STYLES, (script, library), "'unsafe-eval'", "blob:"),
        "title": escape(title),
        "facts_line": escape(sheet.facts(run)),
        "verdicts": sections.verdicts(run),
        "medians": in_clock(sections.medians(run), run.manifest),
        "environment": in_clock(sections.environment(run), run.manifest),
        "method": sections.paragraphs(methods.paragraphs(run)),
        "files": sections.links(files),
        "script": script,
        "library": _library(library),
    }
    template = (HERE / "template.html").read_text(encoding="utf-8")
    placeholders = {name: f"${name}" for name in ("facts", "numbers", "details", "shown")}
    template = in_clock(template, run.manifest)
    return string.Template(template).substitute({k: v.replace("$", "$$") for k, v in values.items()} | placeholders)


@cache
def _library(source: str) -> str:
    return packed(source.encode())


def packed(data: bytes) -> str:
    """Return the data as gzip in base64, the same text for the same data. It contains no markup."""
    return base64.b64encode(gzip.compress(data, compresslevel=PACKING, mtime=0)).decode("ascii")


def packed_json(value: Any) -> str:
    """Return a JSON value, packed.

    Raises:
        ValueError: a number is not finite, which JSON cannot represent.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return packed(text.encode("utf-8", "replace"))
