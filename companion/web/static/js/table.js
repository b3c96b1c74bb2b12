// /table: every version of the table comes from the server; the page draws what it is told.

import { get, post } from "./api.js";

import { firstState, t } from "./page.js";
import { drawEvents } from "./table_events.js";
import { drawMiddle } from "./table_middle.js";
import { drawSeat } from "./table_seat.js";
import { drawWin } from "./table_win.js";

const POLL_MS = 2000; // as often as a person glances at the table
const region = (id) => document.getElementById(id);

let state = firstState();

async function undo(ref) {
  try {
    show(await post("/table.json", { version: state.version, edit: { do: "undo", event: ref } }));
  } catch (error) {
    if (error.status === 409) show(await get("/table.json").catch(() => state));
    say(error.message, "wrong");
  }
}

function say(text, kind) {
  const line = region("status-text");
  if (line.textContent !== text) line.textContent = text;
  region("status").dataset.kind = kind;
}

function show(next) {
  if (next.game === state.game && next.version < state.version) return; // a late answer
  state = next;
  say(state.status.text, state.status.kind);
  for (const seat of state.seats) drawSeat(region(`seat-${seat.seat}`), seat);
  drawMiddle(region("middle"), state);
  drawWin(region("win"), state);
  drawEvents(region("events"), state, undo);
  region("undo").hidden = !state.may_edit || state.events.length === 0;
}

function follow() {
  const stream = new EventSource(`/table/stream?seen=${state.game}.${state.version}`);
  stream.onmessage = (message) => show(JSON.parse(message.data));
  stream.onerror = () => {
    // A lost connection comes back by itself; a refused one does not, and is asked for instead.
    if (stream.readyState === EventSource.CLOSED) setTimeout(poll, POLL_MS);
    else say(t("reconnecting"), "wrong");
  };
  stream.onopen = () => say(state.status.text, state.status.kind);
}

async function poll() {
  try {
    show(await get("/table.json"));
  } catch (error) {
    say(error.message, "wrong");
  }
  setTimeout(poll, POLL_MS);
}

region("undo").addEventListener("click", () => undo(null));
show(state);
follow();
