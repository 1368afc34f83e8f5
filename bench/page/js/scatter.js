// Two strategies, puzzle by puzzle: the time of A against that of B over the selection, with the verdicts on the pair.

import { paddedRange, timeAxis } from "./axes.js";
import { LETTER, frame, onResize, pointerTip, straight, widthOf, words } from "./chart.js";
import { cellIndex } from "./data.js";
import { byId, drawing, element, fill } from "./dom.js";
import { count, seconds, time } from "./format.js";
import { shownStrategies } from "./selection.js";
import { marker, outlineAt } from "./symbols.js";

const SQUARE_PX = 560; // px
const BEYOND_LIMIT = 0.22; // where unfinished solves stand, in powers of ten beyond the limit
const MOST_POINTS = 8000; // that are drawn, for speed
const FACTORS = [[2, "factor dashed"], [10, "factor dotted"]];

/**
 * The two strategies to compare: those of the state if they are shown, else the fastest two. `lines` is the summary of
 * the shown strategies. Null if fewer than two are shown.
 */
export function pairOf(state, lines) {
  const key = ({ median, late }) => (Number.isNaN(median) ? (late ? 1e300 : Infinity) : median);
  const order = [...lines].sort((one, other) => key(one) - key(other) || one.strategy - other.strategy)
    .map(({ strategy }) => strategy);
  if (order.length < 2) return null;
  const known = (strategy) => (order.includes(strategy) ? strategy : null);
  const a = known(state.a) ?? order.find((one) => one !== known(state.b));
  const b = known(state.b) ?? order.find((one) => one !== a);
  return { a, b };
}

/** The points: a row and the times of both strategies for each puzzle measured with both. */
export function pointsOf(data, clock, rows, { a, b }) {
  const times = data.times[clock];
  return rows.map((row) => ({ row, a: times[cellIndex(data, a, row)], b: times[cellIndex(data, b, row)] }))
    .filter((point) => !Number.isNaN(point.a) && !Number.isNaN(point.b));
}

export function scatter(data, store) {
  const box = byId("scatter-chart");
  let [pair, points, places] = [null, [], []];
  const nameOf = (strategy) => data.strategies[strategy].name;
  const textOf = ({ row, a, b }) => `${data.rows.puzzle[row]}: A ${time(a)}, B ${time(b)}`;
  const pin = ([, , { row }]) => store.change({ puzzle: row });
  const tip = pointerTip(box, () => places, ([, , point]) => textOf(point), pin);
  onResize(() => pair && paint());
  for (const key of ["a", "b"]) {
    byId(`scatter-${key}`).addEventListener("change", ({ target }) => choose(key, Number(target.value)));
  }
  byId("scatter-swap").addEventListener("click", () => pair && store.change({ a: pair.b, b: pair.a }));
  box.addEventListener("keydown", onKey);

  /** Choose A or B; the other one takes its place if both would be the same. */
  function choose(key, strategy) {
    const other = key === "a" ? "b" : "a";
    const same = pair[other] === strategy;
    store.change({ [key]: strategy, [other]: same ? pair[key] : pair[other] });
  }

  /** Arrow keys move through the puzzles in the order of the time of B; Enter opens one. */
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !places.length) return;
    const order = [...places].sort((one, other) => one[0] - other[0] || other[1] - one[1]);
    const at = order.findIndex(([, , { row }]) => row === store.state.puzzle);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Enter" && at >= 0) byId("puzzle").scrollIntoView();
    else if (!step) return;
    else store.change({ puzzle: order[at < 0 ? 0 : Math.min(Math.max(at + step, 0), order.length - 1)][2].row });
    event.preventDefault();
  }

  function draw(rows, lines) {
    pair = pairOf(store.state, lines);
    byId("scatter").classList.toggle("is-empty", !pair);
    if (!pair) {
      [points, places] = [[], []];
      fill(box, tip.node);
      fill(byId("scatter-words"));
      byId("scatter-note").textContent = "Nothing to draw: fewer than two strategies are shown.";
      return;
    }
    const options = shownStrategies(store.state);
    for (const key of ["a", "b"]) {
      fill(byId(`scatter-${key}`), ...options.map((one) => element("option", { value: one }, nameOf(one))));
      byId(`scatter-${key}`).value = pair[key];
    }
    points = pointsOf(data, store.state.clock, rows, pair);
    paint();
  }

  function paint() {
    places = [];
    tip.hide();
    fill(box, points.length ? chart() : "", tip.node);
    const hasPoints = points.length > 0;
    const none = "No puzzle of the selection was measured with both.";
    byId("scatter-note").textContent = hasPoints ? pairNote(points) : none;
    const lists = () => [verdictList(data, store.state, pair, points), collectionKey(data, points)];
    fill(byId("scatter-words"), ...(hasPoints ? lists() : []));
    mark();
  }

  function chart() {
    const clock = store.state.clock;
    const [axis, limit] = [timeAxis(clock), data.limits[clock]];
    const finished = points.flatMap(({ a, b }) => [a, b]).filter(Number.isFinite).map(axis.position);
    const isLate = finished.length < 2 * points.length;
    const edge = axis.position(limit) + BEYOND_LIMIT;
    const range = paddedRange(isLate ? [...finished, edge] : finished, 0.05, 0.5);
    const size = Math.min(SQUARE_PX, widthOf(box));
    const title = (name, strategy) => `${name}: ${shortened(nameOf(strategy), (size - 96) / LETTER)}`;
    const place = frame({
      width: size, height: size, margin: { left: 76, right: 12, top: 12, bottom: 48 },
      label: `Scatter plot of ${points.length} puzzles: ${nameOf(pair.a)} against ${nameOf(pair.b)}`,
      x: { range, ticks: axis.ticks(range), title: title("B", pair.b) },
      y: { range, ticks: axis.ticks(range), title: title("A", pair.a) },
    });
    place.marks.append(...guides(place, range, isLate ? axis.position(limit) : null, limit));
    const at = (value) => (Number.isFinite(value) ? axis.position(value) : edge);
    const step = Math.ceil(points.length / MOST_POINTS);
    const drawn = points.filter((_, i) => i % step === 0);
    places = drawn.map((point) => [place.atX(at(point.b)), place.atY(at(point.a)), point]);
    const ring = drawing("circle", { class: "pinned", r: 8, visibility: "hidden" });
    place.marks.append(...marks(data, places), ring);
    return place.svg;
  }

  /** Mark the pinned puzzle. */
  function mark() {
    const ring = box.querySelector(".pinned");
    if (!ring) return;
    const place = places.find(([, , { row }]) => row === store.state.puzzle);
    ring.setAttribute("visibility", place ? "visible" : "hidden");
    byId("scatter-pinned").textContent = place ? textOf(place[2]) : "";
    if (!place) return;
    ring.setAttribute("cx", place[0]);
    ring.setAttribute("cy", place[1]);
  }
  return { draw, mark };
}

function shortened(text, letters) {
  return text.length > letters ? `${text.slice(0, Math.max(1, Math.floor(letters) - 1))}…` : text;
}

/** The diagonal, lines of equal factors, and the time limit. */
function guides({ atX, atY }, [low, high], limitAt, limit) {
  const diagonal = (shift, kind) => straight(atX(low), atY(low + shift), atX(high), atY(high + shift), kind);
  const factors = FACTORS.flatMap(([factor, kind]) =>
    [1, -1].map((sign) => diagonal(sign * Math.log10(factor), kind)));
  const limits = limitAt === null ? [] : [
    straight(atX(low), atY(limitAt), atX(high), atY(limitAt), "limit"),
    straight(atX(limitAt), atY(low), atX(limitAt), atY(high), "limit"),
    words(atX(low) + 8, atY(limitAt) - 5, `limit ${seconds(limit)}; beyond it: not finished`, "tick"),
  ];
  return [diagonal(0, "diagonal"), ...factors, ...limits];
}

/** The marks in the looks of their collections, as two paths for each: finished with both, and hollow ones. */
function marks(data, places) {
  const groups = new Map();
  for (const [x, y, { row, a, b }] of places) {
    const late = !(Number.isFinite(a) && Number.isFinite(b));
    const key = `${data.rows.collection[row]} ${late}`;
    const { symbol } = data.collectionLooks[data.rows.collection[row]];
    groups.set(key, (groups.get(key) ?? "") + outlineAt(symbol, x, y, places.length > 400 ? 2.8 : 3.8));
  }
  return [...groups].map(([key, d]) => {
    const [collection, late] = key.split(" ");
    const style = `--mark: ${data.collectionLooks[collection].colour}`;
    return drawing("path", { d, style, class: late === "true" ? "mark hollow" : "mark" });
  });
}

function pairNote(points) {
  const [faster, slower] = [points.filter(({ a, b }) => a < b).length, points.filter(({ a, b }) => a > b).length];
  const neither = points.filter(({ a, b }) => a === Infinity && b === Infinity).length;
  const ties = points.length - faster - slower - neither;
  return `Each mark is a puzzle (median over its forms), ${count(points.length)} in all. Above the diagonal A takes longer: `
    + `A has the lower median on ${count(faster)}, B on ${count(slower)}${ties ? `, both the same on ${count(ties)}` : ""}`
    + `${neither ? `, neither finished ${count(neither)}` : ""}.`
    + " Lines beside the diagonal: factors of 2 (dashed) and 10 (dotted)."
    + (points.length > MOST_POINTS ? " For speed, only a part of the marks is drawn; all are counted." : "");
}

/** The verdicts on a pair, one line per collection that has a mark. */
function verdictList(data, state, { a, b }, points) {
  const { pairs } = data;
  const drawn = new Set(points.map(({ row }) => data.rows.collection[row]));
  const isOfBoth = (row) => (pairs.a[row] === a && pairs.b[row] === b) || (pairs.a[row] === b && pairs.b[row] === a);
  const own = [...pairs.a.keys()].filter((row) =>
    pairs.clock[row] === state.clock && drawn.has(pairs.collection[row]) && isOfBoth(row));
  const lines = own.map((row) => element("li", {}, element("b", {}, data.collections[pairs.collection[row]]), ": ",
    pairs.sentence[row]));
  const none = element("p", { class: "note" }, "No verdict: this pair was not compared by this clock.");
  const head = element("h3", {}, "Verdicts on this pair");
  return element("div", {}, head, lines.length ? element("ul", {}, ...lines) : none);
}

function collectionKey(data, points) {
  const drawn = [...new Set(points.map(({ row }) => data.rows.collection[row]))].sort((one, other) => one - other);
  const items = drawn.map((number) =>
    element("li", {}, collectionMarker(data.collectionLooks[number]), data.collections[number]));
  return element("div", {}, element("h3", {}, "Marks"), element("ul", { class: "key" }, ...items));
}

/** A small drawing of the mark of a collection. */
function collectionMarker(look) {
  const drawn = marker({ symbol: look.symbol, colour: "currentColor" });
  drawn.setAttribute("style", `--mark: ${look.colour}`);
  drawn.classList.add("of-collection");
  return drawn;
}
