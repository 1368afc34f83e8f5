// What the reader has selected: a collection or all puzzles of a board size, and strategies.

import { cellIndex } from "./data.js";

/** The chosen collection, or all puzzles of a board size. */
export function scopeOf(data, state) {
  return data.scopes[state.scope];
}

/** The puzzles of the chosen collections and board size. */
export function selectedRows(data, state) {
  const { collections, size } = scopeOf(data, state);
  const { shape, collection } = data.rows;
  return [...shape.keys()].filter((row) => data.shapes[shape[row]].size === size && collections.includes(collection[row]));
}

/** The value of a measure: Infinity beyond its scale, null if unknown. */
export function measureValue(measure, row) {
  return measure.values[row] ?? (measure.texts?.[row] ? Infinity : null);
}

/** The measures that are known for any of the rows. */
export function knownMeasures(data, rows) {
  return data.measures.filter((measure) => rows.some((row) => measureValue(measure, row) !== null));
}

/** The chosen measure, or if it is not known, the first that is; undefined if none is. */
export function shownMeasure(known, state) {
  return known.find(({ key }) => key === state.measure) ?? known[0];
}

/** The pinned puzzle, else the hardest of the selection by the chosen measure; undefined if nothing is selected. */
export function openedRow(data, state) {
  if (state.puzzle !== null) return state.puzzle;
  const rows = selectedRows(data, state);
  const measure = shownMeasure(knownMeasures(data, rows), state);
  const value = (row) => (measure ? measureValue(measure, row) : null) ?? -Infinity;
  return rows.reduce((hardest, row) => (value(row) > value(hardest) ? row : hardest), rows[0]);
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
