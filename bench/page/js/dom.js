// Creates elements without markup in strings, so that names from files are always inserted as text.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (a function becomes a listener, null omits one) and children (nodes or text). */
export function element(name, attributes = {}, ...children) {
  return withContent(document.createElement(name), attributes, children);
}

/** An SVG element, with the same arguments as `element`. */
export function drawing(name, attributes = {}, ...children) {
  return withContent(document.createElementNS(SVG, name), attributes, children);
}

/** Replace the children of a node. */
export function fill(node, ...children) {
  node.replaceChildren(...children);
  return node;
}

/** A name that may be broken after its punctuation. */
export function breakable(name) {
  const parts = name.split(/(?<=[:@+/.,_-])/);
  return element("span", {}, ...parts.flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part])));
}

export function byId(id) {
  return document.getElementById(id);
}

function withContent(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}
