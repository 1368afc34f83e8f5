// What the reader has selected: a collection or all puzzles of a board size, and strategies.

import { cellIndex } from "./data.js";

/** The chosen collection, or all puzzles of a board size. */
export function scopeOf(data, state) {
  return data.scopes[state.scope];
}

/** The puzzles of the chosen collections and board size. */
export function selectedRows(data, state) {
  const { collections, size } = scopeOf(data, state);
  const { grid, collection } = data.rows;
  return [...grid.keys()].filter((row) => grid[row].length === size * size && collections.includes(collection[row]));
}

/** The chosen strategies in the order of their names; all if none is chosen. */
export function shownStrategies(data, state) {
  const all = [...data.strategies.keys()];
  return state.strategies.size ? all.filter((strategy) => state.strategies.has(strategy)) : all;
}

/** The median time of a strategy on a puzzle: Infinity if not finished, NaN if not compared. */
export function timeOf(data, strategy, row) {
  return data.times[cellIndex(data, strategy, row)];
}

/** The shown strategies that have a time on a puzzle, fastest first. */
export function fastestFirst(data, state, row) {
  const timed = shownStrategies(data, state).filter((strategy) => !Number.isNaN(timeOf(data, strategy, row)));
  const key = (strategy) => Math.min(timeOf(data, strategy, row), Number.MAX_VALUE);
  return timed.sort((a, b) => key(a) - key(b) || a - b);
}
