// A menu button. Its list lies above everything else, so a scrolling table doesn't clip it.

import { h, icon, iconButton } from "./core.js";

const GAP = 6;
const ROW = 42;

/** `items`: [{words, icon, kind, act}]. */
export function menu(words, items) {
  const list = h("div", { class: "fleet-menu", popover: "auto" }, items.map(({ words: say, icon: name, kind = "", act }, place) =>
    h("button", { type: "button", class: kind, autofocus: place === 0, onclick: () => {
      list.hidePopover();
      act();
    } }, icon(name), say)));
  const opener = iconButton(words, "ellipsis", { kind: "plain small" });
  opener.popoverTargetElement = list;

  const position = () => {
    const { top, bottom, right, left } = opener.getBoundingClientRect();
    const above = bottom + items.length * ROW + 2 * GAP > innerHeight && top > innerHeight - bottom;
    // Opens towards the middle of the window, where even a phone has room.
    const { clientWidth } = document.documentElement;
    const onwards = left + right < clientWidth;
    const rules = {
      top: above ? "auto" : `${bottom + GAP}px`, bottom: above ? `${innerHeight - top + GAP}px` : "auto",
      left: onwards ? `${left}px` : "auto", right: onwards ? "auto" : `${clientWidth - right}px`,
    };
    for (const [rule, said] of Object.entries(rules)) list.style.setProperty(rule, said);
  };
  const hide = () => list.hidePopover();
  list.addEventListener("beforetoggle", ({ newState }) => {
    const open = newState === "open";
    if (open) {
      // Some browsers don't focus a clicked button; focus could not return to it when the menu closes.
      opener.focus();
      position();
    }
    // The list is fixed, so scrolling would separate it from its button.
    (open ? addEventListener : removeEventListener)("scroll", hide, true);
    (open ? addEventListener : removeEventListener)("resize", hide);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const buttons = [...list.children];
    buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
  });
  return [opener, list];
}
