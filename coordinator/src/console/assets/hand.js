// Editing a page by hand: every change is drawn at once as a small preview. Saving stores a new version.

import { api, button, busy, h, iconButton, note, onceKey } from "./core.js";
import { credits } from "./generation-parts.js";
import { handOverlay } from "./hand-overlay.js";
import { handPage, stepped } from "./hand-page.js";
import { handPanel } from "./hand-panel.js";

/** Number of undo steps. */
const REMEMBERED = 200;
/** Keystrokes in one element within this many milliseconds form one undo step. */
const BURST_MS = 900;
/** Number of sizes tried until the drawing changes. */
const TRIES = 4;

/**
 * Returns an editor of the page at `path`. `language`: the page's language. `draft(url)` shows a drawn page over the
 * picture; null shows the picture again. `begun()` is called when the user selects something, `saved(output, charged)`
 * after a version is stored, `photo(file)` when a picture should replace the photo.
 */
export function handEditor({ path, language, draft, begun, saved, photo }) {
  let page = null;
  let version = 0;
  let stored = "";
  let elements = [];
  let colours = [];
  let chosen = null;
  let typed = { id: null, at: 0 };
  const undone = [];
  const done = [];
  /** The last drawing: its page, price, or the reason why it failed. */
  let drawn = { text: "", cost: 0, fault: null };
  let drawing = null;
  let again = false;

  const controls = h("div", { class: "hand-controls" });
  const status = h("p", { class: "hidden-text", role: "status" });
  const faults = h("div", { class: "hand-faults" });
  const undo = iconButton("Undo", "undo-2", { onclick: () => back(done, undone) });
  const redo = iconButton("Redo", "undo-2", { kind: "plain hand-redo", onclick: () => back(undone, done) });
  const save = button("Save", { icon: "check", kind: "primary", onclick: () => busy(save, store) });
  const drop = button("Discard", { kind: "plain", onclick: discard });
  const element = h("div", { class: "hand", onkeydown: keys },
    h("div", { class: "hand-bar" }, undo, redo, h("span", { class: "grow" }), drop, save), faults, controls, status);
  const overlay = handOverlay({ find: (id) => page?.find(id), choose, remove });

  const isChanged = () => page !== null && page.print() !== stored;
  const hand = { choose, change, type, resize, move, duplicate, remove, photo, leave: () => overlay.focus(chosen), isShown: (id) => elements.some((each) => each.id === id) };

  /** Loads the page of the current version. */
  async function load() {
    const now = await api("GET", path);
    page = handPage(now.page);
    ({ version, elements, colours } = now);
    stored = page.print();
    drawn = { text: stored, cost: 0, fault: null };
    if (chosen && !page.find(chosen)) chosen = null;
    overlay.show(elements);
    panel();
    bar();
  }

  function choose(id, { typing = false } = {}) {
    chosen = id;
    overlay.mark(id);
    begun();
    panel().focus?.call(null, typing);
  }

  /** Shows the controls of the selection. Returns a function that places the caret in its text. */
  function panel() {
    const node = page?.find(chosen);
    if (!node) {
      const ground = page && button("Colours of the page", { icon: "palette", onclick: () => choose(page.root().getAttribute("id")) });
      controls.replaceChildren(h("p", { class: "quiet" }, "Click a text in the picture and type, or click anything else to change it."), ground ?? "");
      return {};
    }
    const made = handPanel(node, elements.find((each) => each.id === chosen), { colours, language, hand });
    controls.replaceChildren(made.element);
    return { focus: (typing) => typing && made.focus() };
  }

  function bar() {
    const changed = isChanged();
    const ready = changed && drawn.text === page.print() && drawn.fault === null;
    undo.disabled = done.length === 0;
    redo.disabled = undone.length === 0;
    save.disabled = !ready;
    drop.hidden = !changed;
    save.lastChild.textContent = ready ? `Save · ${drawn.cost ? credits(drawn.cost) : "free"}` : "Save";
    faults.replaceChildren(...(drawn.fault ? [note("warn", drawn.fault)] : []));
    element.classList.toggle("changed", changed);
  }

  /** Records the page before a change, for undo. */
  function remember() {
    done.push({ text: page.print(), chosen });
    done.splice(0, done.length - REMEMBERED);
    undone.length = 0;
  }

  /** Changes the page. `keep`: the controls are not rebuilt. */
  function change(work, { keep = false } = {}) {
    remember();
    typed = { id: null, at: 0 };
    work();
    if (!keep) panel();
    return preview();
  }

  /** Changes a text while the user types. */
  function type(node, work) {
    const id = node.getAttribute("id");
    const now = Date.now();
    if (typed.id !== id || now - typed.at > BURST_MS) remember();
    typed = { id, at: now };
    work();
    return preview();
  }

  function back(from, to) {
    const step = from.pop();
    if (!step) return;
    to.push({ text: page.print(), chosen });
    page.take(step.text);
    chosen = page.find(step.chosen) ? step.chosen : null;
    typed = { id: null, at: 0 };
    panel();
    preview();
  }

  /** Draws the page as it is now. Changes made meanwhile are drawn together afterwards. */
  function preview() {
    bar();
    again = true;
    drawing ??= draw().finally(() => {
      drawing = null;
    });
    return drawing;
  }

  async function draw() {
    while (again) {
      again = false;
      const text = page.print();
      try {
        const shown = await api("POST", `${path}/preview`, { page: text, version });
        drawn = { text, cost: shown.creditCost, fault: null, page: shown.page };
        elements = shown.elements;
        draft(shown.image);
        overlay.show(elements);
        overlay.mark(chosen);
      } catch (error) {
        drawn = { text, cost: 0, fault: error.details?.[0]?.message ?? error.message };
      }
      bar();
    }
  }

  /** Makes an element and its fit group larger or smaller, step by step until the drawing changes. */
  async function resize(id, attribute, step) {
    const entry = (own) => elements.find((each) => each.id === own);
    const sizeOf = () => entry(id)?.size ?? null;
    const sizesOf = (each) => each.getAttribute(attribute) ?? entry(each.getAttribute("id"))?.sizes ?? "";
    const before = sizeOf();
    remember();
    typed = { id: null, at: 0 };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const text = page.print();
      const node = page.find(id);
      const sizes = page.alike(node).map((each) => [each, stepped(sizesOf(each), step)]);
      if (sizes.every(([, size]) => size === null)) break;
      for (const [each, size] of sizes) if (size) each.setAttribute(attribute, size);
      await preview();
      if (drawn.fault) {
        page.take(text);
        await preview();
        status.textContent = step > 0 ? "There is no room for a larger size." : "It can't be smaller.";
        break;
      }
      if (before === null || Math.abs((sizeOf() ?? before) - before) > 0.5) break;
    }
    panel();
    bar();
  }

  function move(id, step) {
    return change(() => page.move(page.find(id), step));
  }

  async function duplicate(id) {
    let way = [];
    await change(() => {
      chosen = page.duplicate(page.find(id));
      way = page.wayTo(page.find(chosen));
    });
    // The service assigns ids to new elements, which their boxes need.
    if (drawn.fault || drawn.text !== page.print()) return;
    page.take(drawn.page);
    drawn.text = page.print();
    chosen = page.at(way)?.getAttribute("id") ?? null;
    overlay.show(elements);
    overlay.mark(chosen);
    panel();
    bar();
  }

  function remove(id) {
    const node = page.find(id);
    if (!node || node === page.root()) return null;
    return change(() => {
      chosen = page.remove(node);
      status.textContent = "It is deleted. Undo brings it back.";
    });
  }

  function discard() {
    if (isChanged()) remember();
    page.take(stored);
    if (!page.find(chosen)) chosen = null;
    panel();
    preview();
  }

  async function store() {
    const said = await api("PUT", path, { page: page.print(), version }, { headers: onceKey() });
    if (said.output) {
      saved(said.output, said.creditsCharged);
      await load();
    } else {
      saved(null, 0);
    }
  }

  function keys(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "z") {
      event.preventDefault();
      if (event.shiftKey) back(undone, done);
      else back(done, undone);
    } else if (key === "y") {
      event.preventDefault();
      back(undone, done);
    } else if (key === "s" && !save.disabled) {
      event.preventDefault();
      save.click();
    }
  }

  overlay.element.addEventListener("keydown", keys);
  addEventListener("beforeunload", (event) => isChanged() && event.preventDefault());
  return { element, overlay: overlay.element, load, isChanged };
}
