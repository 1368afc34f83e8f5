// Elements are created without markup in strings, so that names from files are always inserted as text.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

/** An element with attributes (a function becomes a listener, null omits one) and children (nodes or text). */
function element(name, attributes = {}, ...children) {
  return completed(document.createElement(name), attributes, children);
}

/** An SVG element, with the same arguments. */
function drawing(name, attributes = {}, ...children) {
  return completed(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function completed(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}
