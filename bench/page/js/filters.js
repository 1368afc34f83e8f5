// The filters: which collections, strategies, task and clock everything below them is about.

import { breakable, byId, element, fill } from "./dom.js";
import { marker } from "./symbols.js";

export function filters(data, store) {
  checks("collections", data.collections, (name) => [breakable(name)]);
  checks("strategies", data.strategies.map(({ name }) => name), (name, i) => [marker(data.strategies[i]), breakable(name)]);
  search();
  choice("task", data.tasks.map((name, i) => [i, name]), (value) => ({ task: Number(value) }));
  byId("task").closest("label").hidden = data.tasks.length < 2;
  choice("clock", [["cpu", "CPU time"], ["wall", "wall time"]], (clock) => ({ clock }));
  choice("measure", data.measures.map(({ key, title }) => [key, title]), (measure) => ({ measure }));
  byId("size").addEventListener("change", ({ target }) => store.change({ size: Number(target.value) }));
  closing();
  byId("everything").addEventListener("click", () => {
    store.change({ collections: new Set(data.collections.keys()), strategies: new Set(data.strategies.keys()), alone: null, task: 0, clock: "cpu" });
  });

  /** A box to check for each name of a kind, and buttons for all and none. */
  function checks(kind, names, content) {
    const boxes = names.map((name, i) =>
      element("label", { class: "check" }, element("input", { type: "checkbox", value: i, change: read }), ...content(name, i)),
    );
    fill(byId(kind), ...boxes);
    byId(`${kind}-all`).addEventListener("click", () => set(true));
    byId(`${kind}-none`).addEventListener("click", () => set(false));

    function read() {
      const checked = boxes.map((box) => box.firstChild).filter((input) => input.checked);
      const chosen = new Set(checked.map((input) => Number(input.value)));
      const lost = kind === "strategies" && !chosen.has(store.now.alone);
      store.change({ [kind]: chosen, ...(lost ? { alone: null } : {}) });
    }

    function set(checked) {
      for (const box of boxes) if (!box.hidden) box.firstChild.checked = checked;
      read();
    }
  }

  /** Menus close when the reader goes on elsewhere. */
  function closing() {
    const menus = [...document.querySelectorAll("#filters details")];
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

  function search() {
    byId("strategy-search").addEventListener("input", ({ target }) => {
      const wanted = target.value.toLowerCase().split(/\s+/);
      for (const [i, box] of [...byId("strategies").children].entries()) {
        const name = data.strategies[i].name.toLowerCase();
        box.hidden = !wanted.every((part) => name.includes(part));
      }
    });
  }

  function choice(id, options, change) {
    fill(byId(id), ...options.map(([value, name]) => element("option", { value }, name)));
    byId(id).addEventListener("change", ({ target }) => store.change(change(target.value)));
  }

  /** Show in the controls what is chosen; `sizes` are the boards that the plot could show. */
  function draw(shown) {
    const { clock, task, measure } = store.now;
    for (const kind of ["collections", "strategies"]) {
      for (const input of byId(kind).querySelectorAll("input")) input.checked = store.now[kind].has(Number(input.value));
      byId(`${kind}-count`).textContent = `${store.now[kind].size} of ${data[kind].length}`;
    }
    for (const [id, value] of Object.entries({ clock, task, measure })) byId(id).value = value;
    if (!shown) return;
    fill(byId("size"), ...shown.sizes.map((size) => element("option", { value: size }, `${size}×${size}`)));
    byId("size").value = shown.size;
    byId("size").closest("label").hidden = shown.sizes.length < 2;
  }
  return { draw };
}
