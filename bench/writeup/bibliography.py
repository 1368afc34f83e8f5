"""Sources of what a run compared, and of the methods that texts about it name, as BibTeX."""

from __future__ import annotations

import fnmatch
import functools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.say.markup import breakable, literal
from datasets.errors import InputError

HERE = Path(__file__).parent
ENTRY = re.compile(r"^@(\w+)\{([^,\s]+),\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)


@functools.cache
def entries() -> Mapping[str, str]:
    """All entries, by key, as they stand in the file."""
    text = (HERE / "references.bib").read_text(encoding="utf-8")
    return {match[2]: match[0] for match in ENTRY.finditer(text)}


@functools.cache
def _sources() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((HERE / "sources.toml").read_text(encoding="utf-8"))


def keys_of(strategy: str) -> list[str]:
    """The entries on a strategy: its model, its solver, for ``sat:`` its encoding; none for one that is not known."""
    family, _, rest = strategy.partition(":")
    if family == "sat":
        from solvers.sat.strategies import model_of

        model, _, engine = rest.partition("@")
        try:
            encoding, clues = model_of(model)
        except InputError:
            return []
        return _distinct([*of_encoding(encoding), *_sources()["clues"].get(clues, ()), *_of_engine(engine)])
    return _matching("strategies", strategy)


def of_encoding(name: str) -> list[str]:
    """The entries on an encoding such as ``complete+product``."""
    base, _, scheme = name.partition("+")
    return _distinct([*_sources()["encodings"].get(base, ()), *_sources()["schemes"].get(scheme, ())])


def _of_engine(engine: str) -> list[str]:
    keys = _matching("engines", engine)
    return keys[1:] if engine in _sources()["engines_besides_pysat"]["names"] else keys


def _matching(table: str, name: str) -> list[str]:
    """The entries of all patterns that a name matches."""
    return _distinct(
        key for pattern, keys in _sources()[table].items() if fnmatch.fnmatchcase(name, pattern) for key in keys
    )


def _distinct(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def labels() -> Mapping[str, str]:
    """How texts name sources, and which entry each is."""
    found: Mapping[str, str] = _sources()["texts"]
    return found


def named_in(texts: Iterable[str]) -> list[str]:
    """The entries that texts name by author and year."""
    whole = "\n".join(texts)
    return [key for label, key in labels().items() if label in whole]


def cited(text: str) -> str:
    """Text as LaTeX, with ``\\cite`` where it names sources in brackets."""
    known = labels()
    one = "|".join(map(re.escape, known))
    parts = re.split(rf" ?\(((?:{one})(?:; (?:{one}))*)\)", text)
    return "".join(
        _cite(known[label] for label in part.split("; ")) if number % 2 else literal(part)
        for number, part in enumerate(parts)
    )


def with_names(paragraphs: Sequence[str], names: Iterable[str]) -> list[str]:
    """Paragraphs as LaTeX, as by ``cited``; each strategy in typewriter letters, first with its sources."""
    known = sorted(names, key=len, reverse=True)
    if not known:
        return list(map(cited, paragraphs))
    one = "|".join(map(re.escape, known))
    seen: set[str] = set()
    found = []
    for paragraph in paragraphs:
        parts = re.split(rf"(?<![\w:@+-])({one})(?![\w:@+-])", paragraph)
        told = []
        for number, part in enumerate(parts):
            keys = keys_of(part) if number % 2 and part not in seen else []
            seen |= {part} if number % 2 else set()
            told.append((breakable(part) if number % 2 else cited(part)) + (_cite(keys) if keys else ""))
        found.append("".join(told))
    return found


def _cite(keys: Iterable[str]) -> str:
    return rf"~\cite{{{','.join(keys)}}}"


def bibtex(keys: Sequence[str]) -> str:
    """A BibTeX file of entries, in the order of the keys' names.

    Raises:
        KeyError: there is no such entry.
    """
    return "\n".join(entries()[key] for key in sorted(set(keys)))
