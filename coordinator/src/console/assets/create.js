// The Create page: a source, formats, a look, and the price before anything is made.

import { api, data, h, icon, keepClearOf, link, note, onceKey, settled, showFaults, stage } from "./core.js";
import { begin, bodyOf, draftOf, faultsOf } from "./create-choices.js";
import { formatsPart } from "./create-formats.js";
import { inputPart } from "./create-input.js";
import { morePart } from "./create-more.js";
import { outlinePart } from "./create-outline.js";
import { picturesPart } from "./create-pictures.js";
import { stylePart } from "./create-style.js";
import { summary } from "./create-summary.js";

/** Error codes for an uploaded file that no longer exists. */
const GONE = ["upload_not_found", "upload_expired"];

const page = data();
const choices = begin(page);
const draft = draftOf(page);
const body = () => bodyOf(page, choices);
const saveSoon = settled(save, 400);
/** Whether there are choices to store. Nothing is stored without changes, so that signing out leaves nothing behind. */
let unsaved = false;
/** The idempotency key, so that a retry after a broken connection doesn't create a second generation. */
let key = null;
let made = false;

const input = inputPart(page, choices, changed);
const formats = formatsPart(page, choices, changed);
const style = stylePart(page, choices, changed);
const pictures = picturesPart(page, choices, changed);
const more = morePart(page, choices, changed);
const outline = outlinePart(page, choices, { body, told: tell, priced: () => total.show(), changed: () => {
  formats.refresh();
  changed();
} });
const total = summary(page, choices, { outline: () => ready() && outline.look() });

const form = h("form", { class: "create-desk", novalidate: true, onsubmit: (event) => {
  event.preventDefault();
  create();
} },
h("div", { class: "create-choices" },
  page.start && note("", h("div", { class: "row between" }, "This starts from a generation you made before. Change what you like.",
    h("a", { href: link("/") }, icon("rotate-ccw"), "Start empty"))),
  input.element, formats.element, style.element, pictures.element, more.element, outline.element),
total.element);

function changed() {
  key = null;
  unsaved = true;
  saveSoon();
  style.refresh();
  total.show();
  total.fault([]);
  outline.mark();
}

function save() {
  if (unsaved && !made) draft.write(choices);
  unsaved = false;
}

const controls = () => ({ ...input.controls(), ...formats.controls(), ...style.controls(), ...pictures.controls(), ...more.controls() });

/** Shows errors beside their fields and scrolls to the first. The summary shows the rest. */
function say(details) {
  const elsewhere = outline.faults(showFaults(details, controls()));
  pictures.unfold();
  more.unfold();
  total.fault(elsewhere.map(({ message }) => message));
  const first = form.querySelector('[aria-invalid="true"]');
  if (!first) return;
  const target = first.matches("fieldset") ? first.querySelector("input:not([type=search])") : first;
  target.focus({ preventScroll: true });
  (first.closest(".field") ?? first.closest(".create-page")?.querySelector(".fault") ?? first).scrollIntoView({ block: "center" });
}

/** Removes the field name from the start of a message, since it stands beside the field. */
function plain({ field, message }) {
  const words = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
  return { field, message: words.charAt(0).toUpperCase() + words.slice(1) };
}

function tell(error) {
  if (GONE.includes(error.code)) return error.details?.some(({ field }) => field.startsWith("images")) ? pictures.forget() : input.forgetFile();
  if (error.code === "insufficient_credits" && error.body?.available !== undefined) page.balance = error.body.available;
  total.show();
  // The summary already says so for the current balance.
  if (error.code === "insufficient_credits" && total.isShort()) return total.fault([]);
  say(error.details?.length ? error.details.map(plain) : [{ field: "", message: error.message }]);
}

/** Whether the form is complete; shows what is missing. */
function ready() {
  const faults = faultsOf(page, choices);
  say(faults);
  return faults.length === 0;
}

/** Checks before spending credits whether an outline page has more text than fits. Temporary errors don't block. */
async function check({ maxCredits: _, ...asked }) {
  try {
    await api("POST", "/api/generations/estimate", asked);
  } catch (error) {
    if (error.details?.length) throw error;
  }
}

async function create() {
  if (made || total.create.disabled || total.create.getAttribute("aria-busy") === "true" || !ready()) return;
  total.create.setAttribute("aria-busy", "true");
  const sent = { ...body(), maxCredits: total.price() };
  try {
    if (sent.outline) await check(sent);
    if (JSON.stringify({ ...body(), maxCredits: total.price() }) !== JSON.stringify(sent)) {
      total.create.removeAttribute("aria-busy");
      return total.fault(["The settings changed while the outline was checked. Press Create again."]);
    }
    key ??= onceKey();
    const { generation } = await api("POST", "/api/generations", sent, { headers: key });
    made = true;
    draft.clear();
    location.assign(link(`/generations/${generation.id}`));
  } catch (error) {
    total.create.removeAttribute("aria-busy");
    tell(error);
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  create();
});
// Input just before leaving is stored, too.
addEventListener("pagehide", save);
// After a return from the finished generation, the page starts empty.
addEventListener("pageshow", (event) => event.persisted && made && location.reload());

stage().append(form);
keepClearOf(total.element);
input.focus();
