// The controls: filters for collections, strategies, task, clock, measure and board size, and the legend of the plot.

import { breakable, byId, element, fill } from "./dom.js";
import { marker } from "./symbols.js";

export function filters(data, store) {
  const strategyNames = data.strategies.map(({ name }) => name);
  checkboxes("collections", data.collections, (name) => [breakable(name)]);
  checkboxes("strategies", strategyNames, (name, i) => [marker(data.strategies[i]), breakable(name)]);
  byId("strategy-search").addEventListener("input", ({ target }) => hideOthers(target.value));
  choice("task", data.tasks.map((name, i) => [i, name]), (value) => ({ task: Number(value) }));
  byId("task").closest("label").hidden = data.tasks.length < 2;
  choice("clock", [["cpu", "CPU time"], ["wall", "wall time"]], (clock) => ({ clock }));
  choice("measure", data.measures.map(({ key, title }) => [key, title]), (measure) => ({ measure }));
  byId("size").addEventListener("change", ({ target }) => store.change({ size: Number(target.value) }));
  closeMenus();
  byId("everything").addEventListener("click", () => {
    const collections = new Set(data.collections.keys());
    const strategies = new Set(data.strategies.keys());
    const ofTable = { query: "", hidden: new Set() };
    store.change({ collections, strategies, isolated: new Set(), task: 0, clock: "cpu", ranges: new Map(), ...ofTable });
  });

  /** A checkbox per name, and buttons for all and none. */
  function checkboxes(kind, names, content) {
    const boxes = names.map((name, i) => {
      const input = element("input", { type: "checkbox", value: i, change: read });
      return element("label", { class: "check" }, input, ...content(name, i));
    });
    fill(byId(kind), ...boxes);
    byId(`${kind}-all`).addEventListener("click", () => set(true));
    byId(`${kind}-none`).addEventListener("click", () => set(false));

    function read() {
      const checked = boxes.map((box) => box.firstChild).filter((input) => input.checked);
      const chosen = new Set(checked.map((input) => Number(input.value)));
      const isolated = new Set([...store.state.isolated].filter((one) => kind !== "strategies" || chosen.has(one)));
      store.change({ [kind]: chosen, isolated });
    }

    function set(checked) {
      for (const box of boxes) if (!box.hidden) box.firstChild.checked = checked;
      read();
    }
  }

  /** Close open menus on a click elsewhere or on Escape. */
  function closeMenus() {
    const menus = [...document.querySelectorAll(".controls details")];
    document.addEventListener("click", ({ target }) => {
      for (const menu of menus) if (!menu.contains(target)) menu.open = false;
    });
    for (const menu of menus) {
      menu.addEventListener("keydown", ({ key }) => {
        if (key !== "Escape") return;
        menu.open = false;
        menu.querySelector("summary").focus();
      });
    }
  }

  /** Hide the strategies whose names do not contain every word of the query. */
  function hideOthers(query) {
    const parts = query.toLowerCase().split(/\s+/);
    for (const [i, box] of [...byId("strategies").children].entries()) {
      const name = strategyNames[i].toLowerCase();
      box.hidden = !parts.every((part) => name.includes(part));
    }
  }

  function choice(id, options, change) {
    fill(byId(id), ...options.map(([value, name]) => element("option", { value }, name)));
    byId(id).addEventListener("change", ({ target }) => store.change(change(target.value)));
  }

  /** Show the current state in the controls, with the board sizes of the selection. */
  function draw({ size, sizes }) {
    const { clock, task, measure } = store.state;
    for (const kind of ["collections", "strategies"]) {
      const chosen = store.state[kind];
      for (const input of byId(kind).querySelectorAll("input")) input.checked = chosen.has(Number(input.value));
      byId(`${kind}-count`).textContent = `${chosen.size} of ${data[kind].length}`;
    }
    for (const [id, value] of Object.entries({ clock, task, measure })) byId(id).value = value;
    fill(byId("size"), ...sizes.map((one) => element("option", { value: one }, `${one}×${one}`)));
    byId("size").value = size;
    byId("size").closest("label").hidden = sizes.length < 2;
  }
  return { draw };
}

/** The legend: a button per strategy that isolates it, together with others; without any, all are shown. */
export function legend(data, store) {
  const box = byId("legend");
  const buttons = data.strategies.map((strategy, number) =>
    element("button", { type: "button", "aria-pressed": "false", click: () => toggle(number) }, marker(strategy),
      breakable(strategy.name)),
  );
  fill(box, ...buttons);

  function toggle(number) {
    const isolated = new Set(store.state.isolated);
    if (!isolated.delete(number)) isolated.add(number);
    store.change({ isolated });
  }

  function draw() {
    const { isolated, strategies } = store.state;
    buttons.forEach((button, number) => {
      button.hidden = !strategies.has(number);
      button.setAttribute("aria-pressed", isolated.has(number));
      button.classList.toggle("faint", isolated.size > 0 && !isolated.has(number));
    });
  }
  return { draw };
}
