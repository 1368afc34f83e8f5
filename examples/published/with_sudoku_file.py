"""sudoku (Debian): logic and search in C; it reads a file, prints every solution and ends for each puzzle."""

import subprocess
import tempfile

from lines import serve

COMMAND = ("/usr/games/sudoku", "-v", "-fcompact")


def solve(puzzle: str) -> str | None:
    rows = [puzzle[at : at + 9].replace("0", ".") for at in range(0, 81, 9)]
    with tempfile.NamedTemporaryFile("w", suffix=".sdk") as file:
        file.write("\n".join(["% puzzle", *rows, ""]))
        file.flush()
        with subprocess.Popen([*COMMAND, file.name], stdout=subprocess.PIPE, text=True) as process:
            found: list[str] = []
            for line in process.stdout or ():
                cells = line.strip()
                found = [*found, cells] if len(cells) == 9 and cells.isdigit() else []
                if len(found) == 9:
                    break
            process.kill()  # it may go on with further solutions
    return "".join(found) if len(found) == 9 else None


serve(solve)
