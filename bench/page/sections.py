"""What the page says without its script: verdicts, medians, the machine, the method. Names are escaped here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from bench import terminal
from bench.verdicts.frames import Run

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


def verdicts(run: Run) -> str:
    """The verdicts in words, as the terminal says them."""
    items = [_item(head, below) for head, below in grouped(terminal.words(run))]
    if not items:
        return "<p>This run has nothing to compare.</p>"
    shown, rest = items[:OPEN], items[OPEN:]
    more = f"<details><summary>{len(rest)} more</summary><ul>{''.join(rest)}</ul></details>" if rest else ""
    return f"<ul>{''.join(shown)}</ul>{more}"


def grouped(lines: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Lines with the lines that stand below them; where a line was only broken, it is one again."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if not line.startswith("  ") or not found:
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
    """Median CPU times by strategy and collection, as the terminal shows them."""
    cells = terminal.cells_of(run)
    names = sorted(set(run.summary["strategy"]))
    if run.summary["floor_s"].notna().any():
        names.append(terminal.FLOOR)
    lines = [
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f'<td class="number">{_lines(own.get(name, ""))}</td>' for own in cells.values())
        + "</tr>"
        for name in names
    ]
    heads = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in cells)
    return (
        '<div class="scroll" role="region" tabindex="0" aria-label="Medians by collection"><table>'
        '<caption class="unseen">Median CPU time per solve, by strategy and collection</caption>'
        f'<thead><tr><th scope="col">Strategy</th>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def _lines(text: str) -> str:
    return "<br>".join(escape(line) for line in text.split("\n"))


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
    """Links to files beside the page, tables first, then figures one line for each."""
    tables = sorted(file for file in files if "/" not in file)
    figures: dict[str, list[str]] = {}
    for file in sorted(file for file in files if "/" in file):
        figures.setdefault(file.rpartition("/")[2].partition(".")[0], []).append(file)
    lines = [f"<li>{_link(file, file)}</li>" for file in tables]
    drawn = [
        f"<li>{escape(name.replace('_', ' '))}: {', '.join(_link(file, file.rpartition('.')[2]) for file in own)}</li>"
        for name, own in figures.items()
    ]
    pictures = f'<h3>Figures</h3><ul class="files">{"".join(drawn)}</ul>' if drawn else ""
    return f'<h3>Tables</h3><ul class="files">{"".join(lines)}</ul>{pictures}'


def _link(file: str, words: str) -> str:
    return f'<a href="{escape(file)}">{escape(words)}</a>'
