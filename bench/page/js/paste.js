// A form in which a reader pastes a puzzle of their own.

import { element, fill } from "./dom.js";

const ALLOWED = /[1-9A-Z.0_*-]/gi;
const BLANKS = /[0_*-]/g;

/** A form in a box; `show(grid)` is called with the cells of a valid puzzle in one string. `sizes` are those known. */
export function pasteForm(box, sizes, show) {
  const field = element("textarea", { rows: 3, spellcheck: "false", autocomplete: "off", "aria-label": "Your puzzle" });
  field.placeholder = "81 characters, . or 0 for an empty cell; or a grid";
  const problem = element("p", { class: "alarm", role: "alert" });
  const submit = element("button", { type: "submit" }, "Show it");
  const form = element("form", { submit: onSubmit }, element("label", {}, "Paste your own puzzle ", field), submit, problem);
  fill(box, form);

  function onSubmit(event) {
    event.preventDefault();
    const read = gridOf(field.value, sizes);
    problem.textContent = read.problem;
    if (!read.problem) show(read.grid);
  }
}

/** The cells of a puzzle in a text, and what is wrong with it, if anything. */
export function gridOf(text, sizes) {
  const grid = (text.match(ALLOWED) ?? []).join("").toUpperCase().replace(BLANKS, ".");
  const size = Math.sqrt(grid.length);
  const known = sizes.map((one) => one * one).join(", ");
  if (!sizes.includes(size)) return { grid, problem: `These are ${grid.length} cells; a puzzle has ${known}.` };
  const largest = Math.max(...[...grid].map((cell) => parseInt(cell, 36) || 0));
  return { grid, problem: largest > size ? `A digit is larger than ${size}.` : "" };
}
