// The strategies of the plot as buttons: one click shows that one alone, another brings all back.

import { breakable, byId, element, fill } from "./dom.js";
import { marker } from "./symbols.js";

export function legend(data, store) {
  const box = byId("legend");
  const buttons = data.strategies.map((strategy, number) =>
    element("button", { type: "button", "aria-pressed": "false", click: () => toggle(number) }, marker(strategy),
      breakable(strategy.name)),
  );
  fill(box, ...buttons);

  function toggle(number) {
    store.change({ alone: store.now.alone === number ? null : number });
  }

  function draw() {
    const { alone, strategies } = store.now;
    buttons.forEach((button, number) => {
      button.hidden = !strategies.has(number);
      button.setAttribute("aria-pressed", alone === number);
      button.classList.toggle("faint", alone !== null && alone !== number);
    });
  }
  return { draw };
}
