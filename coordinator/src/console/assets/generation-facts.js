// Facts about a generation: source, settings, cost, and the service's remarks.

import { button, copy, h, icon, iconButton, link, note, when, busy, api, count } from "./core.js";
import { capital, credits, SOURCES } from "./generation-parts.js";

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });

/** Returns the facts as a list of names and values. */
export function facts(generation, brands) {
  const [source, sign] = SOURCES[generation.inputType] ?? [generation.inputType, "file-text"];
  const rows = [
    ["Made from", h("span", { class: "generation-fact" }, icon(sign), source)],
    ["Address", generation.inputUrl && h("a", { href: generation.inputUrl, target: "_blank", rel: "noreferrer" }, generation.inputUrl)],
    ["Style", generation.visualStyle && capital(generation.visualStyle)],
    ["Brand kit", generation.brandId && brand(generation.brandId, brands)],
    ["Language", generation.language && language(generation.language)],
    ["Words", generation.useExactContent && "Exactly as sent"],
    ["Readers", generation.audience],
    ["Goal", generation.goal],
    ["Tone", generation.tone],
    ["Images", `${generation.exactSize ? "Exact size" : generation.resolution} · ${generation.imageFormat.toUpperCase()}`],
    ["Seed", seed(generation.seed)],
    ["Made from", generation.parentId && h("a", { href: link(`/generations/${generation.parentId}`) }, "Another generation")],
    ["Credits", spent(generation)],
    ["Language model", generation.languageModel && modelUsage(generation.languageModel)],
    ["Created", when(generation.createdAt)],
  ];
  return h("dl", { class: "facts" }, rows.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function brand(id, brands) {
  const kit = brands.find((each) => each.id === id);
  return kit ? h("a", { href: link(`/brands/${id}`) }, kit.name) : "A deleted kit";
}

function language(tag) {
  try {
    return languages.of(tag);
  } catch {
    return tag;
  }
}

const seed = (value) => h("span", { class: "generation-fact" }, h("span", { class: "mono" }, value),
  iconButton("Copy the seed", "copy", { kind: "plain small", onclick: () => copy(String(value), "The seed is copied.") }));

function spent({ creditsCharged, creditsRefunded }) {
  return creditsRefunded > 0 ? `${count(creditsCharged - creditsRefunded)} (${count(creditsCharged)} held, ${count(creditsRefunded)} came back)` : count(creditsCharged);
}

/** Returns a language model's usage: name, tokens, and the price if the operator configured prices. */
function modelUsage({ name, inputTokens, outputTokens, costUsd }) {
  const price = costUsd === null ? "" : ` · $${costUsd < 0.1 ? costUsd.toFixed(4) : costUsd.toFixed(2)}`;
  return `${name} · ${count(inputTokens + outputTokens)} tokens${price}`;
}

/** Explains why images are missing, and what helps; null if none are. `retried(generation)` is called after a retry. */
export function trouble(generation, missing, price, retried) {
  const said = {
    failed: ["bad", "No images could be made.", "All reserved credits were refunded."],
    partial: ["warn", `${missing === 1 ? "One image" : `${count(missing)} images`} could not be drawn.`, "Their credits were refunded."],
    cancelled: ["", "This was cancelled.", "Images that were not rendered were not charged."],
  }[generation.status];
  if (!said) return null;
  const [kind, what, money] = said;
  const words = missing === 1 ? "Try it again" : generation.status === "failed" ? "Try again" : `Try the ${count(missing)} again`;
  const retry = generation.status !== "cancelled" && button(`${words} · ${credits(price)}`, { icon: "rotate-ccw", onclick: () => busy(retry, async () => {
    retried((await api("POST", `/api/generations/${generation.id}/retry`)).generation);
  }) });
  return note(kind, h("p", {}, h("b", {}, what), " ", generation.errorMessage, " ", money), retry && h("div", { class: "buttons" }, retry,
    generation.status === "failed" && h("a", { class: "button", href: link(`/?again=${generation.id}`) }, icon("pencil"), "Change it in Create")));
}

/** Returns the service's warnings; null if there are none. */
export function remarks({ warnings }) {
  if (warnings.length === 0) return null;
  return note("", h("h2", { class: "generation-remarks" }, "Worth knowing"), warnings.length === 1 ? h("p", {}, warnings[0].message)
    : h("ul", { class: "generation-list" }, warnings.map(({ message }) => h("li", {}, message))));
}
