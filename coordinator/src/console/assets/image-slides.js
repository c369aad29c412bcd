// The slides of a carousel beside the picture, each a link to where it is edited; and what files of images are called.

import { h, icon, link, local } from "./core.js";

/** Links to the slides' own pages; nothing for an image that stands alone. */
export function slideStrip(generation, slides, shown) {
  if (slides.length < 2) return null;
  const stills = new Map(slides.map((slide) => [slide.id, h("img", { src: local(slide.thumbnailUrl), alt: "", draggable: "false" })]));
  const element = h("nav", { class: "image-slides", "aria-label": "Slides" }, h("ol", {}, slides.map((slide, place) => h("li", {},
    h("a", {
      href: link(`/generations/${generation.id}/outputs/${slide.id}`), "aria-label": `Slide ${place + 1} of ${slides.length}`,
      "aria-current": slide.id === shown.id && "page", style: { "--ratio": slide.width / slide.height },
    }, h("span", { class: "number small" }, place + 1), stills.get(slide.id))))));
  return {
    element,
    /** Brings the slide that is shown into the strip's view, without moving the page. */
    centre() {
      const here = element.querySelector("[aria-current]");
      element.scrollTo(here.offsetLeft - (element.clientWidth - here.offsetWidth) / 2, here.offsetTop - (element.clientHeight - here.offsetHeight) / 2);
    },
    /** Shows slides as they are now. */
    show(changed) {
      for (const { id, thumbnailUrl } of changed) {
        const still = stills.get(id);
        if (still) still.src = local(thumbnailUrl);
      }
    },
  };
}

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
