// Small parts shared by the sections of the fleet page.

import { ago, button, copy, count, h, icon, iconButton, plural } from "./core.js";

/** "45 s", "3 min", "3 min 20 s", "2 h 10 min" */
export function span(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [large, small, words] = whole < 3600 ? [60, 1, ["min", "s"]] : [3600, 60, ["h", "min"]];
  const rest = Math.floor((whole % large) / small);
  return `${count(Math.floor(whole / large))} ${words[0]}${rest ? ` ${rest} ${words[1]}` : ""}`;
}

/** Returns the sum of a list of numbers. */
export const sum = (list) => list.reduce((all, n) => all + n, 0);
/** Returns the largest number of a list; 0 if it is empty. */
export const most = (list) => list.reduce((top, n) => Math.max(top, n), 0);

const PLANS = { free: "Free", starter: "Starter", pro: "Pro", business: "Business" };

/** Returns a plan's display name. */
export const planName = (plan) => PLANS[plan] ?? plan;

/** Returns a bar of the used share. */
export function meter(label, value, all) {
  const share = all > 0 ? Math.min(1, value / all) : 0;
  return h("div", {
    class: "bar fleet-meter", role: "meter", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": Math.max(1, all),
    "aria-valuenow": Math.min(value, Math.max(1, all)), "aria-valuetext": `${count(value)} of ${count(all)}`,
  }, h("i", { style: { "inline-size": `${share * 100}%` } }));
}

/** Returns a section as a card: heading, remark beside it, controls at the end, and content. */
export function section(title, { id, remark, controls = [] }, ...content) {
  const heading = h("h2", { id: `fleet-${id}`, tabindex: "-1" }, title);
  return h("section", { class: `card fleet-card fleet-${id}`, "aria-labelledby": heading.id },
    h("div", { class: "card-head" }, h("div", { class: "fleet-title" }, heading, remark), h("div", { class: "fleet-controls" }, controls)),
    content);
}

/** Returns the placeholder of an empty section. */
export function nothing(name, title, words) {
  return h("div", { class: "fleet-nothing" }, icon(name), h("div", {}, h("p", { class: "fleet-nothing-title" }, title), h("p", { class: "quiet small" }, words)));
}

/** Returns a shortened id with a button that copies the full one. */
export function idOf(id, what) {
  return h("span", { class: "fleet-id" },
    h("span", { class: "mono", title: id }, id.slice(-8)),
    iconButton(`Copy the ${what}’s id`, "copy", { kind: "plain small", onclick: () => copy(id, "Id copied") }));
}

/**
 * Returns a table by its columns: [{words, end, quiet, state}]. The heading of a `quiet` column is visible to screen
 * readers only. The `state` column stands beside the name if there is no room for columns.
 */
export function table(caption, columns) {
  const body = h("tbody", { role: "rowgroup" });
  const heads = columns.map(({ words, end, quiet }) =>
    h("th", { scope: "col", role: "columnheader", class: end ? "end" : null }, quiet ? h("span", { class: "hidden-text" }, words) : words));
  // The roles are explicit because phones lay the rows out as blocks, and browsers then drop the table semantics.
  const element = h("table", { class: "table fleet-table", role: "table" },
    h("caption", { class: "hidden-text" }, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads)), body);
  const row = (cells) => h("tr", { role: "row" }, columns.map(({ words, end, quiet, state }, place) => place === 0
    ? h("th", { scope: "row", role: "rowheader" }, cells[place])
    : h("td", { role: "cell", class: end ? "end" : state ? "fleet-state" : null, "data-label": quiet || state ? null : words }, cells[place])));
  return { element, body, row };
}

const CONTROLS = "a[href], button, input, summary";
const shown = new WeakMap();

/**
 * Updates the children of `parent` to match `items`, each with an `id`. Unchanged elements stay. Focus moves from a
 * replaced element to its replacement, so that a refresh doesn't lose it.
 */
export function sync(parent, items, make) {
  const before = new Map([...parent.children].map((element) => [element.dataset.key, element]));
  const wanted = items.map((item) => {
    const key = String(item.id);
    const said = JSON.stringify(item);
    const old = before.get(key);
    if (old && shown.get(old) === said) return [old, old];
    const element = make(item);
    element.dataset.key = key;
    shown.set(element, said);
    return [element, old];
  });
  const stay = new Set(wanted.map(([element]) => element));
  const focused = document.activeElement;
  wanted.forEach(([element, old], place) => {
    if (parent.children[place] !== element) parent.insertBefore(element, parent.children[place] ?? null);
    if (old && old !== element && old.contains(focused)) {
      element.querySelectorAll(CONTROLS)[[...old.querySelectorAll(CONTROLS)].indexOf(focused)]?.focus();
    }
  });
  for (const element of [...parent.children]) if (!stay.has(element)) element.remove();
}

/** Updates all relative times. */
export function freshen(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const now = ago(time.dateTime);
    if (now.textContent !== time.textContent) time.textContent = now.textContent;
  }
}

/** Shows the first few items of a list, and all on a click. `show(items)` shows the given items. */
export function folded(few, one, many, show) {
  let all = [];
  let open = false;
  const more = button("", { kind: "small", onclick: () => {
    open = !open;
    said();
  } });
  const said = () => {
    more.hidden = all.length <= few;
    more.textContent = open ? `Show the first ${few}` : `Show all ${plural(all.length, one, many)}`;
    more.setAttribute("aria-expanded", String(open));
    show(open ? all : all.slice(0, few));
  };
  return { more, show: (items) => {
    all = items;
    said();
  } };
}
