// @mattflow/sudoku-solver: search in the order of reading, without its limit of steps, which it never resets.
import solve from '@mattflow/sudoku-solver';
import { serve } from './lines.mjs';

serve((line) => solve(line.replaceAll('.', '0'), { maxIterations: 0 }));
