// Charts in SVG: a frame with axes, drawn at the width of its box, and a tip at the mark nearest to the pointer.

import { byId, drawing, element } from "./dom.js";
import { dashesOf } from "./symbols.js";

const LEAST_PX = 200;
const PRINT_PX = 700; // width of a chart on paper
export const LETTER = 7; // width to reserve for a letter, px
const NEAR = 18; // the tip shows a mark within this distance, px

/** The width of a chart in a box; a box that is hidden for a moment has none. */
export function widthOf(box) {
  return matchMedia("print").matches ? PRINT_PX : Math.max(LEAST_PX, box.clientWidth);
}

/** Call a function when the width of the page changes, when it is printed, and after. */
export function onResize(draw) {
  let width = byId("main").clientWidth;
  new ResizeObserver(() => {
    if (byId("main").clientWidth === width) return;
    width = byId("main").clientWidth;
    draw();
  }).observe(byId("main"));
  matchMedia("print").addEventListener("change", draw); // at once: printing does not wait for the next frame
}

/**
 * An empty chart with axes. `x` and `y` have a `range` in positions, `ticks` (`tickvals`, `ticktext`) and a `title`.
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
    y.title ? drawing("text", { class: "title", "text-anchor": "middle",
      transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)` }, y.title) : "",
    marks,
  );
  return { svg, marks, atX, atY, left, right, top, bottom };
}

/** The ticks inside the range whose labels do not touch, as window positions and texts. */
function ticksOf({ range, ticks }, at, room) {
  const shown = [];
  ticks.tickvals.forEach((position, i) => {
    if (position < range[0] - 1e-9 || position > range[1] + 1e-9) return;
    const last = shown.at(-1);
    const text = ticks.ticktext[i];
    const needed = last && Math.max(room(text), room(last[1]));
    if (!last || Math.abs(at(position) - last[0]) >= needed) shown.push([at(position), text]);
  });
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

/** The line of a strategy through window positions, in its colour and dashes. */
export function lineOfStrategy(strategy, places, width = 2) {
  const path = places.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return drawing("path", { ...inkOf(strategy), d: path, fill: "none", stroke: "currentColor", "stroke-width": width,
    "stroke-dasharray": dashesOf(strategy), "stroke-linejoin": "round" });
}

/** A sample of the line of a strategy, for a key; null is the dashed line of the virtual best solver. */
export function lineSample(strategy) {
  const line = strategy === null
    ? drawing("path", { class: "best", d: "M0 5H30" })
    : lineOfStrategy(strategy, [[0, 5], [30, 5]], 2.5);
  return drawing("svg", { class: "sample", viewBox: "0 0 30 10", "aria-hidden": "true" }, line);
}

/** The attributes that colour the drawing of a strategy; black becomes light in dark mode by the style sheet. */
export function inkOf(strategy) {
  return strategy.colour === "#000000" ? { class: "ink" } : { color: strategy.colour };
}

/**
 * A tip in a box that says what the mark nearest to the pointer is. `places()` yields marks as [x, y, ...] in the
 * positions of the drawing; `describe(mark)` returns the text, `pick(mark)` is called on a click.
 */
export function pointerTip(box, places, describe, pick = null) {
  const tip = element("div", { class: "tip", hidden: "" });
  box.append(tip);
  const nearest = ({ clientX, clientY }) => {
    const svg = box.querySelector("svg.chart");
    if (!svg) return null;
    const { left, top, width } = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / width;
    const [x, y] = [(clientX - left) * scale, (clientY - top) * scale];
    let [best, distance] = [null, NEAR];
    for (const mark of places()) {
      const away = Math.hypot(mark[0] - x, mark[1] - y);
      if (away < distance) [best, distance] = [mark, away];
    }
    return best;
  };
  box.addEventListener("pointermove", (event) => {
    const mark = nearest(event);
    if (mark) show(mark);
    else hide();
  });
  box.addEventListener("pointerleave", hide);
  if (pick) {
    box.addEventListener("click", (event) => {
      const mark = nearest(event);
      if (mark) pick(mark);
    });
  }

  function show(mark) {
    tip.textContent = describe(mark);
    tip.style.left = `${mark[0]}px`;
    tip.style.top = `${mark[1]}px`;
    tip.classList.toggle("leftwards", mark[0] > box.clientWidth / 2);
    tip.hidden = false;
  }

  function hide() {
    tip.hidden = true;
  }
  return { node: tip, hide };
}
