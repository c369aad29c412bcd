// Previews the kit on three designs and redraws them while the user edits. The old preview stays until the new one has
// loaded.

import { api, button, h, note, settled } from "./core.js";

/** A preview is requested once there was no change for this long. */
const SETTLED_MS = 500;
/** Minimum time between two requests, because the session has a rate limit. */
const APART_MS = 2500;
/** Waiting time after a rate limit error. */
const REST_MS = 15_000;

/** Aspect ratios of the samples. They reserve the space before the images load. */
const SHAPES = ["320 / 400", "320 / 569", "613 / 320"];

/** Returns the preview. `wanted()` returns the kit to draw. Call `draw()` after every change. */
export function samplePreview(wanted) {
  let asking = null;
  let timer = null;
  let askedAt = -Infinity;
  /** The request body of the preview that is shown. */
  let shown = null;
  /** The remarks that came with it. */
  let remarks = [];

  const sheets = SHAPES.map((shape) => h("li", { class: "brand-sheet skeleton", style: { "--shape": shape } }));
  const state = h("span", { class: "small quiet" });
  const said = h("div", { class: "brand-said stack tight", role: "status" });
  const strip = h("ul", { class: "brand-sheets", "aria-label": "Sample designs" }, sheets);
  const element = h("aside", { class: "brand-preview", "aria-labelledby": "preview-title" },
    h("div", { class: "row between brand-preview-head" }, h("h2", { id: "preview-title" }, "Preview"), state),
    strip, said);
  // In a narrow window the strip scrolls, so it must be reachable by keyboard.
  new ResizeObserver(() => (strip.tabIndex = strip.scrollWidth > strip.clientWidth ? 0 : -1)).observe(strip);

  /** Requests a preview as soon as the minimum delays allow. */
  function ask() {
    clearTimeout(timer);
    const rest = askedAt + APART_MS - Date.now();
    if (rest > 0) timer = setTimeout(ask, rest);
    else drawNow();
  }

  async function drawNow() {
    const body = wanted();
    const key = JSON.stringify(body);
    asking?.abort();
    if (key === shown) return done("Up to date", remarks);
    const turn = asking = new AbortController();
    askedAt = Date.now();
    waits(true);
    try {
      const { samples, warnings } = await api("POST", "/console/api/samples", body, { signal: turn.signal });
      const pictures = await Promise.all(samples.map(picture));
      if (turn !== asking) return;
      sheets.forEach((sheet, place) => show(sheet, pictures[place]));
      shown = key;
      remarks = warnings.map(({ message }) => note("", message));
      done("Up to date", remarks);
    } catch (error) {
      if (turn === asking && error.name !== "AbortError") missed(error);
    }
  }

  function waits(waiting) {
    element.toggleAttribute("data-busy", waiting);
    if (waiting) state.textContent = "Drawing…";
  }

  /** Announces the result. Existing remarks stay in place, because screen readers announce every change. */
  function done(words, notes) {
    waits(false);
    state.textContent = words;
    const texts = (elements) => [...elements].map(({ textContent }) => textContent).join();
    if (texts(notes) !== texts(said.children)) said.replaceChildren(...notes);
  }

  function missed(error) {
    for (const sheet of sheets) sheet.classList.remove("skeleton");
    if (error.status === 429) {
      timer = setTimeout(ask, REST_MS);
      done("Continues in a moment", []);
    } else if (error.details?.length > 0) {
      done("Waits", [note("", "The preview continues once you correct this: ", error.details.map(({ message }) => message).join(" "))]);
    } else {
      const again = button("Try again", { icon: "refresh-cw", kind: "small", onclick: drawNow });
      done("Not drawn", [note("warn", h("div", { class: "stack tight" }, error.message, h("div", {}, again)))]);
    }
  }

  const draw = settled(ask, SETTLED_MS);
  return { element, draw };
}

/** Loads a sample and returns it as a decoded image. */
async function picture({ image, width, height, altText }) {
  const element = h("img", { src: image, alt: altText, width, height });
  await element.decode();
  return element;
}

function show(sheet, image) {
  sheet.classList.remove("skeleton");
  sheet.replaceChildren(image);
}
