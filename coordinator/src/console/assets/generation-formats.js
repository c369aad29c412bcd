// Choosing formats for another generation: all of them, found by name, with slides for carousels.

import { h, icon } from "./core.js";
import { capital, credits, ratioOf } from "./generation-parts.js";

/** Formats that one generation may have. */
const MOST = 20;

/**
 * A list to choose from. `present`: formats that the generation has already, which are marked. `changed()` is called when the
 * choice changes; `chosen()` gives it as fields of a creation.
 */
export function formatPicker(formats, present, changed) {
  const slides = new Map();
  const lines = Object.entries(formats).map(([id, format]) => line(id, format, present.includes(id), slides, () => {
    limit();
    changed();
  }));
  const limit = () => lines.forEach(({ box }) => (box.disabled = !box.checked && slides.size >= MOST));
  const none = h("p", { class: "quiet small", hidden: true }, "No format has this name.");
  const search = h("input", { class: "input", type: "search", placeholder: "Find a format", "aria-label": "Find a format", oninput: () => {
    const asked = search.value.trim().toLowerCase();
    for (const { element, words } of lines) element.hidden = !words.includes(asked);
    none.hidden = lines.some(({ element }) => !element.hidden);
  } });
  return {
    element: h("div", { class: "stack tight" }, h("div", { class: "input-with" }, icon("search"), search),
      h("ul", { class: "generation-formats", "aria-label": "Formats" }, lines.map(({ element }) => element)), none),
    chosen: () => ({
      outputFormats: [...slides.keys()],
      carouselCounts: Object.fromEntries([...slides].filter(([, count]) => count !== null)),
    }),
  };
}

function line(id, format, isPresent, slides, changed) {
  const { isCarousel } = format;
  const take = () => {
    if (box.checked) slides.set(id, isCarousel ? Number(count.value) : null);
    else slides.delete(id);
    if (count) count.hidden = !box.checked;
    changed();
  };
  const box = h("input", { type: "checkbox", onchange: take });
  const count = isCarousel && h("select", { class: "input generation-slides", "aria-label": `Slides of ${format.name}`, hidden: true, onchange: take },
    Array.from({ length: format.slides.max - format.slides.min + 1 }, (_, more) => format.slides.min + more).map((n) =>
      h("option", { value: n, selected: n === format.slides.default }, `${n} ${n === 1 ? "slide" : "slides"}`)));
  const element = h("li", { class: "generation-format" },
    h("label", {}, box, h("span", { class: "generation-shape", "aria-hidden": "true" }, h("i", { style: { "--ratio": ratioOf(format) } })),
      h("span", {}, h("b", {}, format.name), h("span", { class: "small quiet" },
        [format.aspectRatio, `${credits(format.creditsPerUnit)}${isCarousel ? " a slide" : ""}`, isPresent && "made already"].filter(Boolean).join(" · ")))), count);
  return { element, box, words: [format.name, id, format.platform ?? "", capital(format.category ?? "")].join(" ").toLowerCase() };
}
