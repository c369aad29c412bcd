// Designs to choose from: layouts, styles, palettes, typefaces and backgrounds, each previewed on this page.

import { api, h, plural, segments } from "./core.js";
import { photoButton } from "./image-parts.js";

/** Aspects of a page's look, with labels. */
const ASPECTS = [["layout", "Layout"], ["style", "Style"], ["palette", "Colours"], ["typeface", "Typeface"], ["background", "Background"]];
/** The only aspect that the API can change for a single slide. */
const SINGLE = "layout";

/**
 * Returns the picker for the page at `path`. `slides`: number of slides of its carousel. `choose(design, name)` is
 * called when a design is pressed; its promise resolves once the design is shown. `photo(file)` is called with a
 * picture to insert.
 */
export function designPicker({ path, slides, choose, photo }) {
  let aspect = ASPECTS[0][0];
  let shown = "";
  let turn = 0;

  const list = h("ul", { class: "image-others designs", "aria-label": "Designs" });
  const status = h("p", { class: "quiet small", role: "status" });
  const all = h("input", { type: "checkbox", onchange: () => load() });
  const everywhere = h("label", { class: "check" }, all, "On all slides");
  const kinds = segments("design-aspect", ASPECTS, aspect, (chosen) => {
    aspect = chosen;
    load();
  }, { legend: "What to choose" });
  const element = h("div", { class: "image-designs" }, kinds, slides > 1 && everywhere, status, list, photoButton("Use a photo of yours", photo));

  /** Lists the designs of the selected aspect. Designs of an outdated page are replaced. */
  async function load({ again = false } = {}) {
    const isEverywhere = slides > 1 && all.checked && aspect !== SINGLE;
    everywhere.hidden = aspect === SINGLE;
    const wanted = `${aspect} ${isEverywhere}`;
    if (shown === wanted && !again) return;
    const own = ++turn;
    shown = wanted;
    list.setAttribute("aria-busy", "true");
    try {
      const query = new URLSearchParams({ aspect, ...(isEverywhere && { allSlides: true }) });
      const { designs } = await api("GET", `${path}/designs?${query}`);
      if (own !== turn) return;
      list.replaceChildren(...designs.map(tile));
      status.textContent = designs.length ? plural(designs.length, "design") : "Nothing else suits what this page says.";
    } catch (error) {
      if (own !== turn) return;
      shown = "";
      list.replaceChildren();
      status.textContent = error.message;
    } finally {
      if (own === turn) list.removeAttribute("aria-busy");
    }
  }

  function tile(design) {
    const press = h("button", {
      type: "button", class: "image-choice", "aria-pressed": "false", onclick: async () => {
        for (const other of list.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === press));
        press.setAttribute("aria-busy", "true");
        await choose(design, `${ASPECTS.find(([id]) => id === aspect)[1]}: ${design.name}`);
        press.removeAttribute("aria-busy");
      },
    }, h("img", { src: design.image, alt: "", draggable: "false" }), h("span", {}, named(design)));
    return h("li", {}, press);
  }

  return {
    element,
    load,
    /** Clears the selection. */
    release() {
      for (const other of list.querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
    },
  };
}

/** Returns a design's name; colours as swatches, with their values for screen readers. */
function named({ name }) {
  const colours = name.split(", ");
  if (!colours.every((colour) => /^#[0-9a-f]{6}$/.test(colour))) return name;
  return [h("span", { class: "hidden-text" }, name), colours.map((colour) => h("i", { class: "image-swatch", style: { "--swatch": colour } }))];
}
