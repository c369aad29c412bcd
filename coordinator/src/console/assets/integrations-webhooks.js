// Webhooks: who is told how generations end, what was sent to them, and how a receiver knows that it is genuine.

import { ago, api, busy, button, confirm, count, day, dialog, empty, field, h, icon, link, note, plural, when } from "./core.js";
import { choices, formDialog, need } from "./forms.js";
import { verifiers } from "./integrations-code.js";
import { deed, unseen } from "./integrations-keys.js";
import { copyButton, showOnce } from "./once.js";

const EVENTS = {
  "generation.completed": ["Completed", "All images are ready."],
  "generation.partial": ["Partly done", "Some images are ready, others failed and were refunded."],
  "generation.failed": ["Failed", "No image could be made. All was refunded."],
  "generation.cancelled": ["Cancelled", "It was stopped."],
};
const STATES = { pending: ["info", "Waiting"], delivered: ["good", "Delivered"], failed: ["bad", "Not delivered"] };

const eventWords = (event) => EVENTS[event]?.[0] ?? event;

/** All of the tab. */
export function webhooksPanel(given) {
  return h("div", { class: "integrations-split" },
    webhooksSection(given),
    h("div", { class: "stack" }, genuineSection(), accountSecretSection()));
}

function webhooksSection({ webhooks, events }) {
  const list = h("div", {});
  const page = {
    events, make: () => make(page),
    show: (all) => list.replaceChildren(all.length > 0
      ? h("ul", { class: "integrations-rows" }, all.map((webhook) => row(page, webhook)))
      : empty("webhook", "No webhook yet", "Rather than asking again and again, have Vivid tell a program of yours when images are ready.")),
    reload: async () => page.show((await api("GET", "/api/webhooks")).webhooks),
  };
  page.show(webhooks);
  return h("section", { class: "card" },
    h("div", { class: "card-head" }, h("h2", {}, "Webhooks"), button("New webhook", { icon: "plus", kind: "primary", onclick: page.make })),
    list);
}

function row(page, webhook) {
  const { host } = new URL(webhook.url);
  return h("li", { class: "integrations-row" },
    h("div", { class: "integrations-what" },
      h("h3", {}, host, !webhook.active && h("span", { class: "tag warn" }, "Stopped")),
      h("p", { class: "mono small" }, webhook.url),
      h("p", { class: "quiet small" }, hears(page, webhook), " · made ", day(webhook.createdAt)),
      !webhook.active && h("p", { class: "quiet small" }, "It answered 410, gone for good, ", ago(webhook.disabledAt), ". Add it again to start it again.")),
    h("div", { class: "integrations-actions" },
      deed("history", () => showDeliveries(webhook, host), unseen(`What was sent to ${host}: `), "Deliveries"),
      deed("trash-2", (event) => remove(page, webhook, event.currentTarget), "Delete", unseen(` the webhook to ${host}`))));
}

function hears(page, { events }) {
  return events.length === page.events.length ? "Told of every outcome" : `Told of: ${events.map(eventWords).join(", ").toLowerCase()}`;
}

async function make(page) {
  const url = h("input", { class: "input", type: "url", inputmode: "url", maxlength: 2048, autocomplete: "off", placeholder: "https://", autofocus: true });
  const heard = choices("It hears of generations that are", page.events.map((event) => [event, eventWords(event), EVENTS[event]?.[1]]), page.events);
  const made = await formDialog("New webhook", {
    parts: [field("Address", url, { hint: "A public address of yours, by http or https, that takes a POST." }), heard.element],
    controls: { url, events: heard.element },
    yes: "Add the webhook",
    send: () => {
      need([["url", url.value.trim(), "Say where to send what happens."], ["events", heard.chosen().length > 0, "Choose at least one."]]);
      return api("POST", "/api/webhooks", { url: url.value.trim(), events: heard.chosen() });
    },
  });
  if (!made) return;
  const listed = page.reload().catch(() => location.reload());
  await showOnce("The secret of this webhook", {
    words: "Every delivery is signed with it. Your program checks that, so that it believes nobody but Vivid.",
    secret: made.webhook.secret, remark: "It is not shown again. Keep it where you keep passwords.",
  });
  await listed;
}

async function remove(page, webhook, pressed) {
  const sure = await confirm("Delete this webhook?", `${webhook.url} is told of nothing any more. What is waiting for it is not sent.`, { yes: "Delete the webhook" });
  if (!sure) return;
  await busy(pressed, async () => {
    await api("DELETE", `/api/webhooks/${webhook.id}`);
    await page.reload();
  });
}

async function showDeliveries(webhook, host) {
  const leaving = new AbortController();
  const rows = h("ul", { class: "integrations-rows" });
  const below = h("div", { "aria-live": "polite" }, h("div", { class: "skeleton integrations-waiting" }), h("p", { class: "hidden-text" }, "Loading"));
  const more = async (cursor) => {
    const at = `/api/webhooks/${webhook.id}/deliveries${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ""}`;
    try {
      const { deliveries, pagination } = await api("GET", at, null, { signal: leaving.signal });
      rows.append(...deliveries.map(delivery));
      below.replaceChildren(...foot(rows, pagination, more));
    } catch (error) {
      if (error.name !== "AbortError") below.replaceChildren(note("bad", error.message), button("Try again", { onclick: () => more(cursor) }));
    }
  };
  const closed = dialog(`Sent to ${host}`, (close) => [
    h("div", { class: "stack" }, h("p", { class: "quiet" }, "The last seven days, newest first."), rows, below),
    h("div", { class: "buttons" }, button("Close", { onclick: () => close(), autofocus: true })),
  ], { wide: true });
  more(null);
  await closed;
  leaving.abort();
}

function foot(rows, { hasMore, nextCursor }, more) {
  if (hasMore) return [button("Show more", { onclick: (event) => busy(event.currentTarget, () => more(nextCursor)) })];
  if (rows.childElementCount === 0) return [h("p", { class: "integrations-nothing" }, "Nothing was sent yet. The next generation that ends is.")];
  return [];
}

function delivery({ type, status, generationId, createdAt, nextAttemptAt, attempts }) {
  const [kind, words] = STATES[status] ?? ["", status];
  const last = attempts.at(-1);
  return h("li", { class: "integrations-delivery" },
    h("div", { class: "row between" },
      h("h3", {}, h("a", { href: link(`/generations/${generationId}`) }, `Generation ${eventWords(type).toLowerCase()}`), h("span", { class: `tag ${kind}` }, words)),
      h("span", { class: "quiet small" }, ago(createdAt))),
    h("p", { class: "quiet small" },
      last ? [plural(attempts.length, "attempt"), ", the last: ", outcome(last)] : "Not tried yet",
      nextAttemptAt && [" · next attempt ", ago(nextAttemptAt)]),
    attempts.length > 1 && h("details", { class: "integrations-more" },
      h("summary", {}, icon("chevron-right"), "All attempts"),
      h("ol", { class: "quiet small" }, attempts.map((one) => h("li", {}, when(one.at), ": ", outcome(one))))));
}

const outcome = ({ status, error, durationMs }) => (status ? `answered ${status} in ${count(durationMs)} ms` : error);

function genuineSection() {
  const [choice, place] = verifiers();
  return h("section", { class: "card" },
    h("div", { class: "card-head" }, h("h2", {}, "Is it genuine?"), choice),
    h("div", { class: "stack" },
      h("p", { class: "quiet" }, "Each delivery is a POST with the header ", h("code", {}, "X-Vivid-Signature"),
        ". Check it over the bytes as they came, before they are parsed. Then answer with any 2xx within 10 seconds, and do the work afterwards."),
      place,
      h("p", { class: "quiet" }, "A delivery may come twice, with the same ", h("code", {}, "X-Vivid-Delivery"),
        ". What isn't taken is sent again for a day. ", h("a", { href: link("/docs") }, "More in the documentation"), ".")));
}

/** What signs for the `webhookUrl` of a single generation. Unlike a webhook's own, it can be read again. */
function accountSecretSection() {
  const place = h("div", { class: "stack tight", hidden: true });
  const show = ({ secret, createdAt }) => {
    place.replaceChildren(
      h("div", { class: "secret" }, h("code", {}, secret), copyButton(() => secret, { kind: "small" })),
      h("p", { class: "quiet small", role: "status" }, "Made ", ago(createdAt), "."));
    place.hidden = false;
  };
  const buttons = h("div", { class: "buttons" },
    button("Show the secret", { icon: "eye", onclick: (event) => busy(event.currentTarget, async () => show(await api("GET", "/api/webhooks/secret"))) }),
    button("Make a new one", { icon: "refresh-cw", kind: "plain", onclick: (event) => renew(event.currentTarget, show) }));
  return h("section", { class: "card stack" }, h("h2", {}, "Told of one generation alone"),
    h("p", { class: "quiet" }, "A request may name a ", h("code", {}, "webhookUrl"), " of its own. What is sent there is signed with this account's secret."),
    place, buttons);
}

async function renew(pressed, show) {
  const sure = await confirm("Make a new secret?", "The one before is void at once. Programs that check with it refuse what is sent until they have the new one; it is sent again for a day.", { yes: "Make a new secret" });
  if (sure) await busy(pressed, async () => show(await api("POST", "/api/webhooks/secret/rotate")));
}
