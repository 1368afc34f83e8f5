// What is drawn: points of puzzles, curves with bands, crossovers. Names never go into the plot, only numbers.

import { at } from "./data.js";
import { shownStrategies } from "./statistics.js";
import { colourOf } from "./symbols.js";

const BANDS_DRAWN = 8; // of so many strategies; more would hide each other
const CROSSINGS_DRAWN = 8;

/** The rows that have a place in the plot: of boards of the size that is looked at, where the measure is known. */
export function placed(data, state, rows, measure, mostMarks) {
  const sizes = new Map();
  for (const row of rows) {
    const size = sizeOf(data, row);
    sizes.set(size, (sizes.get(size) ?? 0) + 1);
  }
  const most = [...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? null;
  const size = sizes.has(state.size) ? state.size : most;
  const ofSize = rows.filter((row) => sizeOf(data, row) === size);
  const known = ofSize.filter((row) => measure.values[row] !== null);
  const each = Math.ceil((known.length * shownStrategies(state).length) / mostMarks) || 1; // every so many-th is drawn
  const kept = known.filter((_, i) => i % each === 0);
  return { size, sizes: [...sizes.keys()].sort((a, b) => a - b), rows: kept, elsewhere: rows.length - ofSize.length,
    unknown: ofSize.length - known.length, thinned: known.length - kept.length };
}

function sizeOf(data, row) {
  return Math.round(Math.sqrt(data.rows.grid[row].length));
}

/** All traces of the plot. */
export function traces(data, state, shown, axes, look) {
  const strategies = shownStrategies(state);
  const marks = strategies.length * shown.rows.length;
  const found = strategies.flatMap((strategy) => points(data, state, shown.rows, strategy, axes, look, marks));
  if (state.clock !== "cpu") return found; // curves are of CPU time
  const curves = data.curves.filter(
    (curve) => curve.axis === state.measure && curve.size === shown.size && strategies.includes(curve.strategy),
  );
  const bands = strategies.length <= BANDS_DRAWN ? curves.map((curve) => band(data, curve, axes, look)) : [];
  const lines = curves.flatMap((curve) => [halo(curve, axes, look), line(data, curve, axes, look)]);
  const crossings = crossingsOf(data, state, shown, strategies);
  return [...found, ...bands, ...lines, ...crossings.map((crossing) => ring(crossing, curves, axes, look)).filter(Boolean)];
}

/** The crossovers that stand in the plot. */
export function crossingsOf(data, state, shown, strategies) {
  const told = data.crossings.filter(
    ({ axis, size, below, above }) =>
      axis === state.measure && size === shown.size && strategies.includes(below) && strategies.includes(above),
  );
  return told.length <= CROSSINGS_DRAWN ? told : [];
}

function points(data, state, rows, strategy, axes, look, marks) {
  const measure = data.measures.find(({ key }) => key === state.measure);
  const times = data.times[state.clock];
  const done = { x: [], y: [], rows: [] };
  const late = { x: [], y: [], rows: [] };
  for (const row of rows) {
    const own = times[at(data, strategy, row)];
    if (Number.isNaN(own)) continue;
    const group = Number.isFinite(own) ? done : late;
    group.x.push(axes.x.place(measure.values[row]));
    group.y.push(axes.y.place(Number.isFinite(own) ? own : data.limits[state.clock]));
    group.rows.push(row);
  }
  const { symbol } = data.strategies[strategy];
  const colour = colourOf(data.strategies[strategy], look.dark);
  const size = rows.length > 400 ? 5 : 7;
  const opacity = Math.max(0.15, Math.min(0.6, 30 / Math.sqrt(marks))); // many marks must not hide the curves
  return [
    cloud(strategy, done, look, { color: colour, symbol, size, opacity }),
    cloud(strategy, late, look, { color: colour, symbol: `${symbol}-open`, size: size + 1, opacity: Math.min(0.9, opacity * 2), line: { width: 1.2 } }),
  ].filter((trace) => trace.x.length);
}

function cloud(strategy, { x, y, rows }, look, marker) {
  const type = look.webgl ? "scattergl" : "scatter";
  return { type, mode: "markers", x, y, customdata: rows, meta: strategy, marker, hoverinfo: "none", showlegend: false };
}

function line(data, curve, axes, look) {
  const strategy = data.strategies[curve.strategy];
  return {
    type: "scatter", mode: "lines", x: curve.x.map(axes.x.place), y: curve.median.map(orGap(axes.y.place)),
    line: { color: colourOf(strategy, look.dark), width: 2, dash: strategy.dash }, hoverinfo: "skip", showlegend: false,
  };
}

/** What sets a curve off from the marks below it. */
function halo(curve, axes, look) {
  return {
    type: "scatter", mode: "lines", x: curve.x.map(axes.x.place), y: curve.median.map(orGap(axes.y.place)),
    line: { color: look.paper, width: 4.5 }, opacity: 0.75, hoverinfo: "skip", showlegend: false,
  };
}

/** The band around a curve, where it is bounded on both sides. */
function band(data, curve, axes, look) {
  const known = curve.x.map((_, i) => i).filter((i) => curve.lo[i] !== null && curve.hi[i] !== null);
  const there = known.map((i) => [axes.x.place(curve.x[i]), axes.y.place(curve.hi[i])]);
  const back = known.map((i) => [axes.x.place(curve.x[i]), axes.y.place(curve.lo[i])]).reverse();
  const outline = [...there, ...back];
  const colour = colourOf(data.strategies[curve.strategy], look.dark);
  return {
    type: "scatter", mode: "lines", x: outline.map(([x]) => x), y: outline.map(([, y]) => y), fill: "toself",
    fillcolor: `${colour}2e`, line: { width: 0 }, hoverinfo: "skip", showlegend: false,
  };
}

/** A crossover with its interval, on the curve of the one that is faster above. */
function ring(crossing, curves, axes, look) {
  const curve = curves.find(({ strategy }) => strategy === crossing.above);
  const height = curve && heightAt(curve, crossing.at);
  if (!height) return null;
  const x = axes.x.place(crossing.at);
  return {
    type: "scatter", mode: "markers", x: [x], y: [axes.y.place(height)], showlegend: false, hoverinfo: "skip",
    marker: { symbol: "circle", size: 11, color: look.paper, line: { color: look.ink, width: 2 } },
    error_x: { type: "data", symmetric: false, array: [axes.x.place(crossing.hi) - x],
      arrayminus: [x - axes.x.place(crossing.lo)], color: look.ink, thickness: 1.5, width: 5 },
  };
}

function heightAt(curve, x) {
  const known = curve.x.map((_, i) => i).filter((i) => curve.median[i] !== null);
  const right = known.findIndex((i) => curve.x[i] >= x);
  if (right < 0) return null;
  const [a, b] = [known[Math.max(0, right - 1)], known[right]];
  const share = a === b ? 0 : (x - curve.x[a]) / (curve.x[b] - curve.x[a]);
  return Math.exp(Math.log(curve.median[a]) * (1 - share) + Math.log(curve.median[b]) * share);
}

const orGap = (place) => (value) => (value === null ? null : place(value));
