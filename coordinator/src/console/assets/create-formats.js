// Formats by picture: each as a sheet of its true shape, by category, with a search; the chosen ones with their slides.

import { count, h, icon, iconButton, plural } from "./core.js";

const CATEGORIES = { presentation: "Presentations", infographic: "Infographics", email: "E-mail" };
const name = (category) => CATEGORIES[category] ?? category.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());

/** The formats' part. `changed()` is told of every change. `chosen` maps ids to slides, null of a visual. */
export function formatsPart(formats, start, changed) {
  const known = new Map(formats.map((format) => [format.id, format]));
  const chosen = new Map((start.outputFormats ?? ["instagram_post"]).filter((id) => known.has(id)).map((id) => [id, start.carouselCounts?.[id] ?? known.get(id).slides?.default ?? null]));
  const chips = h("ul", { class: "create-chips", "aria-label": "Chosen formats" });
  const search = h("input", { class: "input", type: "search", placeholder: "Search formats", "aria-label": "Search formats", oninput: () => find(search.value) });
  const nothing = h("p", { class: "quiet", hidden: true }, "No format is called so.");
  const cards = new Map();
  const groups = [...Map.groupBy(formats, ({ category }) => category)].map(([category, some]) => h("details", { class: "create-group", open: some.some(({ id }) => chosen.has(id)) || category === formats[0].category },
    h("summary", {}, icon("chevron-down"), name(category), h("span", { class: "quiet small" }, count(some.length))),
    h("ul", { class: "create-formats" }, some.map(card))));

  function card(format) {
    const [width, height] = format.dimensions.split("x").map(Number);
    const box = h("input", { type: "checkbox", value: format.id, checked: chosen.has(format.id), onchange: () => choose(format, box.checked) });
    const scale = 4.5 / Math.max(width, height);
    const sheet = h("span", { class: `create-sheet${format.isCarousel ? " several" : ""}`, style: { "inline-size": `${Math.max(width * scale, 1)}rem`, "block-size": `${Math.max(height * scale, 1)}rem` } }, h("i", {}), h("i", {}));
    const element = h("li", {}, h("label", { class: "create-format", title: format.description }, box, h("span", { class: "create-stage" }, sheet), h("span", { class: "create-name" }, format.name), h("span", { class: "quiet small" }, `${format.aspectRatio}${format.isCarousel ? " · slides" : ""}`)));
    cards.set(format.id, { box, element, words: `${format.name} ${format.platform} ${format.category} ${format.id}`.toLowerCase() });
    return element;
  }

  function choose(format, on) {
    if (on) chosen.set(format.id, format.slides?.default ?? null);
    else chosen.delete(format.id);
    cards.get(format.id).box.checked = on;
    show();
    changed();
  }

  function find(words) {
    const wanted = words.trim().toLowerCase().split(/\s+/);
    let found = 0;
    for (const { element, words: said } of cards.values()) {
      element.hidden = !wanted.every((word) => said.includes(word));
      found += !element.hidden;
    }
    for (const group of groups) {
      group.hidden = [...group.querySelectorAll("li")].every((item) => item.hidden);
      if (words.trim()) group.open = true;
    }
    nothing.hidden = found > 0;
  }

  function chip(format, slides) {
    const stepper = format.slides && h("span", { class: "create-steps" },
      iconButton(`Fewer slides of ${format.name}`, "minus", { kind: "plain small", disabled: slides <= format.slides.min, onclick: () => step(format, -1) }),
      h("span", { class: "number", "aria-live": "polite" }, plural(slides, "slide")),
      iconButton(`More slides of ${format.name}`, "plus", { kind: "plain small", disabled: slides >= format.slides.max, onclick: () => step(format, 1) }));
    return h("li", { class: "create-chip" }, h("span", {}, format.name), stepper, iconButton(`Leave out ${format.name}`, "x", { kind: "plain small", onclick: () => choose(format, false) }));
  }

  function step(format, by) {
    chosen.set(format.id, Math.min(format.slides.max, Math.max(format.slides.min, chosen.get(format.id) + by)));
    show();
    changed();
  }

  function show() {
    chips.replaceChildren(...[...chosen].map(([id, slides]) => chip(known.get(id), slides)));
  }

  show();
  return {
    element: h("section", { class: "stack" }, h("h2", {}, "Formats"), chips, search, nothing, h("div", { class: "create-groups" }, groups)),
    fields: () => ({ outputFormats: [...chosen.keys()], carouselCounts: Object.fromEntries([...chosen].filter(([, slides]) => slides)) }),
    images: () => [...chosen.values()].reduce((sum, slides) => sum + (slides ?? 1), 0),
    cost: () => [...chosen].reduce((sum, [id, slides]) => sum + known.get(id).creditsPerUnit * (slides ?? 1), 0),
    nameOf: (id) => known.get(id)?.name ?? id,
    controls: { outputFormats: search },
  };
}
