"""Modules become one script."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.page import scripts
from datasets.errors import InputError


def files(folder: Path, **sources: str) -> Path:
    for name, source in sources.items():
        (folder / f"{name}.js").write_text(source, encoding="utf-8")
    return folder


def test_imported_modules_come_first_and_once(tmp_path: Path) -> None:
    folder = files(
        tmp_path,
        main='import { b } from "./b.js";\nimport { c } from "./c.js";\n\nb(c);\n',
        b='import { c } from "./c.js";\n\nexport function b() {\n  return c;\n}\n',
        c="export const c = 1;\n",
    )
    joined = scripts.joined(folder)
    assert "import" not in joined
    assert "export" not in joined
    assert joined.index("const c = 1") < joined.index("function b()") < joined.index("b(c);")
    assert joined.count("const c = 1") == 1


@pytest.mark.parametrize(
    ("main", "other", "complaint"),
    [
        ('import { a as b } from "./other.js";\n', "export const a = 1;\n", "import names without renaming"),
        (
            'import { a } from "./other.js";\nfunction twice() {}\n',
            "export const a = 1;\nconst twice = 2;\n",
            "twice is also declared in other.js",
        ),
        ('import { a } from "./other.js";\n', "export const b = 1;\n", "other.js does not declare a;"),
        ('import {\n  a,\n} from "./other.js";\n', "export const a = 1;\n", "write it on one line"),
    ],
)
def test_what_would_not_work_in_one_script_is_refused(tmp_path: Path, main: str, other: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        scripts.joined(files(tmp_path, main=main, other=other))


def test_all_modules_of_the_pages_are_used() -> None:
    joined = scripts.joined() + scripts.joined(start="show.js")
    for path in scripts.FOLDER.glob("*.js"):
        first = scripts.tops(path.read_text(encoding="utf-8"))[0]
        assert first in joined
