// The axes of charts: positions of values, round ticks for the visible range, and tick labels.

import { digits, seconds } from "./format.js";

const BEYOND = 0.09; // distance of the end of a scale from its last value, as a share of the scale

/** The axis of a difficulty measure: logarithmic in 1 + the measure, or linear, depending on the measure. */
export function difficultyAxis(measure) {
  const logarithmic = measure.scale === "log1p";
  const position = logarithmic ? (value) => Math.log10(1 + value) : (value) => value;
  const valueAt = logarithmic ? (at) => 10 ** at - 1 : (at) => at;
  const [first, last] = endsOf(measure.values.filter((value) => value !== null).map(position));
  const beyond = last + BEYOND * (last - first || 1); // where puzzles beyond the end of the scale stand
  const [beyondText] = (measure.texts ?? []).filter(Boolean).sort((one, other) => one.slice(1) - other.slice(1)); // lowest
  return {
    title: measure.axis + (logarithmic ? " (log)" : ""),
    position,
    at: (row) => (measure.values[row] === null ? beyond : position(measure.values[row])),
    ticks([low, high]) {
      const [from, to] = [logarithmic ? Math.max(valueAt(low), 0) : valueAt(low), valueAt(high)];
      const values = logarithmic ? logTicks(from, to) : linearTicks(from, to, 7);
      const inside = beyondText ? values.filter((value) => position(value) <= last + (beyond - last) / 3) : values;
      const ticks = inside.map((value) => [position(value), digits(value)]);
      return beyondText ? [...ticks, [beyond, beyondText]] : ticks;
    },
  };
}

/** The axis of solve times by a clock. */
export function timeAxis(clock) {
  return {
    title: `${clock} per solve (log scale)`,
    position: Math.log10,
    ticks([low, high]) {
      return logTicks(10 ** low, 10 ** high, 8).map((value) => [Math.log10(value), seconds(value)]);
    },
  };
}

/** The range of the values with a margin on both sides, at least `least` wide. */
export function paddedRange(values, margin = 0.04, least = 0.2) {
  const [low, high] = endsOf(values);
  if (low > high) return [0, 1];
  const padding = Math.max((high - low) * margin, (least - (high - low)) / 2, 0);
  return [low - padding, high + padding];
}

function endsOf(values) {
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
}

/** About `most` round values between two bounds, for a logarithmic scale. */
function logTicks(low, high, most = 7) {
  const levels = [[1, 2, 5], [1, 3], [1]].map((mantissas) => powersOfTen(low, high, mantissas));
  const chosen = levels.find((values) => values.length <= most) ?? levels[2];
  if (chosen.length >= 3) return chosen;
  return levels[0].length >= 3 ? levels[0] : linearTicks(low, high, 5);
}

/** These mantissas times all powers of ten between two bounds, and 0 if it lies between them. */
function powersOfTen(low, high, mantissas) {
  const values = low <= 0 && high >= 0 ? [0] : [];
  const first = low <= 0 ? 0 : Math.floor(Math.log10(low)); // from 0 on there are infinitely many negative powers
  for (let power = first; power <= Math.ceil(Math.log10(high)); power++) {
    for (const mantissa of mantissas) values.push(Number(`${mantissa}e${power}`));
  }
  return values.filter((value) => value >= low && value <= high);
}

/** Round values in even steps. */
function linearTicks(low, high, most) {
  const rough = (high - low) / most || 1;
  const scale = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((mantissa) => mantissa * scale).find((size) => size >= rough);
  const values = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) values.push(Number((n * step).toPrecision(12)));
  return values;
}
