// A seat: who sits there, with what wind and score, and what lies in front of him.

import { h, replace } from "./dom.js";
import { t } from "./page.js";
import { backs, lying, meld } from "./table_tiles.js";

export function drawSeat(region, seat) {
  region.classList.toggle("turn", seat.turn);
  region.classList.toggle("next", seat.next);
  region.classList.toggle("won", seat.won);
  region.setAttribute("aria-label", `${seat.name}, ${seat.wind_name}`);
  replace(
    region,
    h("header", { class: "seat-top" },
      h("span", { class: "seat-wind", lang: "zh-Hant", "aria-hidden": "true" }, seat.wind_sign),
      h("span", { class: "seat-who" }, h("b", {}, seat.name || seat.wind_name), h("small", {}, seat.wind_name)),
      seat.east && h("span", { class: "badge" }, t("dealer")),
      seat.riichi && h("span", { class: "badge hot" }, "riichi"),
      seat.furiten && h("span", { class: "badge" }, "furiten"),
      seat.dead && h("span", { class: "badge hot" }, t("dead_hand")),
      h("span", { class: "seat-score" }, seat.score)),
    h("div", { class: "seat-hand" },
      seat.shown
        ? h("span", { class: "row" }, seat.tiles.map((code) => lying(code)))
        : backs(seat.count, t("hidden_tiles", { count: seat.count })),
      seat.melds.map(meld)),
    seat.bonus.length > 0 && h("div", { class: "seat-bonus" }, seat.bonus.map((code) => lying(code))),
  );
}
