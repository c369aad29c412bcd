// The elements of a page as boxes over its picture, selectable by pointer or keyboard.

import { h } from "./core.js";
import { nameOfElement, wordsOf } from "./hand-page.js";

/** Elements that only lay out others. The user selects their children instead. */
const LAYOUT = ["page", "column", "row", "grid", "layer", "spacer"];
/** Maximum characters of a box's name. */
const NAMED = 60;

/**
 * Returns the overlay. `find(id)` returns an element of the page. `choose(id, {typing})` reports the selection, and
 * whether text editing starts. `remove(id)` reports that an element should be removed.
 */
export function handOverlay({ find, choose, remove }) {
  const element = h("div", { class: "hand-boxes", role: "group", "aria-label": "Elements of the picture", onkeydown: keys });
  let chosen = null;

  function box({ id, name, box: [x, y, w, hgt] }) {
    const node = find(id);
    if (!node || LAYOUT.includes(name)) return null;
    const words = node.textContent.trim().replace(/\s+/g, " ").slice(0, NAMED);
    const percent = (share) => `${(100 * share).toFixed(3)}%`;
    return h("button", {
      type: "button", class: `hand-box${wordsOf(node) ? " words" : ""}`, dataset: { id }, tabindex: "-1", "aria-pressed": String(id === chosen),
      "aria-label": words ? `${nameOfElement(name)}: ${words}` : nameOfElement(name),
      style: { left: percent(x), top: percent(y), width: percent(w), height: percent(hgt) },
      onclick: () => choose(id, { typing: true }),
    });
  }

  const boxes = () => [...element.children];

  function keys(event) {
    const all = boxes();
    const at = all.indexOf(event.target);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const next = all[Math.min(all.length - 1, Math.max(0, to))];
      rove(next);
      next.focus();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      remove(event.target.dataset.id);
    }
  }

  /** Makes one box the overlay's only tab stop. */
  function rove(to) {
    for (const each of boxes()) each.tabIndex = each === to ? 0 : -1;
  }

  return {
    element,
    /** Updates the boxes and their places. Focus stays on the same element. */
    show(elements) {
      const focused = element.contains(document.activeElement) ? document.activeElement.dataset.id : null;
      element.replaceChildren(...elements.map(box).filter(Boolean));
      const all = boxes();
      rove(all.find((each) => each.dataset.id === (focused ?? chosen)) ?? all[0]);
      if (focused) all.find((each) => each.dataset.id === focused)?.focus();
    },
    /** Marks the box of an element as selected. */
    mark(id) {
      chosen = id;
      for (const each of boxes()) each.setAttribute("aria-pressed", String(each.dataset.id === id));
      const own = boxes().find((each) => each.dataset.id === id);
      if (own) rove(own);
    },
    /** Returns the focus to the box of an element. */
    focus(id) {
      (boxes().find((each) => each.dataset.id === id) ?? boxes()[0])?.focus();
    },
  };
}
