// The outline: the texts of every page before any credits are spent. Texts can be edited; pages can be moved, added and
// removed.

import { api, button, h, note, plural } from "./core.js";
import { bill, outlineOf } from "./create-choices.js";
import { fieldOf, pageCard } from "./create-outline-page.js";
import { ratioOf } from "./create-shapes.js";

/** Tall pages are shown shorter, because only their texts matter here. */
const TALLEST = 0.8;
/** Number of placeholder pages while the outline loads. */
const AWAITED = 6;
/** Number of undo steps. */
const STEPS = 100;

const WAITING = { url: "Fetching the page and reading it. This may take half a minute.", pdf: "Reading the file. This may take half a minute." };

const copy = (value) => JSON.parse(JSON.stringify(value));

/** Returns the language's English name. */
function languageName(tag) {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(tag);
  } catch {
    return tag;
  }
}

/**
 * Returns the outline. `body()` returns the current request body. `told(error)` receives errors in it. `priced()` is
 * called when the balance or the number of pages changes, `changed()` when a choice changes.
 */
export function outlinePart(page, choices, { body, told, priced, changed }) {
  const heading = h("h2", { id: "create-outline", tabindex: "-1" }, "Outline");
  const facts = h("p", { class: "quiet", role: "status" });
  const undo = button("Undo", { icon: "undo-2", kind: "small", onclick: () => back() });
  const stale = h("div", { class: "create-stale", role: "status" });
  const content = h("div", { class: "create-pages" });
  const element = h("section", { class: "create-part create-outline", "aria-labelledby": "create-outline", hidden: true },
    h("div", { class: "create-part-head" }, h("div", {}, heading, facts), undo), stale, content);
  let waiting = null;
  /** The request body whose estimate is shown. */
  let shown = null;
  /** The page texts by format, as received or edited. */
  let sets = [];
  let warnings = [];
  /** States before each change, and the field of the last edit. */
  let before = [];
  let typedIn = null;

  /** Requests an outline of the input and discards edits. */
  async function look() {
    waiting?.abort();
    const mine = (waiting = new AbortController());
    const { outline: _, ...asked } = body();
    const kept = { sets, edited: choices.outline !== null, counts: { ...choices.carouselCounts } };
    shown = null;
    element.hidden = false;
    showWaiting(mine);
    mark();
    heading.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
    try {
      const { estimate } = await api("POST", "/api/generations/estimate", asked, { signal: mine.signal });
      if (kept.edited) before.push(kept);
      choices.outline = null;
      shown = JSON.stringify(asked);
      page.balance = estimate.available;
      sets = copy(estimate.outline);
      warnings = estimate.warnings.map(({ message }) => message);
      const { title, language, visualStyle, outputs } = estimate;
      facts.textContent = `“${title}” · ${languageName(language)} · ${visualStyle} style · ${plural(outputs.length, "page")}`;
      show();
      priced();
      if (kept.edited) changed();
    } catch (error) {
      if (waiting !== mine) return;
      if (kept.edited) show();
      else element.hidden = true;
      if (error.name !== "AbortError") told(error);
    } finally {
      if (waiting === mine) waiting = null;
      mark();
    }
  }

  function showWaiting(mine) {
    facts.textContent = WAITING[choices.inputType] ?? "Laying out the pages.";
    const sheets = Math.min(AWAITED, bill(page, choices).reduce((sum, { images }) => sum + images, 0));
    content.replaceChildren(
      button("Stop", { kind: "small", onclick: () => mine.abort() }),
      h("div", { class: "create-sheets-row", "aria-hidden": "true" }, Array.from({ length: sheets }, () => h("div", { class: "create-page skeleton" }))));
  }

  /** Records the state before a change. All typing in one field counts as one step. */
  function step(set, field = null) {
    if (field === null || field !== typedIn) before = [...before, { sets: copy(sets), edited: choices.outline !== null, counts: { ...choices.carouselCounts } }].slice(-STEPS);
    typedIn = field;
    choices.outline = sets;
    // The caller makes the change after this call, so it is compared afterwards.
    const pages = set.pages.length;
    queueMicrotask(() => {
      if (set.pages.length !== pages) choices.carouselCounts[set.formatId] = set.pages.length;
      settle();
    });
  }

  function settle() {
    changed();
    mark();
  }

  function back() {
    const last = before.pop();
    if (!last) return;
    typedIn = null;
    ({ sets } = last);
    choices.outline = last.edited ? sets : null;
    choices.carouselCounts = last.counts;
    show();
    settle();
    (before.length > 0 ? undo : heading).focus();
  }

  function show() {
    content.replaceChildren(...warnings.map((message) => note("warn", message)), ...sets.map(formatPages));
  }

  /** Shows errors beside the pages. Returns the errors that belong to no page. */
  function faults(details) {
    for (const fault of content.querySelectorAll(".create-fault")) cleared(fault.closest(".create-page, .create-of-format"));
    const sent = outlineOf(page, choices);
    return details.filter(({ field, message }) => {
      const [, set, place, within] = /^outline\[(\d+)\](?:\.pages(?:\[(\d+)\](?:\.(.+))?)?)?/.exec(field) ?? [];
      const { formatId, pages } = sent[set] ?? {};
      const part = content.querySelector(`[data-format="${formatId}"]`);
      const card = part?.querySelector(`[data-place="${place}"]`);
      if (!part) return true;
      const wanted = card && within && fieldOf(pages[place], within);
      const texts = card ? [...card.querySelectorAll("textarea")].sort((a, b) => b.value.length - a.value.length) : [];
      const control = card && (card.querySelector(`[data-field="${wanted}"]`) ?? texts[0]);
      const name = part.querySelector("h3").firstChild.data + (card && pages.length > 1 ? `, slide ${Number(place) + 1}` : "");
      // If the message starts with the API field name, replace that with the visible label.
      const own = message.toLowerCase().startsWith(field.toLowerCase());
      const words = own ? (wanted ? `The ${wanted}` : card ? "This page" : "This outline") + message.slice(field.length)
        : message.replace(/^(slide \d+|the page) of \S+ /i, "This page ");
      const fault = h("p", { class: "create-fault fault", role: "alert", id: `create-fault-${set}-${place ?? "all"}` }, h("span", { class: "hidden-text" }, `${name}: `), words);
      control?.setAttribute("aria-invalid", "true");
      control?.setAttribute("aria-describedby", fault.id);
      if (card) card.querySelector(".create-page-words").before(fault);
      else part.querySelector("h3").after(fault);
      card?.addEventListener("input", () => cleared(card), { once: true });
      return false;
    });
  }

  /** Clears the errors of a page or of all pages of a format. */
  function cleared(part) {
    for (const fault of part.querySelectorAll(".create-fault")) fault.remove();
    for (const control of part.querySelectorAll('[aria-invalid="true"]')) {
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
    }
  }

  function formatPages(set) {
    const format = page.formats.find(({ id }) => id === set.formatId);
    const credits = set.pages.length * format.creditsPerUnit;
    const many = format.slides !== null;
    const redraw = (focus) => {
      typedIn = null;
      const at = document.activeElement?.getAttribute("aria-label");
      part.replaceWith(formatPages(set));
      if (focus === undefined) return [...content.querySelectorAll("[aria-label]")].find((each) => each.getAttribute("aria-label") === at)?.focus();
      const [place, ...words] = focus.split(" ");
      const card = [...content.querySelectorAll(`[data-format="${set.formatId}"] .create-page`)][Number(place)];
      const wanted = words.join(" ");
      (card?.querySelector(`[data-tool="${wanted}"], [data-field="${wanted}"]`) ?? card?.querySelector("textarea"))?.focus();
    };
    const cards = set.pages.map((_, place) => pageCard(set.pages, place, { format, changed: (field) => step(set, field), redraw }));
    const part = h("div", { class: `create-of-format ${many ? "" : "single"}`, "data-format": set.formatId },
      h("h3", {}, format.name, h("span", { class: "quiet" }, ` ${many ? `${plural(set.pages.length, "slide")}, ` : ""}${plural(credits, "credit")}`)),
      h(many ? "ol" : "ul", { class: "create-sheets-row", style: { "--ratio": Math.max(TALLEST, ratioOf(format)) } }, cards));
    return part;
  }

  /** Shows which parts of the outline no longer match what would be made. */
  function mark() {
    undo.hidden = before.length === 0;
    const used = outlineOf(page, choices).map(({ formatId }) => formatId);
    const unused = (choices.outline ?? []).filter(({ formatId }) => choices.outputFormats.includes(formatId) && !used.includes(formatId));
    const { outline: _, ...now } = body();
    const old = shown !== null && shown !== JSON.stringify({ ...now, ...(choices.outline && { carouselCounts: JSON.parse(shown).carouselCounts }) });
    const notes = [];
    for (const { formatId, pages } of unused) {
      const { name } = page.formats.find(({ id }) => id === formatId);
      const use = button("Use it", { kind: "small", onclick: () => {
        choices.carouselCounts[formatId] = pages.length;
        changed();
        mark();
      } });
      notes.push(h("div", { class: "row between" }, `Your outline of ${name} has ${plural(pages.length, "slide")}, but another number is selected, so the outline is not used.`, use));
    }
    if (choices.outline && (old || shown === null) && !waiting) notes.push(h("div", { class: "row between" }, "This outline has your changes and doesn't follow the input. Read the input again to start over.", again()));
    else if (old) notes.push(h("div", { class: "row between" }, "You changed settings since. The pages may have other texts now.", again()));
    element.classList.toggle("stale", old && !choices.outline);
    const words = notes.map((each) => each.textContent).join("\n");
    if (words === stale.dataset.words) return;
    stale.dataset.words = words;
    stale.replaceChildren(...notes.map((each) => note("", each)));
  }

  const again = () => button(choices.outline ? "Read again" : "Refresh", { icon: "refresh-cw", kind: "small", onclick: () => look() });

  if (choices.outline) {
    sets = choices.outline;
    element.hidden = false;
    facts.textContent = "With your changes.";
    show();
    mark();
  }

  return {
    element, mark, faults,
    /** Scrolls to the outline. Requests one unless the user edited it. */
    look: () => {
      if (!choices.outline) return look();
      heading.focus({ preventScroll: true });
      element.scrollIntoView({ block: "start" });
      return mark();
    },
  };
}
