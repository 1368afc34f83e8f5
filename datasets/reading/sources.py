"""Sources of puzzles: files, pipes and standard input, compressed or not, read line by line.

The first bytes determine the compression, not the file name. No file is decompressed as a whole: memory stays bounded
for any content, and files with an extreme expansion ratio are refused.
"""

from __future__ import annotations

import bz2
import codecs
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
from typing import Any, BinaryIO, NamedTuple, Protocol, cast

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading import spreadsheet
from sudoku_bench.datasets.reading.blocks import MAX_LINE, Block

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CHUNK = 1 << 16  # bytes
MAX_DICTIONARY = 1 << 27  # bytes of the decompression window: 128 MiB, twice the window of `xz -9`
FREE_EXPANSION = 1 << 23  # decompressed bytes before the expansion ratio is checked
MAX_RATIO = 100  # lists of puzzles compress to a third or a tenth, JSON with one number per line to a thirtieth
MAX_DOCUMENT = 1 << 26  # bytes of a document that is parsed as a whole, which takes ten times the memory
MAX_SPOOLED = 1 << 30  # bytes of a file that must be seekable, from a pipe

_DAMAGED = (
    *(EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, zstd.ZstdError),
    *(zipfile.BadZipFile, NotImplementedError, ValueError, struct.error),
)
OTHER_KINDS = {
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a rar archive",
    b"\x1f\x9d": "compressed by compress",
    b"\x04\x22\x4d\x18": "compressed by lz4",
    b"SQLite format 3": "an SQLite database",
    b"%PDF-": "a PDF document",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}


class Source(NamedTuple):
    """An opened source.

    Attributes:
        stream: its decompressed bytes.
        file_name: name of the decompressed file, without the ending of the compression (``a.csv`` for ``a.csv.gz``).
        parts: the names after ``::``, except the name of a file in an archive.
    """

    stream: io.BufferedReader
    file_name: str
    parts: tuple[str, ...]


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
        try:
            packed = _Counted(_standard_input() if path == "-" else stack.enter_context(Path(path).open("rb")))
            source = _decompress(packed, name, parts, stack)
        except IsADirectoryError:
            raise InputError(f"{name}: is a directory; name a file of puzzles") from None
        except FileNotFoundError:
            raise InputError(f"{name}: no such file") from None
        except _DAMAGED as error:
            raise InputError(f"{name}: is damaged or cut short ({_error_text(error)}); get a new copy") from None
        except OSError as error:
            raise InputError(f"{name}: {_os_error_text(error)}") from None
        yield source


def document(path: str | Path) -> bytes:
    """Return the whole of a file, decompressed.

    Raises:
        InputError: as ``opened``; or the file is damaged, or larger than ``MAX_DOCUMENT``.
    """
    name = display_name(str(path))
    with opened(str(path)) as source:
        try:
            data = source.stream.read(MAX_DOCUMENT + 1)
        except _DAMAGED as error:
            raise InputError(f"{name}: is damaged or cut short ({_error_text(error)}); get a new copy") from None
        except OSError as error:
            raise InputError(f"{name}: {_os_error_text(error)}") from None
    if len(data) > MAX_DOCUMENT:
        raise InputError(f"{name}: is larger than {MAX_DOCUMENT >> 20} MiB; split it")
    return data


def blocks(stream: io.BufferedReader, name: str) -> Iterator[Block]:
    """Yield the text of a stream in blocks, each as soon as it has arrived.

    Raises:
        InputError: the stream is not text, or is damaged. The message gives the line if it is known.
    """
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")("surrogateescape"), translate=True)
    number, rest, is_end = 1, "", False
    while not is_end:
        try:
            data = stream.read1(CHUNK)
        except _DAMAGED as error:
            message = f"is damaged or cut short here ({_error_text(error)}); get a new copy"
            raise InputError(f"{name}:{number}: {message}") from None
        except OSError as error:
            raise InputError(f"{name}:{number}: {_os_error_text(error)}") from None
        is_end = not data
        text, nul, _ = (rest + decoder.decode(data, final=is_end)).partition("\0")
        end = len(text) if is_end and not nul else text.rfind("\n") + 1
        if end:
            yield number, text[:end]
            number += text.count("\n")
        if nul:
            location = name if number == 1 else f"{name}:{number}"
            raise InputError(f"{location}: is not a text file; save it as text (UTF-8), one puzzle per line")
        rest = text[end:]
        if len(rest) >= MAX_LINE:
            yield number, rest
            rest = ""


@contextlib.contextmanager
def seekable(stream: io.BufferedReader | _Counted, name: str) -> Iterator[BinaryIO]:
    """Yield a seekable file of a whole stream; one that cannot seek is copied to a temporary file."""
    packed = stream if isinstance(stream, _Counted) else cast(_Counted, stream.raw)
    if packed.raw.seekable():
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


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = ...) -> bytes: ...


class _Counted(io.RawIOBase):
    """A raw stream that lets the caller peek at the first bytes and counts the bytes that have been read."""

    def __init__(self, raw: BinaryIO | io.RawIOBase) -> None:
        self.raw = raw
        self.head = b""
        self.n_read = 0
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
        self.n_read += len(data)
        return len(data)


class _Decompressed(io.RawIOBase):
    """One or more consecutive compressed streams (as from ``cat a.xz b.xz``), decompressed as they are read."""

    def __init__(self, packed: _Counted, make: Callable[[], _Decompressor]) -> None:
        self._packed, self._make = packed, make
        self._stream = make()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            rest = b""
            if self._stream.eof:
                rest = self._stream.unused_data or self._packed.read(CHUNK) or b""
                if not rest.strip(b"\0"):
                    return 0
                self._stream = self._make()
            if self._stream.needs_input and not rest:
                rest = self._packed.read(CHUNK) or b""
                if not rest:
                    raise EOFError("it ends within the compressed data")
            data = self._stream.decompress(rest, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)


class _RatioLimited(io.RawIOBase):
    """A decompressed stream that raises InputError if its expansion ratio exceeds ``MAX_RATIO``."""

    def __init__(self, unpacked: BinaryIO | io.RawIOBase, packed_size: Callable[[], int], name: str) -> None:
        self._unpacked, self._packed_size, self._name = unpacked, packed_size, name
        self._unpacked_size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._unpacked.read(len(buffer)) or b""
        self._unpacked_size += len(data)
        if self._unpacked_size > FREE_EXPANSION and self._unpacked_size > MAX_RATIO * self._packed_size():
            raise InputError(
                f"{self._name}: expands to more than {MAX_RATIO} times its size; decompress it yourself if you trust it"
            )
        buffer[: len(data)] = data
        return len(data)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input: is closed; name a file")
    return cast(BinaryIO, sys.stdin.buffer)


def _decompress(packed: _Counted, name: str, parts: tuple[str, ...], stack: contextlib.ExitStack) -> Source:
    """Return the source that reads a stream, decompressed if necessary."""
    head = packed.peek(512)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        stream, file_name, parts = _zip_member(packed, name, parts, stack)
    else:
        file_name = name.removesuffix(".gz").removesuffix(".bz2").removesuffix(".xz").removesuffix(".zst")
        decompressed = _decompressed(head, packed)
        if decompressed is None:
            _refuse_other_kinds(head, name)
            return Source(io.BufferedReader(packed, CHUNK), file_name, parts)
        stream = _RatioLimited(decompressed, lambda: packed.n_read, name)
    unpacked = _Counted(stream)
    head = unpacked.peek(512)
    _refuse_other_kinds(head, name)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) or _decompressed(head, unpacked) is not None:
        raise InputError(f"{name}: is not a text file (compressed twice); decompress it once")
    return Source(io.BufferedReader(unpacked, CHUNK), file_name, parts)


def _decompressed(head: bytes, packed: _Counted) -> BinaryIO | io.RawIOBase | None:
    """Return the decompressed stream of one that begins with ``head``; None if it is not compressed."""
    if head.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.GzipFile(fileobj=io.BufferedReader(packed, CHUNK)))
    if head.startswith(b"BZh"):
        return _Decompressed(packed, bz2.BZ2Decompressor)
    if head.startswith(b"\xfd7zXZ\0"):
        return _Decompressed(packed, lambda: lzma.LZMADecompressor(memlimit=MAX_DICTIONARY))
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        options = {int(zstd.DecompressionParameter.window_log_max): MAX_DICTIONARY.bit_length() - 1}
        return _Decompressed(packed, lambda: zstd.ZstdDecompressor(options=options))
    return None


def _zip_member(
    packed: _Counted, name: str, parts: tuple[str, ...], stack: contextlib.ExitStack
) -> tuple[io.RawIOBase | io.BytesIO, str, tuple[str, ...]]:
    """Return the stream of the only file of a zip archive, or of the named file, with its name and the other parts.

    A workbook is read as the text of its sheets.
    """
    file = stack.enter_context(seekable(packed, name))
    size = file.seek(0, io.SEEK_END)
    archive = stack.enter_context(zipfile.ZipFile(file))
    if spreadsheet.WORKBOOK in archive.namelist():
        return spreadsheet.text_of(file, name), str(Path(name).with_suffix(".tsv")), parts
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
    stream = cast(BinaryIO, stack.enter_context(archive.open(member)))
    packed_size = min(member.compress_size, size)  # the size that an archive states may be wrong
    return _RatioLimited(stream, lambda: packed_size, name), member.filename, parts


def _refuse_other_kinds(head: bytes, name: str) -> None:
    kind = next((kind for magic, kind in OTHER_KINDS.items() if head.startswith(magic)), "")
    if head[257:262] == b"ustar":
        kind = "a tar archive"
    if kind:
        raise InputError(f"{name}: is not a text file ({kind}); save it as text in UTF-8")


def _os_error_text(error: OSError) -> str:
    """Describe an OSError; bz2 raises one without a system message for damaged data."""
    if error.strerror:
        return f"cannot be read: {error.strerror}"
    return f"is damaged or cut short ({_error_text(error)}); get a new copy"


def _error_text(error: Exception) -> str:
    return _printable(str(error)) or type(error).__name__


def _printable(text: str) -> str:
    text = text.encode(errors="replace").decode()
    return "".join(c if c.isprintable() else " " for c in text)
