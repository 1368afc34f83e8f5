"""Modules become one script."""

from __future__ import annotations

from pathlib import Path

from sudoku_bench.bench.page import scripts


def test_imported_modules_come_first_and_once(tmp_path: Path) -> None:
    sources = {
        "main": 'import { b } from "./b.js";\nimport { c } from "./c.js";\n\nb(c);\n',
        "b": 'import { c } from "./c.js";\n\nexport function b() {\n  return c;\n}\n',
        "c": "export const c = 1;\n",
    }
    for name, source in sources.items():
        (tmp_path / f"{name}.js").write_text(source, encoding="utf-8")
    joined = scripts.joined(tmp_path)
    assert joined == '"use strict";\nconst c = 1;\nfunction b() {\n  return c;\n}\nb(c);\n'


def test_all_modules_of_the_pages_are_used_and_no_import_is_left() -> None:
    joined = scripts.joined() + scripts.joined(start="show.js")
    for path in scripts.FOLDER.glob("*.js"):
        assert path.read_text(encoding="utf-8").partition("\n")[0] in joined  # the comment that it begins with
    lines = [line for line in joined.splitlines() if line.startswith(("import", "export"))]
    assert lines == []
