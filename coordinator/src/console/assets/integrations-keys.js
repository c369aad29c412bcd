// API keys: create, rotate and revoke them, and show their usage.

import { ago, api, button, busy, confirm, count, day, dialog, empty, field, h, icon, note, plural, segments } from "./core.js";
import { choices, formDialog, need } from "./forms.js";
import { showOnce } from "./once.js";

const SCOPES = {
  "generations:write": ["Make images", "Create, stop, retry and delete generations, send files, set up webhooks. Spends credits."],
  "generations:read": ["See images", "Follow and list generations, fetch their images, see webhooks."],
  "images:edit": ["Edit images", "Change finished images and bring versions back. Spends credits."],
  "brands:read": ["See brand kits", "Read brand kits and the fonts there are."],
  "brands:write": ["Change brand kits", "Make, change and delete brand kits, their logos and fonts."],
  "credits:read": ["See credits", "Read the balance and the ledger."],
};
const GRACES = [["0", "At once"], ["3600", "1 hour"], ["86400", "1 day"], ["604800", "7 days"]];
const USAGE_DAYS = 30;
const ONCE = "It is not shown again. Keep it where you keep passwords, never in a page or a repository.";

const scopeWords = (scope) => SCOPES[scope]?.[0] ?? scope;

/** Returns a small icon button for an action on a row. */
export const deed = (name, onclick, ...words) => h("button", { type: "button", class: "button plain small", onclick }, icon(name), h("span", {}, words));
/** Returns text for screen readers only: sighted users see the row that a button belongs to. */
export const unseen = (words) => h("span", { class: "hidden-text" }, words);

/** Returns the account's keys for its holders; for others, an explanation. */
export function keysSection({ holder, keysAllowed, plan, keys, scopes }) {
  if (!holder) return h("section", { class: "card stack" }, h("h2", {}, "API keys"), note("", "Only holders of this account can create keys. Ask one of them for a key."));
  const list = h("div", { class: "stack" });
  const page = {
    scopes, allowed: keysAllowed, make: () => make(page),
    show: (all) => list.replaceChildren(...shown(page, all)),
    reload: async () => page.show((await api("GET", "/console/api/keys")).keys),
  };
  page.show(keys);
  return h("section", { class: "card" },
    h("div", { class: "card-head" }, h("h2", {}, "API keys"),
      keysAllowed && button("New key", { icon: "plus", kind: "primary", onclick: page.make })),
    !keysAllowed && note("warn", `The ${plan} plan doesn't include API keys. Existing keys stay listed, and you can revoke them.`),
    list);
}

function shown(page, keys) {
  const valid = keys.filter((key) => key.valid);
  const ended = keys.filter((key) => !key.valid);
  const rows = (some) => h("ul", { class: "integrations-rows" }, some.map((key) => row(page, key, keys)));
  return [
    valid.length > 0 && rows(valid),
    valid.length === 0 && page.allowed && empty("key", "No key yet", "An API key lets your program make images. Create one key per program, so that you can revoke each separately."),
    ended.length > 0 && h("details", { class: "integrations-more" },
      h("summary", {}, icon("chevron-right"), plural(ended.length, "key that ended", "keys that ended")), rows(ended)),
  ].filter(Boolean);
}

function row(page, key, keys) {
  const rotates = key.valid && !key.replacedBy && page.allowed;
  return h("li", { class: "integrations-row" },
    h("div", { class: "integrations-what" },
      h("h3", {}, key.name, key.ending && h("code", { class: "quiet small" }, ` …${key.ending}`), state(key, keys)),
      h("p", { class: "quiet small" }, permitted(page, key)),
      h("p", { class: "quiet small" }, key.lastUsedAt ? ["Last used ", ago(key.lastUsedAt)] : "Never used", " · made ", day(key.createdAt))),
    h("div", { class: "integrations-actions" },
      deed("activity", () => showUsage(key), unseen(`What ${key.name} did: `), "Usage"),
      rotates && deed("refresh-cw", () => rotate(page, key), "Rotate", unseen(` ${key.name}`)),
      key.valid && deed("ban", (event) => revoke(page, key, event.currentTarget), "Revoke", unseen(` ${key.name}`))));
}

function permitted(page, key) {
  return key.scopes.length === page.scopes.length ? "May do everything" : `May: ${key.scopes.map(scopeWords).join(", ").toLowerCase()}`;
}

/** Returns a key's state unless it is simply valid. */
function state(key, keys) {
  const tag = (kind, ...words) => h("span", { class: `tag ${kind}` }, h("span", {}, words));
  if (key.revokedAt) return tag("", "Revoked ", ago(key.revokedAt));
  if (!key.validUntil) return null;
  const heir = keys.find(({ id }) => id === key.replacedBy);
  return key.valid ? tag("warn", "Ends ", ago(key.validUntil)) : tag("", heir?.valid ? "Replaced " : "Ended ", ago(key.validUntil));
}

// Default scopes: what a program needs to make images. The user can add others.
const USUAL = ["generations:read", "generations:write", "images:edit"];

async function make(page) {
  const name = h("input", { class: "input", maxlength: 100, autocomplete: "off", placeholder: "For example “shop” or “newsletter”", autofocus: true });
  const may = choices("What it may do", page.scopes.map((scope) => [scope, scopeWords(scope), SCOPES[scope]?.[1]]), USUAL.filter((scope) => page.scopes.includes(scope)));
  const made = await formDialog("New API key", {
    lead: "One for each program, named after it.",
    parts: [field("Name", name), may.element],
    controls: { name, scopes: may.element },
    yes: "Make the key",
    send: () => {
      need([["name", name.value.trim(), "Give the key a name."], ["scopes", may.chosen().length > 0, "Choose at least one."]]);
      return api("POST", "/console/api/keys", { name: name.value.trim(), scopes: may.chosen() });
    },
  });
  if (made) await hand(page, `“${made.key.name}” is ready`, made.secret);
}

async function rotate(page, key) {
  let grace = "86400";
  const graces = segments("grace", GRACES, grace, (chosen) => (grace = chosen), { legend: "The old key ends" });
  graces.querySelector(":checked").autofocus = true;
  const made = await formDialog(`Rotate “${key.name}”?`, {
    lead: "You get a new key with the same name and permissions. The old one can stay valid while you switch.",
    parts: h("div", { class: "field" }, h("span", { class: "label", "aria-hidden": "true" }, "The old key ends"), graces),
    yes: "Make the new key",
    send: () => api("POST", `/console/api/keys/${key.id}/rotate`, { graceSeconds: Number(grace) }),
  });
  if (made) await hand(page, `The new “${made.key.name}”`, made.secret);
}

/** Shows a new key, above the refreshed list. */
async function hand(page, title, secret) {
  const listed = page.reload().catch(() => location.reload());
  await showOnce(title, { words: "Send it in the header X-API-Key. The programs on this page read it from VIVID_API_KEY.", secret, remark: ONCE });
  await listed;
}

async function revoke(page, key, pressed) {
  const sure = await confirm(`Revoke “${key.name}”?`, "Requests with it are rejected from now on. This can't be undone.", { yes: "Revoke the key" });
  if (!sure) return;
  await busy(pressed, async () => {
    await api("DELETE", `/console/api/keys/${key.id}`);
    await page.reload();
  });
}

async function showUsage(key) {
  const leaving = new AbortController();
  const body = h("div", { class: "stack", "aria-live": "polite" }, h("div", { class: "skeleton integrations-bars" }), h("p", { class: "hidden-text" }, "Loading"));
  const closed = dialog(`What “${key.name}” did`, (close) => [
    h("div", { class: "stack" }, h("p", { class: "quiet" }, `The last ${USAGE_DAYS} days, in UTC.`), body),
    h("div", { class: "buttons" }, button("Close", { onclick: () => close(), autofocus: true })),
  ], { wide: true });
  api("GET", `/console/api/keys/${key.id}/usage?days=${USAGE_DAYS}`, null, { signal: leaving.signal }).then(
    ({ usage }) => body.replaceChildren(...(usage.length > 0 ? usageOf(usage) : [h("p", { class: "integrations-nothing" }, "It was not used in these days.")])),
    (error) => error.name !== "AbortError" && body.replaceChildren(note("bad", error.message)));
  await closed;
  leaving.abort();
}

function usageOf(usage) {
  const sum = (what) => usage.reduce((all, one) => all + one[what], 0);
  const figure = (n, words) => h("div", {}, h("dt", { class: "quiet small" }, words), h("dd", {}, count(n)));
  return [
    h("dl", { class: "integrations-figures" },
      figure(sum("requests"), "Requests"), figure(sum("generations"), "Generations"), figure(sum("credits"), "Credits")),
    bars(usage),
    h("details", { class: "integrations-more" },
      h("summary", {}, icon("chevron-right"), "As a table"),
      h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": "What it did on each day" }, table(usage))),
  ];
}

function table(usage) {
  const columns = ["Requests", "Generations", "Credits"];
  return h("table", { class: "table" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Day"), columns.map((words) => h("th", { scope: "col", class: "end" }, words)))),
    h("tbody", {}, [...usage].reverse().map((one) => h("tr", {}, h("th", { scope: "row" }, utcDay(one.day)),
      [one.requests, one.generations, one.credits].map((n) => h("td", { class: "end" }, count(n)))))));
}

const dayOfUtc = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
const utcDay = (said) => dayOfUtc.format(new Date(said));

/** Returns requests per day as bars, including days without any. */
function bars(usage) {
  const requests = new Map(usage.map((one) => [one.day, one.requests]));
  const most = Math.max(1, ...requests.values());
  const days = Array.from({ length: USAGE_DAYS }, (_, back) =>
    new Date(Date.now() - (USAGE_DAYS - 1 - back) * 86_400_000).toISOString().slice(0, 10));
  return h("div", { role: "img", "aria-label": `Requests by day, at most ${count(most)}. The table below has them all.` },
    h("div", { class: "integrations-bars" }, days.map((one) =>
      h("i", { title: `${utcDay(one)}: ${plural(requests.get(one) ?? 0, "request")}`, style: { "--part": String((requests.get(one) ?? 0) / most) } }))),
    h("div", { class: "integrations-span quiet small" }, h("span", {}, utcDay(days[0])), h("span", {}, "Today")));
}
