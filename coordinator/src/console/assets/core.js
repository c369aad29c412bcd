// The base of every page module: elements, API requests, messages, dialogs, and formatting.

const root = document.documentElement;

/** The path prefix of the service; "" if the service has its own host. */
export const base = root.dataset.base ?? "";

/** Returns the address of a page of the service: `link("/library")`. */
export const link = (path) => base + path;

/** Returns the data that the server embedded in the page. */
export function data() {
  return JSON.parse(document.getElementById("data").textContent);
}

/** Returns the element that holds the page's content. */
export const stage = () => document.getElementById("stage");

/**
 * Creates an element. `props`: attributes; `class`; `on…` functions become listeners; `dataset`; properties such as
 * `value`, `checked`, `disabled`, `hidden` by name. null, undefined and false are left out. Children: nodes, texts,
 * lists.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "style") for (const [rule, said] of Object.entries(value)) element.style.setProperty(rule, said);
    else if (["value", "checked", "disabled", "hidden", "selected", "open", "indeterminate"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Returns an icon of the sprite by its Lucide name. Screen readers skip it. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("viewBox", "0 0 24 24");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `${root.dataset.icons}#${name}`);
  svg.append(use);
  return svg;
}

/** Returns a button with an optional icon before its label. */
export function button(words, { icon: name, kind = "", ...props } = {}) {
  return h("button", { type: "button", class: `button ${kind}`.trim(), ...props }, name && icon(name), words);
}

/** Returns an icon button. `words` are its accessible name and its tooltip. */
export function iconButton(words, name, { kind = "plain", ...props } = {}) {
  return h("button", { type: "button", class: `button only-icon ${kind}`, "aria-label": words, title: words, ...props }, icon(name));
}

/** An error response of the service. */
export class Problem extends Error {
  constructor(status, body) {
    super(body?.message ?? "The service could not be reached. Check your connection and try again.");
    this.status = status;
    this.code = body?.code ?? "unreachable";
    /** Errors of single fields: [{field, code, message}]. */
    this.details = body?.details ?? [];
    this.body = body;
  }
}

/**
 * Sends a request with the session's credentials: `api("POST", "/api/brands", {...})`. A Blob, File or FormData is sent
 * unchanged. Returns the response's JSON, or null without a body. Throws a Problem. If the session has ended, redirects
 * to the sign-in page.
 */
export async function api(method, path, body, { headers = {}, signal } = {}) {
  const form = body instanceof FormData;
  const raw = form || body instanceof Blob;
  const init = { method, signal, headers: { Accept: "application/json", ...headers }, credentials: "same-origin" };
  if (method !== "GET") init.headers["X-CSRF-Token"] = root.dataset.csrf ?? "";
  if (body !== undefined && body !== null) {
    init.body = raw ? body : JSON.stringify(body);
    // For a form, the browser sets the content type itself, including the boundary.
    if (!form) init.headers["Content-Type"] ??= raw ? body.type || "application/octet-stream" : "application/json";
  }
  let answer;
  try {
    answer = await fetch(link(path), init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, null);
  }
  const text = await answer.text();
  let json = null;
  try {
    json = text ? JSON.parse(text) : null;
  } catch {
    json = null;
  }
  if (answer.ok) return json;
  if (answer.status === 401 && ["session_missing", "session_invalid", "api_key_missing"].includes(json?.code) && root.dataset.csrf) {
    location.assign(`${link("/login")}?next=${encodeURIComponent(location.pathname.slice(base.length) + location.search)}`);
  }
  throw new Problem(answer.status, json);
}

/** Uploads a file. The service keeps it for a day. Returns the stored upload. */
export async function upload(file, { signal } = {}) {
  const form = new FormData();
  form.append("file", file);
  return (await api("POST", "/api/uploads", form, { signal })).upload;
}

/** Returns a header that makes a POST idempotent, so that retries take effect only once. */
export const onceKey = () => ({ "Idempotency-Key": crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("") });

/** Rewrites a picture's address to the host that served this page. */
export function local(url) {
  if (!url) return "";
  const { pathname, search } = new URL(url, location.href);
  const at = pathname.indexOf("/files/");
  return at < 0 ? url : link(pathname.slice(at)) + search;
}

/** Longest edges of the service's thumbnails, in pixels. */
const EDGES = [64, 128, 256, 384];

/**
 * Returns `img` attributes for a thumbnail of an output. `sizes`: its display width. `most`: longest edge in pixels.
 */
export function small({ id, version, width, height }, { sizes, most = 384 }) {
  const address = (edge) => link(`/console/api/pictures/${id}/${version}?edge=${edge}`);
  const share = width / Math.max(width, height);
  const set = EDGES.filter((edge) => edge <= most).map((edge) => `${address(edge)} ${Math.round(edge * share)}w`);
  return { src: address(Math.min(256, most)), srcset: set.join(", "), sizes, width, height };
}

/**
 * Keeps the focused element clear of a sticky bar at the bottom of the window: scrolling into view stops above the bar.
 * If the window is too low for both, style sheets let the bar scroll with the page.
 */
export function keepClearOf(bar) {
  const measure = () => {
    const { position, bottom } = getComputedStyle(bar);
    const stays = ["sticky", "fixed"].includes(position) && bottom !== "auto" && bar.offsetParent !== null;
    root.style.setProperty("--foot", stays ? `${Math.round(bar.offsetHeight + parseFloat(bottom))}px` : "");
  };
  new ResizeObserver(measure).observe(bar);
  addEventListener("resize", measure);
  measure();
}

/**
 * Returns the container for messages: the bottom of the page, or the open dialog, since a modal dialog hides everything
 * else from screen readers.
 */
function messages() {
  const toasts = document.getElementById("toasts");
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (open && !open.contains(toasts)) {
    open.append(toasts);
    open.addEventListener("close", () => document.body.append(toasts), { once: true });
  }
  return toasts;
}

/** Shows a message at the bottom of the window for a while. Screen readers announce it. `kind`: "good" or "bad". */
export function toast(words, kind = "good") {
  const toasts = messages();
  const element = h("div", { class: `toast ${kind}` }, icon(kind === "bad" ? "circle-alert" : "check"), h("span", {}, words));
  toasts.append(element);
  setTimeout(() => element.remove(), kind === "bad" ? 8000 : 4000);
}

/** Shows an error message. */
export const failed = (error) => {
  if (error?.name !== "AbortError") toast(error.message, "bad");
};

/**
 * Runs `work` while a button shows as busy. Shows errors. Returns the result of `work`, or undefined after an error.
 */
export async function busy(element, work) {
  if (element.getAttribute("aria-busy") === "true") return undefined;
  element.setAttribute("aria-busy", "true");
  try {
    return await work();
  } catch (error) {
    failed(error);
    return undefined;
  } finally {
    element.removeAttribute("aria-busy");
  }
}

/** Copies a text to the clipboard and confirms it. */
export async function copy(text, what = "Copied") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without HTTPS there is no clipboard API, so the text is copied from a selection.
    const area = h("textarea", { value: text, class: "hidden-text", "aria-hidden": "true" });
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(what);
}

/**
 * Opens a dialog: `dialog("Revoke this key?", (close) => [nodes])`. `close(value)` closes it. Returns a promise of the
 * value, undefined if dismissed.
 */
export function dialog(title, content, { wide = false } = {}) {
  return new Promise((resolve) => {
    let value;
    const id = `dialog-${Math.random().toString(36).slice(2)}`;
    const element = h("dialog", { "aria-labelledby": id, class: wide ? "wide" : "" });
    const close = (given) => {
      value = given;
      element.close();
    };
    element.append(h("h2", { id }, title), ...[content(close)].flat(Infinity).filter(Boolean));
    element.addEventListener("close", () => {
      element.remove();
      resolve(value);
    });
    element.addEventListener("click", (event) => {
      if (event.target !== element) return;
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const inside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
      if (!inside) close();
    });
    document.body.append(element);
    element.showModal();
  });
}

/** Asks for confirmation of an action that can't be undone. Returns true if confirmed. */
export function confirm(title, words, { yes = "Yes", danger = true } = {}) {
  return dialog(title, (close) => [
    h("p", { class: "quiet" }, words),
    h("div", { class: "buttons" },
      button("Cancel", { kind: "plain", onclick: () => close(false), autofocus: true }),
      button(yes, { kind: danger ? "danger" : "primary", onclick: () => close(true) })),
  ]);
}

let fields = 0;

/** Returns a labelled control: `field("Name", h("input", {class: "input"}), {hint, optional})`. */
export function field(label, control, { hint, className = "" } = {}) {
  const id = control.id || `field-${++fields}`;
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return h("div", { class: `field ${className}`.trim() },
    h("label", { for: id }, label), control, hint && h("span", { class: "hint", id: `${id}-hint` }, hint));
}

/**
 * Shows field errors beside their controls. `controls` maps field names to elements. Returns the errors without a
 * control.
 */
export function showFaults(details, controls) {
  for (const control of Object.values(controls)) {
    control.removeAttribute("aria-invalid");
    control.closest(".field")?.querySelector(".fault")?.remove();
  }
  return details.filter(({ field: name, message }) => {
    const control = controls[name] ?? controls[name.replace(/\[.*/, "")];
    if (!control) return true;
    control.setAttribute("aria-invalid", "true");
    control.closest(".field")?.append(h("span", { class: "fault", role: "alert" }, message));
    return false;
  });
}

/** Returns a segmented control. `options`: [[value, label]]. Calls `change(value)`. */
export function segments(name, options, chosen, change, { legend = name } = {}) {
  return h("fieldset", {}, h("legend", { class: "hidden-text" }, legend),
    h("div", { class: "segments" }, options.map(([value, words]) =>
      h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => change(value) }), words))));
}

/** Returns tabs with panels: [{id, words, panel}]. The address's fragment names the selected tab. */
export function tabs(label, list) {
  const shown = location.hash.slice(1);
  const first = list.find(({ id }) => id === shown)?.id ?? list[0].id;
  const buttons = list.map(({ id, words }) => h("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => choose(id),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = list[(list.findIndex((tab) => tab.id === id) + step + list.length) % list.length].id;
      choose(next);
      document.getElementById(`tab-${next}`).focus();
    },
  }, words));
  const panels = list.map(({ id, panel }) => h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }, panel));
  const choose = (chosen) => list.forEach(({ id }, place) => {
    buttons[place].setAttribute("aria-selected", String(id === chosen));
    buttons[place].tabIndex = id === chosen ? 0 : -1;
    panels[place].hidden = id !== chosen;
    if (id === chosen && (location.hash || id !== list[0].id)) history.replaceState(null, "", `#${id}`);
  });
  choose(first);
  return h("div", { class: "stack loose" }, h("div", { class: "segments", role: "tablist", "aria-label": label }, buttons), panels);
}

/** Returns the placeholder of an empty list. */
export function empty(name, title, words, ...actions) {
  return h("div", { class: "empty" }, icon(name), h("h2", {}, title), h("p", {}, words), actions.length > 0 && h("div", { class: "buttons" }, actions));
}

/** Returns a note with an icon. `kind`: "", "good", "warn" or "bad". */
export function note(kind, ...content) {
  const name = { good: "circle-check", warn: "triangle-alert", bad: "circle-alert" }[kind] ?? "info";
  return h("div", { class: `note ${kind}`, role: kind === "bad" ? "alert" : null }, icon(name), h("div", {}, content));
}

const TAGS = {
  completed: ["good", "Completed"], processing: ["info", "Working"], pending: ["info", "Waiting"],
  partial: ["warn", "Partly done"], failed: ["bad", "Failed"], cancelled: ["", "Cancelled"],
};

/** Returns a generation's status as a tag. */
export function statusTag(status) {
  const [kind, words] = TAGS[status] ?? ["", status];
  return h("span", { class: `tag ${kind}` }, words);
}

const whole = new Intl.NumberFormat("en");
const dayTime = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const dayOnly = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** 12,345 */
export const count = (n) => whole.format(n);
/** "1 image", "2 images" */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
/** "Nov 23, 2026, 1:10 AM" */
export const when = (time) => dayTime.format(new Date(time));
/** "Nov 23, 2026" */
export const day = (time) => dayOnly.format(new Date(time));

/** "3 minutes ago", with the exact time as its tooltip. */
export function ago(time) {
  const seconds = (new Date(time) - Date.now()) / 1000;
  const steps = [[60, "second", 1], [3600, "minute", 60], [86400, "hour", 3600], [2592000, "day", 86400], [31536000, "month", 2592000], [Infinity, "year", 31536000]];
  const [, unit, size] = steps.find(([below]) => Math.abs(seconds) < below);
  return h("time", { datetime: new Date(time).toISOString(), title: when(time) }, relative.format(Math.round(seconds / size), unit));
}

/** "1.4 MB" */
export function bytes(n) {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = n < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(n) / 3));
  return `${step ? (n / 1000 ** step).toFixed(1) : n} ${units[step]}`;
}

/** Calls `work` once there were no further calls for `ms`. */
export function settled(work, ms = 250) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), ms);
  };
}

/** The storage key of the unfinished draft of the Create page. */
export const DRAFT = "draft";

/** Ends the session and deletes all drafts on this machine. */
export async function signOut() {
  await api("DELETE", "/console/api/session");
  localStorage.removeItem(DRAFT);
  sessionStorage.clear();
  location.assign(link("/login"));
}

/** Refreshes the credit balance. */
export async function refreshBalance() {
  const purse = document.getElementById("balance");
  if (!purse) return;
  try {
    purse.textContent = count((await api("GET", "/api/credits/balance")).balance);
  } catch {
    // The next page shows the balance anyway.
  }
}
