// The plot of time versus difficulty, with zooming by mouse, buttons and keys, and puzzles shown on hover.

import { difficultyAxis, paddedRange, timeAxis, wrapped } from "./axes.js";
import { cellIndex } from "./data.js";
import { byId } from "./dom.js";
import { count, seconds, time } from "./format.js";
import { shownStrategies } from "./selection.js";
import { plotContent, ringsInWords, traces } from "./traces.js";

const MOVE_STEP = 0.25; // of the visible range, for the buttons that move it
// More marks would take seconds to draw without a fast graphics card. Without WebGL each mark is an SVG element.
const MOST_MARKS = { webgl: 20_000, svg: 8000 };
const LETTER_PX = 7.5;
const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false, showTips: false };
const KEYS = { "+": () => ["zoom", 0.6], "=": () => ["zoom", 0.6], "-": () => ["zoom", 1 / 0.6], 0: () => ["reset"] };

export function plot(Plotly, data, store, card) {
  const box = byId("plot");
  const darkScheme = matchMedia("(prefers-color-scheme: dark)");
  const print = matchMedia("print");
  let webgl = hasWebgl();
  let latestRows = [];
  let fullRanges = null; // ranges that hold everything
  let axes = null;
  let content = null;
  let view = null; // what the visible ranges belong to; they are kept until it changes
  let isDrawn = false;

  function currentLook() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const [ink, dim, line, paper, accent] = ["ink", "dim", "line", "paper", "accent"].map(colour);
    return { dark: darkScheme.matches && !print.matches, webgl, ink, dim, line, paper, accent };
  }

  async function draw(rows) {
    latestRows = rows;
    const { state } = store;
    const measure = data.measures.find(({ key }) => key === state.measure);
    content = plotContent(data, state, rows, measure, MOST_MARKS[webgl ? "webgl" : "svg"]);
    axes = { x: difficultyAxis(measure), y: timeAxis(state.clock) };
    const look = currentLook();
    const shown = traces(data, state, content, axes, look);
    fullRanges = rangesOf(shown, data.limits[state.clock]);
    const newView = [state.measure, state.clock, content.size, state.task, [...state.collections]].join("|");
    const keepsRanges = view === null || newView === view; // the first view may come from the address
    const { zoom } = state;
    const ranges = keepsRanges && zoom ? [zoom.slice(0, 2), zoom.slice(2)] : [fullRanges.x, fullRanges.y];
    view = newView;
    if (zoom && !keepsRanges) store.change({ zoom: null });
    await Plotly.react(box, shown, layoutOf(ranges, look, shown), CONFIG);
    if (!isDrawn) listen();
    isDrawn = true;
    if (webgl && box.querySelector(".no-webgl")) { // WebGL exists but lacks required features
      webgl = false;
      Plotly.purge(box);
      isDrawn = false;
      return draw(rows);
    }
    describe(state, rows);
    return null;
  }

  function layoutOf([x, y], look, shown) {
    const axis = { gridcolor: look.line, linecolor: look.line, zeroline: false, tickmode: "array", ticks: "outside",
      tickcolor: look.line, showline: true, automargin: true };
    const title = wrapped(axes.x.title, (box.clientWidth - 90) / LETTER_PX);
    const limit = data.limits[store.state.clock];
    const limitY = axes.y.position(limit);
    const hasLate = shown.some(({ marker }) => marker?.symbol?.endsWith?.("-open"));
    const label = { text: `time limit ${seconds(limit)}: hollow marks were not finished`, showarrow: false,
      xref: "paper", x: 0.01, xanchor: "left", y: limitY, yanchor: "bottom", font: { size: 12, color: look.dim } };
    const dashes = { type: "line", xref: "paper", x0: 0, x1: 1, y0: limitY, y1: limitY,
      line: { color: look.dim, width: 1, dash: "dash" } };
    return {
      xaxis: { ...axis, range: x, title: { text: title.join("<br>"), standoff: 8 }, ...axes.x.ticks(x) },
      yaxis: { ...axis, range: y, title: { text: axes.y.title, standoff: 6 }, ...axes.y.ticks(y) },
      shapes: [...(hasLate ? [dashes] : []), ...pinnedLine(look)], annotations: hasLate ? [label] : [],
      margin: { l: 62, r: 12, t: 8, b: 36 + 17 * title.length }, hovermode: "closest", hoverdistance: 16,
      dragmode: dragMode(), paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: "system-ui, sans-serif", size: 13, color: look.ink },
    };
  }

  /** Write below the plot what it shows and what it omits. */
  function describe(state, rows) {
    const strategies = `${shownStrategies(state).length} of ${data.strategies.length} strategies`;
    const puzzles = `${count(content.rows.length)} of ${count(rows.length)} puzzles`;
    const omitted = [
      content.otherSizes ? `${count(content.otherSizes)} have another board size` : "",
      content.unknown ? `${count(content.unknown)} have no value of this measure` : "",
      content.thinned
        ? `${count(content.thinned)} are not drawn, for speed: select fewer strategies or collections to see all`
        : "",
    ].filter(Boolean).join("; ");
    const hasCurves = data.curves.some(({ axis, size }) => axis === state.measure && size === content.size);
    const lines = state.clock === "cpu"
      ? ` Lines: local medians over all collections.${ringsInWords(data, state, content.size)}`
      : " Curves are available for CPU time only.";
    byId("plot-words").textContent =
      `Each point is a puzzle (median over its forms): ${puzzles}, ${strategies}` +
      `${omitted ? ` (${omitted})` : ""}.${hasCurves ? lines : ""}`;
  }

  function listen() {
    box.on("plotly_hover", ({ points: [point] }) => hover(point));
    box.on("plotly_unhover", () => {
      byId("tip").hidden = true;
      card.refresh();
    });
    box.on("plotly_click", ({ points: [point] }) => store.change({ puzzle: point.customdata }));
    box.on("plotly_doubleclick", () => act("reset"));
    box.on("plotly_relayout", (changes) => {
      if (!Object.keys(changes).some((key) => key.includes("range"))) return;
      updateTicks();
      const ranges = [...box.layout.xaxis.range, ...box.layout.yaxis.range];
      const isWhole = ranges.every((end, i) => end === [...fullRanges.x, ...fullRanges.y][i]);
      store.change({ zoom: isWhole ? null : ranges });
    });
  }

  function hover(point) {
    const strategy = point.data.meta;
    const row = point.customdata;
    if (row === undefined) return;
    card.show(row, strategy);
    const tip = byId("tip");
    const value = data.times[store.state.clock][cellIndex(data, strategy, row)];
    tip.textContent = `${data.strategies[strategy].name}: ${time(value)}`;
    const x = point.xaxis._offset + point.xaxis.l2p(point.x);
    const y = point.yaxis._offset + point.yaxis.l2p(point.y);
    tip.style.top = `${y}px`;
    tip.style.left = `${x}px`;
    tip.classList.toggle("leftwards", x > box.clientWidth / 2);
    tip.hidden = false;
  }

  /** Set the ticks for the visible range. */
  function updateTicks() {
    const { xaxis, yaxis } = box.layout;
    const [x, y] = [axes.x.ticks(xaxis.range), axes.y.ticks(yaxis.range)];
    return Plotly.relayout(box, {
      "xaxis.tickvals": x.tickvals, "xaxis.ticktext": x.ticktext,
      "yaxis.tickvals": y.tickvals, "yaxis.ticktext": y.ticktext,
    });
  }

  /** Zoom by a factor, move by steps, or reset the view. */
  function act(action, amount, vertical) {
    const { xaxis, yaxis } = box.layout;
    if (action === "reset") return setView(fullRanges.x, fullRanges.y);
    if (action === "zoom") return setView(zoomed(xaxis.range, amount), zoomed(yaxis.range, amount));
    return setView(moved(xaxis.range, amount * MOVE_STEP), moved(yaxis.range, vertical * MOVE_STEP));
  }

  function setView(x, y) {
    return Plotly.relayout(box, { "xaxis.range": [...x], "yaxis.range": [...y] });
  }

  /** Pin the next or previous puzzle along the axis and announce it to screen readers. */
  function step(by) {
    const order = [...content.rows].sort((a, b) => axes.x.at(a) - axes.x.at(b) || a - b);
    const place = order.indexOf(store.state.puzzle);
    const next = place < 0 ? 0 : Math.min(Math.max(place + by, 0), order.length - 1);
    if (!order.length) return;
    store.change({ puzzle: order[next] });
    byId("announcement").textContent = card.announcement();
  }

  function addControls() {
    // Redraw at once: printing does not wait for the next frame.
    for (const media of [darkScheme, print]) media.addEventListener("change", () => draw(latestRows));
    for (const button of document.querySelectorAll("#view [data-act]")) {
      const [action, amount, vertical] = button.dataset.act.split(" ");
      button.addEventListener("click", () => act(action, Number(amount), Number(vertical)));
    }
    byId("drag").addEventListener("click", ({ currentTarget }) => {
      const moves = currentTarget.getAttribute("aria-pressed") !== "true";
      currentTarget.setAttribute("aria-pressed", moves);
      Plotly.relayout(box, { dragmode: dragMode() });
    });
    byId("plot-frame").addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = KEYS[event.key]?.();
      if (action) act(...action);
      else if (event.key === "ArrowRight") step(1);
      else if (event.key === "ArrowLeft") step(-1);
      else if (event.key === "Escape") store.change({ puzzle: null });
      else return;
      event.preventDefault();
    });
  }

  /** A line through the marks of the pinned puzzle. */
  function pinnedLine(look) {
    const row = store.state.puzzle;
    if (row === null || !content.rows.includes(row)) return [];
    const x = axes.x.at(row);
    return [{ type: "line", name: "pinned", yref: "paper", x0: x, x1: x, y0: 0, y1: 1, layer: "below",
      line: { color: look.accent, width: 2, dash: "dot" } }];
  }

  /** Mark the pinned puzzle in the plot. */
  function mark() {
    if (!isDrawn) return;
    const others = box.layout.shapes.filter(({ name }) => name !== "pinned");
    Plotly.relayout(box, { shapes: [...others, ...pinnedLine(currentLook())] });
  }

  addControls();
  /** The plot as the address of an SVG, in vectors also where the page uses WebGL, with the names of strategies. */
  function svg() {
    const named = new Set();
    const content = box.data.map((trace) => {
      const isFirst = trace.meta !== undefined && !named.has(trace.meta);
      if (isFirst) named.add(trace.meta);
      const name = isFirst ? data.strategies[trace.meta].name.replaceAll("<", "&lt;") : ""; // a name is no markup
      return { ...trace, type: "scatter", name, showlegend: isFirst };
    });
    const layout = { ...box.layout, legend: { orientation: "h", y: -0.18 } };
    return Plotly.toImage({ data: content, layout }, { format: "svg", width: 900, height: 640 });
  }
  return { draw, mark, svg };
}

/** The effect of dragging. A finger scrolls the page unless "Drag to move" is on. */
function dragMode() {
  if (byId("drag").getAttribute("aria-pressed") === "true") return "pan";
  return matchMedia("(pointer: coarse)").matches ? false : "zoom";
}

/** The ranges of both axes that hold all marks, and the time limit if a solve was not finished. */
function rangesOf(shown, limit) {
  const clouds = shown.filter(({ mode, customdata }) => mode === "markers" && customdata);
  const values = (key) => clouds.flatMap((trace) => trace[key]);
  const hasLate = clouds.some(({ marker }) => marker.symbol.endsWith("-open"));
  const [low, high] = paddedRange(values("y"), 0.04, 0.4);
  return { x: paddedRange(values("x")), y: [low, hasLate ? Math.max(high, Math.log10(limit) + 0.22) : high] };
}

function zoomed([low, high], factor) {
  const [middle, half] = [(low + high) / 2, ((high - low) / 2) * factor];
  return [middle - half, middle + half];
}

function moved([low, high], share) {
  const distance = (high - low) * share;
  return [low + distance, high + distance];
}

function hasWebgl() {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl"));
}
