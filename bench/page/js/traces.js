// What the plot shows: points of puzzles, curves with bands, and crossovers. Plotly receives numbers only, no names.

import { cellIndex } from "./data.js";
import { ofOneSize, shownStrategies } from "./selection.js";
import { colourOf } from "./symbols.js";

const MOST_BANDS = 8; // strategies with bands; more would hide each other
const MOST_RINGS = 6; // crossovers drawn: those between the fastest strategies, which come first

/** The rows that the plot can show: boards of one size with a known measure, at most `mostMarks` marks. */
export function plotContent(data, state, rows, measure, mostMarks) {
  const { size, sizes, rows: ofSize } = ofOneSize(data, state, rows);
  const known = ofSize.filter((row) => measure.values[row] !== null || measure.texts?.[row]);
  const step = Math.ceil((known.length * shownStrategies(state).length) / mostMarks) || 1; // one in `step` is drawn
  const drawn = known.filter((_, i) => i % step === 0);
  return {
    size, sizes, rows: drawn, otherSizes: rows.length - ofSize.length,
    unknown: ofSize.length - known.length, thinned: known.length - drawn.length,
  };
}

/** All traces of the plot. */
export function traces(data, state, content, axes, look) {
  const strategies = shownStrategies(state);
  const marks = strategies.length * content.rows.length;
  const clouds = strategies.flatMap((strategy) => points(data, state, content.rows, strategy, axes, look, marks));
  if (state.clock !== "cpu") return clouds; // curves are of CPU time
  const curves = data.curves.filter(
    (curve) => curve.axis === state.measure && curve.size === content.size && strategies.includes(curve.strategy),
  );
  const bands = strategies.length <= MOST_BANDS ? curves.map((curve) => band(data, curve, axes, look)) : [];
  const lines = curves.flatMap((curve) => [halo(curve, axes, look), curveLine(data, curve, axes, look)]);
  const rings = crossingsOf(data, state, content.size).drawn.map((crossing) => ring(crossing, curves, axes, look)).filter(Boolean);
  return [...clouds, ...bands, ...lines, ...rings];
}

/** The crossovers between shown strategies to draw, and the number of all. */
function crossingsOf(data, state, boardSize) {
  const strategies = shownStrategies(state);
  const all = data.crossings.filter(({ axis, size, below, above }) =>
    axis === state.measure && size === boardSize && strategies.includes(below) && strategies.includes(above));
  return { drawn: all.slice(0, MOST_RINGS), total: all.length };
}

/** What the rings are, from left to right, with a leading space; empty if there are none. */
export function ringsInWords(data, state, boardSize) {
  const { drawn, total } = crossingsOf(data, state, boardSize);
  if (!total) return "";
  const name = (strategy) => data.strategies[strategy].name;
  const pairs = [...drawn].sort((a, b) => a.at - b.at).map(({ below, above }) => `${name(below)} → ${name(above)}`);
  const part = drawn.length < total ? ` (${drawn.length} of ${total})` : "";
  return ` Rings: where the faster of two strategies changes, with 95% intervals${part}; from left to right`
    + ` ${pairs.join("; ")}.`;
}

/** The marks of a strategy: finished puzzles, and unfinished ones, which are hollow at the time limit. */
function points(data, state, rows, strategy, axes, look, marks) {
  const times = data.times[state.clock];
  const finished = { x: [], y: [], rows: [] };
  const late = { x: [], y: [], rows: [] };
  for (const row of rows) {
    const value = times[cellIndex(data, strategy, row)];
    if (Number.isNaN(value)) continue;
    const group = Number.isFinite(value) ? finished : late;
    group.x.push(axes.x.at(row));
    group.y.push(axes.y.position(Number.isFinite(value) ? value : data.limits[state.clock]));
    group.rows.push(row);
  }
  const { symbol } = data.strategies[strategy];
  const color = colourOf(data.strategies[strategy], look.dark);
  const size = rows.length > 400 ? 5 : 7;
  const opacity = Math.max(0.15, Math.min(0.6, 30 / Math.sqrt(marks))); // many marks must not hide the curves
  const hollow = { color, symbol: `${symbol}-open`, size: size + 1, opacity: Math.min(0.9, opacity * 2) };
  return [
    cloud(strategy, finished, look, { color, symbol, size, opacity }),
    cloud(strategy, late, look, { ...hollow, line: { width: 1.2 } }),
  ].filter((trace) => trace.x.length);
}

function cloud(strategy, { x, y, rows }, look, markerLook) {
  return { type: kindOf(look), mode: "markers", x, y, customdata: rows, meta: strategy, marker: markerLook, hoverinfo: "none",
    showlegend: false };
}

/** The kind of trace for marks and for what lies on them: WebGL draws above all of SVG. */
function kindOf(look) {
  return look.webgl ? "scattergl" : "scatter";
}

function curveLine(data, curve, axes, look) {
  const strategy = data.strategies[curve.strategy];
  return {
    type: kindOf(look), mode: "lines", x: curve.x.map(axes.x.position), y: curve.median.map(orGap(axes.y.position)),
    line: { color: colourOf(strategy, look.dark), width: 2, dash: strategy.dash }, hoverinfo: "skip", showlegend: false,
  };
}

/** A light outline that separates a curve from the marks below it. */
function halo(curve, axes, look) {
  return {
    type: kindOf(look), mode: "lines", x: curve.x.map(axes.x.position), y: curve.median.map(orGap(axes.y.position)),
    line: { color: look.paper, width: 4.5 }, opacity: 0.75, hoverinfo: "skip", showlegend: false,
  };
}

/** The band around a curve, where both bounds are known. */
function band(data, curve, axes, look) {
  const known = curve.x.map((_, i) => i).filter((i) => curve.lo[i] !== null && curve.hi[i] !== null);
  const upper = known.map((i) => [axes.x.position(curve.x[i]), axes.y.position(curve.hi[i])]);
  const lower = known.map((i) => [axes.x.position(curve.x[i]), axes.y.position(curve.lo[i])]).reverse();
  const outline = [...upper, ...lower];
  const colour = colourOf(data.strategies[curve.strategy], look.dark);
  return {
    type: "scatter", mode: "lines", x: outline.map(([x]) => x), y: outline.map(([, y]) => y), fill: "toself",
    fillcolor: `${colour}2e`, line: { width: 0 }, hoverinfo: "skip", showlegend: false,
  };
}

/** A crossover with its interval, on the curve of the strategy that is faster above it. */
function ring(crossing, curves, axes, look) {
  const curve = curves.find(({ strategy }) => strategy === crossing.above);
  const height = curve && heightAt(curve, crossing.at);
  if (!height) return null;
  const x = axes.x.position(crossing.at);
  return {
    type: kindOf(look), mode: "markers", x: [x], y: [axes.y.position(height)], showlegend: false, hoverinfo: "skip",
    marker: { symbol: "circle", size: 11, color: look.paper, line: { color: look.ink, width: 2 } },
    error_x: { type: "data", symmetric: false, array: [axes.x.position(crossing.hi) - x],
      arrayminus: [x - axes.x.position(crossing.lo)], color: look.ink, thickness: 1.5, width: 5 },
  };
}

/** The median of a curve at a value of the measure, interpolated on the log scale; null beyond its end. */
function heightAt(curve, x) {
  const known = curve.x.map((_, i) => i).filter((i) => curve.median[i] !== null);
  const right = known.findIndex((i) => curve.x[i] >= x);
  if (right < 0) return null;
  const [a, b] = [known[Math.max(0, right - 1)], known[right]];
  const share = a === b ? 0 : (x - curve.x[a]) / (curve.x[b] - curve.x[a]);
  return Math.exp(Math.log(curve.median[a]) * (1 - share) + Math.log(curve.median[b]) * share);
}

const orGap = (position) => (value) => (value === null ? null : position(value));
