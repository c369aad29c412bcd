// The slides of a carousel beside the picture, each a link to where it is edited.

import { h, link, local } from "./core.js";

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
