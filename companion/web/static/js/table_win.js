// The end of a hand: the winning hand, its score line by line, and what was paid.

import { h, replace } from "./dom.js";
import { t } from "./page.js";
import { lying } from "./table_tiles.js";

const signed = (number) => (number > 0 ? `+${number}` : `${number}`).replace("-", "−");

function won(win) {
  let marked = false; // of several equal tiles one completed the hand
  return h("div", { class: "won-hand" },
    h("h2", {}, t("has_won", { who: win.who })),
    h("div", { class: "row" },
      h("span", { class: "meld" }, win.tiles.map((code) => {
        const winning = code === win.winning && !marked;
        marked ||= winning;
        return lying(code, winning ? "last" : "");
      })),
      win.melds.map((tiles) => h("span", { class: "meld" }, tiles.map((code) => lying(code)))),
      win.bonus.length > 0 && h("span", { class: "meld" }, win.bonus.map((code) => lying(code)))),
    h("p", { class: "won-total" }, h("b", {}, win.total.number), " ", win.total.unit),
    h("ul", { class: "plain won-lines" }, win.lines.map((line) =>
      h("li", {}, h("b", {}, line.value), h("span", {}, line.name), h("span", { class: "han", lang: "zh-Hant" }, line.zh)))));
}

export function drawWin(region, state) {
  const over = state.wins.length > 0 || state.settled !== null;
  region.hidden = !over;
  if (!over) return;
  replace(
    region,
    state.wins.length > 0 ? state.wins.map(won) : h("h2", {}, t("nobody_won")),
    state.settled && h("table", { class: "settled" },
      h("caption", {}, t("settlement")),
      h("tbody", {}, state.settled.map((each) =>
        h("tr", {}, h("th", { scope: "row" }, each.name), h("td", {}, signed(each.delta)))))),
  );
}
