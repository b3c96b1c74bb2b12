// /score/<id>: the state comes from the server, every change goes there, every region draws itself anew.

import { get, post } from "./api.js";
import { drawCircumstances } from "./circumstances.js";
import { h, replace } from "./dom.js";
import { drawPad } from "./pad.js";
import { firstState, t } from "./page.js";
import { drawPicture, lightPicture } from "./picture.js";
import { openPicker } from "./picker.js";
import { drawSlip, drawTotal } from "./slip.js";
import { drawTray, lightTray } from "./tray.js";

const region = (id) => document.getElementById(id);
const address = `${location.pathname}.json`;

let state = firstState();
let line = Promise.resolve(); // changes go one after the other, each with the version the last one made

/** Send one change; the page is drawn again from the answer. */
function change(edit) {
  line = line.then(() => send(edit));
  return line;
}

async function send(edit) {
  try {
    show(await post(address, { version: state.version, edit }));
  } catch (error) {
    if (error.status === 409) show(await get(address).catch(() => state));
    say(error.message, "wrong");
  }
}

function say(text, kind) {
  region("status-text").textContent = text;
  region("status").dataset.kind = kind;
}

/** Light up the pieces that make what the finger rests on; nothing for an empty list. */
function light(pieces) {
  const lit = new Set(pieces);
  lightTray(region("tray"), lit);
  lightPicture(region("picture"), lit);
}

const pick = (request) => openPicker(region("picker"), state, request, change);

function show(next) {
  state = next;
  say(state.status.text, state.status.kind);
  drawPicture(region("picture"), state, pick);
  drawTray(region("tray"), state, { pick, change });
  drawPad(region("pad"), state, change);
  drawCircumstances(region("circumstances"), state, change);
  drawSlip(region("slip"), state, { change, light });
  drawTotal(region("total-bar"), state);
}

addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, dialog");
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing && state.can_undo) {
    event.preventDefault();
    change({ do: "undo" });
  }
});
region("forget")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  replace(
    form,
    h("span", {}, t("forget_really"), " "),
    h("button", { class: "button danger", type: "button", onclick: () => form.submit() }, t("forget_yes")),
    h("button", { class: "button quiet", type: "button", onclick: () => location.reload() }, t("forget_no")),
  );
  form.querySelector("button").focus();
});
// Another browser may have changed the sheet while this one slept.
addEventListener("pageshow", async (event) => {
  if (event.persisted) show(await get(address).catch(() => state));
});
show(state);
