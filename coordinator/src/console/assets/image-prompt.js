// The prompt box. It remembers past prompts and unsent text.

import { button, h, settled, showFaults } from "./core.js";

/** Number of remembered prompts. */
const REMEMBERED = 50;
/** Maximum characters that the service accepts. */
const LONGEST = 2000;

/** Returns a prompt box. `send(prompt)` is called with the prompt; `starters` are suggestions. */
export function promptBox({ id, starters, hint, send }) {
  const past = memory("image-prompts", []);
  const draft = memory(`image-draft-${id}`, "");
  const prompts = past.read();
  /** Index of the shown past prompt; the number of prompts for the text being typed. */
  let at = prompts.length;
  let typed = draft.read();

  const text = h("textarea", {
    id: "prompt", class: "image-text", rows: 2, maxlength: LONGEST, enterkeyhint: "send", autocomplete: "off", value: typed,
    placeholder: "Make the headline bigger and the background navy", "aria-describedby": "prompt-hint", oninput: edited, onkeydown: keys,
  });
  const go = button(h("span", {}, "Preview"), { icon: "send", kind: "primary", type: "submit" });
  const first = h("ul", { class: "image-starters", "aria-label": "Suggestions" }, starters.map((words) => h("li", {}, chip(words, ask))));
  const form = h("form", { class: "image-form field", onsubmit: (event) => {
    event.preventDefault();
    ask(text.value);
  } },
  h("h2", {}, h("label", { for: "prompt" }, "What should change?")),
  h("div", { class: "image-box" }, text, h("div", { class: "image-send" }, h("span", { class: "hint", id: "prompt-hint" }, hint), go)));

  function ask(prompt) {
    put(prompt);
    const words = prompt.trim();
    if (!words) return text.focus();
    const known = prompts.indexOf(words);
    if (known >= 0) prompts.splice(known, 1);
    prompts.push(words);
    prompts.splice(0, prompts.length - REMEMBERED);
    past.write(prompts);
    at = prompts.length - 1;
    typed = "";
    send(words);
  }

  function put(words) {
    text.value = words;
    first.hidden = words !== "";
    showFaults([], { prompt: text });
    draft.write(words);
  }

  const keep = settled(() => draft.write(text.value), 400);

  function edited() {
    at = prompts.length;
    typed = text.value;
    first.hidden = typed !== "";
    showFaults([], { prompt: text });
    keep();
  }

  function keys(event) {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      ask(text.value);
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step && recall(step)) event.preventDefault();
  }

  /**
   * Shows the previous or next prompt. In a text being typed, arrow keys move the caret, except up at its very
   * beginning.
   */
  function recall(step) {
    const browsing = at < prompts.length;
    const next = at + step;
    if (next < 0 || next > prompts.length || !(browsing || text.selectionEnd === 0)) return false;
    at = next;
    put(at < prompts.length ? prompts[at] : typed);
    return true;
  }

  first.hidden = typed !== "";
  return {
    form,
    starters: first,
    ask,
    /** Shows that a response is pending. */
    wait: (waiting) => (waiting ? go.setAttribute("aria-busy", "true") : go.removeAttribute("aria-busy")),
    /** Shows what is wrong with the prompt. */
    fault: (message) => showFaults([{ field: "prompt", message }], { prompt: text }),
    /** Clears the box, unless its text changed meanwhile. */
    done(prompt) {
      if (text.value.trim() !== prompt) return;
      at = prompts.length;
      put("");
    },
    /** Focuses the box unless that opens an on-screen keyboard. */
    focus() {
      if (matchMedia("(pointer: coarse)").matches) return;
      text.focus({ preventScroll: true });
      text.select();
    },
  };
}

/** Returns a button that sends a prompt. */
const chip = (words, ask) => h("button", { type: "button", class: "image-chip", onclick: () => ask(words) }, words);

/** Returns a value that is stored until the tab closes. */
function memory(key, none) {
  return {
    read() {
      try {
        return JSON.parse(sessionStorage.getItem(key)) ?? none;
      } catch {
        return none;
      }
    },
    write(value) {
      try {
        sessionStorage.setItem(key, JSON.stringify(value));
      } catch {
        // Without storage the value lasts until the page closes.
      }
    },
  };
}
