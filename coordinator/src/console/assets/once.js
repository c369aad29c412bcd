// Secrets that are shown only once: a key, a secret, a link. And copy buttons.

import { button, copy, dialog, h, icon, note } from "./core.js";

/** Returns a button that copies the result of `text()` and confirms it in its own label. */
export function copyButton(text, { words = "Copy", done, ...props } = {}) {
  const said = h("span", { "aria-live": "polite" }, words);
  const element = button(said, { icon: "copy", ...props, onclick: async () => {
    await copy(text());
    said.textContent = "Copied";
    element.firstChild.replaceWith(icon("check"));
    done?.();
    setTimeout(() => {
      said.textContent = words;
      element.firstChild.replaceWith(icon("copy"));
    }, 2500);
  } });
  return element;
}

/**
 * Shows a secret once. Until it was copied, only "Done" closes the dialog, so an accidental click doesn't lose the
 * secret.
 */
export async function showOnce(title, { words, secret, remark }) {
  let copied = false;
  let done;
  do {
    done = await dialog(title, (close) => h("div", { class: "stack" },
      h("p", { class: "quiet" }, words),
      h("div", { class: "secret" }, h("code", {}, secret),
        copyButton(() => secret, { kind: "small", autofocus: true, done: () => (copied = true) })),
      note("warn", remark),
      h("div", { class: "buttons" }, button("Done", { kind: "primary", onclick: () => close(true) }))));
  } while (!done && !copied);
}
