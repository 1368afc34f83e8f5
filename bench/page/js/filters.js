// The filters, which stay in view: a collection or a board size, and strategies.

import { breakable, byId, element, fill } from "./dom.js";
import { marker } from "./symbols.js";

/** The controls of the filters; returns a function that shows the current state in them. */
export function filters(data, store) {
  const names = data.strategies.map(({ name }) => name);
  const boxes = data.strategies.map((strategy, number) => element("label", { class: "check" },
    element("input", { type: "checkbox", value: number, change: () => toggle(number) }), marker(strategy),
    breakable(strategy.name)));
  fill(byId("strategies"), ...boxes);
  fill(byId("scope"), ...data.scopes.map(({ label }, number) => element("option", { value: number }, label)));
  byId("scope").addEventListener("change", ({ target }) => store.change({ scope: Number(target.value) }));
  byId("strategies-clear").addEventListener("click", () => store.change({ strategies: new Set() }));
  byId("strategy-search").addEventListener("input", ({ target }) => hideOthers(target.value));
  closeOnLeave(byId("strategies").closest("details"));

  function toggle(number) {
    const strategies = new Set(store.state.strategies);
    if (!strategies.delete(number)) strategies.add(number);
    store.change({ strategies: strategies.size === names.length ? new Set() : strategies });
  }

  /** Hide the strategies whose names do not contain every word of the query. */
  function hideOthers(query) {
    const parts = query.toLowerCase().split(/\s+/);
    boxes.forEach((box, i) => { box.hidden = !parts.every((part) => names[i].toLowerCase().includes(part)); });
  }

  return () => {
    const { scope, strategies } = store.state;
    byId("scope").value = scope;
    for (const [number, box] of boxes.entries()) box.firstChild.checked = strategies.has(number);
    byId("strategies-count").textContent = strategies.size ? `${strategies.size} of ${names.length}` : "all";
  };
}

/** Close a menu on a click elsewhere or on Escape. */
function closeOnLeave(menu) {
  document.addEventListener("click", ({ target }) => {
    if (!menu.contains(target)) menu.open = false;
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
