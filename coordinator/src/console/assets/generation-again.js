// "Make it again": another generation of the same input with one change. The price is shown first.

import { api, busy, button, count, dialog, failed, h, iconButton, link, note, onceKey, plural, segments } from "./core.js";
import { capital, credits, expected } from "./generation-parts.js";
import { WISHES } from "./create-choices.js";
import { formatPicker } from "./generation-formats.js";

const SEEDS = 2 ** 32;
/** Maximum characters on a swatch. */
const LONGEST = 120;
/** The fields of a creation that hold its source. */
const MADE_OF = ["inputType", "inputContent", "inputUrl", "fileId", "title", "language"];

/** A description of each style. */
const STYLES = {
  modern: "Clear type, calm backgrounds, one strong accent",
  minimal: "Much space, little else",
  bold: "Large type, full colours",
  elegant: "Serifs, fine lines, quiet tones",
  playful: "Round shapes, lively colours",
  corporate: "Sober, orderly, exact",
  creative: "Unusual layouts, rich art",
  dark: "Light type on dark backgrounds",
};

const anySeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;

/** Returns the options of a creation that would make the same again. */
function same({ generation, brands, paid }) {
  const { outputFormats, carouselCounts, brandId, visualStyle, resolution, exactSize, imageFormat, seed, useExactContent } = generation;
  const wishes = WISHES.map((name) => [name, generation[name]]).filter(([, value]) => value);
  return {
    // A generation of variations lists a format once per variation.
    outputFormats: [...new Set(outputFormats)], carouselCounts, imageFormat, seed, useExactContent,
    ...(exactSize ? { exactSize } : { resolution: paid ? resolution : "2K" }),
    ...(brands.some(({ id }) => id === brandId) && { brandId }),
    ...(visualStyle && { visualStyle }),
    ...Object.fromEntries(wishes),
  };
}

/** Asks what to change, and starts the new generation. */
export function again(page) {
  const deleted = Boolean(page.generation.imagesDeletedAt);
  const ways = { same: unchanged(), seed: anotherSeed(), formats: otherFormats(page, () => priced()), style: anotherStyle(page) };
  const panel = h("div", { class: "generation-way" });
  const money = h("div", { "aria-live": "polite" });
  const create = button("", { icon: "sparkles", kind: "primary", onclick: () => busy(create, make) });
  let way = deleted ? "same" : "seed";
  let made = null;
  let key = null;
  const keep = keepEdits(page.generation, () => (key = null));

  const wanted = () => ({ ...same(page), ...ways[way].change(), ...keep.change() });
  const images = () => expected(wanted(), page.formats);
  const price = () => images().reduce((sum, { formatId }) => sum + (page.formats[formatId]?.creditsPerUnit ?? 0), 0);

  function priced() {
    const [number, cost] = [images().length, price()];
    // The request changed, so it needs a new idempotency key.
    key = null;
    create.lastChild.textContent = number === 0 ? "Choose a format" : `Create ${plural(number, "image")} · ${credits(cost)}`;
    create.disabled = number === 0 || cost > page.balance;
    money.replaceChildren(...(cost > page.balance
      ? [note("warn", `This costs ${credits(cost)}, and you have ${count(page.balance)}. `, h("a", { href: link("/credits") }, "See your credits"))] : []));
  }

  function show(chosen) {
    way = chosen;
    panel.replaceChildren(...ways[way].content);
    ways[way].draw?.();
    priced();
  }

  async function make() {
    const input = made ??= await api("POST", `/console/api/generations/${page.generation.id}/input`);
    key ??= onceKey();
    const body = { ...Object.fromEntries(MADE_OF.filter((name) => input[name]).map((name) => [name, input[name]])), ...wanted(), maxCredits: price() };
    // The user's own outline applies only to the formats and slide counts that it was made for.
    const outline = (input.outline ?? []).filter(({ formatId, pages }) => body.outputFormats.includes(formatId) && (body.carouselCounts?.[formatId] ?? 1) === pages.length);
    if (outline.length > 0) body.outline = outline;
    try {
      const { generation } = await api("POST", "/api/generations", body, { headers: key });
      location.assign(link(`/generations/${generation.id}`));
    } catch (error) {
      if (error.details?.length) failed(new Error(error.details.map(({ message }) => message).join(" ")));
      else throw error;
    }
  }

  show(way);
  return dialog("Make it again", (close) => [
    h("p", { class: "quiet" }, deleted ? "The same content, as it was or with one thing changed." : "The same content, with one thing changed. What is here stays."),
    h("div", { class: "stack generation-again" },
      segments("way", [deleted && ["same", "The same"], ["seed", "New look"], ["formats", "New formats"], ["style", "New style"]].filter(Boolean), way, show, { legend: "What changes" }),
      panel, keep.content, money, h("p", { class: "small quiet" }, "To change more than that, ", h("a", { href: link(`/?again=${page.generation.id}`) }, "open it in Create"), ".")),
    h("div", { class: "buttons" }, button("Cancel", { kind: "plain", onclick: () => close() }), create),
  ]);
}

/** Returns the option to repeat the images' edits, if there are any. */
function keepEdits({ id, outputs }, changed) {
  const edited = outputs.filter(({ version }) => version > 1).length;
  if (edited === 0) return { change: () => ({}), content: "" };
  const box = h("input", { type: "checkbox", checked: true, onchange: changed });
  return {
    change: () => (box.checked ? { editsOf: id } : {}),
    content: h("label", { class: "check" }, box, h("span", {}, `Keep the edits of ${plural(edited, "image")}. `, h("span", { class: "quiet" }, "Edits that can't be applied to the new images are listed there."))),
  };
}

const unchanged = () => ({ change: () => ({}), content: [h("p", {}, "The images that were deleted, drawn again from the same seed.")] });

function anotherSeed() {
  let seed = anySeed();
  const shown = h("span", { class: "mono" }, seed);
  return {
    change: () => ({ seed }),
    content: [
      h("p", {}, "Same words, style and formats. Layouts, colours and art are drawn anew from another seed."),
      h("p", { class: "row" }, h("span", { class: "quiet small" }, "Seed"), shown, iconButton("Take another seed", "dices", { onclick: () => {
        seed = anySeed();
        shown.textContent = seed;
      } })),
    ],
  };
}

function otherFormats(page, changed) {
  const picker = formatPicker(page.formats, page.generation.outputFormats, changed);
  return { change: picker.chosen, content: [picker.element] };
}

function anotherStyle({ styles, generation, brands }) {
  const others = styles.filter((style) => style !== generation.visualStyle);
  const pictures = new Map(others.map((style) => [style, h("span", { class: "generation-swatch skeleton" })]));
  let drawn = false;
  let [visualStyle] = others;
  return {
    change: () => ({ visualStyle }),
    content: [h("fieldset", {}, h("legend", { class: "hidden-text" }, "Style"), h("div", { class: "generation-styles" }, others.map((style) =>
      h("label", { class: "generation-style" },
        h("input", { type: "radio", name: "style", value: style, checked: style === visualStyle, onchange: () => (visualStyle = style) }),
        pictures.get(style),
        h("span", {}, h("b", {}, capital(style)), h("span", { class: "small quiet" }, STYLES[style]))))))],
    /** Draws each style with the title and the kit, once. If that fails, the descriptions suffice. */
    async draw() {
      if (drawn) return;
      drawn = true;
      const query = new URLSearchParams();
      if (generation.title) query.set("words", [...generation.title].slice(0, LONGEST).join(""));
      if (brands.some(({ id }) => id === generation.brandId)) query.set("brand", generation.brandId);
      const { swatches } = await api("GET", `/console/api/swatches?${query}`).catch(() => ({ swatches: [] }));
      for (const { style, image } of swatches) pictures.get(style)?.replaceChildren(h("img", { src: image, alt: "" }));
      for (const picture of pictures.values()) picture.classList.remove("skeleton");
    },
  };
}
