// The markers of strategies, as in the figures: symbol names for Plotly, small drawings elsewhere.

import { drawing } from "./dom.js";

const corners = (number, turn, radius = 1) =>
  Array.from({ length: number }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / number;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
const star = () => corners(5, 0, 1.15).flatMap((tip, i) => [tip, corners(5, Math.PI / 5, 0.5)[i]]);
const plus = (turn) => {
  const arm = [[-0.35, -1], [0.35, -1], [0.35, -0.35], [1, -0.35], [1, 0.35], [0.35, 0.35]];
  const points = [...arm, ...arm.map(([x, y]) => [-x, -y])];
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
};

const OUTLINES = {
  square: [[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]],
  diamond: corners(4, 0, 1.1),
  "triangle-up": corners(3, 0, 1.1),
  "triangle-down": corners(3, Math.PI, 1.1),
  "triangle-left": corners(3, -Math.PI / 2, 1.1),
  "triangle-right": corners(3, Math.PI / 2, 1.1),
  cross: plus(0),
  x: plus(Math.PI / 4),
  star: star(),
  hexagon: corners(6, 0),
};

/** The colour of a strategy; black becomes light in dark mode. */
export function colourOf(strategy, dark) {
  return dark && strategy.colour === "#000000" ? "#e8ecf1" : strategy.colour;
}

const DASHES = { solid: null, dash: "7 4", dashdot: "8 3 2 3", dot: "2 3" };

/** The dashes of the lines of a strategy, for SVG. */
export function dashesOf(strategy) {
  return DASHES[strategy.dash];
}

/** The outline of a symbol around a place, as an SVG path. */
export function outlineAt(symbol, x, y, radius) {
  const corners = OUTLINES[symbol];
  if (!corners) {
    const half = (across) => `a${radius} ${radius} 0 1 0 ${across} 0`;
    return `M${(x - radius).toFixed(1)} ${y.toFixed(1)}${half(2 * radius)}${half(-2 * radius)}z`;
  }
  const places = corners.map(([dx, dy]) => `${(x + radius * dx).toFixed(1)} ${(y + radius * dy).toFixed(1)}`);
  return `M${places.join("L")}z`;
}

/** A small drawing of a strategy's marker. The style sheet sets the colour of black markers by the colour scheme. */
export function marker(strategy) {
  const look = strategy.colour === "#000000" ? { class: "marker ink" } : { class: "marker", fill: strategy.colour };
  const outline = OUTLINES[strategy.symbol];
  const shape = outline
    ? drawing("polygon", { points: outline.map((point) => point.map((v) => v.toFixed(2)).join(",")).join(" ") })
    : drawing("circle", { r: 0.95 });
  return drawing("svg", { ...look, viewBox: "-1.2 -1.2 2.4 2.4", "aria-hidden": "true" }, shape);
}
