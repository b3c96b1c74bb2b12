// The tiles of the hand in their groups: the hand, the melds, flowers and seasons.

import { h, replace } from "./dom.js";
import { nameOf, t } from "./page.js";
import { face } from "./tile.js";

function spokenName(piece, state) {
  const tile = nameOf(piece.tile);
  if (piece.doubtful) return t("doubtful_name", { tile });
  return piece.id === state.layout.winning ? t("winning_name", { tile }) : tile;
}

function tileButton(piece, state, place, { pick, change }) {
  const winning = piece.id === state.layout.winning;
  const kinds = ["tile", piece.doubtful && "doubtful", winning && "winning"].filter(Boolean);
  const inside = [
    face(piece.tile),
    piece.doubtful && h("span", { class: "badge doubt", "aria-hidden": "true" }, "?"),
    winning && h("span", { class: "badge won", "aria-hidden": "true" }, "★"),
  ];
  if (!state.may_edit) {
    return h("span", { class: kinds.join(" "), role: "img", "aria-label": spokenName(piece, state), "data-piece": piece.id }, inside);
  }
  return h(
    "button",
    {
      class: kinds.join(" "),
      type: "button",
      draggable: "true",
      title: spokenName(piece, state),
      "aria-label": spokenName(piece, state),
      "aria-haspopup": "dialog",
      "data-key": `piece-${piece.id}`,
      "data-piece": piece.id,
      onclick: () => pick({ piece: piece.id }),
      ondragstart: (event) => {
        event.dataTransfer.setData("application/x-gorrion-piece", String(piece.id));
        event.dataTransfer.effectAllowed = "move";
      },
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => drop(event, place, piece.id, change),
    },
    inside,
  );
}

function drop(event, to, before, change) {
  const id = Number(event.dataTransfer.getData("application/x-gorrion-piece"));
  if (!id) return;
  event.preventDefault();
  event.stopPropagation();
  if (id !== before) change({ do: "move", piece: id, to, before });
}

function group(key, title, pieces, state, place, actions, { empty, extra } = {}) {
  const over = (event) => {
    if (!event.dataTransfer.types.includes("application/x-gorrion-piece")) return;
    event.preventDefault();
    event.currentTarget.classList.add("over");
  };
  return h(
    "div",
    {
      class: `group group-${key}`,
      role: "group",
      "aria-label": title,
      ondragover: state.may_edit && over,
      ondragleave: (event) => event.currentTarget.classList.remove("over"),
      ondrop: state.may_edit && ((event) => drop(event, place, null, actions.change)),
    },
    h("div", { class: "group-title" }, h("span", {}, title), extra),
    h(
      "div",
      { class: "tiles" },
      pieces.map((piece) => tileButton(piece, state, place, actions)),
      pieces.length === 0 && empty && h("span", { class: "empty" }, empty),
    ),
  );
}

export function drawTray(region, state, actions) {
  const { layout, may_edit: mayEdit } = state;
  const melds = layout.melds.map((meld) =>
    group("meld", meld.name, meld.pieces, state, meld.id, actions, {
      extra: mayEdit &&
        h("button", { class: "small", type: "button", "data-key": `break-${meld.id}`, title: t("break_meld"),
          "aria-label": `${t("break_meld")}: ${meld.name}`, onclick: () => actions.change({ do: "break", meld: meld.id }) }, "⤺"),
    }));
  replace(
    region,
    group("concealed", `${t("concealed")} · ${layout.concealed.length}`, layout.concealed, state, "concealed", actions, {
      empty: t("concealed_empty"),
      extra: mayEdit && layout.concealed.length > 1 &&
        h("button", { class: "small", type: "button", "data-key": "sort", title: t("sort"), "aria-label": t("sort"),
          onclick: () => actions.change({ do: "sort" }) }, "⇅"),
    }),
    (melds.length > 0 || layout.bonus.length > 0) && h(
      "div",
      { class: "beside" },
      melds,
      layout.bonus.length > 0 && group("bonus", t("bonus"), layout.bonus, state, "bonus", actions),
    ),
    mayEdit && h(
      "div",
      { class: "tray-foot" },
      h("button", { class: "add", type: "button", "data-key": "add", "aria-haspopup": "dialog", onclick: () => actions.pick({ add: true }) },
        "＋ ", t("add_tile")),
      h("button", { class: "add", type: "button", "data-key": "undo", disabled: !state.can_undo, onclick: () => actions.change({ do: "undo" }) },
        "↶ ", t("undo")),
      layout.pieces.length > 0 && h("button", { class: "add", type: "button", "data-key": "clear", onclick: () => actions.change({ do: "clear" }) },
        "✕ ", t("clear")),
    ),
  );
}

export function lightTray(region, lit) {
  for (const tile of region.querySelectorAll("[data-piece]")) {
    tile.classList.toggle("lit", lit.has(Number(tile.dataset.piece)));
  }
  region.classList.toggle("lighting", lit.size > 0);
}
