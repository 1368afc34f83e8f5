// sudoku (npm): inference, and guesses where it ends.
import sudoku from 'sudoku';
import { serve } from './lines.mjs';

serve((line) => {
  const solution = sudoku.solvepuzzle(Array.from(line, (sign) => (sign === '.' ? null : Number(sign) - 1)));
  return solution && solution.map((value) => value + 1);
});
