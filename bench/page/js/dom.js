// Elements without markup in strings: whatever a file calls a strategy or a collection stays text.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (functions become listeners, null leaves one out) and children (nodes or text). */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for a drawing. */
export function drawing(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** Replace what a node holds. */
export function fill(node, ...children) {
  node.replaceChildren(...children);
  return node;
}

/** A name that may be broken after its punctuation, where there is no room for it in one line. */
export function breakable(name) {
  const parts = name.split(/(?<=[:@+/.,_-])/);
  return element("span", {}, ...parts.flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part])));
}

export function byId(id) {
  return document.getElementById(id);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}
