// A puzzle with pencil marks and a slider through the steps of its solution, by mouse and by keyboard.

import { applyStep, boardOf } from "./board.js";
import { boardDrawing } from "./board-view.js";
import { copyButtons } from "./copy.js";
import { element, fill } from "./dom.js";

/** A view of a puzzle (its shape, grid, steps and their summary, from Python) in a box. */
export function stepper(box, { shape, grid, steps, summary }) {
  let at = 0;
  const drawn = element("div", { class: "steps-drawing" });
  const slider = element("input", { type: "range", min: 0, max: steps.length, value: 0, "aria-label": "Step",
    input: () => go(slider.value) });
  const number = element("span", { class: "number" });
  const back = element("button", { type: "button", click: () => go(at - 1), "aria-label": "Previous step" }, "◀");
  const next = element("button", { type: "button", click: () => go(at + 1), "aria-label": "Next step" }, "▶");
  const command = shape.layout ? {} : { command: `sudoku-bench solve ${grid} --steps` }; // cells do not say the layout
  const words = element("p", { class: "step-words", role: "status" });
  const list = element("ol", { class: "step-list", tabindex: 0 }, ...steps.map(({ line }) => element("li", {}, line)));
  fill(
    box, drawn, element("div", { class: "stepping" }, back, slider, next, number), words,
    element("p", { class: "note" }, summary),
    element("details", {}, element("summary", {}, "All steps as text"), list),
    copyButtons({ [`${grid.length} characters`]: grid, ...command }),
  );
  box.addEventListener("keydown", onKey);
  go(0);

  function onKey(event) {
    if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length }[event.key];
    if (target === undefined || event.target.closest("summary")) return;
    event.preventDefault();
    go(target);
  }

  /** Show the board before step `place` (from 1), with that step lit; 0 shows the start. */
  function go(place) {
    at = Math.min(Math.max(Number(place), 0), steps.length);
    const board = boardOf(shape, grid);
    for (const step of steps.slice(0, Math.max(0, at - 1))) applyStep(board, step);
    const step = steps[at - 1];
    const text = step?.line ?? "The puzzle with its candidates.";
    fill(drawn, boardDrawing(board, text, step));
    slider.value = at;
    number.textContent = `${at} of ${steps.length}`;
    words.textContent = text;
    back.disabled = at === 0;
    next.disabled = at === steps.length;
  }
}
