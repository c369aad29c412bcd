// Feedback on a password while it is typed. The service decides; the limits here match passwords.rs.

import { h, plural, settled } from "./core.js";

const LEAST = 10;
const MOST = 256;
const STRONG = 16;
/** Fewer different characters than this are a pattern rather than a password. */
const DIFFERENT = 6;

const characters = (password) => [...password.normalize("NFC")];

/** Returns why the service would reject the password; null if the page finds no reason. */
export function refusal(password) {
  const { length } = characters(password);
  if (length < LEAST) return `A password has at least ${LEAST} characters. This one has ${length}.`;
  if (length > MOST) return `A password has at most ${MOST} characters. This one has ${length}.`;
  return null;
}

function remark(password) {
  const all = characters(password);
  if (all.length < LEAST) return `${plural(LEAST - all.length, "more character")} to go.`;
  if (all.length > MOST) return `At most ${MOST} characters.`;
  if (new Set(all).size < DIFFERENT) return "Long enough, but too repetitive. Add other characters.";
  return all.length < STRONG ? "Good. Another word would make it strong." : "Strong.";
}

/** Returns a password's strength, from 0 to 1. */
function strength(password) {
  const all = characters(password);
  return Math.min(1, all.length / STRONG, new Set(all).size / DIFFERENT);
}

/** Shows the strength of the typed password in `hint`, which describes `input`, and as a bar under the input. */
export function tellStrength(input, hint) {
  const rule = hint.textContent;
  const fill = h("i", { style: { width: "0%" } });
  input.after(h("div", { class: "bar", "aria-hidden": "true" }, fill));
  hint.setAttribute("aria-live", "polite");
  // Delayed, because screen readers would announce each remark at every keystroke.
  const tell = settled(() => (hint.textContent = input.value ? remark(input.value) : rule), 400);
  input.addEventListener("input", () => {
    const far = strength(input.value);
    fill.style.width = `${Math.round(far * 100)}%`;
    fill.style.background = far < 1 ? "" : "var(--good)";
    tell();
  });
}

/**
 * Returns a checkbox that reveals the text of `inputs`. On submit they turn back into password fields, so that browsers
 * offer to save them.
 */
export function revealing(words, ...inputs) {
  const box = h("input", { type: "checkbox", onchange: () => reveal(box.checked) });
  const reveal = (shown) => inputs.forEach((input) => (input.type = shown ? "text" : "password"));
  inputs[0].form?.addEventListener("submit", () => {
    box.checked = false;
    reveal(false);
  });
  return h("label", { class: "check" }, box, h("span", {}, words));
}
