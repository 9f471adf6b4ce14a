// Creates elements: h("p.small", {title: "…"}, "text", other). Text is always text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, classes, attributes, children) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false && one !== ""));
  return element;
}

export function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  return filled(document.createElement(tag), classes, attributes, children);
}

export function svg(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  return filled(document.createElementNS(SVG, tag), classes, attributes, children);
}

export function clear(element, ...children) {
  element.replaceChildren(...children);
  return element;
}
