// Dialogs that ask for something and send it: faults are told beside their fields, and what was typed stays.

import { button, dialog, h, note, showFaults } from "./core.js";

/**
 * Asks by a form. `parts`: what is between the title and the buttons; `controls`: elements by the names of the fields that
 * faults are told of; `send()` does it. Gives what `send` gives, undefined where it was dismissed.
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

/** Refuses to send what lacks something, in the way of the service: `wanted`: [[field, whether it is there, words]]. */
export function need(wanted) {
  const details = wanted.filter(([, there]) => !there).map(([field, , message]) => ({ field, message }));
  if (details.length > 0) throw Object.assign(new Error(), { details });
}

/** Where faults are told that are no single field's. It takes no room while there are none. */
export const faultPlace = () => h("div", { class: "stack tight", hidden: true });

/** Tells a problem beside the controls that it is about, else in `place`. The first control at fault is focused. */
export function tellFaults(error, controls, place) {
  const details = error.details ?? [];
  const others = showFaults(details, controls);
  if (details.length === 0) place.replaceChildren(note("bad", error.message));
  else place.replaceChildren(...others.map(({ message }) => note("bad", message)));
  place.hidden = place.childElementCount === 0;
  Object.values(controls).find((control) => control.getAttribute("aria-invalid") === "true")?.focus();
}

/**
 * Boxes of which any may be chosen. `options`: [[value, words, explanation]]. `element` stands in the form, `chosen()` gives
 * the values.
 */
export function choices(label, options, chosen) {
  const boxes = options.map(([value]) => h("input", { type: "checkbox", value, checked: chosen.includes(value) }));
  const element = h("fieldset", { class: "field", tabindex: "-1" }, h("legend", { class: "label" }, label),
    h("ul", { class: "stack tight" }, options.map(([, words, explanation], place) => h("li", {},
      h("label", { class: "check" }, boxes[place], h("span", {}, words, h("span", { class: "hint" }, explanation)))))));
  return { element, chosen: () => boxes.filter((box) => box.checked).map((box) => box.value) };
}
