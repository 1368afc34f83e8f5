"""Correlations of difficulty measures with ratings and times."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from studies.document import region
from studies.ratings import NAMES, PAGE, half_width, markdown, read
from sudoku_bench.bench.verdicts.run_data import RunData
from sudoku_bench.datasets.errors import InputError

RATINGS = {f"{i:016}": float(i) for i in range(40)}


def simulated(n: int = 40) -> RunData:
    """Return a run of three strategies: times that rise with guesses, times that fall, and timeouts at the top."""
    table = pd.DataFrame(
        {
            "collection": "simulated",
            "puzzle": [f"simulated-{i}" for i in range(n)],
            "grid": list(RATINGS),
            **{column: [str(i) for i in range(n)] for column in ("guesses", "te_rounds", "clues")},
            **dict.fromkeys(("guesses_se", "conflicts", "conflicts_se"), "1"),
            **dict.fromkeys(("te_depth", "unsolved_singles", "unsolved_locked", "ed"), "1"),
            "ep": [f"{1 + i / 10:.1f}" for i in range(n // 2)] + [">9.4"] * (n - n // 2),
            "er": ["1.2"] * (n // 2) + [">4.4"] * (n - n // 2),
        }
    )
    table.loc[0, "te_depth"] = "2"
    up, down = [1.0 + i for i in range(n)], [100.0 - i for i in range(n)]
    stuck = [None if i > n // 2 else 1.0 + i for i in range(n)]
    solves = pd.concat(
        pd.DataFrame({"collection": "simulated", "puzzle": table["puzzle"], "strategy": name, "search_cpu_s": times})
        for name, times in (("sat:up", up), ("x:down", down), ("x:stuck", stuck))
    ).reset_index(drop=True)
    solves["status"] = solves["search_cpu_s"].map(lambda time: "timeout" if pd.isna(time) else "solved")
    return RunData({"machine": {"cpu": "a test"}}, solves.assign(repetition=1, placebo=None), table)


def cells(run: RunData) -> pd.DataFrame:
    """The table of a run: a row for each measure."""
    lines = markdown(run, RATINGS).partition("\n\n")[0].splitlines()
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return pd.DataFrame([row[1:] for row in rows], index=list(NAMES), columns=head[1:])


def test_correlations_of_simulated_data_are_those_of_the_model() -> None:
    """The first kind has one strategy, the second two: times that fall, and timeouts at the top, which are tied."""
    found = cells(simulated())
    assert list(found.loc["guesses"])[:2] == ["1.00", "1.00"]
    lowest, highest = found.loc["guesses", "other searches: all"].split(" to ")
    assert lowest == "−1.00"
    assert 0.8 < float(highest) < 1
    assert found.loc["fewer_clues", "SAT, CP-SAT: all"] == "−1.00"
    assert found.loc["guesses", "SAT, CP-SAT: hardest quarter"] == "1.00"
    assert 0.8 < float(found.loc["er", "ER"]) < 0.9  # two values
    assert 0.9 < float(found.loc["ep", "ER"]) < 1  # bounds are tied above all known ratings
    assert float(found.loc["te", "ER"]) < 1  # depth 2 ranks above depth 1
    assert found.loc["unsolved_locked", "ER"] == ""  # a constant
    text = markdown(simulated(), RATINGS)
    assert "about .90 with 40 puzzles and " in text
    assert text.endswith("about .90 with 10 puzzles.")
    assert region(PAGE, "correlations").splitlines()[0] == markdown(simulated(), RATINGS).splitlines()[0]


def test_too_few_rated_puzzles_are_an_error_and_few_give_a_wide_interval() -> None:
    assert half_width(0.5, 100) == pytest.approx(0.17, abs=0.005)  # Fisher's z, widened as for ranks
    assert half_width(0.9, 100) < half_width(0.5, 100) < half_width(0.5, 40)
    with pytest.raises(InputError, match="3 puzzles of the run are rated"):
        markdown(simulated(), dict(list(RATINGS.items())[:3]))


@pytest.mark.parametrize("rating", ["hard", ""])
def test_a_bad_rating_is_one_line(rating: str, tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text(f"puzzle,ER\n{'1' + '.' * 15},{rating}\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"is '{rating}'; write a number$"):
        read(tmp_path / "ratings.csv")
