// A part of the page as an SVG file of its own: its texts, boxes and charts at their places, with their looks.

import { drawing } from "./dom.js";

const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin",
  "opacity", "color", "font-family", "font-size", "font-weight", "text-anchor"];
const SKIPPED = ".visually-hidden, .tip, .controls, #paste, button, select, input, textarea, details";
const EDGE = 12; // px around the part

/** The SVG of an element, at the size it has on the page. Controls and what is hidden are left out. */
export function snapshotOf(node) {
  const { left, top } = node.getBoundingClientRect();
  const paper = drawing("rect", { fill: getComputedStyle(document.body).backgroundColor });
  const svg = drawing("svg", {}, paper);
  let [width, height] = [0, 0];
  add(node);
  for (const one of [svg, paper]) {
    one.setAttribute("width", width);
    one.setAttribute("height", height);
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return new XMLSerializer().serializeToString(svg);

  function at(rect) {
    width = Math.max(width, Math.ceil(rect.right - left + 2 * EDGE));
    height = Math.max(height, Math.ceil(rect.bottom - top + 2 * EDGE));
    return { x: (rect.left - left + EDGE).toFixed(1), y: (rect.top - top + EDGE).toFixed(1),
      width: rect.width.toFixed(1), height: rect.height.toFixed(1) };
  }

  function add(part) {
    if (part.matches(SKIPPED) || !part.checkVisibility()) return;
    if (part.localName === "svg") {
      svg.append(withLooks(part, at(part.getBoundingClientRect())));
      return;
    }
    svg.append(...boxesOf(part, at));
    for (const child of part.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) svg.append(...linesOf(child, at));
      else if (child.nodeType === Node.ELEMENT_NODE) add(child);
    }
  }
}

/** A copy of a drawing at a place, with the looks that the style sheet gives it as attributes. */
function withLooks(original, place) {
  const copy = original.cloneNode(true);
  const copies = [copy, ...copy.querySelectorAll("*")];
  [original, ...original.querySelectorAll("*")].forEach((part, i) => {
    const style = getComputedStyle(part);
    for (const look of LOOKS) copies[i].setAttribute(look, style.getPropertyValue(look));
    copies[i].removeAttribute("class");
    copies[i].removeAttribute("style");
  });
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, value);
  return copy;
}

/** The background and the borders of an element, and the frame that its style sheet draws into it. */
function boxesOf(part, at) {
  const [style, inner] = [getComputedStyle(part), getComputedStyle(part, "::after")];
  const frame = inner.content === "none" ? style : inner;
  const hasFrame = ["Top", "Right", "Bottom", "Left"].every((side) => parseFloat(frame[`border${side}Width`]) > 0);
  const stops = style.backgroundImage.startsWith("linear-gradient") ? style.backgroundImage.match(/rgba?\([^)]*\)/g) : [];
  const isFilled = !/rgba\(.*, 0\)/.test(style.backgroundColor);
  if (!hasFrame && !stops.length && !isFilled) return [];
  const place = at(part.getBoundingClientRect());
  const step = place.width / stops.length;
  const boxes = stops.map((fill, i) =>
    drawing("rect", { ...place, x: (Number(place.x) + i * step).toFixed(1), width: step.toFixed(1), fill }));
  if (isFilled) boxes.push(drawing("rect", { ...place, fill: style.backgroundColor }));
  if (hasFrame) {
    boxes.push(drawing("rect", { ...place, fill: "none", stroke: frame.borderTopColor,
      "stroke-width": parseFloat(frame.borderTopWidth),
      "stroke-dasharray": frame.borderTopStyle === "dashed" ? "5 3" : "none" }));
  }
  return boxes;
}

/** The lines of a text as the page breaks them. */
function linesOf(text, at) {
  const [range, lines] = [document.createRange(), []];
  for (const { 0: word, index } of text.data.matchAll(/\S+\s*/g)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.trimEnd().length);
    const rect = range.getBoundingClientRect();
    if (!rect.width) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.rect.top - rect.top) < 2) last.words += word;
    else lines.push({ rect, words: word });
  }
  const style = getComputedStyle(text.parentElement);
  const size = parseFloat(style.fontSize);
  return lines.map(({ rect, words }) => {
    const { x, y, height } = at(rect);
    return drawing("text", { x, y: (Number(y) + Number(height) / 2 + 0.35 * size).toFixed(1), fill: style.color,
      "font-family": style.fontFamily, "font-size": size, "font-weight": style.fontWeight }, words.trimEnd());
  });
}
