"""The documents agree with the commands, strategies, figures and results that they show."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from datetime import date
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from sudoku_bench.bench.commands import VERSION, cli
from sudoku_bench.bench.figures import catalogue
from sudoku_bench.bench.plan.suite import shipped
from sudoku_bench.bench.reports import claims, marks
from sudoku_bench.bench.reports.numbers import numbers
from sudoku_bench.bench.verdicts import run_tables
from sudoku_bench.datasets.collections.catalogue import Choice, load
from tests.conftest import TOP
from tests.docs.code_blocks import blocks

HOMEPAGE = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Homepage"]
PAGES = [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]


@pytest.mark.thorough
def test_the_strategy_of_the_document_works_as_written(command, run, puzzles, tmp_path: Path) -> None:
    [code] = blocks(TOP / "docs" / "add-a-strategy.md", "python")
    file = tmp_path / "naive.py"
    file.write_text(code, encoding="utf-8")
    collection = puzzles("1.....3..4....2.", ".24....234......", "12345612321.2.1.....................")
    result = run("-s", "mine:*", "-s", "seed:norvig", "-d", collection, "--plugin", file, "--task", "unique")
    assert set(result.statuses()) == {"solved"}
    for puzzle, last in (("." * 16, "288 solutions (all there are)"), ("11" + "." * 14, "0 solutions (all there are)")):
        _, out, _ = command("solve", puzzle, "-s", "mine:naive", "--plugin", file, "--task", "count:300")
        assert out.splitlines()[-1] == last


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_targets_of_links_and_figures_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_documents_can_be_parsed(page: Path) -> None:
    for line in re.findall(r"^    sudoku-bench (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        arguments = shlex.split(line, comments=True)
        assert cli.parser().parse_args(arguments).main, line


def test_links_of_the_readme_work_where_only_its_text_is() -> None:
    """An index of packages shows the text without the files: links are addresses of files that exist, or anchors."""
    text = (TOP / "README.md").read_text(encoding="utf-8")
    defined = dict(re.findall(r"^\[(.+)\]: (\S+)$", text, re.MULTILINE))
    tokens = [token for block in MarkdownIt().parse(text) for token in block.children or ()]
    used = [str(t.attrs.get("href") or t.attrs["src"]) for t in tokens if t.type in ("link_open", "image")]
    assert len(used) >= len(defined) > 15
    assert set(defined.values()) <= set(used)
    for target in used:
        inside = re.fullmatch(re.escape(HOMEPAGE) + r"/(blob|raw)/main/([^#]+)(#.+)?", target)
        assert inside or target.startswith(("https://", "#")), target
        if inside:
            assert (TOP / inside[2]).is_file(), target
            assert (inside[1] == "raw") == target.endswith(".png"), target
    assert not re.findall(r"(?<!!)\[[^\]\d][^\]]*\](?![(:\[])", MarkdownIt().render(text))  # all defined, but intervals


def test_the_citation_names_version_date_and_repository() -> None:
    text = (TOP / "CITATION.cff").read_text(encoding="utf-8")
    said = dict(re.findall(r'^([\w-]+): "?([^"\n]+)"?$', text, re.MULTILINE))
    assert (said["version"], said["repository-code"], said["url"]) == (VERSION, HOMEPAGE, HOMEPAGE)
    section = f"## {VERSION} - {said['date-released']}"
    assert section in (TOP / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert date.fromisoformat(said["date-released"])


def test_marked_numbers_are_those_of_the_reference_run() -> None:
    right, faults, marked = numbers(run_tables.load(TOP / "results" / "reference")), [], 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if any("/" in claim.name for claim in marks.in_markdown(text, {})):
            marked += 1
            for claim in claims.claims_of(text, False, right, page.name):
                if fault := claims.fault_of(claim, right[claim.name]):
                    faults.append((page.name, fault))
    assert faults == []
    assert marked


def test_the_gallery_shows_and_explains_every_figure() -> None:
    page = (TOP / "docs" / "figures.md").read_text(encoding="utf-8")
    for figure in map(catalogue.name, catalogue.FIGURES):
        assert f"**`{figure}`**: " in page
        if (TOP / "results" / "reference" / "plots" / f"{figure}.png").exists():  # a new figure has none yet
            assert f"](../results/reference/plots/{figure}.png)" in page


def test_the_reference_run_is_complete_and_of_the_shipped_suite_and_puzzles() -> None:
    manifest = json.loads((TOP / "results" / "reference" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["complete"]
    assert tuple(manifest["suite"]["strategies"]) == tuple(shipped()["reference"].strategies)
    assert manifest["git"]["dirty"] is False
    for collection in manifest["collections"]:
        chosen = load(collection["name"], Choice(limit=manifest["suite"]["limit"]))
        assert (collection["puzzles"], collection["sha256"]) == (len(chosen.items), chosen.sha256)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_line_begins_with_a_comment_and_goes_on(page: Path) -> None:
    """Markdown ends the paragraph there."""
    assert not re.findall(r"^ *<!-- [^>]*-->.+", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
