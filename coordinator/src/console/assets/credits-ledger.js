// Every movement of credits. What one request did at once is one line: a carousel of eight slides is held and paid slide by
// slide, which nobody wants to read.

import { ago, api, busy, button, count, empty, h, link, plural } from "./core.js";

/** What a movement does to what can be spent, and how it is said. */
const KINDS = {
  grant: { sign: 1, words: () => "Added" },
  hold: { sign: -1, words: ({ version }) => (version > 1 ? "Set aside for an edit" : "Set aside") },
  capture: { sign: 0, words: ({ version }) => (version > 1 ? "Paid for an edit" : "Paid") },
  release: { sign: 1, words: () => "Given back" },
  expiry: { sign: -1, words: () => "Ended unused" },
};
const SOURCES = { monthly: "monthly credits", pack: "credit pack", topup: "top-up" };

/** Entries one after the other that are of one kind and for one generation, as one. */
function grouped(entries) {
  const groups = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && entry.generationId && ["generationId", "type", "version", "round"].every((name) => last[name] === entry[name])) {
      last.amount += entry.amount;
      last.images += 1;
    } else {
      groups.push({ ...entry, images: 1 });
    }
  }
  return groups;
}

/** The table, and more of it. */
export function ledgerSection({ entries, pagination, names }) {
  const all = [...entries];
  const body = h("tbody", {});
  const foot = h("div", { class: "credits-more" });
  const show = ({ hasMore, nextCursor }) => {
    body.replaceChildren(...grouped(all).map((entry) => row(entry, names)));
    foot.replaceChildren(...(hasMore ? [button("Show more", { onclick: (event) => busy(event.currentTarget, () => more(nextCursor)) })] : []));
    foot.hidden = !hasMore;
  };
  const more = async (cursor) => {
    const page = await api("GET", `/api/credits/ledger?cursor=${encodeURIComponent(cursor)}`);
    all.push(...page.entries);
    show(page.pagination);
    foot.querySelector("button")?.focus();
  };
  show(pagination);
  if (all.length === 0) return empty("coins", "No credits moved yet", "What is added to this account, and what is spent of it, is listed here.");
  return h("section", { class: "card flush" },
    h("h2", { class: "credits-title" }, "Where credits went"),
    h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": "Where credits went" },
      h("table", { class: "table credits-ledger" },
        h("thead", {}, h("tr", {},
          h("th", { scope: "col" }, "What"), h("th", { scope: "col" }, "When"),
          h("th", { scope: "col", class: "end" }, "Credits"), h("th", { scope: "col", class: "end" }, "Balance"))),
        body)),
    foot);
}

function row(entry, names) {
  const { sign, words } = KINDS[entry.type] ?? { sign: 0, words: () => entry.type };
  return h("tr", {},
    h("th", { scope: "row" }, h("span", {}, words(entry)), h("span", { class: "quiet small" }, about(entry, names))),
    h("td", { class: "quiet" }, ago(entry.createdAt)),
    h("td", { class: `end ${sign > 0 ? "credits-plus" : ""}` }, amount(sign, entry.amount)),
    h("td", { class: "end quiet" }, count(entry.balance)));
}

/** What was held before and is paid now leaves the balance as it is. */
function amount(sign, credits) {
  if (sign === 0) return h("span", { class: "quiet small" }, `${count(credits)} of what was set aside`);
  return `${sign > 0 ? "+" : "−"}${count(credits)}`;
}

function about({ generationId, images, sources, note }, names) {
  if (!generationId) return note ?? sources.map(({ type }) => SOURCES[type] ?? type).join(", ");
  return [h("a", { href: link(`/generations/${generationId}`) }, names[generationId] ?? "A generation"), ` · ${plural(images, "image")}`];
}
