"""An example of each command, the last line of its ``--help``."""

EXAMPLES = {
    "run": "sudoku-bench run -s 'sat:*' -d hard --limit 20 --out results/mine",
    "status": "sudoku-bench status results/mine",
    "join": "sudoku-bench join results/shards/* --out results/whole",
    "report": "sudoku-bench report results/mine --format pdf --column single",
    "claims": "sudoku-bench claims paper.tex results/mine",
    "compare": "sudoku-bench compare results/old results/new",
    "choose": "sudoku-bench choose puzzles.txt --task unique --budget 10m",
    "solve": "sudoku-bench solve puzzles.txt -s seed:norvig --task unique",
    "show": "sudoku-bench show hardest-010 --out hardest-010.html",
    "check": "sudoku-bench check puzzles.txt",
    "check-plugin": "sudoku-bench check-plugin mine.py",
    "rate": "sudoku-bench rate puzzles.txt --csv",
    "generate": "sudoku-bench generate --tier hard --number 10 -o hard.txt",
    "encode": "sudoku-bench encode puzzle.txt -e complete+product -o puzzle.cnf",
    "import": "sudoku-bench import times.json --out results/mine",
    "export": "sudoku-bench export results/mine --to parquet",
    "list": "sudoku-bench list strategies 'sat:*'",
    "fetch": "sudoku-bench fetch norvig-top95",
    "doctor": "sudoku-bench doctor --json",
}
