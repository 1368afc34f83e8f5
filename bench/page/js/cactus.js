// The cactus plot: how many puzzles each strategy solves within a time limit per puzzle.

import { countTicks, timeAxis } from "./axes.js";
import { LETTER, chartIn, frame, limitLine, lineOfStrategy, words } from "./chart.js";
import { breakable, byId, drawing, element, fill } from "./dom.js";
import { clipped, count, seconds } from "./format.js";
import { scopeOf, shownStrategies } from "./selection.js";
import { inkOf } from "./symbols.js";

const LEAST_PUZZLES = 3;
const CACTUS_PX = 430;
const LABELLED = 20; // at most so many lines have their names at their ends
const WIDE = 720; // px, for names at the ends
const LABEL_PX = 15; // height of a name
const BEST = "virtual best solver";

export function cactus(data, store) {
  const nameOf = ({ strategy }) => data.strategies[strategy]?.name ?? BEST;
  const describe = ({ line, solved, value }) => `${nameOf(line)}: ${count(solved)} puzzles within ${seconds(value)} each`;
  return chartIn(byId("cactus-chart"), store, paint, describe);

  function paint(width) {
    const { lines: all, best, puzzles, omitted } = scopeOf(data, store.state).cactus;
    const shown = new Set(shownStrategies(data, store.state));
    const lines = all.filter(({ strategy }) => shown.has(strategy));
    const drawn = lines.filter(({ times }) => times.length);
    const isEmpty = puzzles < LEAST_PUZZLES || !drawn.length;
    const isLabelled = width >= WIDE && lines.length <= LABELLED;
    byId("cactus-note").textContent = isEmpty ? "Nothing to draw: too few puzzles, or none was finished."
      : `${count(puzzles)} puzzles.${noteOf(lines, best, puzzles, omitted)}`;
    fill(byId("cactus-key"), ...(isEmpty || isLabelled ? [] : keyItems(drawn, best, puzzles)));
    return isEmpty ? null : chart(best.times.length ? [...drawn, best] : drawn, puzzles, width, isLabelled);
  }

  function noteOf(lines, best, puzzles, omitted) {
    const without = lines.filter(({ times }) => !times.length).map(nameOf);
    return (isLate(lines, puzzles) ? ` A line that ends early did not finish the rest within ${seconds(data.limit)}.` : "")
      + (best.times.length ? " Dashed black: the virtual best solver, the fastest of all strategies on each puzzle." : "")
      + (omitted ? ` ${count(omitted)} puzzles that were not measured with all strategies are omitted.` : "")
      + (without.length ? ` Without a line, as they finished none of the puzzles: ${without.join(", ")}.` : "");
  }

  function isLate(lines, puzzles) {
    return lines.some(({ solved }) => (solved.at(-1) ?? 0) < puzzles);
  }

  function textOf(line, puzzles) {
    const solved = line.solved.at(-1);
    return nameOf(line) + (solved === puzzles || line.strategy === undefined ? "" : ` ${count(solved)} of ${count(puzzles)}`);
  }

  /** Names and numbers of solved puzzles, for a plot without names at its lines. */
  function keyItems(drawn, best, puzzles) {
    return (best.times.length ? [...drawn, best] : drawn).map((line) => element("li", {},
      drawing("svg", { class: "sample", viewBox: "0 0 30 10", "aria-hidden": "true" },
        lineOfStrategy(data.strategies[line.strategy], [[0, 5], [30, 5]], 2.5)),
      element("span", {}, breakable(textOf(line, puzzles)))));
  }

  function chart(lines, puzzles, width, isLabelled) {
    const axis = timeAxis(data.clock);
    const late = isLate(lines, puzzles);
    const ends = lines.flatMap(({ times }) => [times[0], times.at(-1)]);
    const yRange = [Math.min(...ends) / 1.5, late ? data.limit * 1.7 : Math.max(...ends) * 1.5].map(axis.position);
    const longest = Math.max(...lines.map((line) => textOf(line, puzzles).length));
    const right = isLabelled ? Math.min(0.32 * width, 30 + LETTER * longest) : 14;
    const xRange = [0, puzzles * 1.01];
    const place = frame({
      width, height: CACTUS_PX, margin: { left: 74, right, top: 12, bottom: 46 },
      label: `Cactus plot of ${lines.length} lines on ${puzzles} puzzles`,
      x: { range: xRange, ticks: countTicks(xRange), title: "puzzles solved" },
      y: { range: yRange, ticks: axis.ticks(yRange), title: axis.title },
    });
    if (late) place.marks.append(...limitLine(place, axis.position(data.limit), `time limit ${seconds(data.limit)}`));
    const places = lines.map((line) => line.times.map((value, i) => ({
      x: place.atX(line.solved[i]), y: place.atY(axis.position(value)), line, solved: line.solved[i], value })));
    place.marks.append(...places.map((own) =>
      lineOfStrategy(data.strategies[own[0].line.strategy], own.map(({ x, y }) => [x, y]))));
    if (isLabelled) place.svg.append(...endNames(places.map((own) => own.at(-1)), puzzles, place, width));
    return { svg: place.svg, places: places.flat() };
  }

  /** The names of lines at their ends, moved apart, each joined to its end by a thin line. */
  function endNames(ends, puzzles, place, width) {
    const order = [...ends].sort((one, other) => one.y - other.y);
    const heights = apart(order.map(({ y }) => y), LABEL_PX, place.top + 6, place.bottom);
    const left = place.right + 22;
    return order.flatMap(({ x, y, line }, i) => [
      drawing("path", { ...inkOf(data.strategies[line.strategy] ?? { colour: "#000000" }, "leader"),
        d: `M${x.toFixed(1)} ${y.toFixed(1)}L${left - 4} ${heights[i].toFixed(1)}` }),
      words(left, heights[i] + 4, clipped(textOf(line, puzzles), (width - left) / LETTER), "name"),
    ]);
  }
}

/** Ascending positions moved as little as needed to be `gap` apart between two bounds. */
function apart(positions, gap, first, last) {
  const moved = [];
  for (const position of positions) moved.push(Math.max(position, first, (moved.at(-1) ?? -Infinity) + gap));
  for (let i = moved.length - 1, bound = last; i >= 0 && moved[i] > bound; i--, bound -= gap) moved[i] = bound;
  return moved;
}
