// A puzzle with pencil marks and a slider through the steps of its solution, by mouse and by keyboard.

import { applyStep, boardOf } from "./board.js";
import { boardDrawing } from "./board-view.js";
import { copyButtons } from "./copy.js";
import { element, fill } from "./dom.js";

const LARGE = 16; // rows of a board beside which there is no room for text

/** A view of a puzzle (its shape, grid, steps and their summary, from Python) in a box. */
export function stepper(box, { shape, grid, steps, summary }) {
  let at = 0;
  const drawn = element("div", { class: "steps-drawing scroll-x", role: "region", tabindex: 0, "aria-label": "Board" });
  const slider = element("input", { type: "range", min: 0, max: steps.length, value: 0, "aria-label": "Step",
    input: () => go(slider.value) });
  const number = element("span", { class: "number" });
  const back = element("button", { type: "button", click: () => go(at - 1), "aria-label": "Previous step" }, "◀");
  const next = element("button", { type: "button", click: () => go(at + 1), "aria-label": "Next step" }, "▶");
  const command = shape.layout ? {} : { command: `sudoku-bench solve ${grid} --steps` }; // cells do not say the layout
  const words = element("p", { class: "step-words", role: "status" });
  const stepping = element("div", { class: "stepping", hidden: steps.length ? null : "" }, back, slider, next, number);
  const list = element("ol", { class: "step-list", tabindex: 0 }, ...steps.map(({ line }) => element("li", {}, line)));
  const solution = steps.length ? boardDrawing(boardAfter(steps.length), "The solution.") : "";
  box.classList.toggle("large", shape.size > LARGE);
  fill(
    box, drawn, element("div", { class: "step-controls" }, stepping, words),
    element("div", {}, element("p", { class: "note" }, summary), list,
      copyButtons({ [`${grid.length} characters`]: grid, ...command })),
    element("div", { class: "on-paper" }, solution),
  );
  box.addEventListener("keydown", onKey);
  go(0);

  function onKey(event) {
    if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  }

  /** The board after the first `count` steps. */
  function boardAfter(count) {
    const board = boardOf(shape, grid);
    for (const step of steps.slice(0, count)) applyStep(board, step);
    return board;
  }

  /** Show the board before step `place` (from 1), with that step lit; 0 shows the start. */
  function go(place) {
    at = Math.min(Math.max(Number(place), 0), steps.length);
    const step = steps[at - 1];
    const text = step?.line ?? "The puzzle with its candidates.";
    fill(drawn, boardDrawing(boardAfter(Math.max(0, at - 1)), text, step));
    drawn.querySelector("rect.target, rect.struck")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    slider.value = at;
    number.textContent = `${at} of ${steps.length}`;
    words.textContent = text;
    back.disabled = at === 0;
    next.disabled = at === steps.length;
  }
}
