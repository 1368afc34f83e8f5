"""What stands below a figure in a paper."""

from __future__ import annotations

from bench.writeup.words import sentences

# What kind of intervals a figure shows, where its own words do not say it: by the name of the figure.
BANDS = "Bands: at each place, times that a weighted sign test does not reject (95%)."
INTERVALS = {
    "time_vs_difficulty": BANDS,
    "families": BANDS,
    "scaling": "Intervals of powers: 95%, slopes that a rank test does not reject (Koenker 1994).",
    "placebos": "Intervals: 95%, puzzles and replicates both at random (Satterthwaite 1946).",
}


def caption(name: str, title: str, words: str, facts: str) -> str:
    """A caption in plain text: the title, how to read the figure, its intervals, and the facts of the run."""
    intervals = INTERVALS.get(name, "") if "95%" in words or "interval" in words else ""
    return sentences(f"{title}.", words, intervals, facts)
