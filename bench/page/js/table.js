// A table that can be sorted by each of its columns and is shown page by page, so that thousands of rows stay quick.

import { breakable, element, fill } from "./dom.js";
import { count } from "./words.js";

const words = new Intl.Collator("en", { numeric: true });

/**
 * A table in a box.
 *
 * A column has a `key`, a `title`, `value(row)` to sort by (a number or text), and `cell(row)`: text or a node, which is
 * left out where the value is the text. What is not known (NaN, null) always comes last. `sort` is the order to begin
 * with, `most` the rows of a page.
 */
export function table(box, label, { sort = null, most = 25 } = {}) {
  const head = element("tr");
  const body = element("tbody");
  const from = element("span", { class: "number", role: "status" });
  const back = element("button", { type: "button", click: () => turn(-1) }, "Back");
  const on = element("button", { type: "button", click: () => turn(1) }, "Next");
  const pages = element("div", { class: "pages" }, back, from, on);
  const sheet = element("table", {}, element("caption", { class: "unseen" }, label), element("thead", {}, head), body);
  fill(box, element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, sheet), pages);
  let columns = [];
  let rows = [];
  let page = 0;
  let order = sort ?? { key: null, falling: false };

  function turn(step) {
    page += step;
    paint();
  }

  function sortBy(key) {
    order = { key, falling: order.key === key && !order.falling };
    page = 0;
    arrange();
    paint();
  }

  function arrange() {
    const column = columns.find(({ key }) => key === order.key);
    for (const cell of head.children) {
      const own = cell.dataset.key === column?.key;
      if (own) cell.setAttribute("aria-sort", order.falling ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    if (column) rows = sorted(rows, column, order.falling);
  }

  function paint() {
    const last = Math.max(0, Math.ceil(rows.length / most) - 1);
    page = Math.min(Math.max(page, 0), last);
    const shown = rows.slice(page * most, (page + 1) * most);
    fill(body, ...shown.map((row) => element("tr", {}, ...columns.map((column, i) => cellOf(column, row, i === 0)))));
    const end = page * most + shown.length;
    from.textContent = rows.length ? `${count(page * most + 1)} to ${count(end)} of ${count(rows.length)}` : "nothing fits";
    back.disabled = page === 0;
    on.disabled = page === last;
    back.hidden = on.hidden = last === 0;
  }

  function setColumns(wanted) {
    if (wanted.map(({ key }) => key).join("\n") !== columns.map(({ key }) => key).join("\n")) {
      fill(head, ...wanted.map((column) => headOf(column, () => sortBy(column.key))));
    }
    columns = wanted;
  }

  /** Show these rows (numbers or objects, handed to the functions of the columns) under these columns. */
  function show(newRows, newColumns) {
    setColumns(newColumns);
    rows = newRows;
    arrange();
    paint();
  }
  return { show };
}

function headOf(column, sort) {
  const button = element("button", { type: "button", click: sort, title: column.hint ?? null }, breakable(column.title));
  return element("th", { scope: "col", "data-key": column.key, class: column.numeric ? "number" : null }, button);
}

function cellOf(column, row, first) {
  const content = column.cell ? column.cell(row) : String(column.value(row));
  const kind = column.numeric ? "number" : null;
  return first ? element("th", { scope: "row", class: kind }, content) : element("td", { class: kind }, content);
}

/** Rows in the order of a column; unfinished (Infinity) after all numbers, unknown last whichever way. */
export function sorted(rows, column, falling) {
  const keyed = rows.map((row, place) => [column.value(row), place, row]);
  const unknown = (value) => value === null || value === undefined || Number.isNaN(value);
  keyed.sort(([a, i], [b, j]) => {
    if (unknown(a) || unknown(b)) return unknown(a) - unknown(b) || i - j;
    const way = typeof a === "number" ? (a < b ? -1 : Number(a > b)) : words.compare(a, b);
    return (falling ? -way : way) || i - j;
  });
  return keyed.map(([, , row]) => row);
}
