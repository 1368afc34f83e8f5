"""The static parts of the page: verdicts, medians, environment, method, files. Names are escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import pandas as pd

from sudoku_bench.bench.folder.store import PLOTS
from sudoku_bench.bench.machine import disturbance
from sudoku_bench.bench.say import ending, places, terminal
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.writeup.facts import Facts

MACHINE = {  # keys of the manifest's machine -> labels
    "cpu": "Processor",
    "cores_physical": "Physical cores",
    "cores_logical": "Logical cores",
    "memory_mib": "Memory",
    "system": "System",
    "distribution": "Distribution",
    "kernel": "Kernel",
    "architecture": "Architecture",
    "python": "Python",
    "python_implementation": "Python implementation",
    "load_1min": "Load at the start",
}
UNITS = {"memory_mib": " MiB"}


def verdicts(run: Run) -> str:
    """Return the verdicts: what the terminal shows at the end of a run, crossovers first; and, folded, everything."""
    crossing = ending.first_crossovers(run, rest="see all verdicts")
    first = [_item("Which strategy is faster depends on the difficulty:", crossing)] if crossing else []
    first += [_item(line, ()) for line in (*ending.results(run), *terminal.seen(run.pairs), *ending.warnings(run))]
    everything = [_item(head, below) for head, below in grouped(terminal.verdict_lines(run, len(run.crossovers)))]
    if not first and not everything:
        return "<p>This run has nothing to compare.</p>"
    more = f"<details><summary>All verdicts</summary><ul>{''.join(everything)}</ul></details>" if everything else ""
    return (f"<ul>{''.join(first)}</ul>" if first else "") + more


def grouped(lines: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Group indented lines and notes on a star below the line before them."""
    groups: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(("  ", "* ")) and groups:
            groups[-1][1].append(line.strip())
        else:
            groups.append((line.strip(), []))
    return groups


def _item(head: str, below: Sequence[str]) -> str:
    inner = f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in below)}</ul>" if below else ""
    kind = ' class="alarm"' if head.startswith(terminal.DIFFERS) else ""
    return f"<li{kind}>{escape(head)}{inner}</li>"


def environment(run: Run) -> str:
    """Return the machine, versions, limits and disturbances of the run."""
    manifest = run.manifest
    machine = manifest["machine"]
    known = {key: label for key, label in MACHINE.items() if pd.notna(machine.get(key))}
    hardware = {label: f"{machine[key]}{UNITS.get(key, '')}" for key, label in known.items()}
    memory_mib = manifest["suite"].get("memory_mib")
    packages = ", ".join(f"{name} {version}" for name, version in manifest.get("packages", {}).items())
    further = {
        "Time limit": f"{manifest['suite']['timeout_s']:g} s of CPU time per solve" if Facts(run).has_limit else None,
        "Memory limit": f"{memory_mib} MiB" if memory_mib else "none",
        "Started": manifest.get("started"),
        "Ended": manifest.get("ended"),
        "Command": manifest.get("command"),
        "Commit": manifest.get("git", {}).get("commit") if manifest.get("git") else None,
        "Versions": packages,
        "Hosts": "; ".join(places.host_lines(manifest)),
        "Jobs": "; ".join(places.jobs_lines(manifest)),
        "Disturbance": disturbance.words(manifest) or ("none was seen" if manifest.get("disturbance") else ""),
    }
    return _list(hardware | {label: str(value) for label, value in further.items() if value})


def _list(facts: Mapping[str, str]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items()) + "</dl>"


def paragraphs(texts: Iterable[str]) -> str:
    """Return plain texts as paragraphs."""
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


def links(files: Iterable[str]) -> str:
    """Return links to the files beside the page: the data, then the figures and the other folders."""
    folders: dict[str, list[str]] = {}
    for file in sorted(files):
        folder, _, name = file.rpartition("/")
        head = {"": "Data", PLOTS: "Figures"}.get(folder, folder)
        folders.setdefault(head, []).append(f'<li><a href="{escape(file)}">{escape(name)}</a></li>')
    order = sorted(folders, key=lambda head: (head != "Data", head != "Figures", head))
    return "".join(f'<h3>{escape(head)}</h3><ul class="files">{"".join(folders[head])}</ul>' for head in order)
