// The look: a style by live swatch, a brand kit, and the choices that most people leave alone.

import { api, field, h, icon, iconButton, settled } from "./core.js";

const SEEDS = 2 ** 32;
const select = (options, chosen, changed) => h("select", { class: "input", onchange: changed }, options.map(([value, words, disabled]) => h("option", { value, selected: value === (chosen ?? ""), disabled }, words)));

/** The look's part. `words()` gives what swatches say. */
export function lookPart({ styles, brands, languages, paid, translates }, start, words, changed) {
  let style = start.visualStyle ?? "";
  const pictures = new Map();
  const cards = h("div", { class: "create-styles", role: "radiogroup", "aria-label": "Style" }, [["", "Let it choose"], ...styles.map((name) => [name, name.replace(/^./, (c) => c.toUpperCase())])].map(([value, said]) => {
    const picture = value ? h("span", { class: "create-swatch skeleton" }) : h("span", { class: "create-swatch create-any" }, icon("wand-sparkles"));
    if (value) pictures.set(value, picture);
    return h("label", { class: "create-style" }, h("input", { type: "radio", name: "style", value, checked: value === style, onchange: () => { style = value; changed(); } }), picture, h("span", {}, said));
  }));
  const preset = start.brandId !== undefined ? start.brandId : brands.find(({ isDefault }) => isDefault)?.id;
  const brand = select([["", "No brand kit"], ...brands.map(({ id, name }) => [id, name])], preset, () => { draw(); changed(); });
  const language = select([["", "As the text"], ...languages.map(({ tag, name }) => [tag, name])], start.language, changed);
  const resolution = select([["2K", "2K, for screens"], ["4K", paid ? "4K, for print" : "4K, on paid plans", !paid]], start.resolution ?? "2K", changed);
  const kind = select([["png", "PNG, exact"], ["jpeg", "JPEG, small"], ["webp", "WebP, smallest"]], start.imageFormat ?? "png", changed);
  const seed = h("input", { class: "input", type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, step: 1, inputmode: "numeric", placeholder: "From the content", value: start.seed ?? "", oninput: changed });
  const title = h("input", { class: "input", maxlength: 200, placeholder: "Found in the content", value: start.title ?? "", oninput: changed });
  const exact = h("input", { type: "checkbox", checked: Boolean(start.useExactContent), onchange: changed });
  const roll = iconButton("Another seed", "dices", { kind: "", onclick: () => { seed.value = crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS; changed(); } });
  let asking = new AbortController();

  async function draw() {
    asking.abort();
    asking = new AbortController();
    const query = new URLSearchParams({ ...(words() && { words: words() }), ...(brand.value && { brand: brand.value }) });
    try {
      const { swatches } = await api("GET", `/console/api/swatches?${query}`, null, { signal: asking.signal });
      for (const { style: name, image } of swatches) {
        const place = pictures.get(name);
        place?.replaceChildren(h("img", { src: image, alt: "", width: 160, height: 200 }));
        place?.classList.remove("skeleton");
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      // Styles can be chosen by name as well.
      for (const place of pictures.values()) place.classList.remove("skeleton");
    }
  }

  draw();
  const more = h("details", { class: "create-more", open: Boolean(start.seed || start.title || start.useExactContent) },
    h("summary", {}, icon("chevron-down"), "More choices"),
    h("div", { class: "create-choices" },
      field("Title", title), h("div", { class: "field" }, h("label", { for: "seed" }, "Seed"), h("div", { class: "row create-seed" }, Object.assign(seed, { id: "seed" }), roll), h("span", { class: "hint" }, "The same content and seed give the same pixels.")),
      field("File", kind), h("label", { class: "check" }, exact, h("span", {}, "Use my words exactly", h("span", { class: "hint create-hint" }, "Nothing is shortened; what doesn't fit is told before.")))));
  const optional = (name, value) => (value ? { [name]: value } : {});
  return {
    element: h("section", { class: "stack" }, h("h2", {}, "Style"), cards,
      h("div", { class: "create-choices" }, field("Brand kit", brand), field("Language", language, translates ? {} : { hint: "Nothing translates here: no language model is set up." }), field("Resolution", resolution)), more),
    redraw: settled(draw, 600),
    fields: () => ({
      ...optional("visualStyle", style), ...optional("brandId", brand.value), ...optional("language", language.value), ...optional("title", title.value.trim()),
      ...(seed.value !== "" && { seed: Number(seed.value) }), resolution: resolution.value, imageFormat: kind.value, useExactContent: exact.checked,
    }),
    controls: { visualStyle: cards, brandId: brand, language, resolution, imageFormat: kind, seed, title },
  };
}
