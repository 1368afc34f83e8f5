"""Collections that the project does not ship: downloaded on demand, checked, and stored in a folder of the user.

A file is trusted if its checksum, or the checksum of its puzzles, equals that of the catalogue, or if the catalogue has
neither. A download becomes visible only after it has passed all checks.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import BadLine, Entry, read_file

FOLDER_VARIABLE = "SUDOKU_BENCH_DATA"
TIMEOUT_S = 30  # without data from the server
NOT_STORED = "it has changed or was damaged in transit, and was not stored"
DAMAGED = "the stored file was changed; fetch it again with --again"

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Fetched:
    """A fetched collection.

    Attributes:
        path: path of its file.
        sha256: checksum of that file.
        is_new: whether it has just been downloaded.
        checks: descriptions of the checks that it passed.
    """

    path: Path
    sha256: str
    is_new: bool
    checks: tuple[str, ...]


def folder() -> Path:
    """Return the folder of fetched files: ``$SUDOKU_BENCH_DATA``, or the user's cache."""
    import pooch

    return Path(os.environ.get(FOLDER_VARIABLE) or pooch.os_cache("sudoku-bench"))


def path_of(facts: Facts) -> Path:
    """Return the path of a collection's file, which need not exist yet."""
    return folder() / str(facts["file"])


def source_of(facts: Facts) -> str:
    """Return the file of a collection and its archive member in the syntax of ``datasets/reading/reader.read_file``."""
    return _with_member(path_of(facts), facts)


def fetch(name: str, facts: Facts, again: bool = False) -> Fetched:
    """Download and check the collection of a catalogue entry; if the file exists and not ``again``, only check it.

    Raises:
        InputError: the server cannot be reached, does not have the file or interrupts the download, or the file fails a
            check. Nothing new is stored then, and an existing file stays.
    """
    path, url = path_of(facts), str(facts["url"])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not again:
            return Fetched(path, _sha256(path), False, _check(name, path, facts, DAMAGED))
        with tempfile.TemporaryDirectory(prefix=".part-", dir=path.parent) as part:
            new = _download(url, Path(part), path.name)
            checks = _check(name, new, facts, NOT_STORED)
            sha256 = _sha256(new)
            new.replace(path)
    except OSError as error:
        raise InputError(f"{error.filename or path}: cannot be written: {error.strerror or error}") from None
    return Fetched(path, sha256, True, checks)


def _download(url: str, folder: Path, file: str) -> Path:
    import pooch
    from requests import exceptions

    pooch.get_logger().setLevel("ERROR")
    downloader = pooch.HTTPDownloader(timeout=TIMEOUT_S)
    try:
        return Path(pooch.retrieve(url, known_hash=None, fname=file, path=folder, downloader=downloader))
    except exceptions.HTTPError as error:
        status = error.response.status_code if error.response is not None else "an error"
        raise InputError(f"{url}: the server answers {status}; if the file has moved, look at its origin") from None
    except (exceptions.ChunkedEncodingError, exceptions.ContentDecodingError):
        raise InputError(f"{url}: the download was interrupted; run it again") from None
    except (exceptions.Timeout, exceptions.ConnectionError):
        raise InputError(f"{url}: cannot be reached; check the network and run it again") from None
    except (exceptions.RequestException, ValueError) as error:
        raise InputError(f"{url}: cannot be downloaded: {str(error).splitlines()[0]}") from None


def _check(name: str, path: Path, facts: Facts, advice: str) -> tuple[str, ...]:
    """Check a file and return descriptions of the passed checks; ``advice`` ends the message of a failed one.

    Raises:
        InputError: a check failed.
    """
    url, sha256 = str(facts["url"]), _sha256(path)
    checks = []
    if expected := facts.get("sha256_file"):
        if sha256 != expected:
            raise InputError(f"{url}: the file's SHA-256 is {sha256}, but the catalogue's is {expected}; {advice}")
        checks.append("the file's checksum equals that of the catalogue")
    if "sha256" in facts:
        number, grids = _grids(path, facts, advice)
        if grids != facts["sha256"]:
            raise InputError(f"{url}: its {number} puzzles differ from those of {name} in the catalogue; {advice}")
        checks.append(f"the {number} puzzles equal those of the catalogue")
    return tuple(checks)


def _grids(path: Path, facts: Facts, advice: str) -> tuple[int, str]:
    """Return the number of puzzles in a file and their checksum, computed like ``Collection.sha256``."""
    digest, number = hashlib.sha256(), 0
    for item in _items(path, facts, advice):
        if isinstance(item, BadLine):
            raise InputError(f"{facts['url']}: line {item.line}: {item.message}; {advice}")
        digest.update(b"\n" * (number > 0) + item.puzzle.text.encode())
        number += 1
    return number, digest.hexdigest()


def _items(path: Path, facts: Facts, advice: str) -> Iterator[Entry | BadLine]:
    try:
        yield from read_file(_with_member(path, facts))
    except InputError as error:
        detail = str(error).removeprefix(f"{path}:").strip()
        line = "line " if detail[:1].isdecimal() else ""
        raise InputError(f"{facts['url']}: {line}{detail}; {advice}") from None


def _with_member(path: Path, facts: Facts) -> str:
    return f"{path}::{facts['member']}" if "member" in facts else str(path)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
