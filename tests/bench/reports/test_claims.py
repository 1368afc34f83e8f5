"""The marked numbers of a document are checked against the run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sudoku_bench.bench.reports import claims
from sudoku_bench.bench.reports.marks import quantity_of
from sudoku_bench.bench.reports.numbers import Number, count, label, p_value, ratio, share, time
from sudoku_bench.datasets.errors import InputError
from tests.conftest import TOP

NUMBERS: dict[str, Number] = {
    "puzzles": count(1250),
    "median/easy/a:b": time(0.0026943),
    "ratio/easy/a/b": ratio(1.6551),
    "floor/a": share(0.0162),
    "power/a": ratio(-0.00136),
    "p/easy/a/b": p_value(0.00022),
    "machine/cpu": label("AMD_EPYC"),
}
REFERENCE = TOP / "results" / "reference"

Command = Callable[..., tuple[int, str, str]]


def faults(text: str, is_latex: bool = False) -> list[str]:
    marked = claims.claims_of(text, is_latex, NUMBERS, "doc")
    return [fault for claim in marked if (fault := claims.fault_of(claim, NUMBERS[claim.name]))]


@pytest.mark.parametrize(
    "text",
    [
        "1,250<!-- puzzles --> puzzles",
        "1250 <!-- puzzles -->",
        "**2.69 ms**<!-- median/easy/a:b -->",
        "2.7 ms<!-- median/easy/a:b -->",
        "0.0027 s<!-- median/easy/a:b -->",
        "2694 µs<!--median/easy/a:b-->",
        "2694.3 us<!-- median/easy/a:b -->",
        "`2.69ms`<!-- median/easy/a:b -->",
        "×1.66<!-- ratio/easy/a/b -->",
        "1.66×<!-- ratio/easy/a/b -->",
        "1.7 times<!-- ratio/easy/a/b --> as long",
        "[1.655<!-- ratio/easy/a/b -->, 2<!-- ratio/easy/a/b -->]",
        "1.6%<!-- floor/a -->",
        "2 %<!-- floor/a -->",
        "−0.0014<!-- power/a -->",
        "-1.36e-3<!-- power/a -->",
        "p < 0.001<!-- p/easy/a/b -->",
        "p = 0.0002<!-- p/easy/a/b -->",
        "an AMD_EPYC<!-- machine/cpu -->",
        "- item\n\n    1.66<!-- ratio/easy/a/b --> belongs to the item",
    ],
)
def test_claims_that_agree_with_the_run_have_no_fault(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("\n1,251<!-- puzzles -->", "2: says 1,251, the run says 1,250 (puzzles)"),
        ("1.7 ms<!-- median/easy/a:b -->", "1: says 1.7 ms, the run says 2.69 ms (median/easy/a:b)"),
        ("2.69<!-- median/easy/a:b -->", "1: says 2.69 without a unit, the run says 2.69 ms (median/easy/a:b)"),
        ("2.69 s<!-- median/easy/a:b -->", "1: says 2.69 s, the run says 0.003 s (median/easy/a:b)"),
        ("1.67<!-- ratio/easy/a/b -->", "1: says 1.67, the run says 1.655 (ratio/easy/a/b)"),
        ("1.66 ms<!-- ratio/easy/a/b -->", "1: says 1.66 ms, the run says 1.66 (ratio/easy/a/b)"),
        ("0.016<!-- floor/a -->", "1: says 0.016 without a unit, the run says 1.62% (floor/a)"),
        ("0.0014<!-- power/a -->", "1: says 0.0014, the run says -0.00136 (power/a)"),
        ("p < 0.0001<!-- p/easy/a/b -->", "1: says < 0.0001, the run says 0.00022 (p/easy/a/b)"),
        ("Intel<!-- machine/cpu -->", "1: says ...Intel, the run says AMD_EPYC (machine/cpu)"),
    ],
)
def test_claims_that_disagree_are_reported(text: str, fault: str) -> None:
    assert faults(text) == [fault]


@pytest.mark.parametrize("one_text", [True, False])
def test_a_notebook_is_checked_with_the_lines_of_its_file(one_text: bool) -> None:
    source = ["# Möglich\n", "\n", "1.9 times<!-- ratio/easy/a/b --> as long"]
    cells = [
        {"cell_type": "code", "source": ["x = '1.1<!-- ratio/easy/a/b -->'"]},
        {"cell_type": "markdown", "source": "".join(source) if one_text else source},
    ]
    text = json.dumps({"cells": cells}, indent=1)
    line = next(n for n, line in enumerate(text.splitlines(), 1) if "1.9" in line) + 2 * one_text
    [fault] = faults(claims.text_of_notebook(text, "doc"))
    assert fault.startswith(f"{line}: says 1.9")
    with pytest.raises(InputError, match="doc: is no notebook"):
        claims.text_of_notebook("[1]", "doc")


@pytest.mark.parametrize(
    "code",
    ["    9<!-- puzzles -->", "~~~\n9<!-- puzzles -->\n~~~", "````\n```\n9<!-- x/y -->\n````", "`9<!-- x/y -->`"],
)
def test_marks_in_code_are_ignored(code: str) -> None:
    assert faults(f"1250<!-- puzzles -->\n\n{code}\n\n1250<!-- puzzles -->") == []


def test_other_comments_are_ignored() -> None:
    assert faults("<!-- toc -->\n<!-- results: begin --> <!-- a = b -->\n1250<!-- puzzles -->") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.66 and no mark", "has no marked numbers"),
        ("", "has no marked numbers"),
        ("1.66<!-- ratio/easy/b/a -->", "doc:1: the run has no number ratio/easy/b/a; did you mean ratio/easy/a/b?"),
        ("\n\n1250<!-- puzles -->", "doc:3: the run has no number puzles; did you mean puzzles?"),
        ("<!-- zzz/zzz -->", "writeup/numbers.csv lists all names"),
        ("much<!-- ratio/easy/a/b -->", "doc:1: no number before the mark ratio/easy/a/b"),
        ("1.66\n\n<!-- ratio/easy/a/b -->", "no number before the mark"),
        ("1.66<!-- ratio/easy/a/b --> <!-- ratio/easy/a/b -->", "no number before the mark"),
    ],
)
def test_marks_that_cannot_be_checked_are_errors(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        faults(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (r"\claim{ratio/easy/a/b}{1.66}", 0),
        (r"$\claim{median/easy/a:b}{2.69\,\mathrm{ms}}$", 0),
        (r"\claim{median/easy/a:b}{2694~$\mu$s} \claim{floor/a}{1.6\,\%}", 0),
        (r"\claim{puzzles}{1{,}250} 50\% \claim{puzzles}{1{,}251} % \claim{puzzles}{2}", 1),
        (r"\verb|\claim{x}{1}| \claim{machine/cpu}{\texttt{AMD\_EPYC}}", 0),
        (r"\claim{p/easy/a/b}{$<0.001$}", 0),
    ],
)
def test_marks_in_latex(text: str, wrong: int) -> None:
    assert len(faults(text, is_latex=True)) == wrong


def test_a_quantity_is_the_number_at_the_end_of_a_text() -> None:
    quantity = quantity_of("between 3 and 1,234.50 ms")
    assert quantity is not None
    assert (quantity.value, quantity.decimals, quantity.unit) == (1234.5, 2, "ms")
    assert quantity_of("cadical195") is None
    assert quantity_of("3 of them") is None


def test_the_command(command: Command, small_reference: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("An AMD EPYC<!-- machine/cpu --> with 2<!-- machine/cores --> cores\n", encoding="utf-8")
    code, out, err = command("claims", page, small_reference)
    assert (code, out, err) == (0, "2 claims, all agree with the run\n", "")
    page.write_text("3<!-- machine/cores -->\n", encoding="utf-8")
    code, out, _ = command("claims", page, small_reference)
    assert code == 1
    assert out.splitlines() == [
        f"{page}:1: says 3, the run says 2 (machine/cores)",
        "1 claim, 1 disagrees with the run",
    ]


@pytest.mark.parametrize(
    ("document", "run", "message"),
    [
        ("absent.md", REFERENCE, "absent.md: No such file or directory"),
        ("binary.md", REFERENCE, "binary.md: cannot be read: is not UTF-8 text"),
        ("page.md", "absent", "no such folder"),
    ],
)
def test_unreadable_input_is_one_line(command: Command, tmp_path: Path, document: str, run: str, message: str) -> None:
    (tmp_path / "binary.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "page.md").write_text("1<!-- puzzles -->", encoding="utf-8")
    code, out, err = command("claims", tmp_path / document, tmp_path / run)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
