// What the sections of the account are made of.

import { h } from "./core.js";

/** A section: what it is at the side, its content in a card. */
export function section(title, words, ...content) {
  return h("section", { class: "account-section" },
    h("div", { class: "account-about" }, h("h2", {}, title), h("p", { class: "quiet" }, words)),
    h("div", { class: "card stack" }, content));
}
