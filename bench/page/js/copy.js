// Buttons that copy a text.

import { element } from "./dom.js";

/** A button for each text, by what it is copied as, and a status that says what was copied. */
export function copyButtons(texts) {
  const status = element("span", { class: "note", role: "status" });
  const buttons = Object.entries(texts).map(([name, text]) =>
    element("button", { type: "button", click: () => copy(text, name, status) }, `Copy as ${name}`),
  );
  return element("p", { class: "copies" }, ...buttons, status);
}

async function copy(text, name, status) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = `Copied as ${name}.`;
  } catch {
    status.textContent = `This browser does not let a page copy: ${text}`;
  }
}
