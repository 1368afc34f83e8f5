"""Where puzzles are read from: files, pipes and standard input, compressed or not, line by line.

What is compressed is known by its first bytes, not by its name. Nothing is ever unpacked as a whole: memory stays
bounded whatever a file holds, and what expands beyond all measure is refused.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import select
import stat
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol, cast

from datasets.errors import InputError
from datasets.reading.text import MAX_LINE

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CHUNK = 1 << 16  # bytes
MAX_DICTIONARY = 1 << 27  # bytes that unpacking may hold: 128 MiB, twice what `xz -9` asks for
FREE_EXPANSION = 1 << 23  # bytes that may come out before it is asked how many went in
MAX_RATIO = 100  # lists of puzzles shrink to a third or a tenth, JSON with one number on a line to a thirtieth
MAX_SPOOLED = 1 << 30  # bytes of a zip archive from a pipe
WAITS = 50  # tenths of a second for the writer of a named pipe

Pieces = Iterator[tuple[int, str]]

_DAMAGED = (
    *(EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, zstd.ZstdError),
    *(zipfile.BadZipFile, NotImplementedError, ValueError, struct.error),
)
OTHER_KINDS = {
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a rar archive",
    b"\x1f\x9d": "packed by compress",
    b"\x04\x22\x4d\x18": "packed by lz4",
    b"SQLite format 3": "an SQLite database",
    b"PAR1": "a Parquet file",
    b"%PDF-": "a PDF document",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}


class Source(NamedTuple):
    """An opened source.

    Attributes:
        stream: its bytes, unpacked.
        file_name: the name of what the bytes are, without the ending of the packing (``a.csv`` for ``a.csv.gz``).
        parts: those names after ``::`` that do not name a file within an archive.
    """

    stream: BinaryIO
    file_name: str
    parts: tuple[str, ...]


@contextlib.contextmanager
def opened(path: str, parts: tuple[str, ...] = ()) -> Iterator[Source]:
    """A file, or standard input for ``-``, unpacked if it is packed by gzip, bzip2, xz, zstd or zip.

    The first of ``parts`` names the file within a zip archive, by its whole name or the end of it; an archive of a
    single file needs none.

    Raises:
        InputError: the file cannot be opened, or is of a kind that cannot be read, or a file of an archive must be
            named.
    """
    name = name_of(path)
    with contextlib.ExitStack() as stack:
        try:
            packed = _Counted(_standard_input()) if path == "-" else _file(path, stack)
            source = _unpacked(packed, name, parts, stack)
        except IsADirectoryError:
            raise InputError(f"{name}: is a directory; name a file of puzzles") from None
        except FileNotFoundError:
            raise InputError(f"{name}: no such file") from None
        except _DAMAGED as error:
            raise InputError(f"{name}: is damaged or cut short ({_said(error)}); get it anew") from None
        except OSError as error:
            raise InputError(f"{name}: {_refused(error)}") from None
        yield source


def pieces(stream: BinaryIO, name: str) -> Pieces:
    """The lines of a stream with their numbers (1 is the first); one longer than ``MAX_LINE`` comes in several pieces.

    Raises:
        InputError: it is not text, or is damaged. The message names the line where there is one.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")
    number, whole = 0, True
    try:
        while line := text.readline(MAX_LINE):
            number += whole
            if "\0" in line:
                where = name if number == 1 else f"{name}:{number}"
                raise InputError(f"{where}: is not a text file; save it as text (UTF-8), one puzzle per line")
            whole = line.endswith("\n")
            yield number, line
    except _DAMAGED as error:
        raise InputError(f"{name}:{number + 1}: is damaged or cut short here ({_said(error)}); get it anew") from None
    except OSError as error:
        raise InputError(f"{name}:{number + 1}: {_refused(error)}") from None
    finally:
        with contextlib.suppress(ValueError):
            text.detach()


def lines(pieces: Pieces) -> Iterator[tuple[int, str | None]]:
    """Whole lines; None for one that is longer than ``MAX_LINE`` characters."""
    long = 0
    for number, piece in pieces:
        if number == long:
            continue
        if len(piece) >= MAX_LINE:
            long = number
            yield number, None
        else:
            yield number, piece


def exists(path: str) -> bool:
    """Is there such a file? (If that cannot be known, reading it will say why.)"""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a name too long or with a NUL, a folder that may not be entered
        return True


def name_of(path: str) -> str:
    """The name that errors give."""
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
    """A raw stream whose first bytes may be looked at, and that counts what has been read."""

    def __init__(self, raw: BinaryIO | io.RawIOBase) -> None:
        self.raw = raw
        self.head = b""
        self.taken = 0
        self._read = getattr(raw, "read1", raw.read)  # as much as is there: a pipe need not have a whole chunk yet

    def look(self, size: int) -> bytes:
        while len(self.head) < size and (more := self._read(size - len(self.head))):
            self.head += more
        return self.head[:size]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.head[: len(buffer)] or self._read(len(buffer)) or b""
        self.head = self.head[len(data) :]
        buffer[: len(data)] = data
        self.taken += len(data)
        return len(data)


class _Unpacked(io.RawIOBase):
    """Streams one after the other, as ``cat a.xz b.xz`` makes them, unpacked as far as they are read."""

    def __init__(self, packed: _Counted, make: Callable[[], _Decompressor]) -> None:
        self._packed, self._make = packed, make
        self._stream = make()
        self._begun = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            rest = b""
            if self._stream.eof:
                rest = self._stream.unused_data or self._packed.read(CHUNK) or b""
                if not rest.strip(b"\0"):
                    return 0
                self._stream, self._begun = self._make(), False
            if self._stream.needs_input and not rest:
                rest = self._packed.read(CHUNK) or b""
                if not rest:
                    raise EOFError("it ends within the packed data")
            data = self._stream.decompress(rest, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)


class _Measured(io.RawIOBase):
    """Refuses what expands beyond all measure."""

    def __init__(self, unpacked: BinaryIO | io.RawIOBase, packed: Callable[[], int], name: str) -> None:
        self._unpacked, self._packed, self._name = unpacked, packed, name
        self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._unpacked.read(len(buffer)) or b""
        self._given += len(data)
        if self._given > FREE_EXPANSION and self._given > MAX_RATIO * self._packed():
            raise InputError(
                f"{self._name}: expands to more than {MAX_RATIO} times its size; unpack it yourself if you trust it"
            )
        buffer[: len(data)] = data
        return len(data)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input: is closed; name a file")
    return cast(BinaryIO, sys.stdin.buffer)


def _file(path: str, stack: contextlib.ExitStack) -> _Counted:
    if stat.S_ISFIFO(Path(path).stat().st_mode):
        return _pipe(path, stack)
    return _Counted(stack.enter_context(Path(path).open("rb")))


def _pipe(path: str, stack: contextlib.ExitStack) -> _Counted:
    """A named pipe, opened without waiting for ever for somebody to write to it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    packed = _Counted(stack.enter_context(os.fdopen(descriptor, "rb")))
    ready = select.poll()
    ready.register(descriptor, select.POLLIN)
    for _ in range(WAITS):
        if ready.poll(100) or _has_writer(descriptor, packed):
            os.set_blocking(descriptor, True)
            return packed
    raise InputError(f"{path}: is a pipe that nothing writes to; start what writes to it")


def _has_writer(descriptor: int, packed: _Counted) -> bool:
    """Only an attempt to read tells a writer that has nothing to say yet from no writer."""
    try:
        packed.head = os.read(descriptor, 1)
    except BlockingIOError:
        return True
    return bool(packed.head)


def _unpacked(packed: _Counted, name: str, parts: tuple[str, ...], stack: contextlib.ExitStack) -> Source:
    head = packed.look(512)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        stream, file_name, parts = _of_zip(packed, name, parts, stack)
    else:
        file_name = name.removesuffix(".gz").removesuffix(".bz2").removesuffix(".xz").removesuffix(".zst")
        unpacking = _unpacking(head, packed)
        if unpacking is None:
            _refuse_other_kinds(head, name)
            return Source(io.BufferedReader(packed, CHUNK), file_name, parts)
        stream = _Measured(unpacking, lambda: packed.taken, name)
    unpacked = _Counted(stream)
    head = unpacked.look(512)
    _refuse_other_kinds(head, name)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) or _unpacking(head, unpacked) is not None:
        raise InputError(f"{name}: is not a text file (packed twice); unpack it once")
    return Source(io.BufferedReader(unpacked, CHUNK), file_name, parts)


def _unpacking(head: bytes, packed: _Counted) -> BinaryIO | io.RawIOBase | None:
    """What unpacks a stream that begins with ``head``; None if it is not packed."""
    if head.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.GzipFile(fileobj=io.BufferedReader(packed, CHUNK)))
    if head.startswith(b"BZh"):
        return _Unpacked(packed, bz2.BZ2Decompressor)
    if head.startswith(b"\xfd7zXZ\0"):
        return _Unpacked(packed, lambda: lzma.LZMADecompressor(memlimit=MAX_DICTIONARY))
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        options = {int(zstd.DecompressionParameter.window_log_max): MAX_DICTIONARY.bit_length() - 1}
        return _Unpacked(packed, lambda: zstd.ZstdDecompressor(options=options))
    return None


def _of_zip(
    packed: _Counted, name: str, parts: tuple[str, ...], stack: contextlib.ExitStack
) -> tuple[io.RawIOBase, str, tuple[str, ...]]:
    """The one file of a zip archive, or the one that is named."""
    seekable = stack.enter_context(_seekable(packed, name))
    size = seekable.seek(0, io.SEEK_END)
    archive = stack.enter_context(zipfile.ZipFile(seekable))
    files = [info for info in archive.infolist() if not info.is_dir() and not info.filename.startswith("__MACOSX/")]
    if parts:
        fitting = [i for i in files if i.filename == parts[0]] or [
            i for i in files if i.filename.endswith("/" + parts[0])
        ]
        if len(fitting) == 1:
            files, parts = fitting, parts[1:]
    if len(files) != 1:
        names = ", ".join(info.filename for info in files[:12]) + (", ..." if len(files) > 12 else "")
        hint = f"name one of them: {name}::{files[0].filename}" if files else "name another archive"
        raise InputError(f"{name}: holds {len(files)} files ({_printable(names)}); {_printable(hint)}")
    (chosen,) = files
    if chosen.flag_bits & 1:
        raise InputError(f"{name}: {_printable(chosen.filename)} is encrypted; unpack it yourself")
    if chosen.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others unpack without a bound
        raise InputError(f"{name}: is packed in an unusual way (method {chosen.compress_type}); unpack it yourself")
    stream = cast(BinaryIO, stack.enter_context(archive.open(chosen)))
    packed_size = min(chosen.compress_size, size)  # what an archive says of itself need not be true
    return _Measured(stream, lambda: packed_size, name), chosen.filename, parts


@contextlib.contextmanager
def _seekable(packed: _Counted, name: str) -> Iterator[BinaryIO]:
    """An archive can only be read from its end, so what comes through a pipe is put into a temporary file."""
    if packed.raw.seekable():
        packed.raw.seek(0)
        yield cast(BinaryIO, packed.raw)
        return
    with tempfile.TemporaryFile() as spooled:
        while data := packed.read(CHUNK):
            spooled.write(data)
            if packed.taken > MAX_SPOOLED:
                raise InputError(f"{name}: a zip archive of more than 1 GiB; save it as a file first")
        spooled.seek(0)
        yield cast(BinaryIO, spooled)


def _refuse_other_kinds(head: bytes, name: str) -> None:
    kind = next((kind for magic, kind in OTHER_KINDS.items() if head.startswith(magic)), "")
    if head[257:262] == b"ustar":
        kind = "a tar archive"
    if kind:
        raise InputError(f"{name}: is not a text file ({kind}); save it as text in UTF-8")


def _refused(error: OSError) -> str:
    """What the system says; bz2 raises an error that is not the system's."""
    if error.strerror:
        return f"cannot be read: {error.strerror}"
    return f"is damaged or cut short ({_said(error)}); get it anew"


def _said(error: Exception) -> str:
    return _printable(str(error)) or type(error).__name__


def _printable(text: str) -> str:
    text = text.encode(errors="replace").decode()
    return "".join(c if c.isprintable() else " " for c in text)
