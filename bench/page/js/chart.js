// Charts in SVG: a frame with axes, drawn at the width of its box, a tip at the mark nearest to the pointer, and keys.

import { byId, drawing, element, fill } from "./dom.js";
import { inkOf, outlineAt } from "./symbols.js";

const LEAST_PX = 200;
const PRINT_PX = 700; // width of a chart on paper
const LETTER = 7; // width to reserve for a letter, px
const NEAR = 18; // the tip shows a mark within this distance, px

/**
 * A chart in a box. `paint(width)` returns its `svg` and the `places` of its marks, or null if there is nothing to draw;
 * `describe(place)` says what a mark is. A place has `x` and `y`, and a `row` if it is a puzzle: a click pins it, arrow
 * keys pin the next one along the x axis, Enter goes to it, Escape releases it. Returns the function that draws the
 * chart; it draws itself again when its width changes and when the page is printed.
 */
export function chartIn(box, store, paint, describe) {
  const tip = element("div", { class: "tip", hidden: "" });
  let places = null; // null: not drawn yet
  let width = 0;
  const nearest = (event) => nearestTo(box.querySelector("svg.chart"), places ?? [], event);
  box.addEventListener("pointermove", (event) => showTip(tip, nearest(event), describe, box.clientWidth));
  box.addEventListener("pointerleave", () => { tip.hidden = true; });
  box.addEventListener("click", (event) => pin(nearest(event)?.row));
  box.addEventListener("keydown", onKey);
  new ResizeObserver(() => places && widthOf(box) !== width && draw()).observe(byId("main"));
  matchMedia("print").addEventListener("change", () => places && draw()); // at once: printing waits for no frame

  function draw() {
    width = widthOf(box);
    const painted = paint(width);
    places = painted?.places ?? [];
    tip.hidden = true;
    fill(box, painted?.svg ?? "", tip);
  }

  function pin(row) {
    if (row !== undefined) store.change({ puzzle: row });
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const order = [...places].sort((one, other) => one.x - other.x || other.y - one.y).map(({ row }) => row);
    const rows = [...new Set(order)];
    const at = rows.indexOf(store.state.puzzle);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) pin(rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]);
    else if (event.key === "Enter" && at >= 0) byId("puzzle").scrollIntoView();
    else if (event.key === "Escape") store.change({ puzzle: null });
    else return;
    event.preventDefault();
  }
  return draw;
}

/** The width of a chart in a box; a box that is hidden for a moment has none. */
function widthOf(box) {
  return matchMedia("print").matches ? PRINT_PX : Math.max(LEAST_PX, box.clientWidth);
}

/** The place nearest to the pointer, null if none is near. */
function nearestTo(svg, places, { clientX, clientY }) {
  if (!svg) return null;
  const { left, top, width } = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / width;
  const [x, y] = [(clientX - left) * scale, (clientY - top) * scale];
  let [best, distance] = [null, NEAR];
  for (const place of places) {
    const away = Math.hypot(place.x - x, place.y - y);
    if (away < distance) [best, distance] = [place, away];
  }
  return best;
}

function showTip(tip, place, describe, width) {
  tip.hidden = !place;
  if (!place) return;
  tip.textContent = describe(place);
  tip.style.left = `${place.x}px`;
  tip.style.top = `${place.y}px`;
  tip.classList.toggle("leftwards", place.x > width / 2);
}

/**
 * An empty chart with axes. `x` and `y` have a `range` in positions, `ticks` (pairs of position and text) and a `title`.
 * Returns the drawing, the layer for marks, which is clipped to the frame, and the window positions `atX`, `atY`.
 */
export function frame({ width, height, margin, x, y, label }) {
  const [left, right, top, bottom] = [margin.left, width - margin.right, margin.top, height - margin.bottom];
  const atX = (position) => left + ((position - x.range[0]) / (x.range[1] - x.range[0])) * (right - left);
  const atY = (position) => bottom - ((position - y.range[0]) / (y.range[1] - y.range[0])) * (bottom - top);
  const marks = drawing("svg", { x: left, y: top, width: right - left, height: bottom - top,
    viewBox: `${left} ${top} ${right - left} ${bottom - top}` });
  const svg = drawing(
    "svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...ticksOf(x, atX, (text) => text.length * LETTER + 10).flatMap(([at, text]) => [
      straight(at, top, at, bottom, "grid"), words(at, bottom + 18, text, "tick", "middle")]),
    ...ticksOf(y, atY, () => 16).flatMap(([at, text]) => [
      straight(left, at, right, at, "grid"), words(left - 7, at + 4, text, "tick", "end")]),
    straight(left, bottom, right, bottom, "axis"), straight(left, top, left, bottom, "axis"),
    words((left + right) / 2, height - 6, x.title, "title", "middle"),
    drawing("text", { class: "title", "text-anchor": "middle",
      transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)` }, y.title),
    marks,
  );
  return { svg, marks, atX, atY, left, right, top, bottom };
}

/** The ticks inside the range whose labels do not touch, as window positions and texts. */
function ticksOf({ range, ticks }, at, room) {
  const shown = [];
  for (const [position, text] of ticks) {
    if (position < range[0] - 1e-9 || position > range[1] + 1e-9) continue;
    const last = shown.at(-1);
    const needed = last && Math.max(room(text), room(last[1]));
    if (!last || Math.abs(at(position) - last[0]) >= needed) shown.push([at(position), text]);
  }
  return shown;
}

/** A straight line. */
export function straight(x1, y1, x2, y2, kind) {
  const [a, b, c, d] = [x1, y1, x2, y2].map((value) => value.toFixed(1));
  return drawing("line", { x1: a, y1: b, x2: c, y2: d, class: kind });
}

/** A text at a place. */
export function words(x, y, text, kind, anchor = "start") {
  return drawing("text", { x: x.toFixed(1), y: y.toFixed(1), class: kind, "text-anchor": anchor }, text);
}

/** The path through window positions. */
export function pathOf(places) {
  return places.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

/** Marks of a kind as one path for each look, and one for its hollow marks. A place has its `look`; `isHollow` or not. */
export function marksOf(places, radius, opacity) {
  const looks = [...new Set(places.map(({ look }) => look))];
  return looks.flatMap((look) => [false, true].map((isHollow) => {
    const own = places.filter((place) => place.look === look && place.isHollow === isHollow);
    const d = own.map(({ x, y }) => outlineAt(look.symbol, x, y, radius)).join("");
    return d ? [drawing("path", { ...inkOf(look, isHollow ? "mark hollow" : "mark"), opacity, d })] : [];
  })).flat();
}
