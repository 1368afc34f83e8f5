"""Correlations of difficulty measures with ratings and times."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench.studies.document import region
from bench.studies.ratings import NAMES, PAGE, correlation, half_width, markdown, per_puzzle, read
from bench.verdicts.run_data import RunData
from datasets.errors import InputError

RATINGS = {f"{i:016}": float(i) for i in range(40)}


def simulated(n: int = 40) -> RunData:
    """Return a run of three strategies: times that rise with guesses, times that fall, and timeouts at the top."""
    table = pd.DataFrame(
        {
            "collection": "simulated",
            "puzzle": [f"simulated-{i}" for i in range(n)],
            "grid": list(RATINGS),
            **{column: [str(i) for i in range(n)] for column in ("guesses", "te_rounds", "backdoor", "clues")},
            **dict.fromkeys(("guesses_se", "conflicts", "conflicts_se", "lookahead", "lookahead_se"), "1"),
            **dict.fromkeys(("te_depth", "unsolved_singles", "unsolved_locked", "ed"), "1"),
            "ep": [f"{1 + i / 10:.1f}" for i in range(n // 2)] + [">9.4"] * (n - n // 2),
            "er": ["1.2"] * (n // 2) + [">4.4"] * (n - n // 2),
        }
    )
    table.loc[0, "te_depth"] = "2"
    up, down = [1.0 + i for i in range(n)], [100.0 - i for i in range(n)]
    stuck = [None if i > n // 2 else 1.0 + i for i in range(n)]
    solves = pd.concat(
        pd.DataFrame({"collection": "simulated", "puzzle": table["puzzle"], "strategy": name, "cpu_s": times})
        for name, times in (("up", up), ("down", down), ("stuck", stuck))
    ).reset_index(drop=True)
    solves["status"] = solves["cpu_s"].map(lambda time: "timeout" if pd.isna(time) else "solved")
    columns = {"repetition": 1, "placebo": None, "search_cpu_s": solves["cpu_s"], "conflicts": np.nan}
    return RunData({"machine": {"cpu": "a test"}}, solves.assign(**columns), table)


def tables(run: RunData) -> dict[str, pd.DataFrame]:
    """The tables of a run by their headings: a row for each measure, a column for each target."""
    found = {}
    for part in markdown(run, RATINGS).split("\n\n")[:-1]:
        head, _, *rows = ([cell.strip(" `") for cell in line.strip("|").split("|")] for line in part.splitlines())
        found[head[0]] = pd.DataFrame([row[1:] for row in rows], index=[*NAMES, "ceiling"], columns=head[1:])
    return found


def test_correlations_of_simulated_data_are_those_of_the_model() -> None:
    table = tables(simulated())["ρ with the time of the whole solve"]
    numbers = table.map(lambda cell: float(cell or "nan"))
    assert numbers.loc["guesses", ["ER", "up", "down"]].tolist() == [1, 1, -1]
    assert 0.8 < numbers.loc["guesses", "stuck"] < 1  # unfinished solves are tied at the top
    assert numbers.loc["fewer_clues", "up"] == -1
    assert 0.8 < numbers.loc["er", "ER"] < 0.9  # two values
    assert 0.9 < numbers.loc["ep", "ER"] < 1  # bounds are tied above all known ratings
    assert numbers.loc["te", "ER"] < numbers.loc["te_rounds", "ER"] == 1  # depth 2 ranks above depth 1
    assert table.loc["unsolved_locked", "ER"] == table.loc["ER", "ER"] == ""  # a constant, and itself


def test_ceilings_follow_from_the_errors_of_both_sides() -> None:
    """Times that repeat exactly leave the errors of the measure, times without any agreement leave nothing."""
    run = simulated()
    twice = pd.concat([run.measurements.assign(repetition=number) for number in (1, 2)], ignore_index=True)
    turned = (twice["strategy"] == "down") & (twice["repetition"] == 2)
    twice.loc[turned, "cpu_s"] = twice.loc[turned, "cpu_s"].to_numpy()[::-1]
    table = tables(RunData(run.manifest, twice, run.puzzles))["ρ with the time of the whole solve"]
    assert table.loc["ceiling", ["ER", "up"]].tolist() == ["1.00", "1.00"]
    x = np.arange(40.0)
    reliability = 1 - np.mean((1 / (1 + x)) ** 2) / np.log1p(x).var(ddof=1)
    assert table.loc[["te_rounds", "guesses"], "ceiling"].tolist() == ["1.00", f"{reliability**0.5:.2f}".lstrip("0")]
    assert tables(run)["ρ with the time of the whole solve"].loc["ceiling", "up"] == ""  # one repetition


def test_tables_of_conflicts_and_of_the_hardest() -> None:
    """A strategy that counts no conflicts has no column, and the puzzles of most guesses have tables of their own."""
    run = simulated()
    assert not any("conflicts" in heading for heading in tables(run))
    learns = run.measurements["strategy"] == "up"
    conflicts = run.measurements["puzzle"].str.removeprefix("simulated-").astype(float).where(learns)
    run.measurements["conflicts"] = conflicts.where(conflicts >= 30, 29 - conflicts)
    found = tables(run)
    rho = 1 - 6 * 30 * (30**2 - 1) / 3 / (40 * (40**2 - 1))  # the ranks of 30 of 40 are reversed
    assert list(found["ρ with its conflicts"]) == ["ER", "up", "ceiling"]
    assert found["ρ with its conflicts"].loc["guesses", "up"] == f"{rho:.2f}".replace("0.", ".")
    assert found["ρ with its conflicts, hardest quarter by guesses"].loc["guesses", "up"] == "1.00"
    text = markdown(run, RATINGS)
    assert "about .90 with 40 puzzles and " in text
    assert text.endswith("about .90 with 10 puzzles.")
    assert region(PAGE, "correlations").splitlines()[0].startswith("| ρ with the time of the whole solve | ER |")


def test_the_median_of_times_and_the_mean_of_counts() -> None:
    values = pd.Series([1.0, 2.0, 6.0])
    rows = pd.DataFrame({"cpu_s": values, "conflicts": values, "collection": "c", "puzzle": "p", "strategy": "s"})
    for status, mean in (("solved", 3), ("timeout", np.inf)):
        rows["status"] = ["solved", "solved", status]
        assert per_puzzle(rows, "cpu_s").loc[("c", "p"), "s"] == 2
        assert per_puzzle(rows, "conflicts").loc[("c", "p"), "s"] == mean


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


def test_unknown_correlations_are_nan() -> None:
    x = pd.Series(np.arange(12.0))
    assert correlation(x, -x) == pytest.approx(-1)
    assert math.isnan(correlation(x, pd.Series([1.0] * 12)))
    assert math.isnan(correlation(x, x.where(x > 3)))
