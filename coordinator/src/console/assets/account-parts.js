// Shared parts of the account sections.

import { h } from "./core.js";

/** Returns a section: title and description at the left, content in a card at the right. */
export function section(title, words, ...content) {
  return h("section", { class: "account-section" },
    h("div", { class: "account-about" }, h("h2", {}, title), h("p", { class: "quiet" }, words)),
    h("div", { class: "card stack" }, content));
}
