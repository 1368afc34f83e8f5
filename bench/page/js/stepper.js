// A puzzle with pencil marks and a slider through the steps of its solution, by mouse and by keyboard.

import { boardDrawing } from "./board-view.js";
import { element, fill } from "./dom.js";
import { SYMBOLS, applyStep, boardOf, boardShape, cellName, digitsOf, listed, walkthrough } from "./walkthrough.js";

const LARGEST = 30; // rows of a board whose digits fit into a bit mask

/** A view of a puzzle in a box. `copied` is called with what was copied, to announce it. */
export function stepper(box) {
  const state = { shape: null, clues: [], steps: [], stuck: "", at: 0, several: false };
  const drawn = element("div", { class: "steps-drawing" });
  const slider = element("input", { type: "range", min: 0, value: 0, "aria-label": "Step", input: () => go(slider.value) });
  const number = element("span", { class: "number" });
  const back = element("button", { type: "button", click: () => go(state.at - 1), "aria-label": "Previous step" }, "◀");
  const next = element("button", { type: "button", click: () => go(state.at + 1), "aria-label": "Next step" }, "▶");
  const words = element("p", { class: "step-words", role: "status" });
  const list = element("ol", { class: "step-list", start: 1 });
  const counted = element("p", { class: "note" });
  const copies = element("p", { class: "copies" });
  fill(
    box, drawn, element("div", { class: "stepping" }, back, slider, next, number), words, counted,
    element("details", {}, element("summary", {}, "All steps as text"), list), copies,
  );
  box.addEventListener("keydown", onKey);

  function onKey(event) {
    if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = { ArrowRight: state.at + 1, ArrowLeft: state.at - 1, Home: 0, End: state.steps.length }[event.key];
    if (target === undefined || event.target.closest("summary, input, textarea")) return;
    event.preventDefault();
    go(target);
  }

  /** Show a grid (its cells in one string) with boxes of this many rows and columns; return its `walkthrough`. */
  function show(grid, boxes) {
    const size = Math.round(Math.sqrt(grid.length));
    state.shape = boardShape(size, boxes);
    state.clues = digitsOf(grid);
    Object.assign(state, solved(state.shape, state.clues));
    state.at = 0;
    slider.max = state.steps.length;
    fill(list, ...state.steps.map((step) => element("li", {}, lineOf(state.shape, step))));
    counted.textContent = summaryOf(state);
    fill(copies, ...copyButtons(grid, counted));
    go(0);
    return { steps: state.steps, stuck: state.stuck, several: state.several };
  }

  /** Show the board before step `at` (from 1), with that step lit; 0 shows the start. */
  function go(at) {
    state.at = Math.min(Math.max(Number(at), 0), state.steps.length);
    const board = boardOf(state.shape, state.clues);
    for (const step of state.steps.slice(0, Math.max(0, state.at - 1))) applyStep(board, step);
    const step = state.at ? state.steps[state.at - 1] : null;
    const text = step ? lineOf(state.shape, step) : "The puzzle with its candidates.";
    fill(drawn, boardDrawing(board, state.clues, step, `${state.shape.size} by ${state.shape.size} board. ${text}`));
    slider.value = state.at;
    number.textContent = `${state.at} of ${state.steps.length}`;
    words.textContent = text;
    back.disabled = state.at === 0;
    next.disabled = state.at === state.steps.length;
    box.dataset.step = state.at;
  }
  return { show, go };
}

/** The steps of a puzzle. */
function solved(shape, clues) {
  if (shape.size > LARGEST) return { steps: [], stuck: "Boards of this size are shown without steps.", several: false };
  return walkthrough(shape, clues);
}

function summaryOf({ steps, stuck, several }) {
  const guesses = steps.filter(({ rating }) => !rating).length;
  const hardest = steps.reduce((best, step) => (step.rating > (best?.rating ?? 0) ? step : best), null);
  const parts = steps.length ? [`${steps.length} steps`] : [];
  if (hardest) parts.push(`hardest ${hardest.rating.toFixed(1)} ${hardest.technique}`);
  if (steps.length) parts.push(guesses ? `${guesses} ${guesses === 1 ? "guess" : "guesses"}` : "no guess");
  const choice = several ? " The puzzle has several solutions; guesses lead to one of them." : "";
  return `${parts.join(", ")}${parts.length ? "." : ""} ${stuck}${choice}`.trim();
}

/** A step as one line, in the words of `solve --steps`. */
function lineOf(shape, { rating, technique, placed, eliminated, reason }) {
  const head = `${rating ? `${rating.toFixed(1)} ` : ""}${technique}`;
  if (placed) return `${head}: ${cellName(shape, placed[0])} is ${SYMBOLS[placed[1] - 1]}, because ${reason}`;
  const digits = [...new Set(eliminated.map(([, digit]) => digit))].sort((a, b) => a - b);
  const effects = digits.map((digit) => {
    const cells = eliminated.filter(([, other]) => other === digit).map(([cell]) => cellName(shape, cell));
    return `${listed(cells)} ${cells.length === 1 ? "is" : "are"} not ${SYMBOLS[digit - 1]}`;
  });
  return `${head}: ${effects.join(", ")}, because ${reason}`;
}

function copyButtons(grid, status) {
  const line = [...grid].map((letter) => (letter === "0" ? "." : letter)).join("");
  const texts = {
    [`${line.length} characters`]: line,
    command: `sudoku-bench solve ${line} --steps`,
  };
  return Object.entries(texts).map(([name, text]) =>
    element("button", { type: "button", click: () => copy(text, name, status) }, `Copy as ${name}`),
  );
}

/** Copy a text; a page from disk may lack the clipboard, so fall back to a selected text field. */
async function copy(text, name, status) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { class: "visually-hidden", "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  status.textContent = `Copied as ${name}.`;
}
