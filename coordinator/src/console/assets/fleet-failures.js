// Recent failures, with a plain explanation and who is responsible.

import { ago, h } from "./core.js";
import { folded, idOf, nothing, section, sync } from "./fleet-parts.js";

const FEW = 6;
/** By code: what happened, and whether the service or the input is the cause. */
const REASONS = {
  page_invalid: ["A page in the page language was invalid", "content"],
  no_content: ["The content had nothing to make images of", "content"],
  too_little_content: ["The content was too short for the requested slides", "content"],
  content_too_long: ["The text was too long to be used word for word", "content"],
  url_not_allowed: ["The address is not allowed", "content"],
  url_fetch_failed: ["The page could not be fetched", "content"],
  url_too_large: ["The page is too large", "content"],
  url_unsupported_type: ["The address has an unsupported file type", "content"],
  pdf_invalid: ["The PDF is broken", "content"],
  pdf_encrypted: ["The PDF needs a password", "content"],
  pdf_no_text: ["The PDF has no text", "content"],
  pdf_too_large: ["The PDF is too large", "content"],
  pdf_too_complex: ["The PDF is too complex", "content"],
  file_invalid: ["The file is broken", "content"],
  file_encrypted: ["The file needs a password", "content"],
  file_too_complex: ["The file is too complex", "content"],
  translation_unavailable: ["No translation was available", "service"],
  render_failed: ["An image could not be drawn", "service"],
  storage_failed: ["The storage could not be reached", "service"],
  storage_damaged: ["Stored data is damaged", "service"],
  timed_out: ["It took too long", "service"],
};

/** Returns the explanation of a code. */
export const reason = (code) => REASONS[code]?.[0] ?? `It failed with the code ${code}`;

function blame(code) {
  return REASONS[code]?.[1] === "content"
    ? h("span", { class: "tag", title: "The content could not be used. The service worked correctly." }, "Content")
    : h("span", { class: "tag bad", title: "The service caused the failure." }, "Service");
}

function item({ id, title, accountName, code, message, at }) {
  return h("li", { class: "fleet-item" },
    h("div", { class: "fleet-item-head" }, h("h3", {}, reason(code)), blame(code)),
    title && h("p", { class: "fleet-item-title" }, title),
    message && h("p", { class: "quiet small fleet-said" }, message),
    h("p", { class: "fleet-item-foot quiet small" }, h("span", {}, accountName), ago(at), idOf(id, "generation")));
}

/** Returns the failed generations, newest first. */
export function failuresSection() {
  const none = nothing("circle-check", "Nothing failed", "Failed generations appear here, with the reason.");
  const list = h("ul", { class: "fleet-items" });
  const fold = folded(FEW, "failure", "failures", (some) => sync(list, some, item));
  const element = section("Failures", { id: "failures" }, none, list, h("div", { class: "fleet-more" }, fold.more));
  return {
    element,
    show({ failures }) {
      none.hidden = failures.length > 0;
      list.hidden = failures.length === 0;
      fold.show(failures.map((failure) => ({ ...failure, id: failure.generationId })));
    },
  };
}
