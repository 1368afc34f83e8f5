// The plot of time versus difficulty: zoomed by mouse, by buttons and by keys; hovering tells of a puzzle.

import { around, difficultyAxis, timeAxis, wrapped } from "./axes.js";
import { at } from "./data.js";
import { byId } from "./dom.js";
import { shownStrategies } from "./statistics.js";
import { placed, traces } from "./traces.js";
import { count, seconds, time } from "./words.js";

const STEP = 0.25; // of what is in view, for a button that moves
// So many marks are drawn at once, or it would take seconds where there is no fast graphics card. Without WebGL each is
// an element of the page.
const MOST_MARKS = { webgl: 20_000, svg: 8000 };
const LETTER_PX = 7.5;
const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false, showTips: false };
const KEYS = { "+": () => ["zoom", 0.6], "=": () => ["zoom", 0.6], "-": () => ["zoom", 1 / 0.6], 0: () => ["reset"] };

export function plot(Plotly, data, store, card) {
  const box = byId("plot");
  const darkness = matchMedia("(prefers-color-scheme: dark)");
  const paper = matchMedia("print");
  let webgl = hasWebgl();
  let latest = []; // the rows that were drawn
  let whole = null; // ranges that hold everything
  let axes = null;
  let shown = null;
  let view = ""; // what the ranges belong to: they are kept until that changes
  let drawn = false;

  function look() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    return { dark: darkness.matches && !paper.matches, webgl, ink: colour("--ink"), dim: colour("--dim"), line: colour("--line"), paper: colour("--paper") };
  }

  async function draw(rows) {
    latest = rows;
    const state = store.now;
    const measure = data.measures.find(({ key }) => key === state.measure);
    shown = placed(data, state, rows, measure, MOST_MARKS[webgl ? "webgl" : "svg"]);
    axes = { x: difficultyAxis(measure), y: timeAxis(state.clock) };
    const colours = look();
    const found = traces(data, state, shown, axes, colours);
    whole = rangesOf(found, data.limits[state.clock]);
    const now = [state.measure, state.clock, shown.size, state.task, [...state.collections]].join("|");
    const ranges = drawn && now === view ? [box.layout.xaxis.range, box.layout.yaxis.range] : [whole.x, whole.y];
    view = now;
    await Plotly.react(box, found, layoutOf(ranges, colours, found), CONFIG);
    if (!drawn) listen();
    drawn = true;
    if (webgl && box.querySelector(".no-webgl")) { // it is there, but cannot do what is needed
      webgl = false;
      Plotly.purge(box);
      drawn = false;
      return draw(rows);
    }
    say(state, rows);
    return null;
  }

  function layoutOf([x, y], colours, found) {
    const axis = { gridcolor: colours.line, linecolor: colours.line, zeroline: false, tickmode: "array", ticks: "outside",
      tickcolor: colours.line, showline: true, automargin: true };
    const below = wrapped(axes.x.title, (box.clientWidth - 90) / LETTER_PX);
    const limit = axes.y.place(data.limits[store.now.clock]);
    const late = found.some(({ marker }) => marker?.symbol?.endsWith?.("-open"));
    const text = { text: `limit ${seconds(data.limits[store.now.clock])}: hollow marks were not finished`, showarrow: false,
      xref: "paper", x: 0.01, xanchor: "left", y: limit, yanchor: "bottom", font: { size: 12, color: colours.dim } };
    const dashes = { type: "line", xref: "paper", x0: 0, x1: 1, y0: limit, y1: limit, line: { color: colours.dim, width: 1, dash: "dash" } };
    return {
      xaxis: { ...axis, range: x, title: { text: below.join("<br>"), standoff: 8 }, ...axes.x.marks(x) },
      yaxis: { ...axis, range: y, title: { text: axes.y.title, standoff: 6 }, ...axes.y.marks(y) },
      shapes: late ? [dashes] : [], annotations: late ? [text] : [],
      margin: { l: 62, r: 12, t: 8, b: 36 + 17 * below.length }, hovermode: "closest", hoverdistance: 16,
      dragmode: dragging(),
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { family: "system-ui, sans-serif", size: 13, color: colours.ink },
    };
  }

  /** In words, what the plot shows and what it cannot. */
  function say(state, rows) {
    const kept = shownStrategies(state).length;
    const what = `${count(shown.rows.length)} of ${count(rows.length)} puzzles, ${kept} of ${data.strategies.length} strategies`;
    const missing = [
      shown.elsewhere ? `${count(shown.elsewhere)} have boards of another size` : "",
      shown.unknown ? `of ${count(shown.unknown)} this difficulty is not known` : "",
      shown.thinned ? `${count(shown.thinned)} are left out of the drawing to keep it quick: choose fewer strategies or collections to see all` : "",
    ].filter(Boolean).join("; ");
    const curves = data.curves.some(({ axis, size }) => axis === state.measure && size === shown.size);
    const lines = !curves ? "" : state.clock === "cpu" ? " Lines: medians along the axis, of all collections; rings: crossovers." : " Curves are of CPU time only.";
    byId("plot-words").textContent = `Points are medians over the forms of a puzzle: ${what}${missing ? ` (${missing})` : ""}.${lines}`;
  }

  function listen() {
    box.on("plotly_hover", ({ points: [point] }) => pointAt(point));
    box.on("plotly_unhover", () => {
      byId("tip").hidden = true;
      card.again();
    });
    box.on("plotly_click", ({ points: [point] }) => store.change({ puzzle: point.customdata }));
    box.on("plotly_doubleclick", () => act("reset"));
    box.on("plotly_relayout", (changes) => {
      if (Object.keys(changes).some((key) => key.includes("range"))) mark();
    });
  }

  function pointAt(point) {
    const strategy = point.data.meta;
    const row = point.customdata;
    if (row === undefined) return;
    card.show(row, strategy);
    const tip = byId("tip");
    const value = data.times[store.now.clock][at(data, strategy, row)];
    tip.textContent = `${data.strategies[strategy].name}: ${time(value)}`;
    const x = point.xaxis._offset + point.xaxis.l2p(point.x);
    const y = point.yaxis._offset + point.yaxis.l2p(point.y);
    tip.style.top = `${y}px`;
    tip.style.left = `${x}px`;
    tip.classList.toggle("leftwards", x > box.clientWidth / 2);
    tip.hidden = false;
  }

  /** Write ticks for what is in view. */
  function mark() {
    const { xaxis, yaxis } = box.layout;
    const [x, y] = [axes.x.marks(xaxis.range), axes.y.marks(yaxis.range)];
    return Plotly.relayout(box, { "xaxis.tickvals": x.tickvals, "xaxis.ticktext": x.ticktext, "yaxis.tickvals": y.tickvals, "yaxis.ticktext": y.ticktext });
  }

  /** What a button or a key does to the view. */
  function act(what, by, direction) {
    const { xaxis, yaxis } = box.layout;
    if (what === "reset") return setView(whole.x, whole.y);
    if (what === "zoom") return setView(zoomed(xaxis.range, by), zoomed(yaxis.range, by));
    return setView(moved(xaxis.range, by * STEP), moved(yaxis.range, direction * STEP));
  }

  function setView(x, y) {
    return Plotly.relayout(box, { "xaxis.range": [...x], "yaxis.range": [...y] });
  }

  /** The next puzzle along the axis, for those who point with keys. */
  function step(by) {
    const { values } = data.measures.find(({ key }) => key === store.now.measure);
    const order = [...shown.rows].sort((a, b) => values[a] - values[b] || a - b);
    const place = order.indexOf(store.now.puzzle);
    const next = place < 0 ? 0 : Math.min(Math.max(place + by, 0), order.length - 1);
    if (!order.length) return;
    store.change({ puzzle: order[next] });
    byId("said").textContent = card.spoken(); // who sees no card hears of it
  }

  function wire() {
    for (const media of [darkness, paper]) media.addEventListener("change", () => draw(latest)); // paper waits for no frame
    for (const button of document.querySelectorAll("#view [data-act]")) {
      const [what, by, direction] = button.dataset.act.split(" ");
      button.addEventListener("click", () => act(what, Number(by), Number(direction)));
    }
    byId("drag").addEventListener("click", ({ currentTarget }) => {
      const moves = currentTarget.getAttribute("aria-pressed") !== "true";
      currentTarget.setAttribute("aria-pressed", moves);
      Plotly.relayout(box, { dragmode: dragging() });
    });
    byId("plot-frame").addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const known = KEYS[event.key]?.();
      if (known) act(...known);
      else if (event.key === "ArrowRight") step(1);
      else if (event.key === "ArrowLeft") step(-1);
      else if (event.key === "Escape") store.change({ puzzle: null });
      else return;
      event.preventDefault();
    });
  }

  wire();
  return { draw, shown: () => shown };
}

/** What dragging does. A finger scrolls the page, unless it was asked to move the plot. */
function dragging() {
  if (byId("drag").getAttribute("aria-pressed") === "true") return "pan";
  return matchMedia("(pointer: coarse)").matches ? false : "zoom";
}

function rangesOf(found, limit) {
  const clouds = found.filter(({ mode, customdata }) => mode === "markers" && customdata);
  const all = (key) => clouds.flatMap((trace) => trace[key]);
  const late = clouds.some(({ marker }) => marker.symbol.endsWith("-open"));
  const [low, high] = around(all("y"), 0.04, 0.4);
  return { x: around(all("x")), y: [low, late ? Math.max(high, Math.log10(limit) + 0.22) : high] };
}

function zoomed([low, high], factor) {
  const [middle, half] = [(low + high) / 2, ((high - low) / 2) * factor];
  return [middle - half, middle + half];
}

function moved([low, high], share) {
  const by = (high - low) * share;
  return [low + by, high + by];
}

function hasWebgl() {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl"));
}
