// Form dialogs: errors appear beside their fields, and the input stays.

import { button, dialog, h, note, showFaults } from "./core.js";

/**
 * Opens a form dialog. `parts`: content between title and buttons. `controls`: elements by the field names used in
 * errors. `send()` submits. Returns the result of `send`, or undefined if dismissed.
 */
export function formDialog(title, { lead, parts, controls = {}, yes, send }) {
  return dialog(title, (close) => {
    const faults = faultPlace();
    const submit = h("button", { type: "submit", class: "button primary" }, yes);
    const sent = async (event) => {
      event.preventDefault();
      if (submit.getAttribute("aria-busy") === "true") return;
      submit.setAttribute("aria-busy", "true");
      faults.hidden = true;
      try {
        close(await send());
      } catch (error) {
        tellFaults(error, controls, faults);
      } finally {
        submit.removeAttribute("aria-busy");
      }
    };
    return h("form", { class: "stack", novalidate: true, onsubmit: sent },
      lead && h("p", { class: "quiet" }, lead), parts, faults,
      h("div", { class: "buttons" }, button("Cancel", { kind: "plain", onclick: () => close() }), submit));
  });
}

/** Throws field errors in the service's format if a condition fails. `wanted`: [[field, condition, message]]. */
export function need(wanted) {
  const details = wanted.filter(([, there]) => !there).map(([field, , message]) => ({ field, message }));
  if (details.length > 0) throw Object.assign(new Error(), { details });
}

/** Returns a place for errors that belong to no single field. It takes no room while empty. */
export const faultPlace = () => h("div", { class: "stack tight", hidden: true });

/** Shows a problem beside the controls concerned, or else in `place`. Focuses the first control with an error. */
export function tellFaults(error, controls, place) {
  const details = error.details ?? [];
  const others = showFaults(details, controls);
  if (details.length === 0) place.replaceChildren(note("bad", error.message));
  else place.replaceChildren(...others.map(({ message }) => note("bad", message)));
  place.hidden = place.childElementCount === 0;
  Object.values(controls).find((control) => control.getAttribute("aria-invalid") === "true")?.focus();
}

/**
 * Returns a group of checkboxes. `options`: [[value, label, explanation]]. `element` goes into the form, `chosen()`
 * returns the values.
 */
export function choices(label, options, chosen) {
  const boxes = options.map(([value]) => h("input", { type: "checkbox", value, checked: chosen.includes(value) }));
  const element = h("fieldset", { class: "field", tabindex: "-1" }, h("legend", { class: "label" }, label),
    h("ul", { class: "stack tight" }, options.map(([, words, explanation], place) => h("li", {},
      h("label", { class: "check" }, boxes[place], h("span", {}, words, h("span", { class: "hint" }, explanation)))))));
  return { element, chosen: () => boxes.filter((box) => box.checked).map((box) => box.value) };
}
