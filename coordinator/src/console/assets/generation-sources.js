// Shows which passage of the input supports each statement of an image.

import { api, h, icon, note, button } from "./core.js";

const SLOTS = {
  brand: "Brand", kicker: "Above the headline", title: "Headline", body: "Text", value: "Figure", unit: "Unit", number: "Number",
  attribution: "Who said it", cta: "What to do now", handle: "Signature",
};
const PARTS = { head: "", body: ", text", label: ", label" };

/** Returns a statement's place in words: "item.1.body" is "Point 2, text". */
function slotName(slot) {
  const [kind, item, part, cell] = slot.split(".");
  if (kind === "group") return `Group ${Number(item) + 1}`;
  if (kind !== "item") return SLOTS[slot] ?? slot;
  return part === "cell" ? `Point ${Number(item) + 1}, value ${Number(cell) + 1}` : `Point ${Number(item) + 1}${PARTS[part] ?? ""}`;
}

/** Returns a report that loads when it is opened; `show(output)` selects the image. */
export function sourcesReport(id) {
  const content = h("div", { "aria-live": "polite" });
  let shown = null;
  let asked = null;
  const element = h("details", { class: "generation-report", ontoggle: () => element.open && fill() },
    h("summary", {}, h("h3", {}, "Where each statement comes from"), icon("chevron-down")), content);

  async function fill() {
    const wanted = shown;
    // One response covers all images, so it is cached. Images that finish later trigger a new request.
    if (!asked) content.replaceChildren(h("div", { class: "stack tight", "aria-label": "Loading" }, [1, 2, 3].map(() => h("div", { class: "skeleton" }))));
    try {
      asked ??= api("GET", `/console/api/generations/${id}/sources`);
      const { outputs } = await asked;
      if (wanted !== shown) return;
      const found = outputs.find(({ outputId }) => outputId === shown.id);
      content.replaceChildren(found?.statements.length ? list(found.statements) : h("p", { class: "quiet" }, "This image has no statements."));
    } catch (error) {
      asked = null;
      content.replaceChildren(note("bad", h("div", { class: "stack tight" }, h("p", {}, error.message), h("div", { class: "buttons" }, button("Try again", { icon: "refresh-cw", kind: "small", onclick: fill })))));
    }
  }

  return {
    element,
    show(output) {
      if (shown?.id === output.id) return;
      shown = output;
      if (element.open) fill();
    },
  };
}

const list = (statements) => h("ul", { class: "generation-statements" }, statements.map(({ slot, text, source, note: remark }) =>
  h("li", {}, h("p", { class: "small quiet" }, slotName(slot)), h("p", { class: "generation-statement", dir: "auto" }, text), origin(text, source, remark))));

function origin(text, source, remark) {
  if (!source) return h("p", { class: "small quiet" }, remark ?? "The input has no single passage for it.");
  if (plain(source) === plain(text)) return h("p", { class: "small generation-same" }, icon("check"), "Word for word from the input");
  return [h("blockquote", { class: "generation-passage small", dir: "auto" }, marked(source, text)), remark && h("p", { class: "small quiet" }, remark)];
}

/** Returns a text without the changes of typesetting: non-breaking spaces and line breaks. */
const plain = (words) => words.replace(/\s+/g, " ").trim();

/** Returns the passage, with the words highlighted that also stand on the image. */
function marked(source, text) {
  const words = plain(text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+");
  const found = words && new RegExp(words, "i").exec(source);
  return found ? [source.slice(0, found.index), h("mark", {}, found[0]), source.slice(found.index + found[0].length)] : source;
}
