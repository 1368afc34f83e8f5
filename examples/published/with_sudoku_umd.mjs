// sudoku-umd: a port of Norvig's program.
import sudoku from 'sudoku-umd';
import { serve } from './lines.mjs';

serve((line) => sudoku.solve(line));
