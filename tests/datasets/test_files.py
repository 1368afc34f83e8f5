"""Sources: compressed and plain files, pipes and standard input; hostile files are refused in one line each.

A separate process reads the hostile files, with little more memory than Python itself needs.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import struct
import subprocess
import sys
import tarfile
import threading
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_bench.datasets import InputError, files
from sudoku_bench.datasets.files import zstd
from sudoku_bench.datasets.reading import blocks, text_lines
from sudoku_bench.datasets.reading.reader import BadLine, Entry, load_file, read_file
from tests.conftest import TOP
from tests.datasets.rules import PRINTED

TEXTS = [text for text, _ in PRINTED.values()]
CONTENT = "\n".join(TEXTS).encode()


def zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstd.compress,
    "zip": lambda content: zipped(mine=content),
}
STREAMS = ["gz", "bz2", "xz", "zst"]


def written(folder: Path, content: bytes, name: str = "mine") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def texts(path: Path | str) -> list[str]:
    return [entry.puzzle.text for entry in load_file(path)]


def refusal(path: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        list(read_file(path))
    message = str(caught.value)
    assert message.startswith(str(path).partition("::")[0] + ":")
    assert message.isprintable()
    return message


# Compressed files


@pytest.mark.parametrize("ending", PACKERS)
def test_a_compressed_file_is_recognised_by_its_bytes(tmp_path: Path, ending: str) -> None:
    packed = PACKERS[ending](b"\xef\xbb\xbf" + CONTENT)
    assert texts(written(tmp_path, packed)) == TEXTS
    assert texts(written(tmp_path, packed, f"mine.txt.{ending}")) == TEXTS


@pytest.mark.parametrize("ending", STREAMS)
def test_consecutive_compressed_streams_are_read_as_one(tmp_path: Path, ending: str) -> None:
    pack = PACKERS[ending]
    assert texts(written(tmp_path, pack(CONTENT[:200]) + pack(b"") + pack(CONTENT[200:]))) == TEXTS


@pytest.mark.parametrize("ending", PACKERS)
def test_a_compressed_table_is_a_table(tmp_path: Path, ending: str) -> None:
    packed = PACKERS[ending](f"a,b\n1,{TEXTS[0]}\n".encode())
    assert texts(f"{written(tmp_path, packed, f'mine.csv.{ending}')}::b") == TEXTS[:1]


@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("part", [0.2, 0.6, 0.99])
def test_a_compressed_file_that_is_cut_short_is_refused(tmp_path: Path, ending: str, part: float) -> None:
    lines = "\n".join(sorted(text[shift:] + text[:shift] for text in TEXTS for shift in range(0, 81, 7)))
    packed = PACKERS[ending](lines.encode())
    message = refusal(written(tmp_path, packed[: int(len(packed) * part)]))
    assert "is damaged or cut short" in message
    assert message.endswith("; get a new copy")


@pytest.mark.parametrize("ending", PACKERS)
def test_a_file_compressed_twice_is_refused(tmp_path: Path, ending: str) -> None:
    for inner in PACKERS:
        assert "compressed twice" in refusal(written(tmp_path, PACKERS[ending](PACKERS[inner](CONTENT))))


def test_a_file_of_an_archive_is_selected_by_name(tmp_path: Path) -> None:
    members = {
        "data/one.txt": CONTENT,
        "data/two.csv": f"a,b\n1,{TEXTS[1]}\n".encode(),
        "__MACOSX/x": b"",
        "empty/": b"",
    }
    path = written(tmp_path, zipped(**members), "mine.zip")
    assert texts(f"{path}::data/one.txt") == texts(f"{path}::one.txt") == TEXTS
    assert texts(f"{path}::two.csv::b") == TEXTS[1:2]
    for wrong in (path, f"{path}::three"):
        assert "contains 2 files (data/one.txt, data/two.csv); name one of them: " in refusal(wrong)


def test_a_file_of_an_archive_may_lack_a_name(tmp_path: Path) -> None:
    assert texts(written(tmp_path, zipped(mine=CONTENT).replace(b"mine", b"\0ine"))) == TEXTS


def test_an_encrypted_archive_is_refused(tmp_path: Path) -> None:
    packed = bytearray(zipped(mine=CONTENT))
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        packed[packed.index(signature) + place] |= 1
    assert "encrypted" in refusal(written(tmp_path, bytes(packed)))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_with_an_unsupported_compression_method_is_refused(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "mine", "w", method) as archive:
        archive.writestr("mine", CONTENT)
    assert "unsupported compression method" in refusal(tmp_path / "mine")


@pytest.mark.parametrize("magic", files.OTHER_KINDS)
def test_files_of_other_kinds_are_refused_by_the_name_of_their_kind(tmp_path: Path, magic: bytes) -> None:
    assert files.OTHER_KINDS[magic] in refusal(written(tmp_path, magic + b"\n" * 100))


def test_a_tar_archive_is_refused_compressed_or_not(tmp_path: Path) -> None:
    for mode in ("w", "w:gz"):
        with tarfile.open(tmp_path / "mine", mode) as archive:
            archive.add(written(tmp_path, CONTENT, "content"), "content")
        assert "a tar archive" in refusal(tmp_path / "mine")


@pytest.mark.parametrize("chunk", [1, 2, 7, 64])
def test_the_lines_do_not_depend_on_the_blocks_in_which_they_arrive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    for module in (blocks, text_lines):
        monkeypatch.setattr(module, "MAX_LINE", 200)
    lines = ["\ufeff# ß", TEXTS[0] + "\r", TEXTS[1] + " name\x85\u2028", "", "1" * 81 + "x" * 300, "." * 81, "12345"]
    path = written(tmp_path, "\n".join([*lines, *"\r\r", TEXTS[2]]).encode() + b" \xff")
    due = list(read_file(path))
    assert [(type(item), item.line) for item in due] == [
        *((Entry, 2), (Entry, 3), (BadLine, 5), (Entry, 6), (BadLine, 7), (Entry, 10)),
    ]
    monkeypatch.setattr(blocks, "CHUNK", chunk)
    assert list(read_file(path)) == due


def test_lines_before_a_fault_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, CONTENT + b"\n1\0" + CONTENT)
    items = read_file(path)
    assert [next(items).line for _ in TEXTS] == [*range(1, len(TEXTS) + 1)]
    with pytest.raises(InputError, match=f":{len(TEXTS) + 1}: is not a text file"):
        next(items)


# Pipes and standard input


@pytest.mark.parametrize("ending", ["", *PACKERS])
def test_a_named_pipe_is_read(tmp_path: Path, ending: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    content = PACKERS[ending](CONTENT) if ending else CONTENT
    writer = threading.Thread(target=written, args=(tmp_path, content, "pipe"))
    writer.start()
    assert texts(tmp_path / "pipe") == TEXTS
    writer.join()


@pytest.mark.parametrize("ending", ["", *PACKERS])
def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    read, write = os.pipe()
    with os.fdopen(write, "wb") as stream:
        stream.write(PACKERS[ending](CONTENT) if ending else CONTENT)
    with os.fdopen(read) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert texts("-") == TEXTS


def test_standard_input_is_read_as_it_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first puzzle is returned before the writer has finished."""
    read, write = os.pipe()
    os.write(write, (TEXTS[0] + "\n").encode() * 10)
    with os.fdopen(read) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        items = read_file("-")
        assert isinstance(next(items), Entry)
        os.close(write)
        assert len(list(items)) == 9


def test_a_closed_standard_input_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input: is closed"):
        load_file("-")


# Hostile files

READ_ALL = """
import json, resource, sys
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading.reader import Entry, read_file

with open("/proc/self/statm") as statm:
    now = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + 192 * 2**20,) * 2)
for path in sys.argv[1:]:
    good = bad = 0
    first, refusal = "", ""
    try:
        for item in read_file(path):
            good += isinstance(item, Entry)
            bad += not isinstance(item, Entry)
            first = first or getattr(item, "message", "")
    except InputError as error:
        refusal = str(error)
    print(json.dumps([good, bad, first, refusal]))
"""


def read_within_bounds(*paths: Path | str, **settings: object) -> list[tuple[int, int, str, str]]:
    """Read files in a process with 192 MiB of extra memory: number of puzzles and faults, first fault, refusal."""
    process = subprocess.run(
        [sys.executable, "-c", READ_ALL, *map(str, paths)], cwd=TOP, capture_output=True, timeout=120, **settings
    )
    assert process.returncode == 0, process.stderr.decode()[-2000:]
    return [tuple(json.loads(line)) for line in process.stdout.splitlines()]


def quarter_of_a_gigabyte(pack: Callable[[bytes], bytes], unit: bytes = b"1") -> bytes:
    """2^28 bytes, packed: a stream of 2^24 bytes, 16 times over."""
    return pack(unit * (2**24 // len(unit))) * 16


def flat_bomb() -> bytes:
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("x", "w") as member,
    ):
        for _ in range(4):
            member.write(b"# a comment\n" * 2_000_000)
    return packed.getvalue()


def huge_dictionary() -> bytes:
    """An xz file that asks for a dictionary of 4 GiB."""
    packed = bytearray(lzma.compress(CONTENT))
    size = (packed[12] + 1) * 4
    place = packed.index(b"\x21\x01", 12) + 2
    packed[place] = 40
    packed[12 + size - 4 : 12 + size] = struct.pack("<I", zlib.crc32(packed[12 : 12 + size - 4]))
    return bytes(packed)


HOSTILE_FILES: dict[str, tuple[Callable[[], bytes], str]] = {
    "line.gz": (lambda: quarter_of_a_gigabyte(lambda unit: gzip.compress(unit, 1)), "longer than"),
    "line.bz2": (lambda: quarter_of_a_gigabyte(bz2.compress), "longer than"),
    "line.xz": (lambda: quarter_of_a_gigabyte(lambda unit: lzma.compress(unit, preset=0)), "longer than"),
    "line.zst": (lambda: quarter_of_a_gigabyte(zstd.compress), "longer than"),
    "flat.zip": (flat_bomb, ""),
    "nested.zip": (lambda: zipped(a=zipped(b=zipped(c=b"1" * 2**20))), "compressed twice"),
    "many.zip": (lambda: zipped(**{f"f{n}": b"" for n in range(5000)}), "contains 5000 files"),
    "dictionary.xz": (huge_dictionary, "is damaged or cut short"),
    "window.zst": (lambda: b"\x28\xb5\x2f\xfd\x00\xa8\x09\x00\x001", "is damaged or cut short"),
    "nul": (lambda: TEXTS[0].encode() + b"\n\0", "is not a text file"),
    "all-nul": (lambda: b"\0" * 10_000_000, "is not a text file"),
    "utf-16": (lambda: CONTENT.decode().encode("utf-16"), "text in UTF-16"),
    "utf-16-be": (lambda: b"\xfe\xff" + CONTENT.decode().encode("utf-16-be"), "text in UTF-16"),
    "utf-16-unmarked": (lambda: CONTENT.decode().encode("utf-16-le"), "is not a text file"),
    "utf-32": (lambda: CONTENT.decode().encode("utf-32"), "is not a text file"),
    "latin-1": (lambda: b"\xe4\xf6\xfc" * 27, "character 1 is '\\udce4'"),
    "deep.json": (lambda: b"[" * 100_000, "nested deeper than"),
    "deep-pairs.json": (lambda: b'{"a":' * 100_000, "nested deeper than"),
    "deep-closed.json": (lambda: b"[" * 100_000 + b"]" * 100_000, "nested deeper than"),
    "string.json": (lambda: b'["' + b"1" * 10_000_000 + b'"]', "10000000 characters"),
    "number.json": (lambda: b"[" + b"1" * 10_000_000 + b"]", "1 characters"),
    "numbers.json": (lambda: b"[" + b"1," * 1_000_000 + b"1]", "1000001 characters"),
    "keys.json": (lambda: b"{" + b'"a":"b",' * 100_000 + b'"c":1}', "no field is known"),
    "rows.json": (lambda: b"[" + b"[1,2,3]," * 20_000 + b"[]]", "holds no puzzle"),
    "field.csv": (lambda: b'puzzle,x\n"' + b"1\n" * 200_000 + b'"\n', "a field that is too long"),
    "long-field.csv": (lambda: b'puzzle,x\n"' + b"1" * 10_000_000 + b'"\n', "longer than"),
    "header.csv": (lambda: b"puzzle," * 1_500_000, "header that is too long"),
    "columns.csv": (lambda: b"puzzle," * 8_000 + b"\n" + b"1," * 8_000 + b"\n", ""),
    "quotes.csv": (lambda: b'puzzle\n"' * 20_000, ""),
    "bars": (lambda: b"|" * 60_000 + b"\n" + b"-" * 60_000 + b"x", "0 characters"),
    "brackets": (lambda: b"[](){}" * 20_000, ""),
    "commas": (lambda: b"x" + b"," * 60_000 + b"\n", "1 characters"),
    "brackets.toml": (lambda: b"title=" + b"[" * 60_000 + b"\n", "seems to be program text"),
    "sections": (lambda: b"[State]\n" * 100_000, ""),
    "empty": (lambda: b"", ""),
    "mark": (lambda: b"\xef\xbb\xbf", ""),
    "noise": (lambda: bytes(range(1, 256)) * 2000, ""),
}


@pytest.mark.thorough
def test_hostile_files_are_refused_in_bounded_memory(tmp_path: Path) -> None:
    paths = [written(tmp_path, make(), name) for name, (make, _) in HOSTILE_FILES.items()]
    outcomes = read_within_bounds(*paths)
    assert len(outcomes) == len(HOSTILE_FILES)
    for path, (expected, (_, _, first, refusal)) in zip(
        paths, [(expected, outcomes[n]) for n, (_, expected) in enumerate(HOSTILE_FILES.values())], strict=True
    ):
        assert expected in first or expected in refusal, (path.name, first, refusal)
        assert len(first) < 1000
        assert not refusal or (refusal.startswith(f"{path}:") and refusal.isprintable() and len(refusal) < 2000)


def test_paths_that_are_not_files_of_puzzles_are_refused_in_bounded_memory(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    expected = {
        tmp_path: "is a directory",
        tmp_path / "loop": "cannot be read",
        Path("/dev/zero"): "is not a text file",
        Path("/dev/null"): "",
        Path("x" * 5000): "cannot be read",
    }
    for path, (good, bad, _, refusal) in zip(expected, read_within_bounds(*expected), strict=True):
        assert (good, bad) == (0, 0)
        assert expected[path] in refusal
        assert bool(expected[path]) == bool(refusal)


def test_a_line_of_256_mebibytes_on_standard_input_is_one_fault_in_bounded_memory() -> None:
    writing = "import sys\nfor _ in range(256): sys.stdout.write('1' * 2**20)\nsys.stdout.write('\\n' + '.' * 81)"
    with subprocess.Popen([sys.executable, "-c", writing], stdout=subprocess.PIPE) as writer:
        ((good, bad, first, refusal),) = read_within_bounds("-", stdin=writer.stdout)
    assert (good, bad, refusal) == (1, 1, "")
    assert "longer than" in first


def test_hundreds_of_thousands_of_lines_are_read_in_bounded_memory(tmp_path: Path) -> None:
    with (tmp_path / "mine").open("w") as stream:
        for _ in range(100):
            stream.write((TEXTS[0] + "\n") * 3_000)
    assert read_within_bounds(tmp_path / "mine") == [(300_000, 0, "", "")]


# Arbitrary content

ENDINGS = ["", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".sdk", ".ss"]
PIECES = ["[", "]", "{", "}", "(", ")", '"', "'", ",", ":", "\n", "|", "-+-", "#A", "[Puzzle]", "[State]", "puzzle,"]
PIECES += ["id", "1", ".", "0", " ", "\t", ";", "\\", "null", TEXTS[0], TEXTS[0][:9] + "\n", "1" * 16 + "\n", "ﬀ", "\r"]
anything = st.binary(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=60).map("".join).map(str.encode)


def outcome(path: Path | str) -> None:
    """Check that reading a file gives puzzles and printable faults, or a refusal in one line."""
    items: list[Entry | BadLine] = []
    refusal = ""
    try:
        items += read_file(path)
    except InputError as error:
        refusal = str(error)
    assert not refusal or (refusal.startswith(f"{path}:") and refusal.isprintable())
    assert all(item.line >= 1 for item in items)
    for item in items:
        assert isinstance(item, Entry) or (item.message.isprintable() and item.kind.isprintable())


@pytest.mark.parametrize("ending", ENDINGS)
@given(anything)
def test_anything_in_a_file_is_read_or_refused(
    ending: str, tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    outcome(written(tmp_path_factory.getbasetemp(), content, f"any{ending}"))


@settings(max_examples=60)
@pytest.mark.parametrize("ending", PACKERS)
@given(st.data())
def test_a_packed_file_with_any_fault_is_read_or_refused(
    ending: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    packed = bytearray(PACKERS[ending](CONTENT))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(packed)))
        packed[start : start + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    outcome(written(tmp_path_factory.getbasetemp(), bytes(packed)))
