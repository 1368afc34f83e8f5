// @algorithm.ts/sudoku: dancing links.
import { SudokuSolver } from '@algorithm.ts/sudoku';
import { serve } from './lines.mjs';

const solver = new SudokuSolver({ childMatrixWidth: 3 });
serve((line) => {
  const solution = new Array(81).fill(-1);
  const cells = Array.from(line, (sign) => (sign === '.' ? -1 : Number(sign) - 1));
  return solver.solve(cells, solution) && solution.map((value) => value + 1);
});
