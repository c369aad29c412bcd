// Format selection by picture. Selected formats come first, with slide counts for carousels. Below are all formats by
// category.

import { button, count, h, icon, iconButton, plural, segments, showFaults } from "./core.js";
import { MOST_FORMATS, slidesOf, within } from "./create-choices.js";
import { shape } from "./create-shapes.js";

/** Format categories in the order in which people look for them. */
const CATEGORIES = {
  social: "Social", marketing: "Marketing", advertising: "Ads", presentation: "Slides", document: "Print",
  infographic: "Infographics", email: "Email", landing_page: "Landing pages",
  store: "Stores",
};
/** Formats shown per category at first: two rows. */
const FIRST = 12;

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1).replaceAll("_", " ");

/** Returns the format selection. `controls()` returns the controls by API field name. */
export function formatsPart(page, choices, changed) {
  const byId = new Map(page.formats.map((format) => [format.id, format]));
  const cards = new Map(page.formats.map((format) => [format.id, card(format)]));
  const categories = [...new Set([...Object.keys(CATEGORIES), ...page.formats.map(({ category }) => category)])];
  const groups = categories.map(group).filter(({ members }) => members.length > 0);
  const counters = new Map();
  const chosen = h("ul", { class: "create-chosen", "aria-label": "Chosen formats" });
  const nothing = h("p", { class: "quiet", role: "status" });
  const search = h("input", { class: "input", type: "search", placeholder: "Search formats", "aria-label": "Search formats", oninput: () => filter() });
  let category = byId.get(choices.outputFormats[0])?.category ?? groups[0].category;
  const picker = segments("create-category", groups.map((each) => [each.category, each.words]), category, (next) => {
    category = next;
    filter();
  }, { legend: "What formats are for" });
  const all = h("fieldset", { class: "field create-formats" }, h("legend", { class: "hidden-text" }, "Formats"), groups.map(({ element }) => element), nothing);
  const element = h("section", { class: "create-part", "aria-labelledby": "create-formats" },
    h("div", { class: "create-part-head" }, h("h2", { id: "create-formats" }, "Formats"), h("div", { class: "input-with" }, icon("search"), search)),
    chosen, picker, all);

  function card(format) {
    const box = h("input", { type: "checkbox", checked: choices.outputFormats.includes(format.id), title: format.description, onchange: () => {
      box.checked ? add(format) : drop(format);
    } });
    const { slides } = format;
    return {
      format, box,
      words: [format.name, format.id, format.platform, CATEGORIES[format.category], format.aspectRatio, format.dimensions, format.kind, format.description].join(" ").toLowerCase(),
      element: h("li", {}, h("label", { class: "create-format" }, box, shape(format), h("span", { class: "create-format-name" }, format.name),
        h("span", { class: "create-format-size" }, slides ? `${slides.min}–${slides.max} slides` : format.aspectRatio),
        h("span", { class: "create-tick", "aria-hidden": "true" }, icon("check")))),
    };
  }

  function group(name) {
    const members = page.formats.filter((format) => format.category === name).map(({ id }) => cards.get(id));
    const words = CATEGORIES[name] ?? capital(name);
    const items = members.flatMap((member, place) => {
      const { platform } = member.format;
      const opens = platform !== members[place - 1]?.format.platform;
      if (opens) member.platform = h("li", { class: "create-platform", hidden: true }, platform);
      return opens ? [member.platform, member.element] : [member.element];
    });
    const heading = h("h3", {}, words);
    const more = button(`Show all ${count(members.length)}`, { icon: "chevron-down", kind: "plain small", onclick: () => {
      each.whole = true;
      filter();
      members[FIRST].box.focus();
    } });
    const each = { category: name, words, members, heading, more, whole: false, element: h("div", { class: "create-group" }, heading, h("ul", { class: "create-grid" }, items), more) };
    return each;
  }

  /** Shows one category, or the search results of all. */
  function filter() {
    const asked = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const searching = asked.length > 0;
    let found = 0;
    for (const { element: box, category: name, members, heading, more, whole } of groups) {
      const shown = members.filter(({ words }, place) => (searching ? asked.every((word) => words.includes(word)) : name === category && (whole || place < FIRST)));
      for (const member of members) member.element.hidden = !shown.includes(member);
      // A long category is divided by platform.
      const parted = !searching && whole && members.length > FIRST;
      for (const { platform } of members) if (platform) platform.hidden = !parted;
      box.hidden = shown.length === 0;
      heading.className = searching ? "" : "hidden-text";
      more.hidden = searching || whole || members.length <= FIRST;
      found += shown.length;
    }
    picker.hidden = searching;
    nothing.textContent = found === 0 ? `No format is called “${search.value.trim()}”.` : "";
  }

  function add(format) {
    choices.outputFormats.push(format.id);
    choices.carouselCounts[format.id] ??= format.slides?.default;
    update();
  }

  function drop({ id }) {
    choices.outputFormats = choices.outputFormats.filter((other) => other !== id);
    update();
  }

  function update() {
    showFaults([], { outputFormats: all });
    list();
    changed();
  }

  /** Shows the selected formats. */
  function list() {
    const full = choices.outputFormats.length >= MOST_FORMATS;
    counters.clear();
    chosen.replaceChildren(...choices.outputFormats.map((id) => chip(byId.get(id))));
    chosen.hidden = chosen.childElementCount === 0;
    for (const [id, { box }] of cards) {
      box.checked = choices.outputFormats.includes(id);
      box.disabled = full && !box.checked;
    }
  }

  function chip(format) {
    const remove = iconButton(`Remove ${format.name}`, "x", { kind: "plain small", onclick: () => {
      const place = choices.outputFormats.indexOf(format.id);
      drop(format);
      (chosen.children[Math.min(place, chosen.childElementCount - 1)]?.querySelector(".create-remove") ?? search).focus();
    } });
    remove.classList.add("create-remove");
    return h("li", { class: "field create-chip" }, h("span", { class: "create-chip-line" }, shape(format), h("b", {}, format.name), format.slides && stepper(format), remove));
  }

  /** Returns a slide count input with minus and plus buttons. */
  function stepper(format) {
    const { min, max } = format.slides;
    const box = h("input", { class: "number", type: "number", inputmode: "numeric", min, max, value: slidesOf(format, choices), "aria-label": `Slides of ${format.name}`, onchange: () => set(box.value) });
    const less = iconButton(`Fewer slides of ${format.name}`, "minus", { kind: "plain small", onclick: () => set(Number(box.value) - 1) });
    const more = iconButton(`More slides of ${format.name}`, "plus", { kind: "plain small", onclick: () => set(Number(box.value) + 1) });
    const unit = h("span", { class: "quiet small" });
    const show = () => {
      const slides = slidesOf(format, choices);
      box.value = slides;
      unit.textContent = plural(slides, "slide").replace(/^\S+ /, "");
      // The buttons keep the focus at the limits, so they are not `disabled`.
      less.setAttribute("aria-disabled", slides <= min);
      more.setAttribute("aria-disabled", slides >= max);
    };
    function set(wanted) {
      choices.carouselCounts[format.id] = within(format, wanted);
      show();
      changed();
    }
    show();
    counters.set(format.id, box);
    return h("span", { class: "create-stepper" }, less, box, unit, more);
  }

  list();
  filter();
  return {
    element,
    /** Shows slide counts that changed elsewhere. */
    refresh: () => {
      for (const [id, box] of counters) if (Number(box.value) !== slidesOf(byId.get(id), choices)) return list();
    },
    controls: () => ({ outputFormats: all, ...Object.fromEntries([...counters].map(([id, box]) => [`carouselCounts.${id}`, box])) }),
  };
}
