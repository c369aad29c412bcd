// The credits page: balance, spending per day, and every movement.

import { bytes, count, data, day, h, icon, plural, stage } from "./core.js";
import { usageSection } from "./credits-chart.js";
import { ledgerSection } from "./credits-ledger.js";

const monthDay = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** Parts of a balance: field, label, expiry. The part that expires first is spent first and listed first. */
const PARTS = [
  ["monthlyBalance", "This month’s", () => `Good until ${monthDay.format(endOfMonth())}`],
  ["packBalance", "Packs", ({ nextPackExpiry }) => (nextPackExpiry ? `The next until ${day(nextPackExpiry)}` : "Valid until they expire")],
  ["topupBalance", "Top-ups", () => "Never end"],
  ["reserved", "Set aside", () => "For images that are being made"],
];

/** Returns the end of this month in UTC, as a day in the reader's time zone. */
function endOfMonth() {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 1);
}

function balanceSection(balance) {
  const parts = PARTS.map(([name, words, until]) => ({ name, words, until: until(balance), credits: balance[name] }));
  const there = parts.filter(({ credits }) => credits > 0);
  return h("section", { class: "card credits-balance" },
    h("h2", {}, "You can spend"),
    h("p", { class: "credits-figure" }, h("b", {}, count(balance.balance)), " credits"),
    h("div", { class: "credits-stack", "aria-hidden": "true" },
      there.map(({ name, credits }) => h("i", { class: `credits-${name}`, style: { "--credits": String(credits) } }))),
    h("dl", { class: "credits-parts" }, parts.filter(({ name, credits }) => credits > 0 || name === "monthlyBalance").map((part) =>
      h("div", {},
        h("dt", {}, h("i", { class: `credits-dot credits-${part.name}`, "aria-hidden": "true" }), part.words),
        h("dd", {}, h("b", {}, count(part.credits)), h("span", { class: "quiet small" }, part.credits > 0 ? part.until : "None left"))))));
}

function costsSection({ balance, costs, plan }) {
  const cost = (name, words, credits, unit) => h("div", {},
    h("dt", {}, icon(name), words),
    h("dd", {}, h("b", {}, plural(credits, "credit")), h("span", { class: "quiet small" }, `Enough for ${plural(Math.floor(balance / credits), unit)}`)));
  return h("section", { class: "card credits-costs" },
    h("div", { class: "row between" }, h("h2", {}, "What things cost"), h("span", { class: "tag" }, `${plan[0].toUpperCase()}${plan.slice(1)} plan`)),
    h("dl", {},
      cost("image", "An image", costs.visual, "image"),
      cost("layers", "A slide of a carousel", costs.slide, "slide"),
      cost("pencil", "An edit of an image", costs.edit, "edit")));
}

/** Returns the account's storage use and, if limited, its language model tokens. */
function storageSection({ storage, languageModel }) {
  const used = (name, words, amount, of) => h("div", {},
    h("dt", {}, icon(name), words),
    h("dd", {}, h("b", {}, amount), h("span", { class: "quiet small" }, of)));
  const { usedBytes, quotaBytes } = storage;
  const { tokensToday, dailyTokens } = languageModel;
  const full = quotaBytes !== null && usedBytes >= quotaBytes;
  return h("section", { class: "card credits-costs" },
    h("div", { class: "row between" }, h("h2", {}, "What you keep"), full && h("span", { class: "tag warn" }, "Full")),
    h("dl", {},
      used("archive", "Storage", bytes(usedBytes), quotaBytes === null ? "No limit" : `of ${bytes(quotaBytes)}; deleting generations frees some`),
      dailyTokens !== null && used("sparkles", "Language model today", plural(tokensToday, "token"), `of ${count(dailyTokens)} a day`)));
}

const given = data();

stage().append(
  h("div", { class: "credits-top" }, balanceSection(given.balance), costsSection(given.balance)),
  storageSection(given.balance),
  usageSection(given.usage),
  ledgerSection(given.statement));
