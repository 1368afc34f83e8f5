// The plot of time versus difficulty: a mark per puzzle and strategy, the curves of the run and their crossovers.

import { difficultyAxis, paddedRange, timeAxis } from "./axes.js";
import { LETTER, chartIn, frame, limitLine, lineOfStrategy, marksOf, pathOf, straight } from "./chart.js";
import { breakable, byId, drawing, element, fill } from "./dom.js";
import { clipped, count, seconds, time } from "./format.js";
import { measureValue } from "./puzzle-table.js";
import { fastestFirst, scopeOf, selectedRows, shownStrategies, timeOf } from "./selection.js";
import { inkOf, marker } from "./symbols.js";

const PLOT_PX = 520;
const MOST_MARKS = 12_000; // that are drawn, for speed
const MOST_BANDS = 8; // strategies with bands; more would hide each other
const MOST_RINGS = 6; // crossovers drawn: those between the fastest strategies, which come first

export function plot(data, store) {
  fill(byId("measure"), ...data.measures.map(({ key, title }) => element("option", { value: key }, title)));
  byId("measure").addEventListener("change", ({ target }) => store.change({ measure: target.value }));
  const describe = ({ row, strategy }) =>
    `${data.rows.puzzle[row]}, ${data.strategies[strategy].name}: ${time(timeOf(data, strategy, row))}`;
  return chartIn(byId("plot"), store, paint, describe);

  function paint(width) {
    const measure = data.measures.find(({ key }) => key === store.state.measure);
    byId("plot-section").hidden = !measure;
    if (!measure) return null;
    byId("measure").value = measure.key;
    const strategies = shownStrategies(data, store.state);
    const selected = selectedRows(data, store.state);
    const rows = selected.filter((row) => measureValue(measure, row) !== null);
    const step = Math.ceil((rows.length * strategies.length) / MOST_MARKS) || 1; // one in `step` is drawn
    const drawn = rows.filter((row, i) => i % step === 0 || row === store.state.puzzle);
    const { size } = scopeOf(data, store.state);
    const lines = { curves: curvesOf(measure, size, strategies), ...crossingsOf(measure, size, strategies) };
    byId("plot-note").textContent = noteOf(selected.length - rows.length, drawn.length, rows.length, lines);
    byId("plot-pinned").textContent = pinnedText();
    fill(byId("plot-key"), ...strategies.map((one) =>
      element("li", {}, marker(data.strategies[one]), breakable(data.strategies[one].name))));
    return chart(measure, strategies, drawn, lines, width);
  }

  function curvesOf({ key }, boardSize, strategies) {
    return data.curves.filter(({ axis, size, strategy }) =>
      axis === key && size === boardSize && strategies.includes(strategy));
  }

  /** The crossovers between shown strategies to draw, and the number of all. */
  function crossingsOf({ key }, boardSize, strategies) {
    const all = data.crossings.filter(({ axis, size, below, above }) =>
      axis === key && size === boardSize && strategies.includes(below) && strategies.includes(above));
    return { rings: all.slice(0, MOST_RINGS), ringCount: all.length };
  }

  function noteOf(unknown, drawn, known, { curves, rings, ringCount }) {
    const name = (strategy) => data.strategies[strategy].name;
    const pairs = [...rings].sort((a, b) => a.at - b.at).map(({ below, above }) => `${name(below)} → ${name(above)}`);
    const part = rings.length < ringCount ? ` (${rings.length} of ${ringCount})` : "";
    return `Each mark is a puzzle with one strategy (median over its forms): ${count(drawn)} puzzles.`
      + (unknown ? ` ${count(unknown)} have no value of this measure.` : "")
      + (drawn < known ? ` ${count(known - drawn)} are not drawn, for speed: choose a collection or strategies.` : "")
      + (curves.length ? " Lines: local medians over all collections." : "")
      + (ringCount ? ` Rings: where the faster of two strategies changes, with 95% intervals${part}; from left to right`
        + ` ${pairs.join("; ")}.` : "");
  }

  /** The pinned puzzle and the times of all shown strategies, fastest first. */
  function pinnedText() {
    const { puzzle } = store.state;
    if (puzzle === null) return "";
    const times = fastestFirst(data, store.state, puzzle).map((one) =>
      `${data.strategies[one].name} ${time(timeOf(data, one, puzzle))}`);
    return `${data.rows.puzzle[puzzle]}: ${times.join(", ") || "no times"}`;
  }

  function chart(measure, strategies, rows, { curves, rings }, width) {
    const [x, y] = [difficultyAxis(measure), timeAxis(data.clock)];
    const points = strategies.flatMap((strategy) => rows.map((row) => ({ strategy, row, value: timeOf(data, strategy, row) })))
      .filter(({ value }) => !Number.isNaN(value));
    const isLate = points.some(({ value }) => value === Infinity);
    const heights = points.map(({ value }) => y.position(Math.min(value, data.limit)));
    const [low, high] = paddedRange(heights, 0.04, 0.4);
    const ranges = { x: paddedRange(points.map(({ row }) => x.at(row))), y: [low, isLate ? high + 0.1 : high] };
    const title = clipped(x.title, (width - 80) / LETTER);
    const place = frame({
      width, height: PLOT_PX, margin: { left: 74, right: 12, top: 12, bottom: 46 },
      label: `Plot of time versus ${measure.title}: ${rows.length} puzzles, ${strategies.length} strategies`,
      x: { range: ranges.x, ticks: x.ticks(ranges.x), title },
      y: { range: ranges.y, ticks: y.ticks(ranges.y), title: y.title },
    });
    const places = points.map(({ strategy, row, value }, i) => ({ strategy, row, look: data.strategies[strategy],
      isHollow: value === Infinity, x: place.atX(x.at(row)), y: place.atY(heights[i]) }));
    const opacity = Math.max(0.2, Math.min(0.6, 30 / Math.sqrt(places.length))); // marks must not hide the curves
    const at = (value, seconds_) => [place.atX(x.position(value)), place.atY(y.position(seconds_))];
    const limitWords = `time limit ${seconds(data.limit)}: hollow marks were not finished`;
    if (isLate) place.marks.append(...limitLine(place, y.position(data.limit), limitWords));
    place.marks.append(...marksOf(places, places.length > 3000 ? 2.2 : 3.2, opacity), ...pinnedLine(place, x, rows));
    if (strategies.length <= MOST_BANDS) place.marks.append(...curves.map((curve) => band(curve, at)));
    place.marks.append(...curves.flatMap((curve) => curveLines(curve, at)),
      ...rings.flatMap((crossing) => ring(crossing, at)));
    return { svg: place.svg, places };
  }

  /** A line through the marks of the pinned puzzle. */
  function pinnedLine({ atX, top, bottom }, axis, rows) {
    const { puzzle } = store.state;
    if (!rows.includes(puzzle)) return [];
    return [straight(atX(axis.at(puzzle)), top, atX(axis.at(puzzle)), bottom, "pinned dotted")];
  }

  /** The band around a curve, where both bounds are known. */
  function band({ strategy, x, lo, hi }, at) {
    const known = [...x.keys()].filter((i) => lo[i] !== null && hi[i] !== null);
    const outline = [...known.map((i) => at(x[i], hi[i])), ...known.reverse().map((i) => at(x[i], lo[i]))];
    return drawing("path", { ...inkOf(data.strategies[strategy], "band"), d: pathOf(outline) });
  }

  /** A curve on a light outline that separates it from the marks below it; it has gaps where it is unknown. */
  function curveLines({ strategy, x, median }, at) {
    const pieces = [[]];
    for (const i of x.keys()) {
      if (median[i] === null) pieces.push([]);
      else pieces.at(-1).push(at(x[i], median[i]));
    }
    return pieces.filter((piece) => piece.length).flatMap((piece) => [
      drawing("path", { class: "halo", d: pathOf(piece) }), lineOfStrategy(data.strategies[strategy], piece)]);
  }

  /** A crossover with its interval, on the curve of the strategy that is faster above it. */
  function ring(crossing, at) {
    if (crossing.height === null) return [];
    const [[x, y], [left], [right]] = [crossing.at, crossing.lo, crossing.hi].map((value) => at(value, crossing.height));
    return [straight(left, y, right, y, "interval"), drawing("circle", { class: "ring", cx: x, cy: y, r: 5 })];
  }
}
