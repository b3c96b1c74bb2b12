// The slip: what the hand is worth, line by line, and who pays whom.

import { h, replace } from "./dom.js";
import { t } from "./page.js";
import { face, sparrow } from "./tile.js";

/** A line lights up its tiles while the pointer or the focus rests on it; a tap keeps them lit. */
function lineOf(line, at, state, light) {
  const on = () => light(line.pieces);
  const off = () => light([]);
  return h("li", {}, h(
    "button",
    {
      class: "line",
      type: "button",
      "data-key": `line-${at}`,
      onpointerenter: on,
      onpointerleave: off,
      onfocus: on,
      onblur: off,
      onclick: on,
    },
    h("span", { class: "worth" }, line.worth),
    h("span", { class: "name" }, line.name),
    h("span", { class: "han", lang: "zh-Hant" }, line.zh),
    line.source && h("span", { class: "source" }, line.source),
    // Where the tray is out of sight the tiles come to the line.
    h("span", { class: "made" }, state.layout.pieces.filter((piece) => line.pieces.includes(piece.id)).map((piece) => face(piece.tile))),
  ));
}

function fold(key, title, items, region) {
  if (items.length === 0) return null;
  const open = region.querySelector(`details[data-fold="${key}"]`)?.open ?? false;
  return h(
    "details",
    { "data-fold": key, open },
    h("summary", { "data-key": `fold-${key}` }, title, h("span", { class: "count" }, items.length)),
    h("ul", { class: "asides" }, items.map((item) =>
      h("li", {}, h("b", {}, item.name), item.zh && h("span", { class: "han", lang: "zh-Hant" }, ` ${item.zh}`),
        h("span", { class: "because" }, item.because)))),
  );
}

function rules(state, change) {
  if (state.rule_systems.length < 2) return h("div", { class: "slip-rules" }, h("span", {}, state.rules.name));
  return h("div", { class: "slip-rules" }, h("label", { for: "rules-choice" }, t("rule_system")), h(
    "select",
    { id: "rules-choice", "data-key": "rules", disabled: !state.may_edit,
      onchange: (event) => change({ do: "rules", id: event.target.value }) },
    state.rule_systems.map((system) => h("option", { value: system.id, selected: system.id === state.rules.id }, system.name)),
  ));
}

function payments(list, note) {
  if (list.length === 0 && !note) return null;
  return h("div", { class: "pays" }, h("h3", {}, t("payments")), note && h("p", {}, note), list.map((pay) =>
    h("div", { class: "pay" },
      h("span", {}, h("span", { class: "wind", lang: "zh-Hant", "aria-hidden": "true" }, pay.sign), pay.words),
      h("span", { class: "amount" }, pay.amount),
      pay.chips && h("small", {}, pay.chips))));
}

export function drawSlip(region, state, { change, light }) {
  const { result } = state;
  replace(
    region,
    h("div", { class: "slip-top" },
      rules(state, change),
      result.total && h("div", { class: "slip-total" },
        h("span", { class: "number" }, result.total.number),
        h("span", { class: "unit" }, result.total.unit),
        h("span", { class: result.can_win ? "verdict" : "verdict no" }, result.verdict))),
    !result.total && h("div", { class: "slip-empty" }, sparrow(), h("p", {}, result.why)),
    result.total && result.why && h("p", { class: "slip-why no" }, result.why),
    result.lines.length > 0 && h("ul", { class: "lines" }, result.lines.map((line, at) => lineOf(line, at, state, light))),
    result.remarks.map((remark) => h("p", { class: "slip-why" }, remark)),
    payments(result.payments, result.payment_note),
    fold("near", t("near"), result.near, region),
    fold("excluded", t("excluded"), result.excluded, region),
  );
}

/** The bar at the foot of a phone: the total while the slip itself is out of sight. */
export function drawTotal(bar, state) {
  const { result } = state;
  replace(
    bar,
    h("b", {}, result.total ? `${result.total.number} ${result.total.unit}` : "—"),
    h("span", {}, result.total ? result.verdict : result.why),
    h("i", { "aria-hidden": "true" }, "↓"),
  );
  watch(bar);
}

let watching = false;

function watch(bar) {
  if (watching) return;
  watching = true;
  new IntersectionObserver(([entry]) => bar.classList.toggle("away", entry.isIntersecting), { threshold: 0.15 })
    .observe(document.getElementById("slip"));
}
