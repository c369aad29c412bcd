// Small parts of the editor: the way back, and what the picture's file is and is called.

import { h, icon, link } from "./core.js";

/** What a picture is encoded as: "PNG". */
export const kindOf = ({ mimeType }) => mimeType.split("/").pop().toUpperCase();

/** A name for the file that says what it is of. */
export function fileName({ title }, output) {
  const words = (title ?? "image").toLowerCase().normalize("NFKD").replace(/[^\p{Letter}\p{Number}]+/gu, "-").slice(0, 60).replace(/^-|-$/g, "");
  const slide = output.slideIndex === null ? "" : `-${output.slideIndex + 1}`;
  return `${words || "image"}-${output.formatId.replaceAll("_", "-")}${slide}.${kindOf(output).toLowerCase().replace("jpeg", "jpg")}`;
}

/** Where the page is, and the way back. */
export function crumbs(generation) {
  return h("nav", { class: "crumbs", "aria-label": "Where you are" },
    h("a", { href: link("/library") }, "Library"), icon("chevron-right"),
    h("a", { class: "image-crumb", href: link(`/generations/${generation.id}`) }, generation.title ?? "Untitled"));
}
