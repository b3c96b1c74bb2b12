// /score: a picture is dropped, chosen or taken, and sent; the sheet opens when it has been read.

import { post } from "./api.js";
import { t } from "./page.js";

const form = document.getElementById("photo-form");
const status = document.getElementById("status");
const statusText = document.getElementById("status-text");
const preview = document.getElementById("preview");
const firstWords = statusText.textContent;

function say(text, kind = "todo") {
  statusText.textContent = text;
  status.dataset.kind = kind;
}

function show(url) {
  preview.querySelector("img").src = url;
  preview.hidden = false;
}

async function begin(value, pictureUrl) {
  if (pictureUrl) show(pictureUrl);
  say(pictureUrl ? t("reading") : firstWords);
  try {
    const begun = await post("/score.json", value);
    location.assign(begun.url);
  } catch (error) {
    preview.hidden = true;
    say(error.message, "wrong");
    status.scrollIntoView({ block: "center", behavior: "smooth" });
  }
}

function send(file) {
  const data = new FormData();
  data.set("photo", file, file.name || "photo.jpg");
  begin(data, URL.createObjectURL(file));
}

if (form) {
  for (const input of form.querySelectorAll("[data-photo]")) {
    input.addEventListener("change", () => {
      if (input.files.length) send(input.files[0]);
      input.value = ""; // the same file may be chosen again after a failure
    });
  }
  // A picture may be dropped anywhere on the page, not only into the frame.
  addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.items].some((item) => item.kind === "file")) return;
    event.preventDefault();
    form.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) form.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    form.classList.remove("over");
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    send(file);
  });
  addEventListener("paste", (event) => {
    const file = event.clipboardData.files[0];
    if (file) send(file);
  });
  for (const other of document.querySelectorAll("[data-begin]")) {
    other.addEventListener("submit", (event) => {
      event.preventDefault();
      const { name } = event.submitter;
      begin({ [name]: true }, event.submitter.querySelector("img")?.src);
    });
  }
}
// Coming back with the browser's arrow must not show the picture of last time as if it were read.
addEventListener("pageshow", () => {
  preview?.toggleAttribute("hidden", true);
});
