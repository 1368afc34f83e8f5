// The plot of time versus difficulty: a mark per puzzle and strategy, the curves of the run and their crossovers.

import { difficultyAxis, paddedRange, timeAxis } from "./axes.js";
import { chartIn, frame, marksOf, pathOf, straight, words } from "./chart.js";
import { breakable, byId, drawing, element, fill } from "./dom.js";
import { count, seconds, time } from "./format.js";
import { fastestFirst, scopeOf, selectedRows, shownStrategies, timeOf } from "./selection.js";
import { knownMeasures, measureValue, shownMeasure } from "./selection.js";
import { inkOf, marker } from "./symbols.js";

const PLOT_PX = 520;
const MOST_MARKS = 12_000; // that are drawn, for speed
const MOST_BANDS = 8; // strategies with bands; more would hide each other
const MOST_RINGS = 5; // crossovers drawn: those with most at stake, which come first

export function plot(data, store) {
  let looks = data.strategies; // as they are drawn
  fill(byId("measure"), ...data.measures.map(({ key, title }) => element("option", { value: key }, title)));
  byId("measure").addEventListener("change", ({ target }) => store.change({ measure: target.value }));
  const describe = ({ row, strategy }) =>
    `${data.rows.puzzle[row]}, ${data.strategies[strategy].name}: ${time(timeOf(data, strategy, row))}`;
  return chartIn(byId("plot"), store, paint, describe);

  function paint(width) {
    const selected = selectedRows(data, store.state);
    const known = knownMeasures(data, selected);
    const measure = shownMeasure(known, store.state);
    showMeasures(known, measure);
    const strategies = colouredStrategies();
    const hasTime = (row) => strategies.some((strategy) => !Number.isNaN(timeOf(data, strategy, row)));
    const rows = measure ? selected.filter((row) => measureValue(measure, row) !== null && hasTime(row)) : [];
    const step = Math.ceil((rows.length * strategies.length) / MOST_MARKS) || 1; // one in `step` is drawn
    const drawn = rows.filter((row, i) => i % step === 0 || row === store.state.puzzle);
    const lines = rows.length ? linesOf(measure, strategies) : null;
    byId("plot-note").textContent = lines ? noteOf(selected.length - rows.length, drawn.length, rows.length, lines)
      : "Nothing to draw: the strategies shown have no time on a puzzle of known difficulty.";
    byId("plot-pinned").textContent = pinnedText();
    fill(byId("plot-key"), ...(lines ? strategies : []).map((one) =>
      element("li", {}, marker(looks[one]), breakable(looks[one].name))));
    return lines && chart(measure, strategies, drawn, lines, width);
  }

  /** Offer the measures that are known for the selected puzzles, and name the others. */
  function showMeasures(known, measure) {
    const missing = data.measures.filter((one) => !known.includes(one));
    for (const option of byId("measure").options) option.disabled = missing.some(({ key }) => key === option.value);
    byId("measure").value = measure?.key ?? "";
    byId("measure-missing").textContent =
      missing.length ? `Not known for these puzzles: ${missing.map(({ title }) => title).join(", ")}.` : "";
  }

  /** The chosen strategies; without a choice those of the figure, in its colours, no two of which are alike. */
  function colouredStrategies() {
    const colours = store.state.strategies.size ? {} : data.named[scopeOf(data, store.state).size];
    looks = data.strategies.map((look, i) => ({ ...look, colour: colours[i] ?? look.colour }));
    const named = Object.keys(colours).map(Number);
    return named.length ? named : shownStrategies(data, store.state);
  }

  /** The curves of the strategies, those of the others that are shown, the crossovers to draw, and the number of all. */
  function linesOf({ key }, strategies) {
    const shown = shownStrategies(data, store.state);
    const isOfPlot = ({ axis, size }) => axis === key && size === scopeOf(data, store.state).size;
    const curves = data.curves.filter((curve) => isOfPlot(curve) && shown.includes(curve.strategy));
    const crossings = data.crossings.filter((one) =>
      isOfPlot(one) && shown.includes(one.below) && shown.includes(one.above));
    const isColoured = ({ below, above }) => strategies.includes(below) && strategies.includes(above);
    return {
      curves: curves.filter(({ strategy }) => strategies.includes(strategy)),
      grey: curves.filter(({ strategy }) => !strategies.includes(strategy)),
      rings: crossings.filter(isColoured).slice(0, MOST_RINGS), ringCount: crossings.length,
    };
  }

  function noteOf(left, drawn, known, { curves, grey, rings, ringCount }) {
    return `Each mark is a puzzle with one strategy (median over its forms): ${count(drawn)} puzzles.`
      + (left ? ` ${count(left)} have no time or no value of this measure.` : "")
      + (drawn < known ? ` ${count(known - drawn)} are not drawn, for speed: choose a collection or strategies.` : "")
      + (curves.length ? " Lines: local medians over all collections." : "")
      + (grey.length ? ` Grey: ${count(grey.length)} other strategies; choose strategies to see their marks.` : "")
      + (rings.length ? ` Rings, with 95% intervals: above ${rings.map(({ words }) => words).join("; above ")}.` : "")
      + (rings.length < ringCount ? ` ${count(ringCount - rings.length)} more crossovers are listed under All verdicts.` : "");
  }

  /** The pinned puzzle and the times of all shown strategies, fastest first. */
  function pinnedText() {
    const { puzzle } = store.state;
    if (puzzle === null) return "";
    const times = fastestFirst(data, store.state, puzzle).map((one) =>
      `${data.strategies[one].name} ${time(timeOf(data, one, puzzle))}`);
    return `${data.rows.puzzle[puzzle]}: ${times.join(", ") || "no times"}`;
  }

  function chart(measure, strategies, rows, { curves, grey, rings }, width) {
    const [x, y] = [difficultyAxis(measure), timeAxis(data.clock)];
    const points = strategies.flatMap((strategy) => rows.map((row) => ({ strategy, row, value: timeOf(data, strategy, row) })))
      .filter(({ value }) => !Number.isNaN(value));
    const isLate = points.some(({ value }) => value === Infinity);
    const heights = points.map(({ value }) => y.position(Math.min(value, data.limit)));
    const [low, high] = paddedRange(heights, 0.04, 0.4);
    const ranges = { x: paddedRange(points.map(({ row }) => x.at(row))), y: [low, isLate ? high + 0.1 : high] };
    const place = frame({
      width, height: PLOT_PX, margin: { left: 74, right: 12, top: 12, bottom: 46 },
      label: `Plot of time versus ${measure.title}: ${rows.length} puzzles, ${strategies.length} strategies`,
      x: { range: ranges.x, ticks: x.ticks(ranges.x), title: x.title },
      y: { range: ranges.y, ticks: y.ticks(ranges.y), title: y.title },
    });
    const places = points.map(({ strategy, row, value }, i) => ({ strategy, row, look: looks[strategy],
      isHollow: value === Infinity, x: place.atX(x.at(row)), y: place.atY(heights[i]) }));
    const opacity = Math.max(0.2, Math.min(0.6, 30 / Math.sqrt(places.length))); // marks must not hide the curves
    const at = (value, seconds_) => [place.atX(x.position(value)), place.atY(y.position(seconds_))];
    const limitWords = `time limit ${seconds(data.limit)}; hollow: not finished`;
    const limitAt = place.atY(y.position(data.limit));
    if (isLate) place.marks.append(straight(place.left, limitAt, place.right, limitAt, "limit"),
      words(place.left + 8, limitAt - 5, limitWords, "tick"));
    place.marks.append(...marksOf(places, places.length > 3000 ? 2.2 : 3.2, opacity), ...pinnedLine(place, x, rows));
    if (strategies.length <= MOST_BANDS) place.marks.append(...curves.map((curve) => band(curve, at)));
    place.marks.append(...grey.map((curve) => line(curve, at, { class: "other" })),
      ...curves.flatMap((curve) => lookOf(curve).map((look) => line(curve, at, look))),
      ...rings.flatMap((crossing) => ring(crossing, at)));
    return { svg: place.svg, places };
  }

  /** A line through the marks of the pinned puzzle. */
  function pinnedLine({ atX, top, bottom }, axis, rows) {
    const { puzzle } = store.state;
    if (!rows.includes(puzzle)) return [];
    return [straight(atX(axis.at(puzzle)), top, atX(axis.at(puzzle)), bottom, "pinned")];
  }

  /** The band around a curve, where both bounds are known. */
  function band({ strategy, x, lo, hi }, at) {
    const known = [...x.keys()].filter((i) => lo[i] !== null && hi[i] !== null);
    const outline = [...known.map((i) => at(x[i], hi[i])), ...known.reverse().map((i) => at(x[i], lo[i]))];
    return drawing("path", { ...inkOf(looks[strategy], "band"), d: pathOf(outline) });
  }

  /** A light outline, which separates a curve from the marks below it, and the line of its strategy. */
  function lookOf({ strategy }) {
    const look = looks[strategy];
    return [{ class: "halo" }, { ...inkOf(look, "line"), "stroke-width": 2, "stroke-dasharray": look.dash }];
  }

  /** A curve, with gaps where it is unknown. */
  function line({ x, median }, at, look) {
    const pieces = [[]];
    for (const i of x.keys()) {
      if (median[i] === null) pieces.push([]);
      else pieces.at(-1).push(at(x[i], median[i]));
    }
    return drawing("path", { ...look, d: pieces.map(pathOf).join("") });
  }

  /** A crossover with its interval, on the curve of the strategy that is faster above it. */
  function ring(crossing, at) {
    if (crossing.height === null) return [];
    const [[x, y], [left], [right]] = [crossing.at, crossing.lo, crossing.hi].map((value) => at(value, crossing.height));
    return [straight(left, y, right, y, "interval"), drawing("circle", { class: "ring", cx: x, cy: y, r: 5 })];
  }
}
