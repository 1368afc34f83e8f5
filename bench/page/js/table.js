// A table that can be sorted by any column and is shown page by page, so that it stays fast with thousands of rows.

import { breakable, element, fill } from "./dom.js";
import { count } from "./format.js";

const FIRST = { key: null, descending: false, page: 0 };
const collator = new Intl.Collator("en", { numeric: true });

/**
 * A table in a box.
 *
 * A column has a `key`, a `title`, `value(row)` to sort by (a number or text), and optionally `cell(row)`, the text or
 * node to show instead of the value. Unknown values (NaN, null) always come last. An order has the `key` of a column,
 * whether it is `descending`, and the `page` of `pageSize` rows (from 0); `ordered(order)` is called when the reader sorts or turns a page.
 */
export function table(box, label, { pageSize = 25, ordered = null } = {}) {
  const head = element("tr");
  const body = element("tbody");
  const range = element("span", { class: "number", role: "status" });
  const back = element("button", { type: "button", click: () => turn(-1) }, "Back");
  const next = element("button", { type: "button", click: () => turn(1) }, "Next");
  const pages = element("div", { class: "pages" }, back, range, next);
  const caption = element("caption", { class: "visually-hidden" }, label);
  const content = element("table", {}, caption, element("thead", {}, head), body);
  fill(box, element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, content), pages);
  let columns = [];
  let rows = [];
  let order = FIRST;

  function turn(step) {
    change({ ...order, page: currentPage() + step });
  }

  function sortBy(key) {
    change({ key, descending: order.key === key && !order.descending, page: 0 });
  }

  function change(newOrder) {
    order = newOrder;
    if (ordered) return ordered(order); // which shows the rows again
    arrange();
    return paint();
  }

  function lastPage() {
    return Math.max(0, Math.ceil(rows.length / pageSize) - 1);
  }

  function currentPage() {
    return Math.min(order.page, lastPage());
  }

  function arrange() {
    const column = columns.find(({ key }) => key === order.key);
    for (const cell of head.children) {
      const isSorted = cell.dataset.key === column?.key;
      if (isSorted) cell.setAttribute("aria-sort", order.descending ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    if (column) rows = sorted(rows, column, order.descending);
  }

  function paint() {
    const first = currentPage() * pageSize;
    const shown = rows.slice(first, first + pageSize);
    fill(body, ...shown.map((row) => element("tr", {}, ...columns.map((column, i) => cellOf(column, row, i === 0)))));
    const end = first + shown.length;
    range.textContent = rows.length ? `${count(first + 1)} to ${count(end)} of ${count(rows.length)}` : "no rows";
    back.disabled = currentPage() === 0;
    next.disabled = currentPage() === lastPage();
    back.hidden = next.hidden = lastPage() === 0;
  }

  function setColumns(newColumns) {
    const keys = (list) => list.map(({ key }) => key).join("\n");
    if (keys(newColumns) !== keys(columns)) {
      fill(head, ...newColumns.map((column) => headOf(column, () => sortBy(column.key))));
    }
    columns = newColumns;
  }

  /** Show these rows (numbers or objects, which are passed to the functions of the columns) in these columns. */
  function show(newRows, newColumns, newOrder = null) {
    setColumns(newColumns);
    rows = newRows;
    order = newOrder ?? order;
    arrange();
    paint();
  }
  return { show };
}

function headOf(column, sort) {
  const attributes = { type: "button", click: sort, title: column.hint ?? null };
  const button = element("button", attributes, breakable(column.title));
  return element("th", { scope: "col", "data-key": column.key, class: column.numeric ? "number" : null }, button);
}

function cellOf(column, row, first) {
  const content = column.cell ? column.cell(row) : String(column.value(row));
  const kind = column.numeric ? "number" : null;
  return first ? element("th", { scope: "row", class: kind }, content) : element("td", { class: kind }, content);
}

/** Rows in the order of a column: unfinished (Infinity) after all numbers, unknown always last. */
function sorted(rows, column, descending) {
  const keyed = rows.map((row, place) => [column.value(row), place, row]);
  const isUnknown = (value) => value === null || value === undefined || Number.isNaN(value);
  keyed.sort(([a, i], [b, j]) => {
    if (isUnknown(a) || isUnknown(b)) return isUnknown(a) - isUnknown(b) || i - j;
    const comparison = typeof a === "number" ? (a < b ? -1 : Number(a > b)) : collator.compare(a, b);
    return (descending ? -comparison : comparison) || i - j;
  });
  return keyed.map(([, , row]) => row);
}
