// All tiles to tap: to name one, or to build a hand without a picture.

import { h, replace } from "./dom.js";
import { nameOf, t } from "./page.js";
import { ROWS, face } from "./tile.js";

/** The grid of every tile; `choose` gets the code of the one tapped. */
export function grid(choose, current, { autofocus = false } = {}) {
  return h("div", { class: "grid" }, ROWS.map((row, r) =>
    h("div", { class: `grid-row grid-row-${r}` }, row.map((code, c) =>
      h(
        "button",
        {
          class: "pick",
          type: "button",
          title: nameOf(code),
          "aria-label": nameOf(code),
          "aria-pressed": current ? String(code === current) : undefined,
          "data-key": `grid-${code}`,
          "data-tile": code,
          autofocus: autofocus && r === 0 && c === 0,
          onclick: () => choose(code),
        },
        face(code),
      )))));
}

const WAYS = ["pad_tile", "chow", "pung", "kong", "ckong"];
let way = "pad_tile"; // stays as it is while the sheet is drawn again and again

/** The pad of a sheet without a picture: one tap a tile, or one tap a whole meld. */
export function drawPad(region, state, change) {
  region.hidden = !state.may_edit || Boolean(state.picture) || state.full;
  if (region.hidden) {
    region.replaceChildren();
    return;
  }
  const choose = (tile) =>
    change(way === "pad_tile" ? { do: "add", tile } : { do: "lay", tile, kind: way });
  const ways = h(
    "fieldset",
    { class: "choice pad-ways" },
    h("legend", {}, t("pad_to")),
    h("div", { class: "segments" }, WAYS.map((each) =>
      h("label", {},
        h("input", { type: "radio", name: "pad-way", value: each, checked: way === each, "data-key": `way-${each}`,
          onchange: () => { way = each; } }),
        h("span", {}, t(each))))),
  );
  const text = h("input", { type: "text", id: "hand-text", name: "hand", placeholder: "123p123s23477m [567m] 2f2g",
    autocapitalize: "off", autocomplete: "off", spellcheck: "false", "data-key": "hand-text", value: region.querySelector("#hand-text")?.value ?? "" });
  const written = h(
    "form",
    { class: "written", onsubmit: (event) => { event.preventDefault(); change({ do: "hand", text: text.value }); } },
    h("label", { for: "hand-text" }, t("or_write")),
    h("div", { class: "written-row" }, text, h("button", { class: "button", "data-key": "hand-go" }, t("write"))),
  );
  replace(region, ways, grid(choose, null), written);
}
