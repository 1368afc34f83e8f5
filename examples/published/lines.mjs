// The protocol of `sudoku-bench run --command`: a line with a puzzle in, a line with its solution out.
import { createInterface } from 'node:readline';
import { writeSync } from 'node:fs';

// solve takes 81 characters with "." for empty cells; it returns the 81 values, or null or false for no solution.
export function serve(solve) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    let values = null;
    try {
      values = solve(line.trim());
    } catch {
      // no solution
    }
    writeSync(1, `${values ? Array.from(values).join('') : ''}\n`);
  });
}
