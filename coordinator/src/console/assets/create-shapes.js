// Formats as pictures: a sheet of the true shape with a few marks on it, for a carousel a stack of them.

import { h } from "./core.js";

const ROWS = ["infographic", "document"];

/** Width by height. */
export function ratioOf({ dimensions }) {
  const [width, height] = dimensions.split("x").map(Number);
  return width / height;
}

/** Where the marks stand: beside each other on wide sheets, in rows on those that hold much. */
function layoutOf(format) {
  const ratio = ratioOf(format);
  if (ratio > 2.3) return "strip";
  if (ratio > 1.2) return "wide";
  return ROWS.includes(format.category) ? "rows" : "cover";
}

/** The picture of a format; for eyes alone. */
export function shape(format) {
  const ratio = ratioOf(format);
  return h("span", { class: `create-shape ${format.isCarousel ? "many" : ""}`, "aria-hidden": "true", style: { "--ratio": ratio } },
    h("span", { class: "create-sheets" },
      format.isCarousel && [h("span", { class: "create-sheet" }), h("span", { class: "create-sheet" })],
      h("span", { class: `create-sheet ${layoutOf(format)}` }, h("i"), h("i"), h("i"), h("i"))));
}
