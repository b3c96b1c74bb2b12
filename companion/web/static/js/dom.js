// Elements without a framework: h("button", {class: "x", onclick: f}, child, "text").

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "checked" || name === "disabled") element[name] = Boolean(value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

export const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/** Put new children into a region; what had the focus by its `data-key` has it again. */
export function replace(region, ...children) {
  const key = region.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  region.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key) region.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
