"""What stands below a figure in a paper."""

from __future__ import annotations

from dataclasses import dataclass

from bench.writeup.words import sentences

# What kind of intervals a figure shows, where its own words do not say it: by the name of the figure.
BANDS = "Bands: at each place, times that a weighted sign test does not reject (95%)."
INTERVALS = {
    "time_vs_difficulty": BANDS,
    "families": BANDS,
    "scaling": "Intervals: 95%, slopes that a rank test does not reject (Koenker 1994).",
    "placebos": "Intervals: 95%, puzzles and replicates both at random (Satterthwaite 1946).",
}
# What a kind of figure, or what it shows, goes back to.
SOURCES = {
    "profile": "Performance profiles (Dolan & Moré 2002).",
    "critical_difference": "Critical differences of mean ranks (Nemenyi 1963; Demšar 2006).",
}


@dataclass(frozen=True)
class Caption:
    """A caption in plain text.

    Attributes:
        short: the title, how to read the figure, and what its intervals are.
        facts: of the run; a figure that fills a column of a paper says them itself.
    """

    short: str
    facts: str

    @property
    def full(self) -> str:
        return sentences(self.short, self.facts)


def caption(name: str, title: str, words: str, facts: str) -> Caption:
    """The caption of the figure of this name."""
    intervals = INTERVALS.get(name, "") if "95%" in words or "interval" in words else ""
    return Caption(sentences(f"{title}.", words, intervals, SOURCES.get(name, "")), facts)
