// Small parts of the editor: breadcrumbs, the picture's file type and name, and a photo button.

import { h, icon, link } from "./core.js";

/** Returns the picture's file type: "PNG". */
export const kindOf = ({ mimeType }) => mimeType.split("/").pop().toUpperCase();

/** Returns a descriptive file name. */
export function fileName({ title }, output) {
  const words = (title ?? "image").toLowerCase().normalize("NFKD").replace(/[^\p{Letter}\p{Number}]+/gu, "-").slice(0, 60).replace(/^-|-$/g, "");
  const slide = output.slideIndex === null ? "" : `-${output.slideIndex + 1}`;
  return `${words || "image"}-${output.formatId.replaceAll("_", "-")}${slide}.${kindOf(output).toLowerCase().replace("jpeg", "jpg")}`;
}

/** Returns a button that asks for a picture file and passes it to `work`. */
export function photoButton(words, work) {
  const input = h("input", { type: "file", accept: "image/png,image/jpeg,image/webp,image/gif,image/avif", class: "hidden-text", "aria-label": words, onchange: () => {
    const [file] = input.files;
    input.value = "";
    if (file) work(file);
  } });
  return h("label", { class: "button small file-button" }, icon("images"), words, input);
}

/** Returns the breadcrumbs. */
export function crumbs(generation) {
  return h("nav", { class: "crumbs", "aria-label": "Where you are" },
    h("a", { href: link("/library") }, "Library"), icon("chevron-right"),
    h("a", { class: "image-crumb", href: link(`/generations/${generation.id}`) }, generation.title ?? "Untitled"));
}
