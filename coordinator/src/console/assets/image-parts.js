// Small parts of the editor: the way back, what the picture's file is and is called, and a button for a photo.

import { h, icon, link } from "./core.js";

/** What a picture is encoded as: "PNG". */
export const kindOf = ({ mimeType }) => mimeType.split("/").pop().toUpperCase();

/** A name for the file that says what it is of. */
export function fileName({ title }, output) {
  const words = (title ?? "image").toLowerCase().normalize("NFKD").replace(/[^\p{Letter}\p{Number}]+/gu, "-").slice(0, 60).replace(/^-|-$/g, "");
  const slide = output.slideIndex === null ? "" : `-${output.slideIndex + 1}`;
  return `${words || "image"}-${output.formatId.replaceAll("_", "-")}${slide}.${kindOf(output).toLowerCase().replace("jpeg", "jpg")}`;
}

/** A button that asks for a picture of the user's and gives it to `work`. */
export function photoButton(words, work) {
  const input = h("input", { type: "file", accept: "image/png,image/jpeg,image/webp,image/gif,image/avif", class: "hidden-text", "aria-label": words, onchange: () => {
    const [file] = input.files;
    input.value = "";
    if (file) work(file);
  } });
  return h("label", { class: "button small file-button" }, icon("images"), words, input);
}

/** Where the page is, and the way back. */
export function crumbs(generation) {
  return h("nav", { class: "crumbs", "aria-label": "Where you are" },
    h("a", { href: link("/library") }, "Library"), icon("chevron-right"),
    h("a", { class: "image-crumb", href: link(`/generations/${generation.id}`) }, generation.title ?? "Untitled"));
}
