// The fonts of a kit: one for headings, one for all other text. A list shows each font name in its own font. Users can
// upload their own fonts there.

import { button, dialog, h, icon, note, plural, showFaults, upload } from "./core.js";
import { forget, setIn } from "./brand-specimens.js";

const PARTS = [["heading", "Headings", "Titles and large numbers"], ["body", "Other words", "Text, lists and captions"]];
const FILES = ".ttf,.otf,.woff,.woff2,font/ttf,font/otf,font/woff,font/woff2";
/** Number of rows that Page Up and Page Down move by. */
const LEAP = 6;

/** Compares names without regard to case and accents, and digits as numbers. */
const byName = new Intl.Collator("en", { sensitivity: "base", numeric: true });

/**
 * Returns the two font pickers. `fonts`: available families. `given`: `{heading, body}`; null means that the style
 * decides.
 */
export function facePickers(fonts, given, change) {
  const shelf = { fonts: [...fonts].sort((a, b) => byName.compare(a.family, b.family)) };
  const pickers = PARTS.map(([name, words, use]) => facePicker(shelf, name, words, use, given[name], change));
  return {
    element: h("div", { class: "brand-faces" }, pickers.map(({ element }) => element)),
    controls: Object.fromEntries(pickers.map(({ name, control }) => [`fonts.${name}`, control])),
    value: () => Object.fromEntries(pickers.map(({ name, value }) => [name, value()])),
  };
}

function facePicker(shelf, name, words, use, given, change) {
  let family = given;
  const specimen = h("span", { class: "brand-specimen", "aria-hidden": "true" }, "Aa");
  const named = h("span", { class: "brand-face-name" });
  const hint = h("span", { class: "hint" });
  const control = h("button", { type: "button", id: `face-${name}`, class: "brand-face", "aria-haspopup": "dialog", onclick: pick },
    specimen, h("span", { class: "brand-face-words" }, h("span", { class: "small quiet" }, words), named, hint), icon("chevron-down"));

  function look() {
    control.classList.toggle("unset", !family);
    named.textContent = family ?? "The style decides";
    const isThere = !family || shelf.fonts.some((font) => font.family === family);
    hint.textContent = isThere ? use : "No longer available: choose another";
    setIn(specimen, family);
    setIn(named, family);
  }

  async function pick() {
    const chosen = await faceDialog(shelf, `Font for ${words.toLowerCase()}`, family);
    if (!chosen || chosen.family === family) return;
    family = chosen.family;
    look();
    showFaults([], { [name]: control });
    change();
  }

  look();
  return { name, control, value: () => family, element: h("div", { class: "field" }, control) };
}

/** Asks for a font family. Returns `{family}` (null for the style's own font), or undefined if dismissed. */
function faceDialog(shelf, title, chosen) {
  return dialog(title, (close) => {
    const list = h("ul", { class: "brand-list", role: "listbox", id: "face-list", "aria-label": "Fonts" });
    const nothing = h("p", { class: "quiet brand-none", role: "status" });
    const search = h("input", {
      type: "search", class: "input", role: "combobox", "aria-expanded": "true", "aria-controls": "face-list", "aria-autocomplete": "list",
      "aria-label": "Search fonts", placeholder: "Search fonts", autocomplete: "off", spellcheck: "false", autofocus: true, oninput: () => fill(null), onkeydown: keys,
    });
    let rows = [];
    let at = -1;

    /** Shows the search results and scrolls `wanted` into view. */
    function fill(wanted) {
      const words = search.value.trim().toLowerCase();
      const found = shelf.fonts.filter(({ family }) => family.toLowerCase().includes(words));
      rows = [...(words ? [] : [styleRow(chosen === null)]), ...found.map((font) => fontRow(font, font.family === chosen))];
      rows.forEach(({ element, family }, place) => {
        element.id = `face-${place}`;
        element.addEventListener("click", () => close({ family }));
      });
      list.replaceChildren(...rows.map(({ element }) => element));
      list.hidden = rows.length === 0;
      nothing.textContent = rows.length === 0 ? `No font is called “${search.value.trim()}”. You can add your own below.` : "";
      go(Math.max(0, rows.findIndex(({ family }) => family === wanted)), "center");
    }

    function go(place, block = "nearest") {
      rows[at]?.element.classList.remove("at");
      at = Math.min(rows.length - 1, Math.max(0, place));
      if (rows.length === 0) return search.removeAttribute("aria-activedescendant");
      rows[at].element.classList.add("at");
      rows[at].element.scrollIntoView({ block });
      search.setAttribute("aria-activedescendant", rows[at].element.id);
    }

    function keys(event) {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: LEAP, PageUp: -LEAP }[event.key];
      if (step) go(at + step);
      else if (event.key === "Enter" && rows[at]) close({ family: rows[at].family });
      else return;
      event.preventDefault();
    }

    // Rows have no size until the dialog is open.
    requestAnimationFrame(() => fill(chosen));
    return [
      h("div", { class: "input-with brand-search" }, icon("search"), search),
      list, nothing,
      uploader(shelf, (family) => {
        search.value = "";
        fill(family);
        search.focus();
      }),
    ];
  });
}

function styleRow(chosen) {
  return {
    family: null,
    element: h("li", { role: "option", "aria-selected": String(chosen) },
      h("span", { class: "brand-specimen" }, icon("wand-sparkles")),
      h("span", { class: "brand-face-words" }, h("span", { class: "brand-face-name" }, "The style decides"), h("span", { class: "hint" }, "Each style has matching fonts")),
      chosen && icon("check")),
  };
}

function fontRow({ family, weights, source, expiresAt }, chosen) {
  const whose = { account: "Yours", service: "Added for this service" }[source];
  const until = source === "account" && expiresAt && "goes after a day unless a kit uses it";
  return {
    family,
    element: h("li", { role: "option", "aria-selected": String(chosen) },
      setIn(h("span", { class: "brand-specimen", "aria-hidden": "true" }, "Aa"), family),
      h("span", { class: "brand-face-words" },
        setIn(h("span", { class: "brand-face-name" }, family), family),
        h("span", { class: "hint" }, [whose, plural(weights.length, "weight"), until].filter(Boolean).join(" · "))),
      chosen && icon("check")),
  };
}

/** Uploads font files one after another and adds them to the shelf. `added(family)` receives the last one. */
function uploader(shelf, added) {
  const told = h("div", { class: "stack tight", "aria-live": "polite" });
  const input = h("input", { type: "file", accept: FILES, multiple: true, hidden: true, onchange: async () => {
    const files = [...input.files];
    input.value = "";
    await sendAll(files);
  } });
  const choose = button("Add your own font", { icon: "upload", kind: "small", onclick: () => input.click() });

  async function sendAll(files) {
    if (choose.getAttribute("aria-busy") === "true") return;
    choose.setAttribute("aria-busy", "true");
    told.replaceChildren();
    let last = null;
    for (const file of files) {
      try {
        last = shelve(shelf, await upload(file));
        told.append(note("good", `${last} is added. Choose it in the list; it stays for as long as a kit uses it.`));
      } catch (error) {
        const why = error.status === 415 ? "this is no font that can be used." : error.details?.[0]?.message ?? error.message;
        told.append(note("bad", `${file.name}: ${why}`));
      }
    }
    choose.removeAttribute("aria-busy");
    if (last) added(last);
  }

  return h("div", { class: "brand-upload" },
    h("div", { class: "row" }, choose, h("span", { class: "hint" }, "TTF, OTF, WOFF or WOFF2")), told, input);
}

/** Adds an uploaded font to the list. Returns its family. */
function shelve(shelf, { font, expiresAt }) {
  if (!font) throw new Error("this is no font.");
  const { family, weight } = font;
  const known = shelf.fonts.find((other) => other.source === "account" && other.family === family);
  if (known) known.weights = [...new Set([...known.weights, weight])].sort((a, b) => a - b);
  else shelf.fonts = [...shelf.fonts.filter((other) => other.family !== family), { family, weights: [weight], source: "account", expiresAt }]
    .sort((a, b) => byName.compare(a.family, b.family));
  forget(family);
  return family;
}
