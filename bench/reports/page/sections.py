"""The parts of the page that are text: verdicts, environment. Names are escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import pandas as pd

from sudoku_bench.bench.folder import disturbances
from sudoku_bench.bench.reports.facts import Facts
from sudoku_bench.bench.say import ending, places, speech, terminal
from sudoku_bench.bench.verdicts.run_tables import Run

MACHINE = {  # keys of the manifest's machine -> labels
    **{"cpu": "Processor", "cores_physical": "Physical cores", "cores_logical": "Logical cores"},
    **{"memory_mib": "Memory, MiB", "system": "System", "distribution": "Distribution", "kernel": "Kernel"},
    **{"architecture": "Architecture", "python": "Python", "python_implementation": "Python implementation"},
    **{"load_1min": "Load at the start"},
}


def verdicts(run: Run) -> str:
    """Return the verdicts: what the terminal shows at the end of a run, the answer first; and, folded, everything."""
    told, notes = map(_item, speech.everything(run)), map(_item, (*terminal.seen(run.pairs), *ending.warnings(run)))
    first = "".join(told), "".join(notes)
    everything = [_item(head, below) for head, below in grouped(terminal.verdict_lines(run, len(run.crossovers)))]
    if not any((*first, *everything)):
        return "<p>This run has nothing to compare.</p>"
    lists = '<ul>{}</ul><ul class="note">{}</ul>'.format(*first)
    return f"{lists}<details><summary>All verdicts</summary><ul>{''.join(everything)}</ul></details>"


def grouped(lines: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Group indented lines and notes on a star below the line before them."""
    groups: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(("  ", "* ")) and groups:
            groups[-1][1].append(line.strip())
        else:
            groups.append((line.strip(), []))
    return groups


def _item(head: str, below: Sequence[str] = ()) -> str:
    kind = ' class="alarm"' if head.startswith(terminal.DIFFERS) else ""
    return (
        f"<li{kind}>{escape(head)}{'<ul>' if below else ''}{''.join(map(_item, below))}{'</ul>' if below else ''}</li>"
    )


def environment(run: Run) -> str:
    """Return the machine, versions, limits and disturbances of the run."""
    manifest, suite = run.manifest, run.manifest["suite"]
    facts = {label: manifest["machine"].get(key) for key, label in MACHINE.items()} | {
        "Time limit": f"{suite['timeout_s']:g} s of CPU time per solve" if Facts(run).has_limit else None,
        "Memory limit": f"{suite['memory_mib']} MiB" if suite.get("memory_mib") else "none",
        "Started": manifest.get("started"),
        "Ended": manifest.get("ended"),
        "Command": manifest.get("command"),
        "Commit": (manifest.get("git") or {}).get("commit"),
        "Versions": ", ".join(f"{name} {version}" for name, version in manifest.get("packages", {}).items()),
        "Hosts": "; ".join(places.host_lines(manifest)),
        "Jobs": "; ".join(places.jobs_lines(manifest)),
        "Disturbance": disturbances.words(manifest) or ("none was seen" if manifest.get("disturbance") else ""),
    }
    known = ((label, str(value)) for label, value in facts.items() if pd.notna(value) and value != "")
    return f"<dl>{''.join(f'<dt>{escape(label)}</dt><dd>{escape(value)}</dd>' for label, value in known)}</dl>"
