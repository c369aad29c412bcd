// The summary: what is made, what it costs, and the Create button. It is always visible.

import { button, count, h, iconButton, link, note, plural } from "./core.js";
import { bill } from "./create-choices.js";

/** Returns the summary. `outline()` and `create` are the actions of its buttons; the enclosing form creates. */
export function summary(page, choices, { outline }) {
  const lines = h("ul", { class: "create-bill" });
  const total = h("p", { class: "create-total" });
  const after = h("p", { class: "create-after quiet small" });
  const remarks = h("div", { class: "create-remarks", "aria-live": "polite" });
  const faults = h("div", { class: "create-remarks" });
  const price = h("p", { class: "hidden-text", role: "status" });
  const create = h("button", { type: "submit", class: "button primary create-go", "aria-keyshortcuts": "Control+Enter Meta+Enter" });
  const see = button("See the outline", { icon: "book-open", kind: "create-see", onclick: outline });
  const seeShort = iconButton("See the outline", "book-open", { kind: "create-see-short", onclick: outline });
  const keys = h("p", { class: "create-keys quiet small" }, h("kbd", {}, /Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl"), " ", h("kbd", {}, "Enter"), " creates");
  const element = h("aside", { class: "create-summary", "aria-labelledby": "create-summary" },
    h("h2", { id: "create-summary" }, "Summary"), lines,
    h("div", { class: "create-sum" }, total, after), faults, remarks,
    h("div", { class: "create-actions" }, seeShort, create, see), keys, price);
  let told = "";

  function line({ format, images, credits }) {
    return h("li", {}, h("span", {}, format.name, format.slides && h("span", { class: "quiet" }, ` × ${images}`)), h("span", { class: "number" }, count(credits)));
  }

  function remark(images, cost) {
    if (images > page.limits.images) return note("warn", `That is ${plural(images, "image")}. The maximum per generation is ${count(page.limits.images)}.`);
    if (cost > page.balance) return note("warn", `This takes ${plural(cost, "credit")}, and you have ${count(page.balance)}. `, h("a", { href: link("/credits") }, "See your credits"));
    return null;
  }

  function show() {
    const each = bill(page, choices);
    const images = each.reduce((sum, item) => sum + item.images, 0);
    const cost = each.reduce((sum, item) => sum + item.credits, 0);
    const trouble = remark(images, cost);
    lines.replaceChildren(...each.map(line));
    lines.hidden = images === 0;
    total.replaceChildren(h("b", { class: "number" }, count(cost)), ` ${cost === 1 ? "credit" : "credits"}`);
    after.textContent = cost <= page.balance ? `${count(page.balance - cost)} left afterwards` : `${count(page.balance)} left`;
    create.textContent = images === 0 ? "Choose a format" : `Create ${plural(images, "image")} · ${plural(cost, "credit")}`;
    create.disabled = images === 0 || trouble !== null || (choices.inputType === "pdf" && choices.sending);
    see.disabled = seeShort.disabled = images === 0 || images > page.limits.images;
    const words = `${plural(images, "image")}, ${plural(cost, "credit")}, ${after.textContent}`;
    // Announced only when it changes, not at every keystroke.
    if (words === told) return;
    price.textContent = told ? words : "";
    told = words;
    remarks.replaceChildren(...(trouble ? [trouble] : []));
  }

  show();
  return {
    element, create, show,
    /** Whether the summary says that the credits don't suffice. */
    isShort: () => bill(page, choices).reduce((sum, { credits }) => sum + credits, 0) > page.balance,
    /** Shows errors that belong to no single field. */
    fault: (messages) => faults.replaceChildren(...messages.map((message) => note("bad", message))),
    price: () => bill(page, choices).reduce((sum, { credits }) => sum + credits, 0),
  };
}
