// How the kit looks on three designs, drawn anew while it is edited. What is shown stays until what is new is there.

import { api, button, h, note, settled } from "./core.js";

/** Nothing is asked for until changes rest for so long, */
const SETTLED_MS = 500;
/** nor so soon after what was asked for last: the session's requests are counted. */
const APART_MS = 2500;
/** When the service says that it were too many, so long is waited. */
const REST_MS = 15_000;

/** The shapes of what comes, for the room that is kept for it. */
const SHAPES = ["320 / 400", "320 / 569", "613 / 320"];

/** The preview. `wanted()` gives the kit as it is to be drawn. `draw()` is to be called after every change. */
export function samplePreview(wanted) {
  let asking = null;
  let timer = null;
  let askedAt = -Infinity;
  /** What is shown, as it was asked for. */
  let shown = null;
  /** What was told of it. */
  let remarks = [];

  const sheets = SHAPES.map((shape) => h("li", { class: "brand-sheet skeleton", style: { "--shape": shape } }));
  const state = h("span", { class: "small quiet" });
  const said = h("div", { class: "brand-said stack tight", role: "status" });
  const strip = h("ul", { class: "brand-sheets", "aria-label": "Sample designs" }, sheets);
  const element = h("aside", { class: "brand-preview", "aria-labelledby": "preview-title" },
    h("div", { class: "row between brand-preview-head" }, h("h2", { id: "preview-title" }, "Preview"), state),
    strip, said);
  // Where the window is narrow the strip scrolls, by keys too.
  new ResizeObserver(() => (strip.tabIndex = strip.scrollWidth > strip.clientWidth ? 0 : -1)).observe(strip);

  /** Asks at once, or as soon as it may. */
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

  /** Says how it went. Remarks that stand there already stay as they are: screen readers read what changes. */
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
      done("Goes on in a moment", []);
    } else if (error.details?.length > 0) {
      done("Waits", [note("", "The preview goes on once this is put right: ", error.details.map(({ message }) => message).join(" "))]);
    } else {
      const again = button("Try again", { icon: "refresh-cw", kind: "small", onclick: drawNow });
      done("Not drawn", [note("warn", h("div", { class: "stack tight" }, error.message, h("div", {}, again)))]);
    }
  }

  const draw = settled(ask, SETTLED_MS);
  return { element, draw };
}

/** A sample as a picture that is ready to be shown. */
async function picture({ image, width, height, altText }) {
  const element = h("img", { src: image, alt: altText, width, height });
  await element.decode();
  return element;
}

function show(sheet, image) {
  sheet.classList.remove("skeleton");
  sheet.replaceChildren(image);
}
