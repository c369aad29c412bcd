// Arranges the slides of a carousel: reorder by dragging or with buttons, add and copy slides, remove and restore them.

import { api, busy, button, dialog, h, icon, iconButton, local, note, onceKey, plural, refreshBalance } from "./core.js";
import { newSlide, newSlideKinds } from "./generation-new-slide.js";
import { credits, nameOf } from "./generation-parts.js";

/** Storage key of the order before the last change, kept until it is undone or the tab closes. */
const UNDO = "slides-before:";

/** Returns the carousels of a generation that can be arranged: the slides of each, in order. */
export function carousels(generation) {
  const sets = [];
  for (const output of generation.outputs) {
    if (output.slideIndex === null) continue;
    const last = sets.at(-1);
    if (last && last[0].formatId === output.formatId && last.at(-1).slideIndex < output.slideIndex) last.push(output);
    else sets.push([output]);
  }
  return sets;
}

/** Asks for a new order of the carousel that contains `shown`. Reloads the page once the order is stored. */
export function arrangeSlides(page, shown) {
  const { generation, formats } = page;
  const slides = carousels(generation).find((set) => set.some(({ id }) => id === shown?.id)) ?? carousels(generation)[0];
  const { formatId } = slides[0];
  const format = formats[formatId];
  // With several carousels of the same format, the carousel of a removed slide is unknown.
  const alone = carousels(generation).filter((set) => set[0].formatId === formatId).length === 1;
  const before = slides.map(({ id }) => ({ outputId: id }));
  let chosen = slides.map((output) => ({ output, copy: false }));
  const removed = new Map((alone ? generation.removedOutputs : []).filter((output) => output.formatId === formatId)
    .map((output) => [output.outputId, { ...output, id: output.outputId, width: slides[0].width, height: slides[0].height }]));

  const list = h("ol", { class: "arrange-list", "aria-label": "Slides" });
  const bin = h("div", { class: "stack tight arrange-bin" });
  const said = h("p", { class: "hidden-text", "aria-live": "polite" });
  const price = h("p", { class: "quiet" });
  const save = button("Save", { icon: "check", kind: "primary", onclick: () => busy(save, put) });
  const adders = newSlideKinds.map(([kind, called]) => button(called, { icon: "plus", kind: "small", onclick: () => add(kind) }));
  let key = onceKey();
  let dragged = null;
  let done = () => {};

  const added = () => chosen.filter(({ copy }) => copy).length;
  const asked = () => chosen.map(({ output, copy, own }) => (own ? { copyOf: output.id, page: own.page() } : copy ? { copyOf: output.id } : { outputId: output.id }));
  const least = format?.slides?.min ?? 1;
  const most = format?.slides?.max ?? Infinity;

  async function put() {
    const body = { slides: asked() };
    await api("PUT", `/api/images/${generation.id}/slides`, body, { headers: key });
    sessionStorage.setItem(UNDO + generation.id, JSON.stringify(before));
    await refreshBalance();
    done();
    location.reload();
  }

  function changed(words, focus) {
    // A different order needs a new idempotency key.
    key = onceKey();
    const cost = added() * (format?.creditsPerUnit ?? 0);
    const same = JSON.stringify(asked()) === JSON.stringify(before);
    const fault = chosen.length < least ? `This carousel has at least ${plural(least, "slide")}.`
      : chosen.length > most ? `This carousel has at most ${plural(most, "slide")}.` : null;
    price.textContent = fault ?? (cost ? `${plural(added(), "new slide")}: ${credits(cost)}. Order and page numbers are free.` : "Order, removal and page numbers are free.");
    save.lastChild.data = cost ? `Save · ${credits(cost)}` : "Save · free";
    save.disabled = same || Boolean(fault);
    for (const adder of adders) adder.disabled = chosen.length >= most;
    list.replaceChildren(...chosen.map(card));
    bin.replaceChildren(...(removed.size ? [h("h3", {}, "Removed"), h("ul", { class: "arrange-list", "aria-label": "Removed slides" }, [...removed.values()].map(gone))] : []));
    if (words) said.textContent = words;
    const focused = focus && list.children[focus.at];
    if (focused) (focused.querySelector(`[data-do="${focus.deed}"]:not(:disabled)`) ?? focused.querySelector("button:not(:disabled)"))?.focus();
  }

  function move(from, to, deed) {
    if (to < 0 || to >= chosen.length || from === to) return;
    const [slide] = chosen.splice(from, 1);
    chosen.splice(to, 0, slide);
    changed(`Slide ${from + 1} is now slide ${to + 1}.`, deed && { at: to, deed });
  }

  /** Adds a slide of a kind at the end, in the look of the slide before it. */
  function add(kind) {
    // The cover's look differs from all other slides.
    const like = chosen.at(-1)?.output ?? slides[0];
    const own = newSlide(kind, () => {
      key = onceKey();
    });
    chosen.push({ output: like, copy: true, own });
    changed(`Slide ${chosen.length} is new.`);
    own.focus();
    own.element.scrollIntoView({ block: "nearest" });
  }

  function card(slide, at) {
    const { output, copy, own } = slide;
    const deed = (words, name, what, work, disabled = false) => iconButton(`${words} slide ${at + 1}`, name, { "data-do": what, disabled, onclick: work });
    // In text fields, dragging selects text, so these cards are not draggable.
    const element = h("li", { class: "arrange-card", draggable: own ? null : "true", style: { "--ratio": output.width / output.height } },
      own ? own.element : still(output), h("span", { class: "number small" }, at + 1, own ? h("em", {}, " new") : copy && h("em", {}, " copy")),
      h("div", { class: "row arrange-deeds" },
        deed("Move forward", "arrow-left", "back", () => move(at, at - 1, "back"), at === 0),
        deed("Move back", "arrow-right", "on", () => move(at, at + 1, "on"), at === chosen.length - 1),
        deed("Copy", "copy", "copy", () => {
          chosen.splice(at + 1, 0, { output, copy: true });
          changed(`Slide ${at + 2} is a copy of slide ${at + 1}.`, { at: at + 1, deed: "copy" });
        }, chosen.length >= most || Boolean(own)),
        deed("Remove", "trash-2", "remove", () => {
          chosen.splice(at, 1);
          if (!copy) removed.set(output.id, output);
          changed(`Slide ${at + 1} is removed.`, { at: Math.min(at, chosen.length - 1), deed: "remove" });
        }, chosen.length <= least)));
    element.addEventListener("dragstart", (event) => {
      dragged = at;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", String(at));
      element.classList.add("dragged");
    });
    element.addEventListener("dragend", () => {
      dragged = null;
      element.classList.remove("dragged");
    });
    element.addEventListener("dragover", (event) => event.preventDefault());
    element.addEventListener("drop", (event) => {
      event.preventDefault();
      // Files and text can be dropped here too; only a dragged slide counts.
      if (dragged !== null) move(dragged, at);
    });
    return element;
  }

  function gone(output) {
    const back = button("Put back", { icon: "undo-2", kind: "small", disabled: chosen.length >= most, onclick: () => {
      removed.delete(output.id);
      chosen.push({ output, copy: false });
      changed(`It is slide ${chosen.length} now.`, { at: chosen.length - 1, deed: "back" });
    } });
    return h("li", { class: "arrange-card", style: { "--ratio": output.width / output.height } }, still(output), back);
  }

  changed();
  return dialog(`Slides of ${nameOf(formats, formatId)}`, (close) => {
    done = close;
    return [
      h("p", { class: "quiet" }, "Drag slides, or move them with the buttons. A slide that you remove can be put back later."),
      list,
      h("div", { class: "buttons arrange-add" }, h("span", { class: "small quiet" }, "Add a slide:"), adders),
      bin, said,
      h("div", { class: "arrange-foot" }, price,
        h("div", { class: "buttons" }, button("Cancel", { kind: "plain", onclick: () => close() }), save)),
    ];
  }, { wide: true });
}

const still = ({ thumbnailUrl, altText }) => (thumbnailUrl
  ? h("img", { src: local(thumbnailUrl), alt: altText, draggable: "false" })
  : h("span", { class: "arrange-blank" }, icon("image")));

/** Returns an offer to undo this tab's last change of the slides; null if there is none. */
export function undoOffer(generation) {
  const kept = sessionStorage.getItem(UNDO + generation.id);
  if (!kept) return null;
  const forget = () => sessionStorage.removeItem(UNDO + generation.id);
  const undo = button("Undo", { icon: "undo-2", kind: "small", onclick: () => busy(undo, async () => {
    await api("PUT", `/api/images/${generation.id}/slides`, { slides: JSON.parse(kept) }, { headers: onceKey() });
    forget();
    location.reload();
  }) });
  const element = note("", h("p", {}, "The slides were rearranged. Undo is free; copies stay paid and can be put back."),
    h("div", { class: "buttons" }, undo, button("Keep", { kind: "plain small", onclick: () => {
      forget();
      element.remove();
    } })));
  return element;
}
