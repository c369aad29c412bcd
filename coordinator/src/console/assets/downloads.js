// The menu "Download": a single image, or images packed in one file.

import { api, busy, h, icon, local } from "./core.js";
import { fileName, kindOf } from "./image-parts.js";

/**
 * Returns the menu of a generation; `element` is the button with its list. After `show(output)` it offers that image,
 * and files contain the images of its format. Before that, files contain all images.
 */
export function downloads(generation, { kind = "", words = "Download" } = {}) {
  let shown = null;
  const picture = h("a", { hidden: true, onclick: () => close() });
  const file = (format, name) => {
    const item = h("button", { type: "button", onclick: () => busy(item, async () => {
      const part = shown ? `&formatId=${encodeURIComponent(shown.formatId)}` : "";
      const { url } = await api("GET", `/api/generations/${generation.id}/export?format=${format}${part}`);
      close();
      location.assign(local(url));
    }) }, icon(name), format.toUpperCase());
    return item;
  };
  const opener = h("summary", { class: `button ${kind}` }, icon("download"), h("span", {}, words));
  const element = h("details", { class: "menu" }, opener, h("div", { class: "menu-list" }, picture, file("pdf", "file-text"), file("zip", "layers")));

  function close() {
    if (element.open) opener.focus();
    element.open = false;
  }
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !element.contains(relatedTarget)) element.open = false;
  });
  element.addEventListener("keydown", ({ key }) => key === "Escape" && close());
  document.addEventListener("click", ({ target }) => {
    if (!element.contains(target)) element.open = false;
  });

  return {
    element,
    show(output) {
      shown = output;
      picture.hidden = false;
      picture.replaceChildren(icon("image"), kindOf(output));
      picture.href = local(output.imageUrl);
      picture.setAttribute("download", fileName(generation, output));
    },
  };
}
