// The selected puzzles and strategies.

import { cellIndex } from "./data.js";

const CUSTOMARY_SIZE = 9;

/** The rows of the selected task and collections whose measures and times are within the ranges. */
export function selectedRows(data, state) {
  const { task, collection } = data.rows;
  const ranges = rangedColumns(data, state).filter(({ key }) => state.ranges.has(key));
  const limits = ranges.map((column) => [column, ...state.ranges.get(column.key)]);
  const rows = [];
  for (let row = 0; row < data.rowCount; row++) {
    if (task[row] !== state.task || !state.collections.has(collection[row])) continue;
    if (limits.every(([column, low, high]) => isWithin(column, row, low, high))) rows.push(row);
  }
  return rows;
}

/** What can have a range: the measures, the fastest time, and the times of the shown strategies. */
export function rangedColumns(data, state) {
  const times = data.times[state.clock];
  const strategies = shownStrategies(state);
  return [
    ...data.measures.map((measure) => ({ key: measure.key, title: measure.title, value: (row) => measureValue(measure, row) })),
    { key: "best", title: "Fastest time", isTime: true, value: (row) => fastestOf(times, data, strategies, row).best },
    ...strategies.map((strategy) => ({ key: timeKey(data, strategy), title: data.strategies[strategy].name, isTime: true,
      value: (row) => times[cellIndex(data, strategy, row)] })),
  ];
}

/** Whether a value is known and within bounds (null: none); times are compared in milliseconds. */
function isWithin(column, row, low, high) {
  const value = column.value(row);
  if (value === null || value === undefined || Number.isNaN(value)) return false;
  const number = column.isTime ? 1e3 * value : value;
  return (low === null || number >= low) && (high === null || number <= high);
}

/** The value of a measure: Infinity beyond its scale, null if unknown. */
export function measureValue(measure, row) {
  return measure.values[row] ?? (measure.texts?.[row] ? Infinity : null);
}

/** The key of a strategy's times, which an address can hold. */
export function timeKey(data, strategy) {
  return `time ${data.strategies[strategy].name}`;
}

/** The fastest of the strategies on a puzzle (null: none finished), and its time. */
export function fastestOf(times, data, strategies, row) {
  let [best, winner] = [NaN, null];
  for (const strategy of strategies) {
    const value = times[cellIndex(data, strategy, row)];
    if (value < best || (Number.isNaN(best) && Number.isFinite(value))) [best, winner] = [value, strategy];
  }
  return { best, winner };
}

/** The rows of one board size: the chosen one, or the most common; all sizes; and a note on the puzzles left out. */
export function ofOneSize(data, state, rows) {
  const counts = new Map();
  for (const row of rows) {
    const size = sizeOf(data, row);
    counts.set(size, (counts.get(size) ?? 0) + 1);
  }
  const size = counts.has(state.size) ? state.size : mostCommon(counts);
  const ofSize = rows.filter((row) => sizeOf(data, row) === size);
  const others = rows.length - ofSize.length;
  const note = others ? `${size}×${size} boards; ${others} puzzles of other sizes are left out.` : "";
  return { size, sizes: [...counts.keys()].sort((a, b) => a - b), rows: ofSize, note };
}

/** The most common board size, by the rule of the figures: on a tie 9×9, otherwise the smallest board. */
function mostCommon(counts) {
  const sizes = [...counts.keys()];
  const isOther = (size) => Number(size !== CUSTOMARY_SIZE);
  sizes.sort((a, b) => counts.get(b) - counts.get(a) || isOther(a) - isOther(b) || a - b);
  return sizes[0] ?? null;
}

function sizeOf(data, row) {
  return Math.round(Math.sqrt(data.rows.grid[row].length));
}

/** The selected strategies in the order of their names, or the isolated ones of them. */
export function shownStrategies(state) {
  const selected = [...state.strategies].sort((a, b) => a - b);
  return state.isolated.size ? selected.filter((strategy) => state.isolated.has(strategy)) : selected;
}
