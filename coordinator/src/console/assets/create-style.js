// The look: brand kit and style. Style swatches show the first line of the input.

import { api, h, icon, link, settled } from "./core.js";

/** Maximum characters on a swatch. */
const LONGEST = 120;
/** Swatches are redrawn after a typing pause this long, in milliseconds. */
const PAUSE = 600;
/** Number of headlines whose swatches are cached. */
const REMEMBERED = 12;

/** Colours of a kit in display order. */
const KIT_COLORS = ["primary", "secondary", "accent", "background", "text"];

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** Returns the first line of the input, cut to the length of a swatch. */
function headline({ inputType, ...inputs }) {
  const line = { text: inputs.text, idea: inputs.idea }[inputType]?.split("\n").find((each) => /[\p{Letter}\p{Number}]/u.test(each)) ?? "";
  return [...line.replace(/[#>*_`]+/g, "").trim()].slice(0, LONGEST).join("");
}

/** Returns the style and brand kit selection. `refresh()` redraws the swatches for the current choices. */
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

  /** Explains what "let it choose" means for the selected kit, and shows the kit's colours. */
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

  /** Shows swatches, or only the style names if there are none. */
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
      // Styles can still be chosen by name. The next change tries again.
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
