"""Parts: the older rows of a long run, moved from ``measurements.csv`` into Parquet files.

``measurements.csv`` of a run of ten million rows would have two gigabytes, which every reader would have to parse as a
whole. Beyond ``PART_BYTES`` it therefore becomes ``measurements/00001.parquet`` and begins again with its header. The
parts hold the same rows with the same values, in order; the rows of a run are those of its parts, then those of
``measurements.csv``. Without pyarrow (extra ``cluster``) all rows stay in ``measurements.csv``.

A part is first moved as it is (``00001.csv``) and then converted, so that a crash leaves each row in one place only.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.folder.rows import COLUMNS, Row
from datasets.errors import InputError

FOLDER = "measurements"
PART_BYTES = 256 << 20  # of measurements.csv, about a million rows
CSV, PARQUET = ".csv", ".parquet"
ROWS_AT_ONCE = 1 << 14
LONGEST_LINE = 1 << 20  # bytes


def can_archive() -> bool:
    """Is the package that writes parts installed?"""
    return find_spec("pyarrow") is not None


def paths(folder: Path) -> list[Path]:
    """Return the parts of a run in order; a CSV file where a crash came before its conversion."""
    found = {path.stem: path for kind in (CSV, PARQUET) for path in (folder / FOLDER).glob(f"*{kind}")}
    return [found[stem] for stem in sorted(found)]


def archive(measurements: Path) -> None:
    """Make ``measurements.csv`` the next part of its run. The caller begins a new one.

    Raises:
        OSError: the disk is full.
    """
    folder = measurements.parent / FOLDER
    folder.mkdir(exist_ok=True)
    part = folder / f"{len(paths(measurements.parent)) + 1:05d}{CSV}"
    measurements.rename(part)
    convert(part)


def finish_conversions(folder: Path) -> None:
    """Convert the parts that a crash left as CSV files."""
    for path in paths(folder):
        csv = path.with_suffix(CSV)
        if path.suffix == PARQUET:
            csv.unlink(missing_ok=True)  # the crash came after its conversion
        elif can_archive():
            convert(csv)


def convert(part: Path) -> None:
    """Replace a part in CSV format by one in Parquet format, in the memory of a few thousand rows."""
    from pyarrow import parquet

    target = part.with_suffix(PARQUET)
    unfinished = target.with_name(target.name + ".part")
    with parquet.ParquetWriter(unfinished, schema(), compression="zstd") as writer:
        for batch in csv_batches(part):
            writer.write_batch(batch)
    unfinished.replace(target)
    part.unlink()


def csv_batches(path: Path) -> Iterator[Any]:
    """Yield the rows of a CSV file as record batches of the schema; an incomplete last line is left out.

    Raises:
        InputError: it cannot be read.
    """
    import pyarrow
    from pyarrow import csv

    wanted = schema()
    options = csv.ConvertOptions(
        column_types={field.name: field.type for field in wanted},
        include_columns=list(COLUMNS),
        include_missing_columns=True,  # of earlier versions
        null_values=[""],
        strings_can_be_null=True,
    )
    with readable(path), pyarrow.memory_map(str(path)) as file:
        data = file.read_buffer()
        end = len(data) - LONGEST_LINE if len(data) > LONGEST_LINE else 0
        end += data[end:].to_pybytes().rfind(b"\n") + 1
        with csv.open_csv(pyarrow.BufferReader(data[:end]), convert_options=options) as reader:
            yield from reader


@contextlib.contextmanager
def readable(path: Path) -> Iterator[None]:
    """Report a file that cannot be read.

    Raises:
        InputError: it cannot.
    """
    try:
        yield
    except (OSError, ValueError) as error:  # those of pyarrow are ValueErrors
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: cannot be read: {reason}; restore it as the run wrote it") from None


def schema() -> Any:
    """Return the Parquet schema of a row: text as dictionaries, integers and floats with 64 bits."""
    import pyarrow

    types = {
        "str": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
        "int": pyarrow.int64(),
        "float": pyarrow.float64(),
    }
    return pyarrow.schema([(field.name, types[str(field.type).removesuffix(" | None")]) for field in fields(Row)])


def rows(folder: Path) -> Iterator[Row]:
    """Yield the rows of the parts of a run in order, a few thousand of them in memory at a time."""
    for path in paths(folder):
        for batch in csv_batches(path) if path.suffix == CSV else parquet_batches(path):
            known = [name for name in COLUMNS if batch[name].null_count < len(batch)]
            for of_row in zip(*(values(batch[name]) for name in known), strict=True):
                yield Row(**dict(zip(known, of_row, strict=True)))


def puzzles(part: Path) -> set[tuple[str, str]]:
    """Return collection and name of each puzzle of a part."""
    names = ["collection", "puzzle"]
    found: set[tuple[str, str]] = set()
    for batch in csv_batches(part) if part.suffix == CSV else parquet_batches(part, names):
        found.update(zip(*(values(batch[name]) for name in names), strict=True))
    return found


def values(column: Any) -> list[Any]:
    """Return the values of a column, None where unknown: ten times as fast as one by one."""
    import pyarrow

    if pyarrow.types.is_dictionary(column.type):
        words = [*column.dictionary.to_pylist(), None]
        return [words[code] for code in column.indices.fill_null(len(words) - 1).to_numpy().tolist()]
    if not column.null_count:
        return list(column.to_numpy().tolist())
    filled, is_known = column.fill_null(0).to_numpy().tolist(), column.is_valid().to_pylist()
    return [value if known else None for value, known in zip(filled, is_known, strict=True)]


def parquet_batches(path: Path, names: Sequence[str] = COLUMNS) -> Iterator[Any]:
    """Yield some columns of a part in Parquet format as record batches.

    Raises:
        InputError: it cannot be read.
    """
    from pyarrow import parquet

    with readable(path), parquet.ParquetFile(path) as file:
        yield from file.iter_batches(ROWS_AT_ONCE, columns=list(names))


def columns(files: Sequence[Path], names: Sequence[str]) -> Iterator[list[Any]]:
    """Yield each of some columns of the rows of a run, as a chunked array for each file.

    Args:
        files: the parts, then ``measurements.csv``.

    Raises:
        InputError: a file cannot be read.
    """
    import pyarrow
    from pyarrow import parquet

    tables = {path: pyarrow.Table.from_batches(csv_batches(path), schema()) for path in files if path.suffix == CSV}
    for name in names:
        of_files = []
        for path in files:
            with readable(path):
                table = tables[path] if path in tables else parquet.read_table(path, columns=[name])
                of_files.append(table[name])
        yield of_files
