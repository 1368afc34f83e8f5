// The markers and lines of strategies, as in the figures.

import { drawing } from "./dom.js";

const corners = (number, turn, radius = 1) =>
  Array.from({ length: number }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / number;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
const plus = (turn) => {
  const arm = [[-0.35, -1], [0.35, -1], [0.35, -0.35], [1, -0.35], [1, 0.35], [0.35, 0.35]];
  const points = [...arm, ...arm.map(([x, y]) => [-x, -y])];
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
};

const OUTLINES = {
  square: corners(4, Math.PI / 4, 1.2),
  diamond: corners(4, 0, 1.1),
  "triangle-up": corners(3, 0, 1.1),
  "triangle-down": corners(3, Math.PI, 1.1),
  "triangle-left": corners(3, -Math.PI / 2, 1.1),
  "triangle-right": corners(3, Math.PI / 2, 1.1),
  cross: plus(0),
  x: plus(Math.PI / 4),
  star: corners(5, 0, 1.15).flatMap((tip, i) => [tip, corners(5, Math.PI / 5, 0.5)[i]]),
  hexagon: corners(6, 0),
};

/** The outline of a symbol around a place, as an SVG path. */
export function outlineAt(symbol, x, y, radius) {
  const outline = OUTLINES[symbol];
  if (!outline) {
    const half = (across) => `a${radius} ${radius} 0 1 0 ${across} 0`;
    return `M${(x - radius).toFixed(1)} ${y.toFixed(1)}${half(2 * radius)}${half(-2 * radius)}z`;
  }
  const places = outline.map(([dx, dy]) => `${(x + radius * dx).toFixed(1)} ${(y + radius * dy).toFixed(1)}`);
  return `M${places.join("L")}z`;
}

/** The attributes that colour the drawing of a strategy; black becomes light in dark mode by the style sheet. */
export function inkOf(strategy, kind = "") {
  return strategy.colour === "#000000" ? { class: `${kind} ink` } : { class: kind, color: strategy.colour };
}

/** A small drawing of the marker of a strategy. */
export function marker(look) {
  const path = drawing("path", { d: outlineAt(look.symbol, 0, 0, 9), fill: "currentColor" });
  return drawing("svg", { ...inkOf(look, "marker"), viewBox: "-12 -12 24 24", "aria-hidden": "true" }, path);
}
