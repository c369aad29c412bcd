// Webhooks: endpoints that are notified when generations end, their deliveries, and how a receiver verifies them.

import { ago, api, busy, button, confirm, count, day, dialog, empty, field, h, icon, link, note, plural, toast, when } from "./core.js";
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

/** Poll interval of a test delivery, and the maximum number of polls. */
const LOOK_MS = 700;
const LOOKS = 20;

const eventWords = (event) => EVENTS[event]?.[0] ?? event;

/** Returns the content of the tab. */
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
      : empty("webhook", "No webhook yet", "Instead of polling, let Vivid notify your program when images are ready.")),
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
      !webhook.active && h("p", { class: "quiet small" }, "Nothing has been sent to it since ", ago(webhook.disabledAt), ". It was switched off, or it answered 410, gone for good.")),
    h("div", { class: "integrations-actions" },
      !webhook.active && deed("rotate-ccw", (event) => start(page, webhook, event.currentTarget), "Start again", unseen(` the webhook to ${host}`)),
      deed("send", (event) => test(webhook, host, event.currentTarget), "Send a test", unseen(` to ${host}`)),
      deed("pencil", () => change(page, webhook), "Change", unseen(` the webhook to ${host}`)),
      deed("refresh-cw", (event) => renewSecret(webhook, event.currentTarget), "New secret", unseen(` for ${host}`)),
      deed("history", () => showDeliveries(webhook, host), unseen(`What was sent to ${host}: `), "Deliveries"),
      deed("trash-2", (event) => remove(page, webhook, event.currentTarget), "Delete", unseen(` the webhook to ${host}`))));
}

function hears(page, { events }) {
  return events.length === page.events.length ? "All outcomes" : `Outcomes: ${events.map(eventWords).join(", ").toLowerCase()}`;
}

/** Asks for an endpoint's URL and events. Returns the result of `send(asked)`, or undefined. */
function ask(page, title, yes, { url: given, events: chosen }, send) {
  const url = h("input", { class: "input", type: "url", inputmode: "url", maxlength: 2048, autocomplete: "off", placeholder: "https://", value: given, autofocus: true });
  const heard = choices("Send events for generations that are", page.events.map((event) => [event, eventWords(event), EVENTS[event]?.[1]]), chosen);
  return formDialog(title, {
    parts: [field("Address", url, { hint: "A public http or https URL of yours that accepts POST requests." }), heard.element],
    controls: { url, events: heard.element },
    yes,
    send: () => {
      need([["url", url.value.trim(), "Enter the URL to send events to."], ["events", heard.chosen().length > 0, "Choose at least one."]]);
      return send({ url: url.value.trim(), events: heard.chosen() });
    },
  });
}

async function change(page, webhook) {
  const changed = await ask(page, "Change the webhook", "Save", webhook, (asked) => api("PATCH", `/api/webhooks/${webhook.id}`, asked));
  if (changed) await page.reload();
}

async function start(page, webhook, pressed) {
  await busy(pressed, async () => {
    await api("PATCH", `/api/webhooks/${webhook.id}`, { active: true });
    await page.reload();
  });
}

/** Sends a test delivery and shows the receiver's response. */
async function test(webhook, host, pressed) {
  await busy(pressed, async () => {
    let { delivery: { id, status, attempts } } = await api("POST", `/api/webhooks/${webhook.id}/test`);
    for (let looks = 0; status === "pending" && looks < LOOKS; looks += 1) {
      await new Promise((done) => setTimeout(done, LOOK_MS));
      const { deliveries } = await api("GET", `/api/webhooks/${webhook.id}/deliveries`);
      ({ status, attempts } = deliveries.find((one) => one.id === id) ?? { status, attempts });
    }
    const last = attempts.at(-1);
    if (status === "delivered") toast(`${host} took the test: it ${outcome(last)}.`);
    else toast(last ? `${host} did not take the test: ${last.status ? `it ${outcome(last)}` : last.error}.` : `${host} has not answered yet. See its deliveries.`, "bad");
  });
}

async function renewSecret(webhook, pressed) {
  const sure = await confirm("Make a new secret?", "For 24 hours deliveries are signed with both secrets, so that your program can switch without missing one.", { yes: "Make a new secret" });
  if (!sure) return;
  const made = await busy(pressed, () => api("POST", `/api/webhooks/${webhook.id}/secret/rotate`));
  if (made) await showOnce("The new secret of this webhook", { words: "The previous secret stays valid for 24 hours.", secret: made.webhook.secret, remark: "It is not shown again. Keep it where you keep passwords." });
}

async function make(page) {
  const made = await ask(page, "New webhook", "Add the webhook", { url: "", events: page.events }, (asked) => api("POST", "/api/webhooks", asked));
  if (!made) return;
  const listed = page.reload().catch(() => location.reload());
  await showOnce("The secret of this webhook", {
    words: "Vivid signs every delivery with it. Verify the signature, so that your program accepts deliveries from Vivid only.",
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
      rows.append(...deliveries.map((one) => delivery(webhook, one)));
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

function delivery(webhook, { id, type, status, generationId, createdAt, nextAttemptAt, attempts }) {
  const [kind, words] = STATES[status] ?? ["", status];
  const last = attempts.at(-1);
  const again = webhook.active && status !== "pending" && button("Send again", { kind: "plain small", icon: "send", onclick: () => busy(again, async () => {
    await api("POST", `/api/webhooks/${webhook.id}/deliveries/${id}/redeliver`);
    again.replaceWith(h("span", { class: "quiet small", role: "status" }, "It is sent again."));
  }) });
  const told = generationId ? h("a", { href: link(`/generations/${generationId}`) }, `Generation ${eventWords(type).toLowerCase()}`) : "Test";
  return h("li", { class: "integrations-delivery" },
    h("div", { class: "row between" },
      h("h3", {}, told, h("span", { class: `tag ${kind}` }, words)),
      h("span", { class: "row" }, again, h("span", { class: "quiet small" }, ago(createdAt)))),
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
      h("p", { class: "quiet" }, "A delivery may arrive twice, with the same ", h("code", {}, "X-Vivid-Delivery"),
        ". What isn't taken is sent again for a day. ", h("a", { href: link("/docs") }, "More in the documentation"), ".")));
}

/**
 * Returns the secret that signs deliveries to the `webhookUrl` of a single generation. Unlike a webhook's own secret,
 * it can be shown again.
 */
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
  return h("section", { class: "card stack" }, h("h2", {}, "Webhooks of single generations"),
    h("p", { class: "quiet" }, "A request may name a ", h("code", {}, "webhookUrl"), " of its own. What is sent there is signed with this account's secret."),
    place, buttons);
}

async function renew(pressed, show) {
  const sure = await confirm("Make a new secret?", "For 24 hours deliveries are signed with both secrets, so that your programs can switch without missing one.", { yes: "Make a new secret" });
  if (sure) await busy(pressed, async () => show(await api("POST", "/api/webhooks/secret/rotate")));
}
