"""Files, pipes and standard input, compressed or not.

The first bytes determine the compression, not the file name. No file is decompressed as a whole, so memory stays
bounded for any content.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from sudoku_bench.datasets.errors import InputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ADVICE = "take its puzzles out in Python: sb.run(datasets=puzzles); docs/formats.md shows how"
CHUNK = 1 << 16  # bytes
_WINDOW = {int(zstd.DecompressionParameter.window_log_max): 27}  # 128 MiB, twice the window of `xz -9`
MAX_DOCUMENT = 1 << 26  # bytes of a document that is parsed as a whole, which takes ten times the memory
MAX_SPOOLED = 1 << 30  # bytes of a file that must be seekable, from a pipe

_DAMAGED = (
    *(EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, zstd.ZstdError),
    *(zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, MemoryError),  # the last of a huge dictionary
)
WORKBOOK = "xl/workbook.xml"  # the file of a zip archive that makes it a workbook
_STREAMS: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": lambda file: zstd.ZstdFile(file, options=_WINDOW),
}
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
OTHER_KINDS = {
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a rar archive",
    b"\x1f\x9d": "compressed by compress",
    b"\x04\x22\x4d\x18": "compressed by lz4",
    b"SQLite format 3": "an SQLite database",
    b"%PDF-": "a PDF document",
    b"\x93NUMPY": "a NumPy array",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}


class Source(NamedTuple):
    """An opened source.

    Attributes:
        stream: its decompressed bytes.
        file_name: name of the decompressed file, without the ending of the compression (``a.csv`` for ``a.csv.gz``).
        parts: the names after ``::``, except the name of a file in an archive.
        is_workbook: it is an Excel workbook, whose archive is the stream.
    """

    stream: io.BufferedReader
    file_name: str
    parts: tuple[str, ...]
    is_workbook: bool = False


@contextlib.contextmanager
def opened(path: str, parts: tuple[str, ...] = ()) -> Iterator[Source]:
    """Open a file, or standard input for ``-``; decompress gzip, bzip2, xz, zstd and zip.

    The first of ``parts`` selects the file in a zip archive, by its full name or the last components of it; an archive
    of a single file needs no name.

    Raises:
        InputError: the file cannot be opened or is of an unsupported kind, or the archive needs the name of a file.
    """
    name = display_name(path)
    with contextlib.ExitStack() as stack:
        with errors_named(name):
            packed = _Peekable(_standard_input() if path == "-" else stack.enter_context(Path(path).open("rb")))
            source = _decompress(packed, name, parts, stack)
        yield source


@contextlib.contextmanager
def errors_named(location: str) -> Iterator[None]:
    """Turn errors of opening and reading a file into an InputError that names the file, or a line of it."""
    try:
        yield
    except IsADirectoryError:
        raise InputError(f"{location}: is a directory; name a file of puzzles") from None
    except FileNotFoundError:
        raise InputError(f"{location}: no such file") from None
    except (*_DAMAGED, OSError) as error:  # bz2 raises an OSError without a system message for damaged data
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{location}: cannot be read: {error.strerror}") from None
        reason = _printable(str(error)) or type(error).__name__
        raise InputError(f"{location}: is damaged or cut short ({reason}); get a new copy") from None


def document(path: str | Path) -> bytes:
    """Return the whole of a file, decompressed.

    Raises:
        InputError: as ``opened``; or the file is damaged, or larger than ``MAX_DOCUMENT``.
    """
    name = display_name(str(path))
    with opened(str(path)) as source, errors_named(name):
        data = source.stream.read(MAX_DOCUMENT + 1)
    if len(data) > MAX_DOCUMENT:
        raise InputError(f"{name}: is larger than {MAX_DOCUMENT >> 20} MiB; split it")
    return data


@contextlib.contextmanager
def seekable(stream: io.BufferedReader | _Peekable, name: str) -> Iterator[BinaryIO]:
    """Yield a seekable file of a whole stream; one that cannot seek is copied to a temporary file."""
    packed = stream if isinstance(stream, _Peekable) else cast(_Peekable, stream.raw)
    if isinstance(packed.raw, io.BufferedReader | io.BufferedRandom) and packed.raw.seekable():
        packed.raw.seek(0)
        yield cast(BinaryIO, packed.raw)
        return
    with tempfile.TemporaryFile() as spooled:
        while data := stream.read(CHUNK):
            spooled.write(data)
            if spooled.tell() > MAX_SPOOLED:
                raise InputError(f"{name}: more than 1 GiB through a pipe or packed; save it as a plain file first")
        spooled.seek(0)
        yield cast(BinaryIO, spooled)


def exists(path: str) -> bool:
    """Return whether there is such a file; True if this cannot be determined, so that reading it reports the reason."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # the name is too long or contains a NUL, or a folder is not accessible
        return True


def display_name(path: str) -> str:
    """Return the name of a source in error messages."""
    return "standard input" if path == "-" else path


class _Peekable(io.RawIOBase):
    """A raw stream that lets the caller peek at the first bytes."""

    def __init__(self, raw: BinaryIO | io.RawIOBase) -> None:
        self.raw = raw
        self.head = b""
        self._read = getattr(raw, "read1", raw.read)  # read1 returns the available bytes; a pipe may have no full chunk

    def peek(self, size: int) -> bytes:
        """Return up to ``size`` bytes from the start of the stream without consuming them."""
        while len(self.head) < size and (more := self._read(size - len(self.head))):
            self.head += more
        return self.head[:size]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.head[: len(buffer)] or self._read(len(buffer)) or b""
        self.head = self.head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input: is closed; name a file")
    return cast(BinaryIO, sys.stdin.buffer)


def _decompress(packed: _Peekable, name: str, parts: tuple[str, ...], stack: contextlib.ExitStack) -> Source:
    """Return the source that reads a stream, decompressed if necessary."""
    head = packed.peek(512)
    if head.startswith(_ZIP):
        file = stack.enter_context(seekable(packed, name))
        archive = stack.enter_context(zipfile.ZipFile(file))
        if WORKBOOK in archive.namelist():
            return Source(io.BufferedReader(_Peekable(file)), name, parts, is_workbook=True)
        stream, file_name, parts = _zip_member(archive, name, parts, stack)
    else:
        file_name = name.removesuffix(".gz").removesuffix(".bz2").removesuffix(".xz").removesuffix(".zst")
        decompressed = _decompressed(head, packed)
        if decompressed is None:
            _refuse_other_kinds(head, name)
            return Source(io.BufferedReader(packed, CHUNK), file_name, parts)
        stream = decompressed
    unpacked = _Peekable(stream)
    head = unpacked.peek(512)
    _refuse_other_kinds(head, name)
    if head.startswith(_ZIP) or _decompressed(head, unpacked) is not None:
        raise InputError(f"{name}: is not a text file (compressed twice); decompress it once")
    return Source(io.BufferedReader(unpacked, CHUNK), file_name, parts)


def _decompressed(head: bytes, packed: _Peekable) -> BinaryIO | None:
    """Return the decompressed stream of one that begins with ``head``; None if it is not compressed."""
    unpack = next((unpack for magic, unpack in _STREAMS.items() if head.startswith(magic)), None)
    return cast(BinaryIO, unpack(io.BufferedReader(packed, CHUNK))) if unpack else None


def _zip_member(
    archive: zipfile.ZipFile, name: str, parts: tuple[str, ...], stack: contextlib.ExitStack
) -> tuple[BinaryIO, str, tuple[str, ...]]:
    """Return the stream of the only file of a zip archive, or of the named file, with its name and the other parts."""
    every = (info for info in archive.infolist() if not info.filename.startswith("__MACOSX/"))
    files = [info for info in every if not info.filename.endswith("/")]
    if parts:
        matches = [info for info in files if info.filename == parts[0]] or [
            info for info in files if info.filename.endswith("/" + parts[0])
        ]
        if len(matches) == 1:
            files, parts = matches, parts[1:]
    if len(files) != 1:
        names = ", ".join(info.filename for info in files[:12]) + (", ..." if len(files) > 12 else "")
        hint = f"name one of them: {name}::{files[0].filename}" if files else "name another archive"
        raise InputError(f"{name}: contains {len(files)} files ({_printable(names)}); {_printable(hint)}")
    (member,) = files
    if member.flag_bits & 1:
        raise InputError(f"{name}: {_printable(member.filename)} is encrypted; decrypt it yourself")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # other methods need unbounded memory
        method = member.compress_type
        raise InputError(f"{name}: uses an unsupported compression method ({method}); decompress it yourself")
    return cast(BinaryIO, stack.enter_context(archive.open(member))), member.filename, parts


def _refuse_other_kinds(head: bytes, name: str) -> None:
    kind = next((kind for magic, kind in OTHER_KINDS.items() if head.startswith(magic)), "")
    if head[257:262] == b"ustar":
        kind = "a tar archive"
    if kind:
        raise InputError(f"{name}: is not a text file ({kind}); save it as UTF-8, or {ADVICE}")


def _printable(text: str) -> str:
    text = text.encode(errors="replace").decode()
    return "".join(c if c.isprintable() else " " for c in text)
