// The five colours of a kit, each set with a colour picker or as a hex code, and their contrast on each other.

import { h, icon, iconButton, showFaults } from "./core.js";
import { COLOURS, contrast, hexOf, verdict } from "./brand-colour.js";

/** The browser's colour picker starts with this colour if none is set. */
const BEGINNING = "#808080";
const UNFIT = "Enter a hex code such as #0a5f38.";
const WHITE = "#ffffff";
const BLACK = "#000000";

/**
 * Returns the colour fields. `given`: colours by name; null means that the style decides. `value()` returns the colours
 * and includes invalid input as typed. `known()` omits invalid input. Every change calls `change()`.
 */
export function colourFields(given, change) {
  const checks = h("div", {});
  const fields = COLOURS.map(([name, words, use]) => colourField(name, words, use, given[name], () => {
    checks.replaceChildren(contrasts(known()));
    change();
  }));
  const by = (read) => Object.fromEntries(fields.map((field) => [field.name, read(field)]));
  const known = () => by((field) => field.known());

  checks.replaceChildren(contrasts(known()));
  return {
    element: h("div", { class: "stack loose" }, h("div", { class: "brand-colours" }, fields.map(({ element }) => element)), checks),
    controls: Object.fromEntries(fields.map(({ name, hex }) => [`colors.${name}`, hex])),
    value: () => by((field) => field.value()),
    /** Conditions that must hold before the form is sent, for `need`. */
    wanted: () => fields.map((field) => [`colors.${field.name}`, field.isFit(), UNFIT]),
    known,
  };
}

function colourField(name, words, use, given, change) {
  const id = `colour-${name}`;
  const picker = h("input", { type: "color", "aria-label": `Pick ${words.toLowerCase()}`, oninput: () => put(picker.value) });
  const hex = h("input", {
    id, class: "input mono", value: given ?? "", placeholder: "Style’s own", maxlength: 7, spellcheck: "false", autocomplete: "off",
    autocapitalize: "off", "aria-describedby": `${id}-hint`, oninput: show,
    onchange: () => {
      put(hexOf(hex.value) ?? hex.value.trim());
      showFaults(isFit() ? [] : [{ field: name, message: UNFIT }], { [name]: hex });
    },
  });
  const swatch = h("div", { class: "brand-swatch" }, icon("plus"), picker);
  const clear = iconButton(`Clear ${words.toLowerCase()}`, "x", { kind: "plain small", onclick: () => {
    put("");
    hex.focus();
  } });

  const isFit = () => hex.value.trim() === "" || hexOf(hex.value) !== null;

  function put(colour) {
    hex.value = colour;
    show();
  }

  function show() {
    look();
    showFaults([], { [name]: hex });
    change();
  }

  function look() {
    const colour = hexOf(hex.value);
    swatch.classList.toggle("unset", !colour);
    swatch.style.setProperty("--colour", colour ?? "transparent");
    picker.value = colour ?? BEGINNING;
    clear.hidden = hex.value === "";
  }

  look();
  return {
    name,
    hex,
    isFit,
    known: () => hexOf(hex.value),
    value: () => hexOf(hex.value) ?? (hex.value.trim() || null),
    element: h("div", { class: "field brand-colour" }, swatch,
      h("div", { class: "brand-colour-words" }, h("label", { for: id }, words), h("span", { class: "hint", id: `${id}-hint` }, use)),
      h("div", { class: "brand-hex" }, hex, clear)),
  };
}

/** Returns the pairs of set colours that appear on each other. */
function contrasts({ primary, accent, background, text }) {
  const pairs = [
    ["Text on background", text, background], ["Accent on background", accent, background],
    onPrimary(primary),
  ].filter(([, ink, ground]) => ink && ground);
  if (pairs.length === 0) return h("p", { class: "hint" }, "Set colours to see how readable they are on each other.");
  return h("div", { class: "stack tight" },
    h("h3", {}, "Readability"),
    h("ul", { class: "brand-contrasts" }, pairs.map(([words, ink, ground]) => pair(words, ink, ground))),
    h("p", { class: "hint" }, "Where text would be hard to read, Vivid adjusts the colour. Logo and art keep it exactly."));
}

/** Returns black or white, whichever is more readable on the colour. The designs never use the other one. */
function onPrimary(primary) {
  const white = primary && contrast(WHITE, primary) >= contrast(BLACK, primary);
  return white ? ["White on primary", WHITE, primary] : ["Black on primary", BLACK, primary];
}

function pair(words, ink, ground) {
  const ratio = contrast(ink, ground);
  const [kind, says] = verdict(ratio);
  // Rounded down, so that no pair shows a ratio that it doesn't reach.
  const shown = (Math.floor(ratio * 10) / 10).toFixed(1);
  return h("li", {},
    h("span", { class: "brand-pair", "aria-hidden": "true", style: { "--ink-there": ink, "--ground-there": ground } }),
    h("div", {}, h("span", {}, words), h("span", { class: "brand-ratio" }, h("span", { class: "number quiet small" }, `${shown} : 1`), h("span", { class: `tag ${kind}` }, says))));
}
