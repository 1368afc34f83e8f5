"""All files of a write-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from bench.folder.store import ENCODINGS
from bench.verdicts.run_tables import Run
from bench.writeup import bibliography, macros, methods, numbers, tables, tabular
from bench.writeup.captions import Caption
from bench.writeup.facts import Facts
from bench.writeup.markup import markdown
from datasets.errors import InputError

FOLDER = "writeup"


def files(
    run: Run, captions: Mapping[str, Caption], encodings: pd.DataFrame | None = None
) -> Iterator[tuple[str, str]]:
    """The names of all files within the folder of the run, and what is in them.

    Args:
        captions: of the figures that were drawn, by name.
        encodings: the table of the run's encodings, where it has one.
    """
    found = numbers.numbers(run, encodings)
    yield f"{FOLDER}/numbers.tex", macros.as_latex(found)
    yield f"{FOLDER}/numbers.csv", macros.as_csv(found)
    told = methods.paragraphs(run)
    yield f"{FOLDER}/methods.md", "\n\n".join(map(markdown, told)) + "\n"
    yield f"{FOLDER}/methods.tex", "\n\n".join(bibliography.with_names(told, Facts(run).names)) + "\n"
    notes = []
    for table in tables.tables(run, encodings):
        notes.append(table.note)
        yield f"{FOLDER}/{table.name}.tex", tabular.as_latex(table)
        yield f"{FOLDER}/{table.name}.md", tabular.as_markdown(table)
    for name, caption in captions.items():
        yield f"{FOLDER}/captions/{name}.txt", caption.full + "\n"
        yield f"{FOLDER}/captions/{name}.tex", bibliography.cited(caption.full) + "%\n"
        yield f"{FOLDER}/captions/{name}.short.tex", bibliography.cited(caption.short) + "%\n"
    keys = bibliography.named_in([*told, *notes, *(caption.full for caption in captions.values())])
    keys += [key for name in Facts(run).names for key in bibliography.keys_of(name)]
    yield f"{FOLDER}/references.bib", bibliography.bibtex(keys)


def encodings_of(folder: Path) -> pd.DataFrame | None:
    """The table of a run's encodings, None where it has none.

    Raises:
        InputError: it cannot be read.
    """
    path = folder / ENCODINGS
    if not path.exists():
        return None
    try:
        return pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
