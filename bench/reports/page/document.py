"""Builds the page of a run as one HTML file."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

import pandas as pd

from sudoku_bench.bench.figures import catalogue, encodings, forest, sheet, verdict_map
from sudoku_bench.bench.figures.style import MARKERS, Look, NothingToDrawError
from sudoku_bench.bench.folder.manifest import Suite
from sudoku_bench.bench.folder.method import in_clock
from sudoku_bench.bench.reports import methods
from sudoku_bench.bench.reports.page import pictures, sections
from sudoku_bench.bench.reports.page.html import filled
from sudoku_bench.bench.reports.page.tables import content
from sudoku_bench.bench.say.phrases import counted, listed
from sudoku_bench.bench.verdicts.run_tables import Run

SCRIPTS = ("dom.js", "board.js", "table.js", "run.js")
SIGNS = dict(zip(MARKERS, "●■▲◆▼✚✖◀▶★⬢", strict=True))
SAMPLED = (
    '<p class="alarm">To limit its size, this page lists {:,} of {:,} puzzles, drawn at random.'
    " Figures and verdicts cover all puzzles.</p>"
)
UNDRAWN = '<p class="note">No figures were drawn; sudoku-bench report draws them.</p>'
MOST_NAMED = 3  # collections in a title


def page(
    run: Run, files: Iterable[str] = (), baseline: str = "", second: pd.DataFrame | None = None, draws: bool = True
) -> bytes:
    """Return the page of a run as the bytes of an HTML file, the same for the same run.

    Args:
        files: files that the page links to, as paths relative to it.
        baseline: the strategy that the pairs compare with; empty: the best of each collection.
        second: the table of what stood in a second run, if there is one.
        draws: has the page figures? They take most of its time.
    """
    data, looks = content(run, baseline, second), pictures.of_page(run).looks
    held = len(data["boards"]), data["total"]
    parts = {
        "facts": escape(sheet.facts(run)),
        "verdicts": sections.verdicts(run),
        "map": _drawn(verdict_map, run) if draws else UNDRAWN,
        "scopes": "".join(f"<option>{escape(scope['label'])}</option>" for scope in data["scopes"]),
        "strategies": "".join(_choice(name, look) for name, look in looks.items()),
        "curves": pictures.curves(run) if draws else "",
        "sampled": SAMPLED.format(*held) if held[0] < held[1] else "",
        "forest": _drawn(forest, run, baseline) + _drawn(encodings, run) if draws else "",
        "environment": sections.environment(run),
        "method": "".join(f"<p>{escape(text)}</p>" for text in methods.paragraphs(run)),
        "files": "".join(f'<li><a href="{escape(file)}">{escape(file)}</a></li>' for file in files),
        "second": "hidden" if second is None else "",
    }
    said = {name: in_clock(text, run.manifest) for name, text in parts.items()}
    return filled("run.html", title_of(run), SCRIPTS, data, **said)


def title_of(run: Run) -> str:
    """Return the title or the name of the suite; without one, what was measured."""
    suite, many = run.manifest["suite"], len(run.collections) > MOST_NAMED
    name = "" if suite.get("name") == Suite.name else suite.get("name")
    where = counted(len(run.collections), "collection") if many else listed(run.collections)
    measured = counted(len(sheet.of_run(run).looks), "strategy", "strategies")
    return str(suite.get("title") or name or f"{measured} on {where}")


def _choice(name: str, look: Look) -> str:
    """Return a strategy to choose, which is at the same time its entry in the legend of the curves."""
    sign = f'<span class="sign" aria-hidden="true" style="color: {look.colour}">{SIGNS[look.marker]}</span>'
    return f'<label><input type="checkbox" name="strategy" value="{escape(name)}"> {sign} {escape(name)}</label>'


def _drawn(module: Any, run: Run, baseline: str = "") -> str:
    """Return a figure of the run; empty if there is nothing to draw."""
    try:
        return pictures.picture(module, catalogue.data(module, run, baseline), run)
    except NothingToDrawError:
        return ""
