// The cactus plot: how many puzzles each strategy solves within a time limit per puzzle, over the selection.

import { countAxis, timeAxis } from "./axes.js";
import { LETTER, frame, onResize, pointerTip, straight, widthOf, words } from "./chart.js";
import { inkOf, lineOfStrategy, lineSample } from "./chart.js";
import { cellIndex } from "./data.js";
import { breakable, byId, drawing, element, fill } from "./dom.js";
import { count, seconds } from "./format.js";
import { shownStrategies } from "./selection.js";

const LEAST_PUZZLES = 3; // puzzles
const CACTUS_PX = 430;
const LABELLED = 20; // at most so many lines have their names at their ends
const WIDE = 720; // px, for names at the ends
const LABEL_PX = 15; // height of a name
const MOST_VERTICES = 400; // of a line, for speed
const BEST = "virtual best solver";

/**
 * The lines of the plot: the finished times of each strategy, ascending, on the puzzles measured with all of them. The
 * strategy that solves most comes first, on a tie the fastest. With two or more there is also the virtual best solver.
 */
export function cactusOf(data, state, rows) {
  const times = data.times[state.clock];
  const valueOf = (strategy, row) => times[cellIndex(data, strategy, row)];
  const strategies = shownStrategies(state).filter((one) => rows.some((row) => !Number.isNaN(valueOf(one, row))));
  const common = rows.filter((row) => strategies.every((one) => !Number.isNaN(valueOf(one, row))));
  const lines = strategies.map((strategy) => ({
    strategy, times: ascending(common.map((row) => valueOf(strategy, row))),
  }));
  const total = (line) => line.times.reduce((sum, value) => sum + value, 0);
  lines.sort((a, b) => b.times.length - a.times.length || total(a) - total(b));
  const best = strategies.length > 1
    ? ascending(common.map((row) => strategies.reduce((least, one) => Math.min(least, valueOf(one, row)), Infinity)))
    : [];
  return { lines, best, puzzles: common.length, omitted: rows.length - common.length };
}

function ascending(values) {
  return Float64Array.from(values.filter(Number.isFinite)).sort();
}

export function cactus(data, store) {
  const box = byId("cactus-chart");
  let shown = null;
  let marks = [];
  const tip = pointerTip(box, () => marks, ([, , line, solved]) =>
    `${nameOfLine(line)}: ${count(solved)} puzzles within ${seconds(line.times[solved - 1])} each`);
  onResize(() => shown && paint());

  function nameOfLine({ strategy }) {
    return strategy === null ? BEST : data.strategies[strategy].name;
  }

  function draw(rows) {
    shown = cactusOf(data, store.state, rows);
    paint();
  }

  function paint() {
    const { lines, puzzles } = shown;
    const solvedAny = lines.some(({ times }) => times.length);
    const isEmpty = puzzles < LEAST_PUZZLES || !solvedAny;
    marks = [];
    tip.hide();
    fill(box, isEmpty ? "" : chart(), tip.node);
    const reason = puzzles < LEAST_PUZZLES
      ? `fewer than ${LEAST_PUZZLES} puzzles were measured with all of these strategies` : "no puzzle was finished";
    byId("cactus-note").textContent = isEmpty
      ? `Nothing to draw: ${reason}.`
      : cactusNote(shown, data.limits[store.state.clock], store.state.clock) + lineless(lines);
    fill(byId("cactus-key"), ...(isEmpty || labelled() ? [] : keyItems()));
  }

  /** The strategies that have no line, in words. */
  function lineless(lines) {
    const names = lines.filter(({ times }) => !times.length).map(nameOfLine);
    return names.length ? ` Without a line, as they finished none of the puzzles: ${names.join(", ")}.` : "";
  }

  function labelled() {
    return widthOf(box) >= WIDE && shown.lines.length <= LABELLED;
  }

  /** Names and numbers of solved puzzles, for a plot without names at its lines. */
  function keyItems() {
    const items = shown.lines.map(({ strategy, times }) => element("li", {}, lineSample(data.strategies[strategy]),
      element("span", {}, breakable(data.strategies[strategy].name), ` ${solvedText(times.length)}`)));
    return shown.best.length ? [...items, element("li", {}, lineSample(null), element("span", {}, BEST))] : items;
  }

  function solvedText(solved) {
    return solved === shown.puzzles ? "" : `${count(solved)} of ${count(shown.puzzles)}`;
  }

  function chart() {
    const { lines, best, puzzles } = shown;
    const clock = store.state.clock;
    const [axis, limit] = [timeAxis(clock), data.limits[clock]];
    const isLate = lines.some(({ times }) => times.length < puzzles);
    const values = lines.flatMap(({ times }) => (times.length ? [times[0], times.at(-1)] : []));
    const range = [Math.min(...values, best[0] ?? Infinity) / 1.5, isLate ? limit * 1.7 : Math.max(...values) * 1.5];
    const yRange = range.map(axis.position);
    const width = widthOf(box);
    const names = labelled();
    const longest = Math.max(...lines.map(({ strategy, times }) =>
      data.strategies[strategy].name.length + solvedText(times.length).length + 1), names ? BEST.length : 0);
    const margin = { left: 74, right: names ? Math.min(0.32 * width, 30 + LETTER * longest) : 14, top: 12, bottom: 46 };
    const xRange = [0, puzzles * 1.01];
    const place = frame({
      width, height: CACTUS_PX, margin, label: `Cactus plot of ${lines.length} strategies on ${puzzles} puzzles`,
      x: { range: xRange, ticks: countAxis.ticks(xRange), title: "puzzles solved" },
      y: { range: yRange, ticks: axis.ticks(yRange), title: axis.title },
    });
    if (isLate) {
      const at = place.atY(axis.position(limit));
      place.marks.append(straight(place.left, at, place.right, at, "limit"),
        words(place.left + 8, at - 5, `time limit ${seconds(limit)}`, "tick"));
    }
    const ends = [];
    for (const line of [...lines, { strategy: null, times: best }].filter(({ times }) => times.length)) {
      const atTime = (i) => place.atY(axis.position(line.times[i]));
      const places = thinned(line.times).map((i) => [place.atX(i + 1), atTime(i), i]);
      const strategy = data.strategies[line.strategy];
      place.marks.append(strategy ? lineOfStrategy(strategy, places) : bestLine(places));
      for (const [x, y, i] of places) marks.push([x, y, line, i + 1]);
      ends.push([places.at(-1), line]);
    }
    if (names) place.svg.append(...endNames(ends, place, width));
    return place.svg;
  }

  /** The names of lines at their ends, moved apart, each joined to its end by a thin line. */
  function endNames(ends, place, width) {
    const order = [...ends].sort(([a], [b]) => a[1] - b[1]);
    const heights = apart(order.map(([[, y]]) => y), LABEL_PX, place.top + 6, place.bottom);
    return order.flatMap(([[x, y], { strategy, times }], i) => {
      const left = place.right + 22;
      const letters = Math.floor((width - left) / LETTER);
      const text = strategy === null ? BEST : `${data.strategies[strategy].name} ${solvedText(times.length)}`.trim();
      const look = strategy === null ? { class: "ink" } : inkOf(data.strategies[strategy]);
      return [
        drawing("path", { ...look, d: `M${x.toFixed(1)} ${y.toFixed(1)}L${left - 4} ${heights[i].toFixed(1)}`,
          fill: "none", stroke: "currentColor", "stroke-width": 0.8, "stroke-opacity": 0.6 }),
        words(left, heights[i] + 4, text.length > letters ? `${text.slice(0, letters - 1)}…` : text, "name"),
      ];
    });
  }
  return { draw };
}

function bestLine(places) {
  const path = places.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return drawing("path", { d: path, class: "best" });
}

/** The places of sorted values to draw, always with the first and the last. */
function thinned(values) {
  const step = Math.ceil(values.length / MOST_VERTICES);
  const places = [];
  for (let i = 0; i < values.length - 1; i += step) places.push(i);
  places.push(values.length - 1);
  return places;
}

/** Ascending positions moved as little as needed to be `gap` apart between two bounds. */
export function apart(positions, gap, first, last) {
  const moved = [];
  for (const position of positions) moved.push(Math.max(position, first, (moved.at(-1) ?? -Infinity) + gap));
  for (let i = moved.length - 1, bound = last; i >= 0 && moved[i] > bound; i--, bound -= gap) moved[i] = bound;
  return moved;
}

function cactusNote({ lines, best, puzzles, omitted }, limit, clock) {
  const late = lines.some(({ times }) => times.length < puzzles);
  return `Number of puzzles solved within a given ${clock === "cpu" ? "CPU" : "wall"} time per puzzle (median over`
    + ` forms), of ${count(puzzles)} puzzles. Further right: more puzzles solved; lower: faster.`
    + (late ? ` A line that ends further left did not finish the rest within the limit of ${seconds(limit)}.` : "")
    + (best.length ? " Dashed black: the fastest strategy on each puzzle." : "")
    + (omitted ? ` ${count(omitted)} puzzles that were not measured with all of these strategies are omitted.` : "");
}
