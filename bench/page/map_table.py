"""The verdict map as a table of the page: median times, coloured by the ratio to the lowest, framed by the verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from matplotlib.colors import to_hex

from sudoku_bench.bench.figures import verdict_map
from sudoku_bench.bench.figures.style import NothingToDrawError
from sudoku_bench.bench.verdicts.run_tables import Run

FRAMES = {verdict_map.FASTEST: "fastest", verdict_map.SHARED: "shared", "": ""}
FAILURES = {"timeouts": "timeout", "errors": "error", "memouts": "memout", "gave_up": "gave up"}  # of the summary


def table(run: Run) -> str:
    """Return the map as HTML: a row per strategy, from fast to slow, and a column per collection."""
    try:
        cells = verdict_map.data(run)
    except NothingToDrawError as reason:
        return f'<p class="note">Nothing to show: {reason}.</p>'
    shades = verdict_map.Shades.of(cells)
    by_place = {(line["strategy"], line["collection"]): line for line in cells.table.to_dict("records")}
    failures = {(line["strategy"], line["collection"]): failed(line) for line in run.summary.to_dict("records")}
    lines = []
    for strategy in cells.strategies:
        places = [(strategy, collection) for collection in cells.collections]
        own = "".join(_cell(by_place[place], failures.get(place, ""), shades) for place in places)
        first = ' class="next-group"' if cells.apart and strategy == cells.strategies[len(cells.apart)] else ""
        lines.append(f'<tr{first}><th scope="row">{escape(strategy)}</th>{own}</tr>')
    heads = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in cells.collections)
    return (
        '<div class="scroll" role="region" tabindex="0" aria-label="Verdict map"><table class="map">'
        '<caption class="visually-hidden">Median CPU time per solve, by strategy and collection</caption>'
        f'<thead><tr><th scope="col">Strategy</th>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
        f'<p class="note map-key">1× <span class="map-scale"></span> {shades.end}'
        ' <span><i class="frame"></i>shown to be faster than every other strategy</span>'
        ' <span><i class="frame dashed"></i>no other one is shown to be faster</span>'
        ' <span><i class="frame dark"></i>at least half not finished within the limit</span>'
        f"{verdict_map.GROUPS if cells.apart else ''}</p>"
    )


def failed(line: Mapping[Any, Any]) -> str:
    """Return the numbers of unfinished measurements of a row of the summary."""
    counts = ((line[column], label) for column, label in FAILURES.items())
    return ", ".join(f"{number}/{line['n_measurements']} {label}" for number, label in counts if number)


def _cell(line: Mapping[Any, Any], failures: str, shades: verdict_map.Shades) -> str:
    first, below = verdict_map.texts_of(line)
    small = f"<small>{below}</small>" if below else ""
    hint = f' title="{failures}"' if failures else ""
    if verdict_map.is_blank(line["state"]):
        return f'<td class="number blank"{hint}>{escape(first)}{small}</td>'
    face = shades.face(line)
    look = f"background: {to_hex(face)}; color: {verdict_map.ink_on(face)}"
    said = f'<span class="visually-hidden"> ({line["place"]})</span>' if line["place"] else ""
    return f'<td class="number {FRAMES[line["place"]]}" style="{look}"{hint}>{first}{small}{said}</td>'
