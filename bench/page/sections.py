"""What the page says without its script: verdicts, medians, the machine, the method. Names are escaped here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from bench.figures.style import seconds
from bench.folder.store import PLOTS
from bench.say import terminal
from bench.verdicts.run_tables import Run

OPEN = 8  # lines of verdicts that are shown at once
MACHINE = {  # facts of the manifest's machine -> in words
    "cpu": "Processor",
    "cores_physical": "Cores",
    "cores_logical": "Logical cores",
    "memory_mib": "Memory",
    "system": "System",
    "distribution": "Distribution",
    "kernel": "Kernel",
    "architecture": "Architecture",
    "python": "Python",
    "python_implementation": "Implementation of Python",
    "load_1min": "Load at the start",
}
UNITS = {"memory_mib": " MiB"}
FAILURES = {  # columns of the summary -> in words
    "timeouts": "timeout",
    "errors": "error",
    "memouts": "memout",
    "gave_up": "gave up",
    "unsupported": "unsupported",
}


def verdicts(run: Run) -> str:
    """The verdicts in words, as the terminal says them."""
    items = [_item(head, below) for head, below in grouped(terminal.words(run))]
    if not items:
        return "<p>This run has nothing to compare.</p>"
    shown, rest = items[:OPEN], items[OPEN:]
    more = f"<details><summary>{len(rest)} more</summary><ul>{''.join(rest)}</ul></details>" if rest else ""
    return f"<ul>{''.join(shown)}</ul>{more}"


def grouped(lines: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Lines with the lines that stand below them, notes on a star too; a line that was only broken is one again."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("* ") and found:
            found[-1][1].append(line)
        elif not line.startswith("  ") or not found:
            found.append((line.strip(), []))
        elif found[-1][0].endswith(":"):
            found[-1][1].append(line.strip())
        else:
            head, below = found.pop()
            found.append((f"{head} {line.strip()}", below))
    return found


def _item(head: str, below: Sequence[str]) -> str:
    inner = f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in below)}</ul>" if below else ""
    kind = ' class="alarm"' if head.startswith("DISTURBED") else ""
    return f"<li{kind}>{escape(head)}{inner}</li>"


def medians(run: Run) -> str:
    """Median CPU times by strategy and collection, and what was not solved."""
    cells: dict[str, dict[str, str]] = {name: {} for name in run.collections}
    for line in run.summary.to_dict("records"):
        cells[line["collection"]][line["strategy"]] = cell(line)
    shown = {collection: own for collection, own in cells.items() if own}
    lines = [
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f'<td class="number">{own.get(name, "")}</td>' for own in shown.values())
        + "</tr>"
        for name in sorted(set(run.summary["strategy"]))
    ]
    heads = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in shown)
    return (
        '<div class="scroll" role="region" tabindex="0" aria-label="Medians by collection"><table>'
        '<caption class="unseen">Median CPU time per solve, by strategy and collection</caption>'
        f'<thead><tr><th scope="col">Strategy</th>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def cell(line: Mapping[Any, Any]) -> str:
    """The median of a line of the summary, and what was not solved, one below the other."""
    if line["wrong"]:
        return f"WRONG ({line['wrong']})"
    failed = [f"{line[column]}/{line['n_measurements']} {words}" for column, words in FAILURES.items() if line[column]]
    if not math.isnan(line["median_s"]):
        return "<br>".join((seconds(line["median_s"]), *failed))
    late = 2 * line["timeouts"] > line["n_measurements"]
    return "<br>".join((*([f"> {seconds(line['limit_s'])}"] if late else []), *failed)) or "–"


def environment(run: Run) -> str:
    """The machine, versions, limits and whether anything disturbed the run."""
    manifest = run.manifest
    machine = manifest["machine"]
    known = {words: f"{machine[key]}{UNITS.get(key, '')}" for key, words in MACHINE.items() if _known(machine.get(key))}
    packages = ", ".join(f"{name} {version}" for name, version in manifest.get("packages", {}).items())
    further = {
        "Time limit": f"{manifest['suite']['timeout_s']:g} s of CPU time per solve",
        "Memory limit": _memory(manifest["suite"].get("memory_mib")),
        "Started": manifest.get("started"),
        "Ended": manifest.get("ended"),
        "Command": manifest.get("command"),
        "Commit": manifest.get("git", {}).get("commit") if manifest.get("git") else None,
        "Versions": packages,
        "Disturbance": "; ".join(str(part.get("summary", "")) for part in manifest.get("disturbance", [])),
    }
    return _list(known | {words: str(value) for words, value in further.items() if value})


def _known(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def _memory(limit_mib: int | None) -> str:
    return f"{limit_mib} MiB" if limit_mib else "none"


def _list(facts: Mapping[str, str]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items()) + "</dl>"


def paragraphs(texts: Iterable[str]) -> str:
    """Paragraphs of plain text."""
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


def links(files: Iterable[str]) -> str:
    """Links to files beside the page: data, figures with all formats in a line, and what other folders hold."""
    folders: dict[str, list[str]] = {}
    for file in sorted(files):
        folders.setdefault(file.rpartition("/")[0], []).append(file)
    figures: dict[str, list[str]] = {}
    for file in folders.pop(PLOTS, []):
        figures.setdefault(file.rpartition("/")[2].partition(".")[0].replace("_", " "), []).append(file)
    drawn = [
        f"{escape(name)}: {', '.join(_link(file, file.rpartition('.')[2]) for file in own)}"
        for name, own in figures.items()
    ]
    parts = {"Data": [_link(file, file) for file in folders.pop("", [])], "Figures": drawn}
    for folder, own in sorted(folders.items()):
        parts[escape(folder)] = [_link(file, file.removeprefix(f"{folder}/")) for file in own]
    return "".join(_files(head, lines) for head, lines in parts.items() if lines)


def _files(head: str, lines: Iterable[str]) -> str:
    return f'<h3>{head}</h3><ul class="files">{"".join(f"<li>{line}</li>" for line in lines)}</ul>'


def _link(file: str, words: str) -> str:
    return f'<a href="{escape(file)}">{escape(words)}</a>'
