// Starts the page of a single puzzle.

import { byId } from "./dom.js";
import { stepper } from "./stepper.js";

stepper(byId("steps"), JSON.parse(byId("puzzle").textContent));
document.body.classList.add("interactive");
