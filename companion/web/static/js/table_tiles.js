// Tiles as they lie on the table: face up, face down, or turned on their side.

import { h } from "./dom.js";
import { nameOf } from "./page.js";
import { face } from "./tile.js";

/** One tile with its spoken name; `marks` are classes that say more about it. */
export const lying = (code, marks = "", name = nameOf(code)) =>
  h("span", { class: `t ${marks}`, role: "img", "aria-label": name }, face(code));

/** A face-down row: drawn once, said once. */
export const backs = (count, said) =>
  h("span", { class: "backs", role: "img", "aria-label": said }, Array.from({ length: count }, () => h("span", { class: "t" }, face("back"))));

/** A meld from left to right. */
export const meld = (laid) =>
  h("span", { class: "meld" }, laid.tiles.map((code, at) => {
    const lies = laid.lies[at];
    return lies === "down" ? lying("back", "", nameOf(code)) : lying(code, lies === "sideways" ? "sideways" : "");
  }));
