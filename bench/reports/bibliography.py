"""The sources of strategies, encodings and methods, from references.bib, as BibTeX and as citations."""

from __future__ import annotations

import fnmatch
import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sudoku_bench.bench.say.markup import breakable, literal, markdown
from sudoku_bench.datasets.errors import InputError

BIB = Path(__file__).with_name("references.bib")
ENTRY = re.compile(r"^@(\w+)\{([^,\s]+),\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+) = \{(.*)\},\n", re.MULTILINE)
INTERNAL = ("for", "label")  # fields that are read here and not exported
ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "v": "\u030c", "c": "\u0327"}
ACCENT = re.compile(r"\\(\W|[vc](?=\{))\{?\\?(\w)\}?")


@functools.cache
def fields() -> Mapping[str, Mapping[str, str]]:
    """The fields of all entries, by key."""
    return {match[2]: dict(FIELD.findall(match[3])) for match in ENTRY.finditer(BIB.read_text(encoding="utf-8"))}


@functools.cache
def entries() -> Mapping[str, str]:
    """All entries as BibTeX, by key, without the internal fields."""
    internal = re.compile(rf"^  (?:{'|'.join(INTERNAL)}) = .*\n", re.MULTILINE)
    return {match[2]: internal.sub("", match[0]) for match in ENTRY.finditer(BIB.read_text(encoding="utf-8"))}


@functools.cache
def _subjects() -> Mapping[str, Sequence[str]]:
    """What the entries are the sources of, and their keys: patterns of strategies, ``encoding:NAME`` and so on.

    General patterns come first, and the keys of a subject are in chronological order.
    """
    keys: dict[str, list[str]] = {}
    for key in sorted(fields(), key=lambda key: (fields()[key].get("year", ""), key)):
        for subject in filter(None, fields()[key].get("for", "").split(", ")):
            keys.setdefault(subject, []).append(key)
    return dict(sorted(keys.items(), key=lambda item: len(item[0])))


def keys_of(strategy: str) -> list[str]:
    """The entries on a strategy: its model, its solver, and for ``sat:`` its encoding; none if it is unknown."""
    family, _, rest = strategy.partition(":")
    if family != "sat":
        return _matching(strategy)
    from sudoku_bench.solvers.sat.engines import package_of
    from sudoku_bench.solvers.sat.names import parse_model

    model, _, engine = rest.partition("@")
    try:
        encoding, clues = parse_model(model)
    except InputError:
        return []
    keys = [*of_encoding(encoding), *_subjects().get(f"clues:{clues}", ())]
    return _distinct([*keys, *_subjects().get(f"package:{package_of(engine)}", ()), *_matching(strategy)])


def of_encoding(name: str) -> list[str]:
    """The entries on an encoding such as ``complete+product``."""
    base, _, scheme = name.partition("+")
    return _distinct([*_subjects().get(f"encoding:{base}", ()), *_subjects().get(f"amo:{scheme}", ())])


def _matching(strategy: str) -> list[str]:
    """The entries of all patterns that a strategy matches."""
    return _distinct(
        key for pattern, keys in _subjects().items() if fnmatch.fnmatchcase(strategy, pattern) for key in keys
    )


def _distinct(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def reference(key: str) -> str:
    """An entry in one line: authors, year and title."""
    entry = fields()[key]
    surnames = [author.partition(",")[0] for author in entry["author"].split(" and ")]
    last = " et al." if surnames[-1] == "others" else f" & {surnames[-1]}" if surnames[1:] else surnames[0]
    authors = ", ".join(surnames[:-1]) + last
    return _plain(f"{authors} {entry['year']}, {entry['title']}")


def numbered(keys: Iterable[str]) -> str:
    """Entries as a numbered list in Markdown: authors, year, title and address, which is a URL if there is one."""
    return "".join(f"{number}. {markdown(reference(key))}, {_address(key)}\n" for number, key in enumerate(keys, 1))


def _address(key: str) -> str:
    entry = fields()[key]
    return f"<{entry['url']}>" if "url" in entry else _plain(entry["address"])


def _plain(latex: str) -> str:
    """LaTeX of a field as plain text."""
    accented = ACCENT.sub(lambda match: unicodedata.normalize("NFC", match[2] + ACCENTS[match[1]]), latex)
    return accented.replace("{", "").replace("}", "").replace("--", "–")


def labels() -> Mapping[str, str]:
    """The words by which texts cite entries, and the key of each entry."""
    return {entry["label"]: key for key, entry in fields().items() if "label" in entry}


def keys_in(latex: Iterable[str]) -> list[str]:
    """The entries that LaTeX cites, in the order of citation."""
    lists = (keys for text in latex for keys in re.findall(r"\\cite\{([^}]*)\}", text))
    return _distinct(key for keys in lists for key in keys.split(","))


def cited(text: str, names: Iterable[str] = (), mentioned: set[str] | None = None) -> str:
    """Text as LaTeX: labels in brackets become citations, strategies typewriter letters, at first mention with sources.

    Args:
        names: the strategies.
        mentioned: those that earlier texts mention; grows.
    """
    seen = set() if mentioned is None else mentioned
    key_of = labels()
    label, name = ("|".join(map(re.escape, sorted(words, key=len, reverse=True))) for words in (key_of, names))
    pattern = rf" ?\(((?:{label})(?:; (?:{label}))*)\)|(?<![\w:@+-])({name or '(?!)'})(?![\w:@+-])"
    pieces, end = [], 0
    for match in re.finditer(pattern, text):
        pieces.append(literal(text[end : match.start()]))
        end = match.end()
        if match[1]:
            pieces.append(_cite(key_of[part] for part in match[1].split("; ")))
        else:
            keys = [] if match[2] in seen else keys_of(match[2])
            seen.add(match[2])
            pieces.append(breakable(match[2]) + (_cite(keys) if keys else ""))
    return "".join([*pieces, literal(text[end:])])


def _cite(keys: Iterable[str]) -> str:
    return rf"~\cite{{{','.join(keys)}}}"


def bibtex(keys: Sequence[str]) -> str:
    """A BibTeX file of entries, in the order of the keys.

    Raises:
        KeyError: there is no such entry.
    """
    return "\n".join(entries()[key] for key in _distinct(keys))
