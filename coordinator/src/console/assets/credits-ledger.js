// Every movement of credits, one line for what one request did: a carousel is held and paid slide by slide, which nobody
// wants to read. What was held and then paid is one line too, for only holding it changed what can be spent; so each line
// changes the balance, and the balances add up.

import { ago, api, busy, button, count, empty, h, link, plural } from "./core.js";

const GAINS = ["grant", "release"];
const SOURCES = { monthly: "Monthly credits", pack: "Credit pack", topup: "Top-up" };

/** What an entry is for: one output in one version. What was held for it is paid or given back. */
const purpose = ({ generationId, outputId, version, round }) => [generationId, outputId, version, round].join();
/** What a line is for. */
const request = ({ type, generationId, version, round }) => [type, generationId, version, round].join();

/** Entries as lines, the newest first. */
function lines(entries) {
  const amounts = (type) => new Map(entries.filter((entry) => entry.type === type).map((entry) => [purpose(entry), entry.amount]));
  const [paid, back, held] = ["capture", "release", "hold"].map(amounts);
  const groups = [];
  for (const entry of entries.filter(({ type }) => type !== "capture")) {
    const last = groups.at(-1);
    const line = entry.generationId && last && request(last) === request(entry) ? last : null;
    if (line) add(line, entry);
    else groups.push({ ...entry, images: 1, entries: [entry] });
  }
  for (const line of groups) line.words = words(line, paid, back);
  // Paid for with what was held further back than is shown yet: it stands last until that is.
  const early = new Map();
  for (const entry of entries.filter((one) => one.type === "capture" && !held.has(purpose(one)))) {
    const line = early.get(request(entry));
    if (line) add(line, entry);
    else early.set(request(entry), { ...entry, images: 1, entries: [entry], balance: null, words: edited(entry, "Paid") });
  }
  return [...groups, ...early.values()];
}

function add(line, entry) {
  line.amount += entry.amount;
  line.images += 1;
  line.entries.push(entry);
}

const edited = ({ version }, said) => (version > 1 ? `${said} for an edit` : said);

function words(line, paid, back) {
  const sum = (settled) => line.entries.reduce((all, entry) => all + (settled.get(purpose(entry)) ?? 0), 0);
  switch (line.type) {
    case "grant": return "Added";
    case "release": return "Given back";
    case "expiry": return "Ended unused";
    default:
      if (sum(paid) + sum(back) < line.amount) return edited(line, "Set aside");
      return edited(line, sum(paid) > 0 ? "Paid" : "Set aside and given back");
  }
}

/** The table, and more of it. */
export function ledgerSection({ entries, pagination, names }) {
  if (entries.length === 0) return empty("coins", "No credits moved yet", "What is added to this account, and what is spent of it, is listed here.");
  const all = [...entries];
  const body = h("tbody", {});
  const foot = h("div", { class: "credits-more" });
  const show = ({ hasMore, nextCursor }) => {
    body.replaceChildren(...lines(all).map((line) => row(line, names)));
    foot.replaceChildren(...(hasMore ? [button("Show more", { onclick: (event) => busy(event.currentTarget, () => more(nextCursor)) })] : []));
    foot.hidden = !hasMore;
  };
  const more = async (cursor) => {
    const page = await api("GET", `/api/credits/ledger?limit=50&cursor=${encodeURIComponent(cursor)}`);
    all.push(...page.entries);
    show(page.pagination);
    foot.querySelector("button")?.focus();
    if (await learnNames(page.entries, names)) show(page.pagination);
  };
  show(pagination);
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

/** Adds the titles of generations that entries are for, as far as one request tells them. Gives whether there were any. */
async function learnNames(entries, names) {
  const newest = entries.find(({ generationId }) => generationId && !(generationId in names));
  if (!newest) return false;
  const before = new Date(new Date(newest.createdAt).getTime() + 1000).toISOString();
  try {
    const { generations } = await api("GET", `/api/generations?limit=50&createdBefore=${before}`);
    for (const { id, title } of generations) if (title) names[id] = title;
    return true;
  } catch {
    // Lines without titles are good enough.
    return false;
  }
}

function row(line, names) {
  const gain = GAINS.includes(line.type);
  return h("tr", {},
    h("th", { scope: "row" }, h("span", {}, subject(line, names)), h("span", { class: "quiet small" }, about(line))),
    h("td", { class: "quiet" }, ago(line.createdAt)),
    h("td", { class: `end ${gain ? "credits-plus" : ""}` }, `${gain ? "+" : "−"}${count(line.amount)}`),
    h("td", { class: "end quiet" }, line.balance === null ? "" : count(line.balance)));
}

/** What it was for or from, by which a line is found again. */
function subject({ words: said, generationId, sources, note }, names) {
  if (!generationId) return note ?? (sources.map(({ type }) => SOURCES[type] ?? type).join(", ") || said);
  return h("a", { href: link(`/generations/${generationId}`) }, names[generationId] ?? "A generation");
}

/** What happened; the number of images stays with its unit. */
const about = ({ words: said, generationId, images }) => (generationId ? `${said} · ${plural(images, "image").replace(" ", "\u00a0")}` : said);
