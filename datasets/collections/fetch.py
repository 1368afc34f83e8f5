"""Collections that are not ours to ship: downloaded on demand, checked, and kept in a folder of the user.

A file is trusted if its checksum is that of the catalogue, or if its puzzles are. Where the catalogue knows neither,
the checksum of the first download is kept, and later ones must agree with it (trust on first use). A download becomes
visible when all checks are passed, and not before.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.errors import InputError
from datasets.reading.reader import BadLine, read_file

FOLDER_VARIABLE = "SUDOKU_BENCH_DATA"
PINS = "pins.json"
TIMEOUT_S = 30  # without a byte from the server
NOT_KEPT = "it has changed or was damaged on the way, and was not kept"
DAMAGED = "the kept file was changed; fetch it again with --again"

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Fetched:
    """A collection that is there.

    Attributes:
        path: its file; sha256: the checksum of that file.
        is_new: it was downloaded just now.
        checks: what was found to be right, in words.
    """

    path: Path
    sha256: str
    is_new: bool
    checks: tuple[str, ...]


def folder() -> Path:
    """Where fetched files are kept: ``$SUDOKU_BENCH_DATA``, or the user's cache."""
    import pooch

    return Path(os.environ.get(FOLDER_VARIABLE) or pooch.os_cache("sudoku-bench"))


def path_of(facts: Facts) -> Path:
    """Where the file of a collection is, or would be if it were fetched."""
    return folder() / str(facts["file"])


def source_of(facts: Facts) -> str:
    """The file of a collection, and which part of it, as ``datasets.reading.reader.read_file`` takes it."""
    return _within(path_of(facts), facts)


def fetch(name: str, facts: Facts, progress: Any = False, again: bool = False) -> Fetched:
    """Download the collection of a catalogue entry, unless it is there already (and not ``again``), and check it.

    ``progress`` is a progress bar as pooch takes it.

    Raises:
        InputError: the server cannot be reached, does not have the file or breaks off, or the file is not the one that
            it should be. Nothing is kept then, and what was there before stays.
    """
    path, url = path_of(facts), str(facts["url"])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not again:
            checks, sha256 = _checked(name, path, facts, DAMAGED), _sha256(path)
            _pin(facts, sha256)
            return Fetched(path, sha256, False, checks)
        with tempfile.TemporaryDirectory(prefix=".part-", dir=path.parent) as part:
            new = _download(url, Path(part), path.name, progress)
            checks = _checked(name, new, facts, NOT_KEPT)
            sha256 = _sha256(new)
            new.replace(path)
        _pin(facts, sha256)
    except OSError as error:
        raise InputError(f"{error.filename or path}: cannot be written: {error.strerror or error}") from None
    return Fetched(path, sha256, True, checks)


def _download(url: str, folder: Path, file: str, progress: Any) -> Path:
    import pooch
    from requests import exceptions

    pooch.get_logger().setLevel("ERROR")
    downloader = pooch.HTTPDownloader(progressbar=progress, timeout=TIMEOUT_S)
    try:
        return Path(pooch.retrieve(url, known_hash=None, fname=file, path=folder, downloader=downloader))
    except exceptions.HTTPError as error:
        status = error.response.status_code if error.response is not None else "an error"
        raise InputError(f"{url}: the server answers {status}; has the file moved? look at its origin") from None
    except (exceptions.ChunkedEncodingError, exceptions.ContentDecodingError):
        raise InputError(f"{url}: the download was interrupted; run it again") from None
    except (exceptions.Timeout, exceptions.ConnectionError):
        raise InputError(f"{url}: cannot be reached; is there a network? run it again") from None
    except (exceptions.RequestException, ValueError) as error:
        raise InputError(f"{url}: cannot be downloaded: {str(error).splitlines()[0]}") from None


def _checked(name: str, path: Path, facts: Facts, mend: str) -> tuple[str, ...]:
    """What is right with a file, in words; ``mend`` is what to say if something is not.

    Raises:
        InputError: something is not.
    """
    url, sha256 = str(facts["url"]), _sha256(path)
    checks = []
    expected, whence = facts.get("sha256_file"), "the catalogue"
    if expected is None:
        expected, whence = pins().get(url), f"the first download (noted in {folder() / PINS})"
    if expected is not None:
        if sha256 != expected:
            raise InputError(f"{url}: the file's SHA-256 is {sha256}, but by {whence} it is {expected}; {mend}")
        checks.append(f"the file's checksum is that of {whence}")
    if "sha256" in facts:
        number, grids = _grids(path, facts, mend)
        if grids != facts["sha256"]:
            raise InputError(f"{url}: its {number} puzzles are not those that the catalogue knows as {name}; {mend}")
        checks.append(f"the {number} puzzles are those of the catalogue")
    return tuple(checks)


def _grids(path: Path, facts: Facts, mend: str) -> tuple[int, str]:
    """Number and checksum of the puzzles in a file, as ``Collection.sha256`` has it."""
    digest, number = hashlib.sha256(), 0
    for item in read_file(_within(path, facts)):
        if isinstance(item, BadLine):
            raise InputError(f"{facts['url']}: line {item.line}: {item.what}; {mend}")
        digest.update(b"\n" * (number > 0) + item.puzzle.text.encode())
        number += 1
    return number, digest.hexdigest()


def _within(path: Path, facts: Facts) -> str:
    return f"{path}::{facts['member']}" if "member" in facts else str(path)


def pins() -> dict[str, str]:
    """The checksums of first downloads, by address.

    Raises:
        InputError: their file has been damaged.
    """
    path = folder() / PINS
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{path}: cannot be read as JSON; remove it, and the next download counts as the first")
    return {str(url): str(sha256) for url, sha256 in found.items()}


def _pin(facts: Facts, sha256: str) -> None:
    """Note the checksum of a first download, if the catalogue knows none."""
    path, known, url = folder() / PINS, pins(), str(facts["url"])
    if "sha256_file" in facts or url in known:
        return
    text = json.dumps(known | {url: sha256}, indent=2, sort_keys=True)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=path.parent) as part:
        new = Path(part) / PINS
        new.write_text(text + "\n", encoding="utf-8")
        new.replace(path)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
