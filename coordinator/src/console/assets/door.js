// Shared code of the sign-in and set-password pages: a server-rendered form that this script submits, and a place for
// errors.

import { h, icon } from "./core.js";

/**
 * Submits `form` with `send(fields)`. If that throws, shows the message in the form's #fault and focuses the element
 * that `at(error)` returns.
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

/** Shows an error message; null clears it. */
export function tell(form, words) {
  const fault = form.querySelector("#fault");
  fault.hidden = words === null;
  fault.replaceChildren(...(words === null ? [] : [icon("circle-alert"), h("span", {}, words)]));
}
