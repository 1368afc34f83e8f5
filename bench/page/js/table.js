// A table that can be sorted by any column and is shown page by page, so that it stays fast with thousands of rows.

import { breakable, element, fill } from "./dom.js";
import { count } from "./format.js";

const PAGE_ROWS = 25;
const collator = new Intl.Collator("en", { numeric: true });

/**
 * A table in a box.
 *
 * A column has a `key`, a `title`, `value(row)` to sort by (a number or text), and `cell(row)`, the text or node to show.
 * Unknown values (NaN, null) always come last. An order has the `key` of a column, whether it is `descending`, and the
 * `page` (from 0); `ordered(order)` is called when the reader sorts or turns a page, and shows the rows again.
 */
export function table(box, label, ordered) {
  const head = element("tr");
  const body = element("tbody");
  const range = element("span", { class: "number", role: "status" });
  const back = element("button", { type: "button", click: () => turn(-1) }, "Back");
  const next = element("button", { type: "button", click: () => turn(1) }, "Next");
  const pages = element("div", { class: "pages" }, back, range, next);
  const caption = element("caption", { class: "visually-hidden" }, label);
  const content = element("table", {}, caption, element("thead", {}, head), body);
  fill(box, element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, content), pages);
  let keys = "";
  let order = null;

  function turn(step) {
    ordered({ ...order, page: order.page + step });
  }

  function sortBy(key) {
    ordered({ key, descending: order.key === key && !order.descending, page: 0 });
  }

  function setColumns(columns) {
    const newKeys = columns.map(({ key }) => key).join("\n");
    if (newKeys !== keys) fill(head, ...columns.map((column) => headOf(column, () => sortBy(column.key))));
    keys = newKeys;
    for (const cell of head.children) {
      if (cell.dataset.key !== order.key) cell.removeAttribute("aria-sort");
      else cell.setAttribute("aria-sort", order.descending ? "descending" : "ascending");
    }
  }

  /** Show these rows (numbers, which are passed to the functions of the columns) in these columns and this order. */
  function show(rows, columns, newOrder) {
    const last = Math.max(0, Math.ceil(rows.length / PAGE_ROWS) - 1);
    order = { ...newOrder, page: Math.min(newOrder.page, last) };
    setColumns(columns);
    const column = columns.find(({ key }) => key === order.key);
    const first = order.page * PAGE_ROWS;
    const shown = (column ? sorted(rows, column, order.descending) : rows).slice(first, first + PAGE_ROWS);
    fill(body, ...shown.map((row) => element("tr", {}, ...columns.map((one, i) => cellOf(one, row, i === 0)))));
    const end = first + shown.length;
    range.textContent = rows.length ? `${count(first + 1)} to ${count(end)} of ${count(rows.length)}` : "no rows";
    back.disabled = order.page === 0;
    next.disabled = order.page === last;
    back.hidden = next.hidden = last === 0;
  }
  return { show };
}

function headOf(column, sort) {
  const button = element("button", { type: "button", click: sort, title: column.hint }, breakable(column.title));
  return element("th", { scope: "col", "data-key": column.key, class: column.numeric ? "number" : null }, button);
}

function cellOf(column, row, first) {
  const kind = column.numeric ? "number" : null;
  return element(first ? "th" : "td", { scope: first ? "row" : null, class: kind }, column.cell(row));
}

/** Rows in the order of a column: unfinished (Infinity) after all numbers, unknown always last. */
function sorted(rows, column, descending) {
  const keyed = rows.map((row, place) => [column.value(row), place, row]);
  const isUnknown = (value) => value === null || Number.isNaN(value);
  keyed.sort(([a, i], [b, j]) => {
    if (isUnknown(a) || isUnknown(b)) return isUnknown(a) - isUnknown(b) || i - j;
    const comparison = typeof a === "number" ? (a < b ? -1 : Number(a > b)) : collator.compare(a, b);
    return (descending ? -comparison : comparison) || i - j;
  });
  return keyed.map(([, , row]) => row);
}
