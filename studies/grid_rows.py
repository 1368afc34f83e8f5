"""The rows of the grid, shipped beside its tables: the files of each block's run, compressed, as the run wrote them."""

from __future__ import annotations

import lzma
from pathlib import Path
from tempfile import TemporaryDirectory

from sudoku_bench.bench.folder.seal import TABLES
from sudoku_bench.bench.folder.store import MANIFEST
from sudoku_bench.bench.verdicts.run_tables import Run, load

SUFFIX = ".xz"  # has no time stamp: the same rows give the same bytes


def pack(run: Path, folder: Path) -> None:
    """Write each file of a run folder that makes tables, compressed, into another folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (MANIFEST, *TABLES):
        if (run / name).exists():
            (folder / f"{name}{SUFFIX}").write_bytes(lzma.compress((run / name).read_bytes(), preset=9))


def unpacked(folder: Path) -> Run:
    """Return the run whose files were packed into a folder; the checksums of its manifest still tell edits.

    Raises:
        InputError: it is not a run.
        LZMAError: a file is damaged.
    """
    with TemporaryDirectory() as place:
        for path in folder.glob(f"*{SUFFIX}"):
            (Path(place) / path.name.removesuffix(SUFFIX)).write_bytes(lzma.decompress(path.read_bytes()))
        return load(place)
