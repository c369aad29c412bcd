// What the two doors share: a form that the server wrote, sent from here, and a place where it says what went wrong.

import { h, icon } from "./core.js";

/**
 * Has `form` sent by `send(fields)`. Where that throws, its words are told in the form's #fault, and the element that
 * `at(error)` gives is focused.
 */
export function door(form, { send, at }) {
  const submit = form.querySelector("button[type=submit]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.getAttribute("aria-busy") === "true") return;
    submit.setAttribute("aria-busy", "true");
    tell(form, null);
    try {
      await send(form.elements);
    } catch (error) {
      tell(form, error.message);
      at(error)?.focus();
    } finally {
      submit.removeAttribute("aria-busy");
    }
  });
}

/** Says what went wrong; null takes it back. */
export function tell(form, words) {
  const fault = form.querySelector("#fault");
  fault.hidden = words === null;
  fault.replaceChildren(...(words === null ? [] : [icon("circle-alert"), h("span", {}, words)]));
}
