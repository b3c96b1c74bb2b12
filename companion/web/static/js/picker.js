// What can be done with one tile: the three best guesses first, then the grid, then "not a tile".

import { h, svg } from "./dom.js";
import { nameOf, t } from "./page.js";
import { grid } from "./pad.js";
import { face } from "./tile.js";

/** Open the dialog for `{piece}`, a tile of the sheet; `{seen}`, one of the picture; or `{add}`, a new one. */
export function openPicker(dialog, state, request, change) {
  const close = (edit) => {
    dialog.close();
    if (edit) change(edit);
  };
  const body = request.add ? addBody(state, close) : request.piece ? pieceBody(state, request.piece, close) : seenBody(state, request.seen, close);
  dialog.replaceChildren(...body);
  dialog.onclick = (event) => event.target === dialog && close(); // a tap beside it closes it
  dialog.showModal();
  dialog.querySelector("[autofocus]")?.focus();
  dialog.scrollTop = 0;
}

const closeButton = (close) =>
  h("button", { class: "button quiet close", type: "button", "aria-label": t("close"), onclick: () => close() }, "✕");

/** The tile as it is on the picture, cut out with a little around it. */
function crop(state, seen) {
  if (seen === null || !state.picture?.url) return null;
  const { quad } = state.reading.tiles[seen];
  const xs = quad.map((corner) => corner[0]);
  const ys = quad.map((corner) => corner[1]);
  const side = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) * 1.25;
  const x = (Math.max(...xs) + Math.min(...xs) - side) / 2;
  const y = (Math.max(...ys) + Math.min(...ys) - side) / 2;
  const { url, width, height } = state.picture;
  return svg(
    "svg",
    { class: "crop", viewBox: `${x} ${y} ${side} ${side}`, "aria-hidden": "true" },
    svg("image", { href: url, width, height }),
    svg("polygon", { points: quad.join(" ") }),
  );
}

function head(title, hint, picture, close) {
  return h(
    "header",
    { class: "picker-head" },
    picture,
    h("div", { class: "picker-title" }, h("h2", { id: "picker-title" }, title), hint && h("p", { class: "hint" }, hint)),
    closeButton(close),
  );
}

function guesses(list, choose, { first = true } = {}) {
  if (list.length === 0) return null;
  return h(
    "section",
    { class: "guesses" },
    h("h3", {}, t("best_guesses")),
    h("div", { class: "guess-row" }, list.map((guess, at) =>
      h(
        "button",
        { class: "guess", type: "button", autofocus: first && at === 0, onclick: () => choose(guess.tile) },
        face(guess.tile),
        h("span", {}, nameOf(guess.tile), h("small", {}, t("uncertain_percent", { percent: guess.percent }))),
      ))),
  );
}

const everyTile = (current, choose) =>
  h("section", { class: "all" }, h("h3", {}, t("all_tiles")), grid(choose, current));

function pieceBody(state, id, close) {
  const piece = state.layout.pieces.find((each) => each.id === id);
  const choose = (tile) => close({ do: "name", piece: id, tile });
  const winning = state.layout.winning === id;
  const { place } = piece;
  const move = (to, words) =>
    place !== to && h("button", { class: "button", type: "button", onclick: () => close({ do: "move", piece: id, to }) }, words);
  const meld = state.layout.melds.find((each) => each.id === place);
  return [
    head(nameOf(piece.tile), piece.doubtful && t("doubtful"), crop(state, piece.seen) ?? h("span", { class: "crop" }, face(piece.tile)), close),
    place === "concealed" && h(
      "div", { class: "actions" },
      h("button", { class: winning ? "button" : "button gold", type: "button", "data-action": "win",
        onclick: () => close({ do: "win", piece: winning ? null : id }) }, "★ ", winning ? t("not_winning") : t("is_winning")),
    ),
    guesses(piece.guesses, choose),
    everyTile(piece.tile, choose),
    h("div", { class: "actions" },
      h("button", { class: "button", type: "button", "data-action": "not", onclick: () => choose("not") }, "✕ ", piece.seen === null ? t("remove") : t("not_a_tile"))),
    piece.melds.length > 0 && h(
      "section", {}, h("h3", {}, t("lay_down")),
      h("div", { class: "actions" }, piece.melds.map((choice) =>
        h("button", { class: "button lay", type: "button",
          onclick: () => close({ do: "meld", pieces: choice.pieces, concealed: choice.kind === "ckong" }) },
        h("span", { class: "lay-tiles" }, choice.tiles.map(face)), t(choice.kind)))),
    ),
    h("section", {}, h("h3", {}, t("move_to")), h(
      "div", { class: "actions" },
      move("concealed", t("concealed")),
      state.layout.melds.map((each) => move(each.id, each.name)),
      move("new", t("new_meld")),
      move("bonus", t("bonus")),
      meld?.pieces.length === 4 && h("button", { class: "button", type: "button",
        onclick: () => close({ do: "turn", meld: meld.id, concealed: !meld.concealed }) }, meld.concealed ? t("expose_kong") : t("conceal_kong")),
    )),
  ].filter(Boolean);
}

function seenBody(state, seen, close) {
  const tile = state.reading.tiles[seen];
  const take = (code) => close({ do: "add", tile: code, seen });
  return [
    head(nameOf(tile.tile), t("off_sheet"), crop(state, seen), close),
    guesses(tile.guesses, take),
    everyTile(null, take),
  ].filter(Boolean);
}

function addBody(state, close) {
  return [head(t("add_tile"), null, null, close), grid((tile) => close({ do: "add", tile }), null, { autofocus: true })];
}
