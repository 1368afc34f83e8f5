"""Collections: embedded puzzles agree with the catalogue, and puzzles of files have stable ids."""

from __future__ import annotations

import csv
import re
import zipfile
from pathlib import Path
from statistics import median

import pytest

from studies.embedded import key_of
from sudoku_bench.datasets import InputError, Shape
from sudoku_bench.datasets.collections.catalogue import DATA, MINED, Choice, embedded, entries, lineages, load
from sudoku_bench.datasets.difficulty.conflicts import conflicts
from sudoku_bench.datasets.making.generator import redundant
from sudoku_bench.datasets.search import solve
from tests.datasets.rules import PRINTED

TIERS = ["easy", "medium", "hard", "expert"]
EMBEDDED = embedded()
FETCHED = [name for name, facts in entries().items() if "url" in facts]

# Checksums of all collections are checked in every run, so these properties of their puzzles change with these only.
unchanged = pytest.mark.thorough


@pytest.mark.parametrize("name", EMBEDDED)
def test_a_collection_agrees_with_the_catalogue(name: str) -> None:
    collection, facts = load(name), entries()[name]
    assert collection.name == name
    assert (collection.title, collection.origin, collection.licence) == (
        facts["title"],
        facts["origin"],
        facts["licence"],
    )
    assert all([collection.title, collection.origin, collection.licence])
    assert len(collection.items) == facts["number"]
    assert facts.get("sha256") == collection.sha256


@pytest.mark.parametrize("name", FETCHED)
def test_an_entry_of_a_fetched_collection_is_complete_and_gives_its_source(name: str) -> None:
    facts = entries()[name]
    assert all(facts[key] for key in ("title", "origin", "licence", "url", "file", "known"))
    assert facts["url"].startswith("https://")
    assert "/" not in facts["file"]
    for key in {"sha256", "sha256_file"} & set(facts):
        assert re.fullmatch("[0-9a-f]{64}", facts[key])


def test_the_classics_are_the_printed_puzzles_in_order() -> None:
    assert [(item.name, item.puzzle.text) for item in load("classics").items] == [
        (name, text) for name, (text, _) in PRINTED.items()
    ]


@pytest.mark.parametrize("name", TIERS)
def test_a_tier_has_200_puzzles_named_by_their_place(name: str) -> None:
    items = load(name).items
    assert [item.name for item in items] == [f"{name}-{number:03d}" for number in range(1, 201)]
    assert {item.puzzle.shape for item in items} == {Shape(3, 3)}


OTHERS = ("size25", "multiple", "contradictory", "refutation", "latin30", "latin35", "latin40")


@unchanged
@pytest.mark.parametrize("name", [n for n in EMBEDDED if n not in OTHERS])
def test_embedded_puzzles_have_one_solution(name: str) -> None:
    for item in load(name).items:
        result = solve(item.puzzle, limit=2)
        assert result.complete
        assert len(result.solutions) == 1, item.name


def test_puzzles_declared_to_have_several_solutions_have_the_number_in_their_table() -> None:
    table = (DATA / "multiple.csv").read_text(encoding="utf-8").splitlines()
    assert table[0] == "puzzle,solutions"
    counts = [f"{item.name},{len(solve(item.puzzle, limit=1000).solutions)}" for item in load("multiple").items]
    assert counts == table[1:]
    assert all(2 <= int(line.split(",")[1]) <= 100 for line in table[1:])


def test_no_clues_of_puzzles_without_a_solution_clash() -> None:
    assert not any(list(i.puzzle.clashes()) for name in ("contradictory", "refutation") for i in load(name).items)


@unchanged
@pytest.mark.parametrize("name", ["easy", "medium", "hard", "expert", "minimal"])
def test_no_clue_of_an_embedded_9x9_puzzle_is_redundant(name: str) -> None:
    assert {item.puzzle.shape for item in load(name).items} == {Shape(3, 3)}
    assert not any(redundant(item.puzzle) for item in load(name).items)


@unchanged
def test_no_two_embedded_puzzles_are_isomorphs() -> None:
    """Different fingerprints prove that puzzles are not isomorphs."""
    puzzles = [item.puzzle for name in EMBEDDED for item in load(name).items]
    assert len(puzzles) > 2000
    assert len({(puzzle.shape, key_of(puzzle)) for puzzle in puzzles}) == len(puzzles)


def test_the_checksum_is_that_of_the_grids(tmp_path: Path) -> None:
    texts = [text for text, _ in PRINTED.values()]
    contents = {
        "as.txt": "\n".join(texts),
        "zeros.txt": "# other signs\n\n" + "\n".join(text.replace(".", "0") + " name" for text in texts),
        "swapped.txt": "\n".join([texts[1], texts[0], *texts[2:]]),
        "fewer.txt": "\n".join(texts[:5]),
        "changed.txt": "\n".join(["." + texts[0][2:] + ".", *texts[1:]]),
    }
    sums = {}
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
        sums[name] = load(str(tmp_path / name)).sha256
    assert sums["as.txt"] == sums["zeros.txt"] == load("classics").sha256
    assert len(set(sums.values())) == 4
    assert re.fullmatch("[0-9a-f]{64}", sums["as.txt"])


@pytest.mark.parametrize(("name", "near"), [("hrad", "hard"), ("classic", "classics"), ("experts", "expert")])
def test_the_message_of_an_unknown_name_suggests_a_similar_one(name: str, near: str) -> None:
    with pytest.raises(InputError, match=f"^{name}: is neither a collection nor a file; did you mean {near}"):
        load(name)


@pytest.mark.parametrize("name", ["none.txt", "folder/none", "x" * 5000, "." * 625])
def test_a_file_that_cannot_be_read_is_reported(name: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(name)}: (no such file|cannot be read)"):
        load(name)


def test_a_file_without_an_ending_is_found_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text("1...............\n")
    assert load("mine").items[0].name == "mine-0001"


# Selections from a source

MANY = [f"{place:016b}".replace("0", ".") for place in range(1, 200)]


def test_names_and_facts_of_a_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("id,puzzle,ER,notes\nfirst,1...............,7.2,by hand\n")
    (item,) = load(str(path)).items
    assert (item.name, item.label, item.facts[0]) == ("mine-0001", "first", ("ER", "7.2"))
    assert item.facts == (("ER", "7.2"), ("notes", "by hand"))


@pytest.mark.parametrize(
    ("file", "name"),
    [("mine.txt.gz", "mine"), ("mine.gz", "mine"), ("mine.v2.csv", "mine.v2"), ("mine", "mine"), ("mine.zip", "mine")],
)
def test_a_collection_is_named_after_its_file_without_endings(tmp_path: Path, file: str, name: str) -> None:
    (tmp_path / file).write_text("\n".join(MANY[:2]))
    assert load(str(tmp_path / file)).name == name


def test_a_file_of_an_archive_gives_the_collection_its_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("data/one.csv", f"a,b\n{MANY[0]},{MANY[1]}\n")
        archive.writestr("data/two.txt", "\n".join(MANY[:3]))
    one, two = load(f"{tmp_path}/all.zip::one.csv::b"), load(f"{tmp_path}/all.zip::data/two.txt")
    assert ([item.name for item in one.items], one.items[0].puzzle.text) == (["one-0001"], MANY[1])
    assert [item.name for item in two.items] == ["two-0001", "two-0002", "two-0003"]


def test_no_more_is_read_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\n".join([*MANY[:50], "rubbish", *MANY[50:]]))
    collection = load(str(path), Choice(limit=30))
    assert [item.puzzle.text for item in collection.items] == MANY[:30]
    with pytest.raises(InputError, match=r"mine\.txt:51: "):
        load(str(path), Choice(limit=51))


def test_a_sample_keeps_the_ids_of_its_source(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(MANY))
    all_items = {item.name: item for item in load(str(path)).items}
    chosen = load(str(path), Choice(sample=7, seed=3)).items
    assert len(chosen) == 7
    assert all(all_items[item.name] == item for item in chosen)
    assert load(str(path), Choice(sample=7, seed=3)).items == chosen
    among_first = load(str(path), Choice(limit=10, sample=7, seed=3)).items
    assert {item.name for item in among_first} <= set(list(all_items)[:10])


def test_bad_lines_may_be_skipped_and_are_counted_by_kind(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\n".join([MANY[0], "12345", MANY[1], MANY[2][:15] + "x", *["1234567"] * 12, MANY[3], ""]))
    with pytest.raises(InputError, match=r"mine\.txt:2: 5 characters"):
        load(str(path))
    collection = load(str(path), Choice(skip_bad=True))
    assert [(item.name, item.puzzle.text) for item in collection.items] == [
        ("mine-0001", MANY[0]),
        ("mine-0002", MANY[1]),
        ("mine-0003", MANY[3]),
    ]
    assert [str(skipped) for skipped in collection.skipped] == [
        "13 × wrong length (lines 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, ...)",
        "1 × foreign character (line 4)",
    ]
    path.write_text("12345\n")
    with pytest.raises(InputError, match=r"mine\.txt: holds no puzzle; skipped 1 × wrong length \(line 1\)"):
        load(str(path), Choice(skip_bad=True))


# The mined collection


def test_lineages_of_mined_puzzles_are_known_by_their_text() -> None:
    tables = [list(csv.DictReader((DATA / f"{name}.csv").read_text(encoding="utf-8").splitlines())) for name in MINED]
    items, rows = [item for name in MINED for item in load(name).items], [row for table in tables for row in table]
    for item, row in zip(items, rows, strict=True):
        assert lineages()[item.puzzle.text] == row["lineage"]
    assert [load(name).lineage_of(item) for name in MINED for item in load(name).items] == list(lineages().values())


def test_hardest_cdcl_is_much_harder_than_hardest_for_a_solver_that_learns() -> None:
    """On isomorphs that selected nothing."""
    cdcl, others = (
        median(sum(conflicts(item.puzzle, 2026, 4)) for item in load(name).items[:51])
        for name in ("hardest-cdcl", "hardest")
    )
    assert cdcl > 4 * others


def test_a_column_of_a_file_names_lineages(tmp_path: Path) -> None:
    """A grid names the same lineage in every file, another text does not."""
    texts, start = [item.puzzle.text for item in load("easy").items[:3]], load("hard").items[0].puzzle.text
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(["puzzle,Lineage", *map(",".join, zip(texts, ("first", start, ""), strict=True))]))
    mine = load(str(path))
    assert [mine.lineage_of(item) for item in mine.items] == ["mine/first", start, ""]


def test_complete_grids_are_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    complete = "231684975849753621765219834178395246354826197926471583587132469692547318413968752"
    path.write_text("\n".join([MANY[0], MANY[1], complete, MANY[2].replace(".", "?")]))
    collection = load(str(path))
    assert [item.puzzle.text for item in collection.items] == list(MANY[:3])
    assert list(collection.notes()) == [
        'mine: read as 4x4, digits 1-4, "?" empty',
        "mine: 1 of 4 are complete grids, which are left out",
    ]


def test_a_latin_square_whose_completion_the_source_gives_is_known_to_have_one(tmp_path: Path) -> None:
    square, holed = "order 2\n0 1\n1 0\n", "order 2\n-1 1\n1 -1\n"
    (tmp_path / "with.txt").write_text(f"{square}\n{holed}")
    (tmp_path / "without.txt").write_text(holed)
    known, unknown = (load(str(tmp_path / name)).items for name in ("with.txt", "without.txt"))
    assert [item.solvable for item in known] == [True]
    assert [item.solvable for item in unknown] == [False]
