// A new carousel slide: its kind and texts.

import { h } from "./core.js";

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
const points = (kind) => ([title, text]) => ({ kind, title: title || "Headline", items: (lines(text).length ? lines(text) : ["First point", "Second point"]).map((line) => ({ title: line })) });

/** Kinds of slides: the label, the fields, and the page made of the input. */
const KINDS = {
  point: { called: "Text", fields: ["Headline", "Text"], page: ([title, text]) => ({ kind: "point", title: title || "Headline", ...(text || !title ? { text: text || "Supporting text" } : {}) }) },
  list: { called: "Points", fields: ["Headline", "Points, one a line"], page: points("list") },
  process: { called: "Steps", fields: ["Headline", "Steps, one a line"], page: points("process") },
  quote: { called: "Quotation", fields: ["Quotation", "Who said it"], page: ([title, by]) => ({ kind: "quote", title: title || "Quotation", ...(by ? { attribution: by } : {}) }) },
  stat: { called: "Figure", fields: ["Figure, such as 64 %", "What it says"], page: ([figure, title]) => {
    const [, value, unit] = /^(.*?\d[\d.,]*)\s*(.*)$/.exec(figure) ?? [null, figure || "100", figure ? "" : "%"];
    return { kind: "stat", title: title || "What it says", figure: { value, ...(unit ? { unit } : {}) } };
  } },
};

/** The kinds of slides that can be added: [[kind, label]]. */
export const newSlideKinds = Object.entries(KINDS).map(([kind, { called }]) => [kind, called]);

/**
 * Returns the form of a new slide. `element` holds the fields; `page()` returns its content in the outline's format.
 */
export function newSlide(kind, changed) {
  const { called, fields, page } = KINDS[kind];
  const inputs = fields.map((name, place) => h(place ? "textarea" : "input", { class: "input", "aria-label": name, placeholder: name, dir: "auto", rows: place ? 3 : null, maxlength: 600, oninput: () => changed() }));
  const element = h("div", { class: "arrange-new" }, h("strong", { class: "small" }, called), inputs);
  return { element, page: () => page(inputs.map(({ value }) => value.trim())), focus: () => inputs[0].focus() };
}
