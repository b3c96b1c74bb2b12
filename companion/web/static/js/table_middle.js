// The middle of the table: discards in order, the wall and what is left of it, indicators, claims.

import { h, replace } from "./dom.js";
import { nameOf, t } from "./page.js";
import { lying } from "./table_tiles.js";

function discard(state, one) {
  const last = state.offer && !state.offer.kong && one.number === state.pool.length - 1;
  const who = state.seats[one.seat].name || state.seats[one.seat].wind_name;
  const marks = [
    one.riichi && "sideways",
    one.claimed_by !== null && "claimed",
    last && "last",
    one.tsumogiri && "drawn",
  ].filter(Boolean).join(" ");
  return lying(one.tile, marks, t("discarded_by", { tile: nameOf(one.tile), who }));
}

function rivers(state) {
  return h("div", { class: "rivers" }, [2, 3, 1, 0].map((seat) =>
    h("div", { class: `river river-${seat}` },
      h("small", { "aria-hidden": "true" }, state.seats[seat].wind_sign),
      h("span", { class: "river-tiles" }, state.seats[seat].discards.map((one) => discard(state, one))))));
}

function pool(state) {
  return h("div", { class: "pool" }, state.pool.filter((one) => one.claimed_by === null).map((one) => discard(state, one)));
}

function count(word, number, kind, total) {
  return h("div", { class: `wall-count ${kind}` },
    h("b", {}, number),
    h("span", {}, word),
    h("meter", { min: 0, max: total, value: number, "aria-label": word }));
}

export function drawMiddle(region, state) {
  replace(
    region,
    h("div", { class: "middle-top" },
      h("span", { class: "round" },
        h("span", { class: "seat-wind", lang: "zh-Hant", "aria-hidden": "true" }, state.round_sign),
        h("span", {}, t("round_of", { wind: state.round_name }), h("small", {}, t("hand_number", { number: Math.max(1, state.hand || state.history.length) })))),
      count(state.wall.live_word, state.wall.live, "live", state.wall.total),
      state.wall.dead > 0
        ? count(state.wall.dead_word, state.wall.dead, "dead", state.wall.total)
        : h("div", { class: "wall-count none" }, h("span", {}, state.wall.dead_word)),
      state.dora.length > 0 && h("div", { class: "dora" }, h("small", {}, "dora"), state.dora.map((code) => lying(code))),
      (state.honba > 0 || state.sticks > 0) && h("div", { class: "counters" }, t("honba_sticks", { honba: state.honba, sticks: state.sticks }))),
    state.discards === "river" ? rivers(state) : pool(state),
    state.claims.length > 0 && h("p", { class: "claims" },
      h("b", {}, t("may_claim", { tile: nameOf(state.offer.tile) })), " ",
      state.claims.map((claim) => h("span", { class: "claim" }, `${claim.who}: ${claim.kinds.join(", ")}`))),
    state.flags.length > 0 && h("ul", { class: "plain flags" }, state.flags.map((flag) => h("li", {}, `⚠ ${flag.text}`))),
  );
}
