// A button that opens a list of things to do. The list lies over everything, so a table that scrolls doesn't cut it off.

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
    // Towards the middle of the window, where there is room on a phone, too.
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
      // Browsers that don’t focus what is clicked would else not know where to come back to.
      opener.focus();
      position();
    }
    // It would stay where it is while its button moves away.
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
