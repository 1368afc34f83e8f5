// The verdict map: strategies × collections, median times coloured by the ratio to the lowest, framed by the verdicts.

import { breakable, byId, element, fill } from "./dom.js";
import { count, digits, seconds } from "./format.js";
import { timesOfShown } from "./statistics.js";
import { marker } from "./symbols.js";

// ColorBrewer's YlGnBu (Brewer 2003) without its darkest part, as in the figure.
const STOPS = ["#ffffd9", "#edf8b2", "#c9eab4", "#85cfba", "#48b9c3", "#2296c1", "#2166ac", "#243c98"];
const HIGHEST = 1000; // all larger ratios have the same colour
const UNSOLVED = "#333333";

/**
 * The strategies that lead a collection by the verdicts on pairs of the shown strategies: one that is faster than all
 * others is "fastest"; strategies that no other one is shown to be faster than are "shared". Without a verdict on every
 * pair there are none.
 */
export function placesIn(pairs, clock, collection, strategies) {
  const own = pairs.a.map((_, row) => row).filter((row) => pairs.clock[row] === clock
    && pairs.collection[row] === collection && strategies.has(pairs.a[row]) && strategies.has(pairs.b[row]));
  const names = [...new Set(own.flatMap((row) => [pairs.a[row], pairs.b[row]]))];
  const isComplete = 2 * own.length === names.length * (names.length - 1);
  if (!isComplete || own.every((row) => pairs.verdict[row] === null)) return new Map();
  const decided = own.filter((row) => pairs.verdict[row]).map((row) =>
    (pairs.verdict[row] < 0 ? [pairs.a[row], pairs.b[row]] : [pairs.b[row], pairs.a[row]]));
  const beaten = new Set(decided.map(([, slower]) => slower));
  const best = names.filter((name) => !beaten.has(name));
  const behind = new Set(decided.filter(([faster]) => faster === best[0]).map(([, slower]) => slower));
  const leaders = best.length === 1 ? names.filter((name) => !behind.has(name)) : best;
  return new Map(leaders.map((name) => [name, leaders.length === 1 ? "fastest" : "shared"]));
}

export function verdictMap(data, store) {
  const box = byId("map-table");

  function draw(rows) {
    const { state } = store;
    const collections = [...new Set(rows.map((row) => data.rows.collection[row]))].sort((a, b) => a - b);
    const columns = collections.map((number) => columnOf(data, state, number, rows));
    const strategies = orderOf(columns);
    const isEmpty = !strategies.length || !collections.length;
    const none = "Nothing to draw: no strategy has a time in this selection.";
    byId("map-note").textContent = isEmpty ? none : noteOf(columns, state);
    byId("map-key").hidden = isEmpty;
    byId("map-scale-end").textContent = `${highestOf(columns) === HIGHEST ? "≥ " : ""}${digits(highestOf(columns))}×`;
    const head = element("tr", {}, element("th", { scope: "col" }, "Strategy"),
      ...collections.map((number) => element("th", { scope: "col", class: "number" }, data.collections[number])));
    const highest = highestOf(columns);
    const lines = strategies.map((strategy) => element("tr", {},
      element("th", { scope: "row" }, element("span", { class: "strategy" }, marker(data.strategies[strategy]),
        breakable(data.strategies[strategy].name))),
      ...columns.map((column) => cell(column.cells.get(strategy), column.places.get(strategy), highest))));
    const caption = element("caption", { class: "visually-hidden" }, "Median time per solve, by strategy and collection");
    fill(box, ...(isEmpty ? [] : [element("table", { class: "map" }, caption, element("thead", {}, head),
      element("tbody", {}, ...lines))]));
  }

  function noteOf(columns, { clock }) {
    const finding = columns.some(({ places }) => places.size)
      ? " Solid frame: shown to be faster than every other shown strategy; dashed: no other one is shown to be faster."
      : " No frames: not every pair of these strategies has a verdict by this clock.";
    const late = columns.some(({ cells }) => [...cells.values()].some((one) => one.late))
      ? " Dark: at least half of the puzzles not finished within the limit." : "";
    return `Median ${clock === "cpu" ? "CPU" : "wall"} time per solve over the puzzles, with the ratio to the lowest of`
      + ` the collection. Darker: larger ratio.${finding}${late}`;
  }
  return { draw };
}

/** The cells of a collection by strategy: median, ratio to the lowest, and how many puzzles were finished. */
function columnOf(data, state, collection, rows) {
  const own = rows.filter((row) => data.rows.collection[row] === collection);
  const lines = timesOfShown(data, state, own);
  const best = lines.reduce((least, { median }) => (median < least ? median : least), Infinity);
  const limit = data.limits[state.clock];
  const cells = new Map(lines.map((line) => {
    const ratio = line.excluded ? NaN : (line.late ? limit : line.median) / best;
    return [line.strategy, { ...line, limit, ratio: Number.isFinite(ratio) ? ratio : NaN }];
  }));
  const strategies = new Set(lines.map(({ strategy }) => strategy));
  return { cells, places: placesIn(data.pairs, state.clock, collection, strategies) };
}

/** The strategies from fast to slow by the mean logarithm of ratios; a missing one counts as twice the largest there. */
function orderOf(columns) {
  const strategies = columns.length ? [...columns[0].cells.keys()] : [];
  const logs = columns.map(({ cells }) => {
    const known = [...cells.values()].map(({ ratio }) => ratio).filter((ratio) => !Number.isNaN(ratio));
    const missing = Math.log(2 * Math.max(1, ...known));
    return (strategy) => (Number.isNaN(cells.get(strategy).ratio) ? missing : Math.log(cells.get(strategy).ratio));
  });
  const isTimed = (strategy) =>
    columns.some(({ cells }) => !Number.isNaN(cells.get(strategy).ratio) || cells.get(strategy).late);
  const mean = new Map(strategies.map((strategy) => [strategy,
    isTimed(strategy) ? logs.reduce((sum, log) => sum + log(strategy), 0) : Infinity]));
  return strategies.sort((a, b) => (mean.get(a) === mean.get(b) ? a - b : mean.get(a) - mean.get(b)));
}

/** The largest ratio that has a colour of its own. */
function highestOf(columns) {
  const known = columns.flatMap(({ cells }) => [...cells.values()])
    .filter(({ late, ratio }) => !late && !Number.isNaN(ratio)).map(({ ratio }) => ratio);
  return Math.min(HIGHEST, Math.max(2, ...known));
}

function cell(line, place, highest) {
  const { excluded, late, median, ratio, limit, timed, finished } = line;
  const known = !excluded && (late || !Number.isNaN(median));
  if (!known) return element("td", { class: "number blank" }, excluded || "–");
  const colour = late ? UNSOLVED : colourAt(Math.log(ratio) / Math.log(highest));
  const below = late ? `${count(finished)}/${count(timed)}` : ratioText(ratio);
  const frames = { fastest: "fastest", shared: "not shown to be slower" };
  const said = place ? element("span", { class: "visually-hidden" }, ` (${frames[place]})`) : "";
  const style = `background: ${colour}; color: ${inkOn(colour)}`;
  return element("td", { class: `number ${place ?? ""}`, style },
    element("span", {}, late ? `> ${seconds(limit)}` : seconds(median)), element("small", {}, below), said);
}

function ratioText(ratio) {
  if (Number.isNaN(ratio)) return "";
  return ratio >= 9.95 || ratio === 1 ? `${count(Math.round(ratio))}×` : `${ratio.toFixed(1)}×`;
}

/** The colour at a share of the scale. */
function colourAt(share) {
  const place = Math.min(Math.max(share, 0), 1) * (STOPS.length - 1);
  const below = Math.min(Math.floor(place), STOPS.length - 2);
  const [low, high] = [channels(STOPS[below]), channels(STOPS[below + 1])];
  const mixed = low.map((value, i) => Math.round(value + (place - below) * (high[i] - value)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function channels(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** Black or white, whichever has the higher contrast on a colour (as defined by WCAG 2.2). */
function inkOn(colour) {
  const [red, green, blue] = channels(colour).map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? "#000000" : "#ffffff";
}
