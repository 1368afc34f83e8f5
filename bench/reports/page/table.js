// A table that is searched, sorted by any column and shown in parts, so that it stays fast with thousands of rows.

const PART = 25;
const UNITS = [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]];
const collator = new Intl.Collator("en", { numeric: true });

/** A cell as text: a number with three significant digits, a text instead of one (such as "> 10 s"), a dash. */
function textOf(value, kind) {
  if (typeof value !== "number") return value ?? "–";
  const [unit, scale] = kind === "time" ? UNITS.find(([, size]) => value >= size * 0.9999) ?? UNITS[3] : ["", 1];
  return `${(value / scale).toLocaleString("en", { maximumSignificantDigits: Math.abs(value / scale) < 999.5 ? 3 : 9,
    maximumFractionDigits: 0, roundingPriority: "morePrecision" })} ${unit}`.trim();
}

/** Rows in the order of a column: numbers before texts that have none, and unknown values always last. */
function sorted(rows, at, { kind }, descending) {
  const key = (value) => (typeof value === "number" ? value : kind === "number" ? parseFloat(/\d[\d.]*/.exec(value.replaceAll(",", ""))) : Infinity);
  const order = (a, b) => (kind === "number" || kind === "time" ? key(a) - key(b) || 0 : collator.compare(a, b));
  return [...rows].sort(({ [at]: a }, { [at]: b }) =>
    a === null || b === null ? (a === null) - (b === null) : (descending ? order(b, a) : order(a, b)));
}

/**
 * Show a table in a box: `columns` with a `title` and a `kind`, `rows` of cells, the column to `sort` by. Returns what
 * shows other rows, and which of the columns. A cell of the kind "puzzle" is a button that calls `open` with its row.
 */
function tableIn(box, label, { columns, rows = [], sort = null }, open) {
  let [at, descending, first, shown] = [sort, false, 0, columns];
  const search = element("input", { type: "search", autocomplete: "off", input: () => draw(0) });
  const status = element("span", { class: "note", role: "status" });
  const [back, next] = [["Back", -PART], ["Next", PART]].map(([name, way]) =>
    element("button", { type: "button", click: () => draw(first + way) }, name));
  const [head, body] = [element("tr"), element("tbody")];
  box.replaceChildren(
    element("div", { class: "controls" }, element("label", {}, "Search ", search), back, next, status),
    element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": label },
      element("table", {}, element("caption", {}, label), element("thead", {}, head), body)));
  const heads = columns.map(({ title, kind }, place) => element("th", { scope: "col", class: kind },
    element("button", { type: "button", click: () => draw(0, [place, at === place && !descending]) }, title)));

  function cellOf(row, column) {
    const [place, { kind }] = [columns.indexOf(column), column];
    const content = kind === "puzzle" ? element("button", { type: "button", click: () => open(row) }, row[place]) : textOf(row[place], kind);
    return element(place ? "td" : "th", { class: kind, scope: place ? null : "row" }, content);
  }

  function draw(from, order = [at, descending]) {
    [at, descending] = order;
    const words = search.value.toLowerCase().split(/\s+/);
    const found = rows.filter((row) => words.every((word) => row.join(" ").toLowerCase().includes(word)));
    first = from;
    const part = (at === null ? found : sorted(found, at, columns[at], descending)).slice(first, first + PART);
    heads.forEach((one, place) => one.setAttribute("aria-sort", place !== at ? "none" : descending ? "descending" : "ascending"));
    body.replaceChildren(...part.map((row) => element("tr", {}, ...shown.map((column) => cellOf(row, column)))));
    status.textContent = part.length ? `${first + 1} to ${first + part.length} of ${found.length}` : "no rows";
    [back.disabled, next.disabled] = [first === 0, first + PART >= found.length];
  }

  function show(newRows, newColumns = columns) {
    [rows, shown] = [newRows, newColumns];
    head.replaceChildren(...shown.map((column) => heads[columns.indexOf(column)]));
    draw(0);
  }
  show(rows);
  return show;
}
