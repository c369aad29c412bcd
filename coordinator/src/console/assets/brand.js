// The brand kit editor: fields, a preview on three designs, and saving.

import { ago, api, busy, button, confirm, data, failed, field, h, icon, keepClearOf, link, note, onceKey, showFaults, stage, toast } from "./core.js";
import { faultPlace, need, tellFaults } from "./forms.js";
import { colourFields } from "./brand-colours.js";
import { facePickers } from "./brand-faces.js";
import { logoZones } from "./brand-logos.js";
import { samplePreview } from "./brand-preview.js";

/** Maximum characters of texts that the service accepts. */
const LONGEST = { name: 100, tone: 300, handle: 60, url: 200 };
/** The brand name in the preview while the kit has no name. */
const NAMELESS = "Your brand";

const given = data();
/** The kit as stored by the service; null if it isn't stored yet. */
let brand = given.brand;
/** The last saved state as JSON. A new kit has unsaved changes only once something is typed. */
let kept;
/** The body of the first save and its idempotency key, so that a retry doesn't create a second kit. */
let attempt = null;
let leaving = false;

const name = h("input", { class: "input", value: brand?.name ?? "", maxlength: LONGEST.name, required: true, autocomplete: "off", placeholder: "Acme" });
const isDefault = h("input", { type: "checkbox", checked: brand?.isDefault ?? false });
const colours = colourFields(brand?.colors ?? {}, changed);
const faces = facePickers(given.fonts, brand?.fonts ?? { heading: null, body: null }, changed);
const visualStyle = h("select", { class: "input" },
  h("option", { value: "" }, "None: chosen for each generation"),
  given.styles.map((style) => h("option", { value: style, selected: style === brand?.visualStyle }, style[0].toUpperCase() + style.slice(1))));
const handle = h("input", { class: "input", value: brand?.handle ?? "", maxlength: LONGEST.handle, placeholder: "@acme", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
const url = h("input", { class: "input", type: "text", inputmode: "url", value: brand?.url ?? "", maxlength: LONGEST.url, placeholder: "acme.example", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
const footer = h("input", { type: "checkbox", checked: brand?.footer ?? true });
const tone = h("textarea", { class: "input", rows: 3, maxlength: LONGEST.tone, value: brand?.tone ?? "", placeholder: "Warm and plain. Short sentences. Never pushy." });
const left = h("span", { class: "hint number", "aria-hidden": "true" });

const controls = { name, isDefault, tone, handle, url, visualStyle, footer, ...colours.controls, ...faces.controls };
const logos = logoZones(brand, { send: sendLogo, remove: removeLogo, changed: () => look() });
const preview = samplePreview(sample);
const faults = faultPlace();
const warnings = h("div", { class: "stack tight", role: "status" });
const state = h("p", { class: "brand-state small", role: "status" });
const discard = button("Discard", { icon: "undo-2", kind: "plain", onclick: discardChanges });
const submit = button("Save", { icon: "check", kind: "primary", type: "submit", "aria-keyshortcuts": "Control+S Meta+S" });
const remove = button("Delete", { icon: "trash-2", kind: "danger", onclick: deleteKit });

const textOf = (control) => control.value.trim() || null;

/** The kit as entered in the fields. */
const body = () => ({
  name: name.value.trim(),
  isDefault: isDefault.checked,
  colors: colours.value(),
  fonts: faces.value(),
  tone: textOf(tone),
  handle: textOf(handle),
  url: textOf(url),
  visualStyle: visualStyle.value || null,
  footer: footer.checked,
});

/** The visible parts of the kit, for the preview. Incomplete colours are left out. */
function sample() {
  const { name: called, fonts, handle: signed, url: site, visualStyle: style, footer: foot } = body();
  const seen = { name: called || NAMELESS, colors: colours.known(), fonts, handle: signed, url: site, visualStyle: style, footer: foot };
  // The logo URLs make the preview redraw when a logo changes. The service ignores them; a null would remove the logo.
  return brand ? { ...seen, brandId: brand.id, logoUrl: brand.logoUrl, logoDarkUrl: brand.logoDarkUrl } : seen;
}

const isChanged = () => JSON.stringify(body()) !== kept || logos.waits();

function changed() {
  look();
  preview.draw();
}

/** Shows whether there are unsaved changes. */
function look() {
  const unsaved = isChanged();
  left.textContent = `${tone.value.length} of ${LONGEST.tone}`;
  submit.disabled = brand !== null && !unsaved;
  discard.hidden = !unsaved;
  remove.hidden = brand === null;
  state.classList.toggle("changed", unsaved);
  if (unsaved) say(brand ? "Unsaved changes" : "Not saved yet");
  else if (brand) say(`Saved ${brand.updatedAt}`, "Saved ", ago(brand.updatedAt));
  else say("Only a name is required");
}

/** Announces the state, but only when it changes: screen readers would otherwise read it at every keystroke. */
function say(words, ...content) {
  if (state.dataset.said === words) return;
  state.dataset.said = words;
  state.replaceChildren(...(content.length ? content : [words]));
}

async function save() {
  if (submit.getAttribute("aria-busy") === "true" || !isChanged() && brand) return;
  submit.setAttribute("aria-busy", "true");
  faults.hidden = true;
  try {
    const sent = body();
    need([["name", sent.name, "Give the kit a name."], ...colours.wanted()]);
    const answer = await put(sent);
    kept = JSON.stringify(sent);
    showFaults([], controls);
    known(answer.brand);
    warnings.replaceChildren(...answer.warnings.map(({ message }) => note("warn", message)));
    const arrived = await logos.sendWaiting();
    toast(arrived ? "The brand kit is saved." : "The brand kit is saved, but not its logo.", arrived ? "good" : "bad");
  } catch (error) {
    tellFaults(error, controls, faults);
  } finally {
    submit.removeAttribute("aria-busy");
    look();
  }
}

/** Saves the kit: updates the stored one or creates a new one. */
async function put(sent) {
  if (brand) return api("PUT", `/api/brands/${brand.id}`, sent);
  const said = JSON.stringify(sent);
  if (attempt?.said !== said) attempt = { said, key: onceKey() };
  return api("POST", "/api/brands", sent, { headers: attempt.key });
}

/** Applies the state that the service stores now. */
function known(now) {
  const isNew = brand === null;
  brand = now;
  document.querySelector(".page-head h1").textContent = brand.name;
  document.title = `${brand.name} · Vivid`;
  if (isNew) history.replaceState(null, "", link(`/brands/${brand.id}`));
  look();
}

/** Stores a logo. Returns null if there is no kit yet. */
async function sendLogo(variant, file) {
  if (!brand) return null;
  const answer = await api("PUT", `/api/brands/${brand.id}/logo?variant=${variant}`, file);
  known(answer.brand);
  preview.draw();
  return brand;
}

/** Removes a logo. Sends the other fields as last saved, so unsaved input stays unsaved. */
async function removeLogo(logo, words) {
  const sure = await confirm("Remove this logo?", `The logo ${words.toLowerCase()} is removed at once. Images that show it keep it.`, { yes: "Remove the logo" });
  if (!sure) return undefined;
  try {
    const answer = await api("PUT", `/api/brands/${brand.id}`, { ...JSON.parse(kept), [logo]: null });
    known(answer.brand);
    preview.draw();
    return brand;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

async function discardChanges() {
  const sure = await confirm("Discard your changes?", brand ? "The kit goes back to how it was last saved." : "All your settings here are lost.", { yes: "Discard" });
  if (!sure) return;
  leaving = true;
  location.reload();
}

async function deleteKit() {
  const sure = await confirm(`Delete ${brand.name}?`, "Images that were made with it stay. The kit and its logos can’t be brought back.", { yes: "Delete the kit" });
  if (!sure) return;
  await busy(remove, async () => {
    await api("DELETE", `/api/brands/${brand.id}`);
    leaving = true;
    location.assign(link("/brands"));
  });
}

/** Returns a card of the form. */
const part = (title, lead, ...content) => h("section", { class: "card" },
  h("div", { class: "brand-part-head" }, h("h2", {}, title), lead && h("p", { class: "quiet small" }, lead)), content);

const check = (control, words, hint) => h("div", { class: "field" },
  h("label", { class: "check" }, control, h("span", {}, words, h("span", { class: "hint brand-check-hint" }, hint))));

/** Fields for the brand's tone, with the number of characters left. */
function voice() {
  const element = field("How the brand speaks", tone, { hint: "For texts that are written for you", className: "brand-voice" });
  element.append(left);
  return element;
}

/** The form. Input in a field clears its error message. */
const form = h("form", {
  class: "brand-form", novalidate: true, autocomplete: "off",
  onsubmit: (event) => {
    event.preventDefault();
    save();
  },
  oninput: ({ target }) => {
    showFaults([], { typed: target });
    changed();
  },
},
part("The basics", null, h("div", { class: "stack" },
  field("Name", name),
  check(isDefault, "The default kit", "Preselected when you create images"))),
part("Colours", "Leave out what you don’t have: the style then picks what fits.", colours.element),
part("Logos", "Borders are trimmed. If there is only one logo, it is used on all backgrounds.", logos.element),
part("Fonts", null, faces.element),
part("Style and signature", null, h("div", { class: "stack" },
  field("Visual style", visualStyle, { hint: "For generations that name no style of their own" }),
  h("div", { class: "brand-pair-fields" }, field("Handle", handle), field("Website", url)),
  check(footer, "Sign pages at their foot", "With the handle or the website"))),
part("Voice", null, voice()),
warnings,
h("div", { class: "brand-bar" }, faults, state, h("div", { class: "buttons" }, discard, submit)));

function build() {
  kept = JSON.stringify(body());
  const head = document.querySelector(".page-head");
  head.firstElementChild.prepend(h("nav", { class: "crumbs", "aria-label": "Where you are" }, icon("arrow-left"), h("a", { href: link("/brands") }, "Brand kits")));
  head.append(h("div", { class: "buttons" }, remove));
  stage().append(h("div", { class: "brand-desk" }, preview.element, form));
  look();
  preview.draw();
  keepClearOf(document.querySelector(".brand-bar"));
  if (!brand && !matchMedia("(pointer: coarse)").matches) name.focus({ preventScroll: true });
}

addEventListener("beforeunload", (event) => {
  if (!leaving && isChanged()) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  if (!document.querySelector("dialog[open]")) save();
});

// Otherwise a file dropped outside a zone would replace the page and lose all input.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => {
  if (event.dataTransfer?.types.includes("Files") && !event.defaultPrevented) event.preventDefault();
});

build();
