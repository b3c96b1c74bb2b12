// What happened, newest first; every row can be taken back.

import { h, replace } from "./dom.js";
import { t } from "./page.js";

const SHOWN = 14; // as many as fit beside the table

export function drawEvents(region, state, undo) {
  replace(
    region,
    state.events.slice(0, SHOWN).map((event, at) =>
      h("li", { class: at === 0 ? "newest" : undefined },
        h("span", {}, event.text),
        state.may_edit && h("button", {
          class: "button quiet undo-one",
          type: "button",
          "data-key": `undo-${event.ref}`,
          "aria-label": t("undo_this", { event: event.text }),
          onclick: () => undo(event.ref),
        }, "↶"))),
  );
}
