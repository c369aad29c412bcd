// The slides of a carousel beside the picture, each a link to its editor. The strip is one tab stop; arrow keys move
// through it.

import { h, link, local } from "./core.js";
import { directionOf } from "./generation-parts.js";

/** Returns links to the slides' pages; nothing for a single image. */
export function slideStrip(generation, slides, shown) {
  if (slides.length < 2) return null;
  const stills = new Map(slides.map((slide) => [slide.id, h("img", { src: local(slide.thumbnailUrl), alt: "", draggable: "false" })]));
  const dir = directionOf(generation.language);
  const links = slides.map((slide, place) => h("a", {
    href: link(`/generations/${generation.id}/outputs/${slide.id}`), "aria-label": `Slide ${place + 1} of ${slides.length}`,
    "aria-current": slide.id === shown.id && "page", tabindex: slide.id === shown.id ? 0 : -1, style: { "--ratio": slide.width / slide.height },
  }, h("span", { class: "number small" }, place + 1), stills.get(slide.id)));
  const element = h("nav", { class: "image-slides", "aria-label": "Slides", dir, onkeydown: walk }, h("ol", {}, links.map((each) => h("li", {}, each))));

  function walk(event) {
    const at = links.indexOf(document.activeElement);
    const on = dir === "rtl" ? -1 : 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + on, ArrowLeft: at - on, Home: 0, End: links.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = links[Math.min(links.length - 1, Math.max(0, to))];
    for (const each of links) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  }

  return {
    element,
    /** Scrolls the strip to the current slide, without moving the page. */
    centre() {
      const here = element.querySelector("[aria-current]");
      element.scrollTo(here.offsetLeft - (element.clientWidth - here.offsetWidth) / 2, here.offsetTop - (element.clientHeight - here.offsetHeight) / 2);
    },
    /** Updates the slides. */
    show(changed) {
      for (const { id, thumbnailUrl } of changed) {
        const still = stills.get(id);
        if (still) still.src = local(thumbnailUrl);
      }
    },
  };
}
