// New generations from finished images: more designs of the same text, or the same design in another language.

import { api, busy, button, count, dialog, failed, field, h, link, note, onceKey, plural, segments } from "./core.js";
import { credits } from "./generation-parts.js";

/** Maximum variations per request. */
const MOST = 10;
const SUGGESTED = 3;

/** Returns the price of some of the generation's images. */
const priceOf = (pictures, formats) => pictures.reduce((sum, { formatId }) => sum + (formats[formatId]?.creditsPerUnit ?? 0), 0);

/**
 * Opens a dialog about some images of a generation: all ready ones, or the one shown. `times()` returns how often each
 * is made. `body()` returns what the request contains besides the outputs and the price.
 */
function derive(page, pictures, shown, { title, lead, content, path, times, body, create }) {
  const all = pictures.filter(({ output }) => output);
  const money = h("div", { "aria-live": "polite" });
  const make = button("", { icon: "sparkles", kind: "primary", onclick: () => busy(make, send) });
  let chosen = all;
  let key = null;
  const price = () => times() * priceOf(chosen, page.formats);

  function priced() {
    key = null;
    const images = times() * chosen.length;
    make.lastChild.textContent = `${create} ${plural(images, "image")} · ${credits(price())}`;
    make.disabled = images === 0 || price() > page.balance;
    money.replaceChildren(...(price() > page.balance
      ? [note("warn", `This costs ${credits(price())}, and you have ${count(page.balance)}. `, h("a", { href: link("/credits") }, "See your credits"))] : []));
  }

  async function send() {
    key ??= onceKey();
    const outputs = chosen.length < all.length && { outputIds: chosen.map(({ output }) => output.id) };
    try {
      const { generation } = await api("POST", `/api/generations/${page.generation.id}/${path}`, { ...body(), ...outputs, maxCredits: price() }, { headers: key });
      location.assign(link(`/generations/${generation.id}`));
    } catch (error) {
      if (error.details?.length) failed(new Error(error.details.map(({ message }) => message).join(" ")));
      else throw error;
    }
  }

  const which = all.length > 1 && shown?.output && segments("which", [["all", `All ${all.length} images`], ["one", "Only the one shown"]], "all", (value) => {
    chosen = value === "all" ? all : [shown];
    priced();
  }, { legend: "Which images" });
  priced();
  return dialog(title, (close) => [
    h("p", { class: "quiet" }, lead),
    h("div", { class: "stack" }, [which, content(priced), money].filter(Boolean)),
    h("div", { class: "buttons" }, button("Cancel", { kind: "plain", onclick: () => close() }), make),
  ]);
}

/** Asks for the number of other designs, and makes them. */
export function moreLikeThis(page, pictures, shown) {
  const number = h("input", { id: "variations", class: "input", type: "number", min: 1, max: MOST, step: 1, value: SUGGESTED, inputmode: "numeric" });
  const times = () => Math.min(MOST, Math.max(1, Math.round(Number(number.value)) || 1));
  return derive(page, pictures, shown, {
    title: "More like this", path: "variations", create: "Create", times,
    lead: "The same words, style and brand in other designs: other colours, art and layouts. What is here stays.",
    body: () => ({ count: times() }),
    content: (changed) => {
      number.addEventListener("input", changed);
      return field("Designs", number, { hint: `From 1 to ${MOST} of each image.` });
    },
  });
}

/** Asks for a language, and makes the same design in it. */
export function inAnotherLanguage(page, pictures, shown) {
  const others = page.languages.filter(({ tag }) => tag !== page.generation.language);
  const language = h("select", { id: "localize-language", class: "input" }, others.map(({ tag, name }) => h("option", { value: tag }, name)));
  return derive(page, pictures, shown, {
    title: "In another language", path: "localize", create: "Translate", times: () => 1,
    lead: "The same design, its words translated. What is here stays.",
    body: () => ({ language: language.value }),
    content: (changed) => {
      language.addEventListener("change", changed);
      return field("Language", language);
    },
  });
}
