// Two strategies, puzzle by puzzle: the time of A against that of B, with the verdicts on the pair.

import { paddedRange, timeAxis } from "./axes.js";
import { LETTER, chartIn, frame, limitLine, marksOf, straight } from "./chart.js";
import { byId, drawing, element, fill } from "./dom.js";
import { clipped, count, seconds, time } from "./format.js";
import { scopeOf, selectedRows, shownStrategies, timeOf } from "./selection.js";
import { marker } from "./symbols.js";

const SQUARE_PX = 560; // px
const BEYOND_LIMIT = 0.22; // where unfinished solves stand, in powers of ten beyond the limit
const MOST_POINTS = 8000; // that are drawn, for speed
const FACTORS = [[2, "factor dashed"], [10, "factor dotted"]];

/** A and B of the state, each replaced by a shown strategy if it is not shown; null if fewer than two are. */
function pairOf(data, { strategies, a: wantedA, b: wantedB }) {
  const shown = shownStrategies(data, { strategies });
  if (shown.length < 2) return null;
  const b = shown.includes(wantedB) ? wantedB : shown.find((one) => one !== wantedA);
  return { a: shown.includes(wantedA) && wantedA !== b ? wantedA : shown.find((one) => one !== b), b };
}

export function scatter(data, store) {
  const nameOf = (strategy) => data.strategies[strategy].name;
  const describe = ({ row, a, b }) => `${data.rows.puzzle[row]}: A ${time(a)}, B ${time(b)}`;
  let pair = null;
  const chart = chartIn(byId("scatter-chart"), store, paint, describe);
  for (const key of ["a", "b"]) {
    byId(`scatter-${key}`).addEventListener("change", ({ target }) => choose(key, Number(target.value)));
  }
  byId("scatter-swap").addEventListener("click", () => pair && store.change({ a: pair.b, b: pair.a }));

  /** Choose A or B; the other one takes its place if both would be the same. */
  function choose(key, strategy) {
    const other = key === "a" ? "b" : "a";
    store.change({ [key]: strategy, [other]: pair[other] === strategy ? pair[key] : pair[other] });
  }

  function paint(width) {
    const points = pair ? selectedRows(data, store.state)
      .map((row) => ({ row, a: timeOf(data, pair.a, row), b: timeOf(data, pair.b, row) }))
      .filter(({ a, b }) => !Number.isNaN(a) && !Number.isNaN(b)) : [];
    byId("scatter-note").textContent = noteOf(points);
    fill(byId("scatter-words"), ...(points.length ? [verdicts(data, scopeOf(data, store.state), pair), key(data, points)] : []));
    const pinned = points.find(({ row }) => row === store.state.puzzle);
    byId("scatter-pinned").textContent = pinned ? describe(pinned) : "";
    return points.length ? chartOf(points, Math.min(SQUARE_PX, width)) : null;
  }

  function noteOf(points) {
    if (!pair) return "Nothing to draw: fewer than two strategies are shown.";
    if (!points.length) return "No puzzle of the selection was measured with both.";
    return `Each mark is one of ${count(points.length)} puzzles (median over its forms). Above the diagonal A takes longer.`
      + " Lines beside it: factors of 2 (dashed) and 10 (dotted)."
      + (points.length > MOST_POINTS ? " For speed, only a part of the marks is drawn." : "");
  }

  function chartOf(points, size) {
    const axis = timeAxis(data.clock);
    const finished = points.flatMap(({ a, b }) => [a, b]).filter(Number.isFinite).map(axis.position);
    const isLate = finished.length < 2 * points.length;
    const edge = axis.position(data.limit) + BEYOND_LIMIT;
    const range = paddedRange(isLate ? [...finished, edge] : finished, 0.05, 0.5);
    const title = (name, strategy) => `${name}: ${clipped(nameOf(strategy), (size - 96) / LETTER)}`;
    const place = frame({
      width: size, height: size, margin: { left: 76, right: 12, top: 12, bottom: 48 },
      label: `Scatter plot of ${points.length} puzzles: ${nameOf(pair.a)} against ${nameOf(pair.b)}`,
      x: { range, ticks: axis.ticks(range), title: title("B", pair.b) },
      y: { range, ticks: axis.ticks(range), title: title("A", pair.a) },
    });
    const at = (value) => (Number.isFinite(value) ? axis.position(value) : edge);
    const step = Math.ceil(points.length / MOST_POINTS);
    const places = points.filter((_, i) => i % step === 0)
      .map(({ row, a, b }) => ({ row, a, b, look: data.collections[data.rows.collection[row]],
        isHollow: !(Number.isFinite(a) && Number.isFinite(b)), x: place.atX(at(b)), y: place.atY(at(a)) }));
    place.marks.append(...guides(place, range, isLate ? axis.position(data.limit) : null, data.limit),
      ...marksOf(places, places.length > 400 ? 2.8 : 3.8, "of-collection"));
    const pinned = places.find(({ row }) => row === store.state.puzzle);
    if (pinned) place.marks.append(drawing("circle", { class: "pinned", r: 8, cx: pinned.x, cy: pinned.y }));
    return { svg: place.svg, places };
  }

  return () => {
    pair = pairOf(data, store.state);
    byId("scatter").classList.toggle("is-empty", !pair);
    const options = shownStrategies(data, store.state);
    for (const key of pair ? ["a", "b"] : []) {
      fill(byId(`scatter-${key}`), ...options.map((one) => element("option", { value: one }, nameOf(one))));
      byId(`scatter-${key}`).value = pair[key];
    }
    chart();
  };
}

/** The diagonal, lines of equal factors, and the time limit. */
function guides(place, [low, high], limitAt, limit) {
  const { atX, atY } = place;
  const diagonal = (shift, kind) => straight(atX(low), atY(low + shift), atX(high), atY(high + shift), kind);
  const factors = FACTORS.flatMap(([factor, kind]) =>
    [1, -1].map((sign) => diagonal(sign * Math.log10(factor), kind)));
  const limits = limitAt === null ? [] : [
    straight(atX(limitAt), atY(low), atX(limitAt), atY(high), "limit"),
    ...limitLine(place, limitAt, `limit ${seconds(limit)}; beyond it: not finished`),
  ];
  return [diagonal(0, "diagonal"), ...factors, ...limits];
}

/** The verdicts on a pair: one per collection and clock. */
function verdicts(data, { collections }, { a, b }) {
  const { strategies, collection, sentences, columns } = data.tables.pairs;
  const clock = columns.find(({ key }) => key === "clock").values;
  const own = sentences.map((_, row) => row).filter((row) =>
    strategies[row].includes(a) && strategies[row].includes(b) && collections.includes(collection[row]));
  const lines = own.map((row) => element("li", {}, element("b", {}, data.collections[collection[row]].name),
    clock[row] === "wall" ? " by wall time: " : ": ", sentences[row]));
  const none = element("p", { class: "note" }, "No verdict: this pair was not compared.");
  return element("div", {}, element("h3", {}, "Verdicts on this pair"), lines.length ? element("ul", {}, ...lines) : none);
}

/** The marks of the collections that have a point. */
function key(data, points) {
  const drawn = [...new Set(points.map(({ row }) => data.rows.collection[row]))].sort((one, other) => one - other);
  const items = drawn.map((number) => {
    const mark = marker(data.collections[number]);
    mark.classList.add("of-collection");
    return element("li", {}, mark, data.collections[number].name);
  });
  return element("div", {}, element("h3", {}, "Marks"), element("ul", { class: "key" }, ...items));
}
