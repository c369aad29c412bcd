// Draws formats as icons: a sheet in the true proportions with a few marks; for a carousel a stack of sheets.

import { h } from "./core.js";

const ROWS = ["infographic", "document"];

/** Width divided by height. */
export function ratioOf({ dimensions }) {
  const [width, height] = dimensions.split("x").map(Number);
  return width / height;
}

/** Returns the arrangement of the marks: side by side on wide sheets, in rows on sheets with much content. */
function layoutOf(format) {
  const ratio = ratioOf(format);
  if (ratio > 2.3) return "strip";
  if (ratio > 1.2) return "wide";
  return ROWS.includes(format.category) ? "rows" : "cover";
}

/** Returns the icon of a format. Screen readers skip it. */
export function shape(format) {
  const ratio = ratioOf(format);
  return h("span", { class: `create-shape ${format.isCarousel ? "many" : ""}`, "aria-hidden": "true", style: { "--ratio": ratio } },
    h("span", { class: "create-sheets" },
      format.isCarousel && [h("span", { class: "create-sheet" }), h("span", { class: "create-sheet" })],
      h("span", { class: `create-sheet ${layoutOf(format)}` }, h("i"), h("i"), h("i"), h("i"))));
}
