// Format selection for another generation: all formats, a search by name, and slide counts for carousels.

import { h, icon } from "./core.js";
import { capital, credits, ratioOf } from "./generation-parts.js";

/** Maximum formats of one generation. */
const MOST = 20;

/** Format categories, with the order and labels of the Create page. Other categories follow. */
const CATEGORIES = {
  social: "Social", marketing: "Marketing", advertising: "Ads", presentation: "Slides", document: "Print",
  infographic: "Infographics", email: "Email", landing_page: "Landing pages",
  store: "Stores",
};

/**
 * Returns the selection list. `present`: formats that the generation already has, which are marked. `changed()` is
 * called when the selection changes; `chosen()` returns it as fields of a creation.
 */
export function formatPicker(formats, present, changed) {
  const slides = new Map();
  const lines = Object.entries(formats).map(([id, format]) => line(id, format, present.includes(id), slides, () => {
    limit();
    changed();
  }));
  const groups = [...new Set([...Object.keys(CATEGORIES), ...lines.map(({ category }) => category)])]
    .map((category) => group(category, lines.filter((each) => each.category === category)));
  const limit = () => lines.forEach(({ box }) => (box.disabled = !box.checked && slides.size >= MOST));
  const none = h("p", { class: "quiet small", hidden: true }, "No format has this name.");
  const search = h("input", { class: "input", type: "search", placeholder: "Find a format", "aria-label": "Find a format", oninput: () => {
    const asked = search.value.trim().toLowerCase();
    for (const { element, words } of lines) element.hidden = !words.includes(asked);
    for (const { element, members } of groups) element.hidden = members.every((member) => member.element.hidden);
    none.hidden = groups.some(({ element }) => !element.hidden);
  } });
  return {
    element: h("div", { class: "stack tight" }, h("div", { class: "input-with" }, icon("search"), search),
      h("div", { class: "generation-formats" }, groups.map(({ element }) => element)), none),
    chosen: () => ({
      outputFormats: [...slides.keys()],
      carouselCounts: Object.fromEntries([...slides].filter(([, count]) => count !== null)),
    }),
  };
}

function group(category, members) {
  const id = `formats-${category}`;
  const element = h("section", { "aria-labelledby": id, hidden: members.length === 0 }, h("h3", { id }, CATEGORIES[category] ?? capital(category)),
    h("ul", {}, members.map((member) => member.element)));
  return { element, members };
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
  return { element, box, category: format.category ?? "others", words: [format.name, id, format.platform, format.dimensions, format.description].join(" ").toLowerCase() };
}
