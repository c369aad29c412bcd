// The outline: the words of every page, set by their roles, before anything is spent.

import { api, button, h, note, plural } from "./core.js";
import { bill } from "./create-choices.js";
import { ratioOf } from "./create-shapes.js";

/** Tall pages are shown less tall: it is their words that are read. */
const TALLEST = 0.8;
/** So many sheets stand for those that are awaited. */
const AWAITED = 6;

const WAITING = { url: "Fetching the page and reading it. This may take half a minute.", pdf: "Reading the file. This may take half a minute." };

/** The language's name in English. */
function languageName(tag) {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(tag);
  } catch {
    return tag;
  }
}

/**
 * The outline's place. `body()` is what would be sent now; `told(error)` tells what is wrong with it, and
 * `priced()` that the balance is known anew.
 */
export function outlinePart(page, choices, { body, told, priced }) {
  const heading = h("h2", { id: "create-outline", tabindex: "-1" }, "Outline");
  const facts = h("p", { class: "quiet", role: "status" });
  const again = button("Refresh", { icon: "refresh-cw", kind: "small", onclick: () => look() });
  const stale = h("div", { class: "create-stale", role: "status" });
  const content = h("div", { class: "create-pages" });
  const element = h("section", { class: "create-part create-outline", "aria-labelledby": "create-outline", hidden: true },
    h("div", { class: "create-part-head" }, h("div", {}, heading, facts)), stale, content);
  let waiting = null;
  let shown = null;

  async function look() {
    waiting?.abort();
    const mine = (waiting = new AbortController());
    const asked = body();
    shown = null;
    mark();
    element.hidden = false;
    showWaiting(mine);
    heading.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
    try {
      const { estimate } = await api("POST", "/api/generations/estimate", asked, { signal: mine.signal });
      shown = JSON.stringify(asked);
      page.balance = estimate.available;
      priced();
      show(estimate);
    } catch (error) {
      if (waiting !== mine) return;
      element.hidden = true;
      if (error.name !== "AbortError") told(error);
    } finally {
      if (waiting === mine) waiting = null;
      mark();
    }
  }

  function showWaiting(mine) {
    facts.replaceChildren(WAITING[choices.inputType] ?? "Laying out the pages.");
    const sheets = Math.min(AWAITED, bill(page, choices).reduce((sum, { images }) => sum + images, 0));
    content.replaceChildren(
      button("Stop", { kind: "small", onclick: () => mine.abort() }),
      h("div", { class: "create-sheets-row", "aria-hidden": "true" }, Array.from({ length: sheets }, () => h("div", { class: "create-page skeleton" }))));
  }

  function show({ title, language, visualStyle, outputs, warnings }) {
    facts.replaceChildren(`“${title}” · ${languageName(language)} · ${visualStyle} style · ${plural(outputs.length, "page")}`);
    const formats = [...new Set(outputs.map(({ formatId }) => formatId))];
    content.replaceChildren(...warnings.map(({ message }) => note("warn", message)), ...formats.map((id) => {
      const pages = outputs.filter(({ formatId }) => formatId === id);
      return formatPages(page.formats.find((format) => format.id === id), pages);
    }));
  }

  /** Marks what no longer is what would be made. */
  function mark() {
    const old = shown !== null && shown !== JSON.stringify(body());
    element.classList.toggle("stale", old);
    if (old === stale.childElementCount > 0) return;
    stale.replaceChildren(...(old ? [note("", h("div", { class: "row between" }, "You have changed something since. The pages may say something else now.", again))] : []));
  }

  return { element, look, mark };
}

function formatPages(format, outputs) {
  const credits = outputs.reduce((sum, output) => sum + output.credits, 0);
  const many = format.slides !== null;
  return h("div", { class: `create-of-format ${many ? "" : "single"}` },
    h("h3", {}, format.name, h("span", { class: "quiet" }, ` ${many ? `${plural(outputs.length, "slide")}, ` : ""}${plural(credits, "credit")}`)),
    h(many ? "ol" : "ul", { class: "create-sheets-row", style: { "--ratio": Math.max(TALLEST, ratioOf(format)) } },
      outputs.map(({ slideIndex, page }) => h("li", { class: "create-page" },
        slideIndex !== null && [h("span", { class: "hidden-text" }, `${format.name}, slide ${slideIndex + 1}`), h("span", { class: "create-page-number", "aria-hidden": "true" }, slideIndex + 1)],
        h("div", { class: "create-page-words", dir: "auto" }, words(page.texts))))));
}

/** The words of a page in reading order: a paragraph a place, the places of an item together. */
function words(texts) {
  const parts = [];
  let item = null;
  let list = null;
  for (const { slot, text } of texts) {
    const [kind, number, part] = slot.split(".");
    if (kind === "item") {
      if (!list) parts.push((list = h("ul", { class: "create-items" })));
      if (item?.number !== number) list.append((item = { number, element: h("li") }).element);
      item.element.append(h("span", { class: `create-said ${part}` }, text));
      continue;
    }
    [item, list] = [null, null];
    if (kind === "unit" && parts.at(-1)?.classList.contains("value")) parts.at(-1).append(h("small", {}, text));
    else parts.push(h("p", { class: `create-said ${kind}` }, text));
  }
  return parts;
}
