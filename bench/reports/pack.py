"""The write-up of a run: the captions of its figures, and every file of the folder ``writeup/``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sudoku_bench.bench.figures.style import Column
from sudoku_bench.bench.folder.method import in_clock
from sudoku_bench.bench.reports import bibliography, macros, methods, numbers, tables, tabular
from sudoku_bench.bench.reports.facts import Facts
from sudoku_bench.bench.say.markup import markdown
from sudoku_bench.bench.say.phrases import sentences
from sudoku_bench.bench.verdicts.run_tables import Run

FOLDER = "writeup"

# Of figures that do not describe them themselves.
BANDS = {"time_vs_difficulty": "Bands: pointwise 95%, the times that a weighted sign test does not reject."}


@dataclass(frozen=True)
class Caption:
    """A caption in plain text.

    Attributes:
        short: the title, how to read the figure, and what its intervals are.
        facts: facts about the run, which one caption of a paper need state.
    """

    short: str
    facts: str

    @property
    def full(self) -> str:
        return sentences(self.short, self.facts)


def caption(name: str, title: str, explanation: str, facts: str) -> Caption:
    """Return the caption of a figure.

    Args:
        name: name of the figure.
        explanation: how to read it.
        facts: facts about the run.
    """
    intervals = BANDS.get(name, "") if "95%" in explanation or "interval" in explanation else ""
    return Caption(sentences(f"{title}.", explanation, intervals), facts)


def files(run: Run, captions: Mapping[str, Caption], column: Column | None = None) -> Iterator[tuple[str, str]]:
    """Yield the path of each file, relative to the run folder, and its text.

    Args:
        captions: captions of the figures that were drawn, by name.
        column: that tables fit into; None: a page.
    """
    named_numbers = macros.by_measured_name(numbers.numbers(run), run.selection.names)
    yield f"{FOLDER}/numbers.tex", macros.as_latex(named_numbers)
    yield f"{FOLDER}/numbers.csv", macros.as_csv(named_numbers)
    names, paragraphs = Facts(run).names, methods.paragraphs(run)
    mentioned: set[str] = set()
    method = [bibliography.cited(paragraph, names, mentioned) for paragraph in paragraphs]
    written = list(tables.tables(run, column))
    # A paper cites the method first, then figures and tables; an imported run does not name its strategies there.
    noted = [*(text.full for text in captions.values()), *(table.note for table in written)]
    keys = bibliography.keys_in([*method, *map(bibliography.cited, noted)])
    keys += [key for name in names for key in bibliography.keys_of(run.selection.names.get(name, name))]
    yield f"{FOLDER}/references.bib", bibliography.bibtex(keys)
    sources = f"\nSources:\n\n{bibliography.numbered(dict.fromkeys(keys))}" if keys else ""
    yield f"{FOLDER}/methods.md", "\n\n".join(map(markdown, paragraphs)) + f"\n{sources}"
    yield f"{FOLDER}/methods.tex", "\n\n".join(["{\\sloppy", *method, r"\par}"]) + "\n"  # it lists long names
    for table in written:
        yield f"{FOLDER}/{table.name}.tex", in_clock(tabular.as_latex(table), run.manifest)
        yield f"{FOLDER}/{table.name}.md", in_clock(tabular.as_markdown(table), run.manifest)
    for name, text in caption_files(captions):
        yield f"{FOLDER}/{name}", text


def caption_files(captions: Mapping[str, Caption]) -> Iterator[tuple[str, str]]:
    """Yield the file of captions, if there are any."""
    if captions:
        yield "captions.tex", caption_macros(captions)


def caption_macros(captions: Mapping[str, Caption]) -> str:
    r"""Return LaTeX that defines the captions, for the preamble: ``\caption{\benchcaption{cactus}}``.

    A file cannot be read inside ``\caption`` of every class, but a macro can stand there. ``\benchcaptionshort`` leaves
    out the facts about the run.
    """
    lines = [
        "% Captions of the figures: \\input this file in the preamble, then write \\caption{\\benchcaption{cactus}},",
        "% or \\caption{\\benchcaptionshort{cactus}} without the facts about the run.",
        r"\providecommand*\benchcaption[1]{\csname benchcaption:full:#1\endcsname}",
        r"\providecommand*\benchcaptionshort[1]{\csname benchcaption:short:#1\endcsname}",
    ]
    for name, text in captions.items():
        for kind, words in (("full", text.full), ("short", text.short)):
            lines.append(
                rf"\expandafter\def\csname benchcaption:{kind}:{name}\endcsname{{{bibliography.cited(words)}}}"
            )
    return "\n".join([*lines, ""])
