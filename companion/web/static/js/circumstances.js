// How the hand was won: the questions come from the server, only those that make sense now.

import { h, replace } from "./dom.js";
import { t } from "./page.js";

function choice(question, state, answer) {
  return h(
    "fieldset",
    { class: `choice ask-${question.name}` },
    h("legend", {}, question.title),
    h("div", { class: "segments" }, question.options.map((option) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: question.name,
          value: option.value,
          checked: option.value === question.value,
          disabled: !state.may_edit,
          "data-key": `${question.name}-${option.value}`,
          onchange: () => answer({ [question.name]: option.value }),
        }),
        h("span", {}, option.sign && h("b", { class: "han", "aria-hidden": "true", lang: "zh-Hant" }, option.sign), option.label),
      ))),
  );
}

const toggle = (question, state, answer) =>
  h(
    "label",
    { class: "switch" },
    h("input", {
      type: "checkbox",
      name: question.name,
      checked: question.value,
      disabled: !state.may_edit,
      "data-key": question.name,
      onchange: (event) => answer({ [question.name]: event.target.checked }),
    }),
    h("span", {}, question.title),
  );

const field = (question, state, answer) =>
  h(
    "label",
    { class: "field" },
    h("span", {}, question.title),
    h("input", {
      type: question.kind === "count" ? "number" : "text",
      min: question.kind === "count" ? 0 : undefined,
      autocapitalize: "off",
      autocomplete: "off",
      spellcheck: "false",
      name: question.name,
      value: question.value,
      disabled: !state.may_edit,
      "data-key": question.name,
      onchange: (event) => answer({ [question.name]: event.target.value }),
    }),
  );

export function drawCircumstances(region, state, change) {
  const answer = (values) => change({ do: "circumstances", set: values });
  const of = (...kinds) => state.questions.filter((question) => kinds.includes(question.kind));
  const [choices, switches, fields] = [of("choice"), of("switch"), of("text", "count")];
  replace(
    region,
    h("h2", {}, t("how_won")),
    h("div", { class: "choices" }, choices.map((question) => choice(question, state, answer))),
    switches.length > 0 && h("fieldset", { class: "switches" },
      h("legend", {}, t("and_also")),
      switches.map((question) => toggle(question, state, answer))),
    fields.length > 0 && h("div", { class: "fields" }, fields.map((question) => field(question, state, answer))),
  );
}
