"""Every strategy and every encoding has its sources, and the file of sources is one that BibTeX reads."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.reports import bibliography, methods, pack, tables
from sudoku_bench.bench.say.markup import markdown
from sudoku_bench.solvers.sat.amo import SCHEMES
from sudoku_bench.solvers.sat.encodings import WITH_SCHEME, WITHOUT_SCHEME
from tests.bench.figures.cases import case


def test_every_listed_strategy_has_a_source() -> None:
    for name in strategies.known():
        keys = bibliography.keys_of(name)
        assert keys, f"no entry of references.bib names {name} in its field `for`"
        assert set(keys) <= set(bibliography.entries()), name


@pytest.mark.parametrize("base", [*WITH_SCHEME, *WITHOUT_SCHEME])
def test_every_encoding_has_a_source(base: str) -> None:
    assert set(bibliography.of_encoding(base)) <= set(bibliography.entries())
    assert bibliography.of_encoding(base), f"no entry of references.bib names encoding:{base} in its field `for`"


def test_every_scheme_but_folklore_has_a_source() -> None:
    for scheme in SCHEMES:
        own = set(bibliography.of_encoding(f"complete+{scheme}")) - set(bibliography.of_encoding("complete"))
        assert bool(own) == (scheme != "pairwise"), f"no entry of references.bib names amo:{scheme} in its field `for`"


def test_a_strategy_that_nobody_knows_has_no_source() -> None:
    assert bibliography.keys_of("mine:search") == []
    assert bibliography.keys_of("sat:mine@own") == []


def test_solvers_of_python_sat_come_with_python_sat() -> None:
    assert bibliography.keys_of("sat:order@cadical195") == ["crawford1994", "ignatiev2018", "biere2024"]
    assert "ignatiev2018" not in bibliography.keys_of("sat:order@pycosat")
    assert bibliography.keys_of("sat:complete+product+substituted@glucose4")[:3] == [
        "lynce2006",
        "chen2010",
        "kwon2006",
    ]


def test_entries_are_whole_and_sorted() -> None:
    text = (Path(bibliography.__file__).parent / "references.bib").read_text(encoding="utf-8")
    assert text.count("\n@") + text.startswith("@") == len(bibliography.entries())
    assert list(bibliography.entries()) == sorted(bibliography.entries())
    needed = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "misc": "howpublished"}
    for key, entry in bibliography.entries().items():
        kind = entry[1:].partition("{")[0]
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, flags=re.MULTILINE))
        assert {"author", "title"} <= set(fields), key
        assert needed.get(kind, "author") in fields, key
        assert entry.count("{") == entry.count("}")


def test_every_entry_has_a_year_and_an_address() -> None:
    for key, fields in bibliography.fields().items():
        assert re.fullmatch(r"\d{4}", fields.get("year", "")), key
        assert re.fullmatch(r"https?://[^\s{}]+", fields.get("url", "")) or "address" in fields, key


def test_sources_stand_in_the_order_of_citation() -> None:
    written = dict(pack.files(case("some timeouts"), {}))
    cited = bibliography.keys_in([written["writeup/methods.tex"]])
    assert cited[:2] != sorted(cited[:2])  # not in the order of the keys
    listed = re.findall(r"^@\w+\{(\w+),", written["writeup/references.bib"], flags=re.MULTILINE)
    assert listed[: len(cited)] == cited
    lines = written["writeup/methods.md"].partition("Sources:\n\n")[2].splitlines()
    for number, (line, key) in enumerate(zip(lines, listed, strict=True), 1):
        assert line.startswith(f"{number}. {markdown(bibliography.reference(key))}, ")
        assert bibliography.fields()[key].get("url", "") in line


def test_the_method_and_the_tables_name_sources_that_are_known() -> None:
    run = case("some timeouts")
    texts = [*methods.paragraphs(run), *(table.note for table in tables.tables(run))]
    texts += pack.BANDS.values()
    for label in re.findall(r"\(([^()]* \d{4})\)", " ".join(texts)):
        for one in label.split("; "):
            assert one in bibliography.labels(), one


def test_sources_in_brackets_become_citations() -> None:
    assert bibliography.cited("Corrected (Holm 1979; Hall 1992), 5%.") == r"Corrected~\cite{holm1979,hall1992}, 5\%."
    assert bibliography.cited("In (nobody 1979) no.") == "In (nobody 1979) no."


def test_strategies_are_cited_where_they_come_first() -> None:
    mentioned: set[str] = set()
    made = [
        bibliography.cited(text, ["seed:norvig", "a"], mentioned)
        for text in ("Both seed:norvig and a.", "Again seed:norvig, seed:norvig2.")
    ]
    assert made[0] == r"Both \texttt{seed:\allowbreak{}norvig}~\cite{norvig2006} and \texttt{a}."
    assert made[1] == r"Again \texttt{seed:\allowbreak{}norvig}, seed:norvig2."


@pytest.mark.skipif(not shutil.which("bibtex"), reason="no BibTeX here")
def test_bibtex_reads_the_file(tmp_path: Path) -> None:
    (tmp_path / "all.bib").write_text(bibliography.bibtex(list(bibliography.entries())), encoding="utf-8")
    (tmp_path / "all.aux").write_text("\\relax\n\\citation{*}\n\\bibstyle{plain}\n\\bibdata{all}\n", encoding="utf-8")
    done = subprocess.run(["bibtex", "all"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "error" not in done.stdout.lower()
