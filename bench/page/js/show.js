// Starts the page of a single puzzle: its steps, and a form to paste another one.

import { byId } from "./dom.js";
import { pasteForm } from "./paste.js";
import { stepper } from "./stepper.js";

function startPuzzle() {
  const { grid, boxes } = JSON.parse(byId("puzzle").textContent);
  const view = stepper(byId("steps"));
  view.show(grid, boxes[Math.round(Math.sqrt(grid.length))]);
  pasteForm(byId("paste"), Object.keys(boxes).map(Number), (own) => {
    byId("title").textContent = "Your puzzle";
    view.show(own, boxes[Math.round(Math.sqrt(own.length))]);
  });
  document.body.classList.add("interactive");
}

startPuzzle();
