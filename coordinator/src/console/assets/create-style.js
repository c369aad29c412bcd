// The look: whose it is, and a style chosen by pictures that say the first line of what was typed.

import { api, h, icon, link, settled } from "./core.js";

/** Characters that a swatch can say. */
const LONGEST = 120;
/** How long nothing is typed before swatches are drawn anew. */
const PAUSE = 600;
/** Swatches are kept for as many headlines. */
const REMEMBERED = 12;

/** Colours of a kit, in the order in which they are shown. */
const KIT_COLORS = ["primary", "secondary", "accent", "background", "text"];

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** The first line of what was typed, as far as a swatch can say it. */
function headline({ inputType, ...inputs }) {
  const line = { text: inputs.text, idea: inputs.idea }[inputType]?.split("\n").find((each) => /[\p{Letter}\p{Number}]/u.test(each)) ?? "";
  return [...line.replace(/[#>*_`]+/g, "").trim()].slice(0, LONGEST).join("");
}

/** The style and the brand kit. `refresh()` draws the swatches of what the choices say now. */
export function stylePart({ styles, brands, languageModel }, choices, changed) {
  const cards = new Map(styles.map((style) => [style, swatchCard(style)]));
  const auto = h("span", { class: "small quiet" });
  const group = h("fieldset", { class: "field create-style-field" }, h("legend", { class: "hidden-text" }, "Style"), h("div", { class: "create-styles" },
    h("label", { class: "create-style create-any" }, radio(null), h("span", { class: "create-any-art", "aria-hidden": "true" }, icon("wand-sparkles")),
      h("span", { class: "create-style-name" }, "Let it choose"), auto),
    [...cards.values()].map(({ element }) => element)));
  const kit = brands.length > 0 && h("select", { id: "create-brand", class: "input", onchange: () => {
    choices.brandId = kit.value || null;
    showKit();
    refresh();
    changed();
  } }, h("option", { value: "" }, "No brand kit"), brands.map(({ id, name }) => h("option", { value: id, selected: id === choices.brandId }, name)));
  const dots = h("span", { class: "create-dots", "aria-hidden": "true" });
  const element = h("section", { class: "create-part", "aria-labelledby": "create-style" },
    h("div", { class: "create-part-head" }, h("h2", { id: "create-style" }, "Style"),
      kit ? h("div", { class: "field create-kit" }, h("label", { for: "create-brand", class: "hidden-text" }, "Brand kit"), dots, kit)
        : h("a", { href: link("/brands"), class: "quiet small" }, "Add your colours and fonts")),
    group);

  function radio(style) {
    return h("input", { type: "radio", name: "visualStyle", value: style ?? "", checked: choices.visualStyle === style, onchange: () => {
      choices.visualStyle = style;
      changed();
    } });
  }

  function swatchCard(style) {
    const picture = h("img", { alt: "", width: 320, height: 400, hidden: true });
    const place = h("span", { class: "create-swatch skeleton" }, picture);
    return { picture, place, element: h("label", { class: "create-style" }, radio(style), place, h("span", { class: "create-style-name" }, capital(style))) };
  }

  /** Says what "let it choose" comes to with the kit that is chosen, and shows the kit's colours. */
  function showKit() {
    const brand = brands.find(({ id }) => id === choices.brandId);
    const own = languageModel ? "Whatever suits the content" : "Modern, which suits most things";
    auto.textContent = brand?.visualStyle ? `${capital(brand.visualStyle)}, as ${brand.name} has it` : own;
    const colors = KIT_COLORS.map((name) => brand?.colors?.[name]).filter(Boolean);
    dots.replaceChildren(...colors.map((color) => h("i", { style: { "--color": color } })));
  }

  const drawn = new Map();
  let asked = null;
  let waiting = null;

  /** Shows pictures, or, where there are none, the styles' names alone. */
  function show(swatches) {
    group.removeAttribute("aria-busy");
    for (const { style, image } of swatches) {
      const card = cards.get(style);
      if (!card) continue;
      card.picture.src = image;
      card.picture.hidden = false;
    }
    for (const { place } of cards.values()) place.classList.remove("skeleton");
  }

  async function refresh() {
    const query = new URLSearchParams();
    const words = headline(choices);
    if (words) query.set("words", words);
    if (choices.brandId) query.set("brand", choices.brandId);
    const key = query.toString();
    if (key === asked) return;
    asked = key;
    waiting?.abort();
    if (drawn.has(key)) return show(drawn.get(key));
    waiting = new AbortController();
    group.setAttribute("aria-busy", "true");
    try {
      const { swatches } = await api("GET", `/console/api/swatches?${key}`, null, { signal: waiting.signal });
      if (drawn.size >= REMEMBERED) drawn.delete(drawn.keys().next().value);
      drawn.set(key, swatches);
      show(swatches);
    } catch (error) {
      if (error.name === "AbortError") return;
      // A style can be chosen by its name too. The next change asks again.
      asked = null;
      show([]);
    }
  }

  showKit();
  refresh();
  return {
    element,
    refresh: settled(refresh, PAUSE),
    controls: () => ({ visualStyle: group, ...(kit && { brandId: kit }) }),
  };
}
