// The ledger: one line per request. A carousel is held and paid slide by slide, but shown as one line. A hold and its
// payment are one line as well, because only the hold changes the available balance. So each line changes the balance,
// and the balances add up. The service groups the lines and pages by lines.

import { ago, api, busy, button, count, empty, h, link, plural } from "./core.js";

const GAINS = ["grant", "release"];
const SOURCES = { monthly: "Monthly credits", pack: "Credit pack", topup: "Top-up" };

const edited = ({ version }, said) => (version > 1 ? `${said} for an edit` : said);

/** Returns a description of the movement. */
function words(line) {
  switch (line.type) {
    case "grant": return "Added";
    case "release": return "Given back";
    case "expiry": return "Ended unused";
    default:
      if (line.paid + line.back < line.amount) return edited(line, "Set aside");
      return edited(line, line.paid > 0 ? "Paid" : "Reserved and refunded");
  }
}

/** Returns the table with paging. `statement`: its first page, as the service returns it. */
export function ledgerSection(statement) {
  if (statement.rows.length === 0) return empty("coins", "No credits moved yet", "Credits added to this account and spent by it appear here.");
  const body = h("tbody", {});
  const told = h("p", { class: "hidden-text", role: "status", "aria-live": "polite" });
  const more = button("Show more", { icon: "chevron-down", onclick: () => busy(more, async () => {
    const page = await api("GET", `/console/api/statement?before=${next}`);
    show(page);
    told.textContent = `${plural(page.rows.length, "more line")} shown.`;
    if (next === null) body.closest(".table-wrap").focus();
  }) });
  const foot = h("div", { class: "credits-more" }, more);
  let next = null;
  const show = ({ rows, before, names }) => {
    body.append(...rows.map((line) => row(line, names)));
    next = before;
    foot.hidden = next === null;
  };
  show(statement);
  return h("section", { class: "card flush" },
    h("h2", { class: "credits-title" }, "Where credits went"),
    h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": "Where credits went" },
      h("table", { class: "table credits-ledger" },
        h("thead", {}, h("tr", {},
          h("th", { scope: "col" }, "What"), h("th", { scope: "col" }, "When"),
          h("th", { scope: "col", class: "end" }, "Credits"), h("th", { scope: "col", class: "end" }, "Balance"))),
        body)),
    told, foot);
}

function row(line, names) {
  const gain = GAINS.includes(line.type);
  return h("tr", {},
    h("th", { scope: "row" }, h("span", {}, subject(line, names)), h("span", { class: "quiet small" }, about(line))),
    h("td", { class: "quiet" }, ago(line.createdAt)),
    h("td", { class: `end ${gain ? "credits-plus" : ""}` }, `${gain ? "+" : "−"}${count(line.amount)}`),
    h("td", { class: "end quiet" }, count(line.balance)));
}

/** Returns what the movement was for or from, so that the user recognises the line. */
function subject(line, names) {
  const { generationId, sources, note } = line;
  if (!generationId) return note ?? (sources.map(({ type }) => SOURCES[type] ?? type).join(", ") || words(line));
  return h("a", { href: link(`/generations/${generationId}`), dir: "auto" }, names[generationId] ?? "A generation");
}

/** Returns the description with the number of images, which never wraps away from its unit. */
const about = (line) => (line.generationId ? `${words(line)} · ${plural(line.images, "image").replace(" ", "\u00a0")}` : words(line));
