// The face of a tile, from the sprite of our own drawings.

import { svg } from "./dom.js";
import { page } from "./page.js";

const part = (id, className) => svg("use", { href: `${page.sprite}#${id}`, class: className });

/** Drawing of the tile `code`; whoever shows it says its name. */
export function face(code) {
  const drawing = code === "?" ? "unknown" : code;
  return svg(
    "svg",
    { class: "face", viewBox: "0 0 300 400", "aria-hidden": "true", focusable: "false" },
    code !== "back" && part("body"),
    part(drawing),
    code !== "back" && code !== "?" && part(`index-${page.lang}-${code}`, "corner"),
  );
}

/** The tiles of the grid, row by row. */
export const ROWS = [
  ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "0m"],
  ["1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p", "0p"],
  ["1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "0s"],
  ["1z", "2z", "3z", "4z", "5z", "6z", "7z"],
  ["1f", "2f", "3f", "4f", "1g", "2g", "3g", "4g"],
];

/** The sparrow of the 1 of bamboos, out of its tile. */
export const sparrow = () =>
  svg("svg", { class: "bird", viewBox: "0 20 300 360", "aria-hidden": "true", focusable: "false" },
    svg("use", { href: `${page.sprite}#1s`, width: 300, height: 400 }));
