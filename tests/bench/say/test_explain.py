"""``solve --explain``: sizes, times and counters of one solve per strategy."""

from __future__ import annotations

import re

from bench.say import explain

PUZZLE = "1.....3..4....2."
PHASES = ("encode", "load", "search", "decode", "release")


def table(out: str) -> dict[str, list[str]]:
    """Return the cells of the table by row name."""
    rows = (re.split(r"\s{2,}", line.strip()) for line in out.splitlines())
    return {cells[0]: cells[1:] for cells in rows if len(cells) > 1}


def test_sizes_times_and_statistics_of_one_solve(command) -> None:
    code, out, err = command("solve", PUZZLE, "--explain", "-s", "sat:complete+product@glucose4", "--task", "unique")
    assert (code, err) == (0, "")
    assert out.startswith("13|42\n")
    assert "exactly one solution" in out
    lines = table(out)
    assert lines["answer"] == ["1 solution, correct"]
    assert (lines["variables"], lines["clauses"], lines["literals"]) == (["320"], ["708"], ["1,540"])
    for phase in ("prepare (once)", *PHASES, "total", "wall time"):
        assert re.fullmatch(r"[\d.]+ (ns|µs|ms|s)", lines[phase][0]), phase
    assert {"conflicts", "decisions", "propagations", "restarts", "peak memory"} <= set(lines)


def test_a_strategy_without_encoding_has_fewer_rows(command) -> None:
    code, out, _ = command("solve", PUZZLE, "--explain", "-s", "seed:norvig")
    lines = table(out)
    assert code == 0
    assert set(PHASES) | {"guesses"} <= set(lines)
    assert not {"variables", "clauses", "conflicts"} & set(lines)


def test_patterns_and_several_strategies_stand_side_by_side(command) -> None:
    patterns = ("-s", "sat:*@pycosat", "-s", "seed:norvig", "-s", "sat:log@m22", "-s", "sat:complete+native@minicard")
    code, out, _ = command("solve", PUZZLE, "--explain", *patterns)
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    first, second = out.split("answer")[1:]
    assert first.splitlines()[0].count("1 solution, correct") == 3
    assert second.splitlines()[0].count("1 solution, correct") == 1
    assert table("answer" + second)["at-mosts"] == ["64"]
    assert out.count("13|42") == 1  # the grid is printed once


def test_failures_are_shown_in_the_column_of_their_strategy(command, plugin) -> None:
    file = plugin("""
        @register
        class Liar(Strategy):
            name = "test:liar"
            def search(self, puzzle, task):
                return [[1] * 16]

        @register
        class Shy(Strategy):
            name = "test:shy"
            tasks = ("first",)
            def search(self, puzzle, task):
                raise GaveUp("too shy")
    """)
    code, out, _ = command("solve", PUZZLE, "--explain", "--plugin", file, "-s", "test:*", "-s", "sat:log@minicard")
    text = " ".join(out.split())
    assert code == 1
    assert "13|42" in out  # one of them is right
    assert "wrong answer of" in text
    assert "gave_up: too shy" in text
    code, out, _ = command("solve", PUZZLE, "--explain", "--plugin", file, "-s", "test:shy", "--task", "unique")
    assert code == 1
    assert "does not offer the task unique" in " ".join(out.split())


def test_several_strategies_without_explain_are_one_line(command) -> None:
    code, out, err = command("solve", PUZZLE, "-s", "seed:norvig", "-s", "seed:pysat")
    assert (code, out) == (2, "")
    assert err.endswith("are 2 strategies; name one, or add --explain\n")


def test_rows_follow_the_order_of_the_longest_column() -> None:
    assert explain.row_names([{"b": "1"}, {"a": "1", "b": "2", "c": "3"}, {"d": "4"}]) == ["a", "b", "c", "d"]
