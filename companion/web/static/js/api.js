// Talking to the server: JSON both ways, errors as sentences.

import { t } from "./page.js";

export class ServerSays extends Error {
  constructor(message, code, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

async function ask(url, options) {
  let response;
  try {
    response = await fetch(url, { ...options, headers: { Accept: "application/json", ...options?.headers } });
  } catch {
    throw new ServerSays(t("failed"), "offline", 0);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw new ServerSays(answer?.error?.message ?? t("failed"), answer?.error?.code ?? "unknown", response.status);
}

export const get = (url) => ask(url);

export const post = (url, value) =>
  value instanceof FormData
    ? ask(url, { method: "POST", body: value })
    : ask(url, { method: "POST", body: JSON.stringify(value), headers: { "Content-Type": "application/json" } });

