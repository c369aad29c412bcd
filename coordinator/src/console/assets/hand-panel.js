// Controls of the selected element: text, size, colours, position, and its icon or picture with a search.

import { button, h, icon, iconButton, segments } from "./core.js";
import { drawingPicker } from "./hand-drawings.js";
import { photoButton } from "./image-parts.js";
import { nameOfElement, showWords, sizeAttribute, spokenAttributes, takeWords, wordsOf } from "./hand-page.js";

/** Elements whose name attribute selects a drawing. */
const DRAWN = { icon: "icons", picture: "pictures" };
/** Text marks, with the labels of their buttons. */
const MARKS = [["em", "Emphasise"], ["strong", "Embolden"], ["u", "Underline"], ["mark", "Highlight"], ["del", "Strike out"]];
/** Colours for text, and for backgrounds. */
const INKS = ["ink", "ink2", "accent-ink", "art1", "art2", "art3", "art4", "art5"];
const FILLS = ["bg", "surface", "tint", "accent", "art1", "art2", "art3", "art4", "art5"];

let fields = 0;

/**
 * Returns the controls of one element. `place`: its entry in the page's elements. `hand`: the functions that change the
 * page. Returns its element, and `focus()`, which places the caret in its text.
 */
export function handPanel(node, place, { colours, language, hand }) {
  const takes = place?.takes ?? [];
  const texts = wordFields(node, takes, hand);
  const size = sizeAttribute(takes);
  const around = node.parentElement && node.parentElement.nodeName !== "page" ? node.parentElement : null;
  const element = h("div", { class: "hand-panel" },
    h("div", { class: "hand-head" },
      h("h3", {}, nameOfElement(node.nodeName)),
      around && button(`Select the ${nameOfElement(around.nodeName).toLowerCase()} around it`, { kind: "small plain", onclick: () => hand.choose(around.getAttribute("id")) })),
    texts.map(({ row }) => row),
    size && h("div", { class: "hand-row" }, h("span", {}, "Size"), h("div", { class: "buttons" },
      iconButton("Smaller", "minus", { onclick: () => hand.resize(node.getAttribute("id"), size, -1) }),
      iconButton("Larger", "plus", { onclick: () => hand.resize(node.getAttribute("id"), size, 1) }))),
    takes.includes("align") && takes.includes("words") && alignment(node, hand),
    takes.includes("ink") && swatches("Colour", node, "ink", INKS, colours, hand),
    takes.includes("fill") && swatches("Fill", node, "fill", FILLS, colours, hand),
    DRAWN[node.nodeName] && drawingPicker(node, "name", DRAWN[node.nodeName], language, hand),
    takes.includes("icon") && drawingPicker(node, "icon", "icons", language, hand),
    node.nodeName === "img" && photoButton("Replace the photo", hand.photo),
    node.nodeName !== "page" && order(node, hand));
  return { element, focus: () => texts[0]?.focus() };
}

/** Returns fields for an element's text and that of children without a box of their own. */
function wordFields(node, takes, hand) {
  const out = [];
  const add = (each) => {
    const own = each === node;
    if ((own && takes.includes("words")) || (!own && wordsOf(each) && !hand.isShown(each.getAttribute("id")))) out.push(richField(each, own, hand));
    for (const [name, called] of spokenAttributes(each)) out.push(plainField(each, name, called, hand));
  };
  add(node);
  if (["column", "row", "grid", "layer", "card", "band", "page"].includes(node.nodeName)) return out;
  for (const each of node.querySelectorAll("*")) if (!hand.isShown(each.getAttribute("id"))) add(each);
  return out;
}

/** Returns a text field with marks. */
function richField(node, own, hand) {
  const id = `hand-field-${++fields}`;
  const said = h("div", {
    id, class: "hand-words input", contenteditable: "true", role: "textbox", "aria-multiline": "true", "aria-label": "Words", dir: "auto", spellcheck: "true",
    oninput: () => hand.type(node, () => takeWords(said, node)),
    onpaste: (event) => {
      event.preventDefault();
      document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
    },
    onkeydown: (event) => {
      if (event.key === "Escape") hand.leave();
    },
  });
  showWords(node, said);
  const marking = ([mark, words]) => h("button", {
    type: "button", class: "button plain hand-mark", "aria-label": `${words} the selected words`, title: `${words} the selected words`,
    onmousedown: (event) => event.preventDefault(), onclick: () => {
      if (toggle(said, mark)) hand.type(node, () => takeWords(said, node));
    },
  }, h(mark, {}, "A"));
  const row = h("div", { class: "hand-text" }, said, own && h("div", { class: "hand-marks", role: "group", "aria-label": "How words stand out" }, MARKS.map(marking)));
  return { row, focus: () => caretIn(said) };
}

/** Returns a field for a text attribute. */
function plainField(node, name, called, hand) {
  const id = `hand-field-${++fields}`;
  const input = h("input", { id, class: "input", value: node.getAttribute(name), dir: "auto", oninput: () => hand.type(node, () => node.setAttribute(name, input.value)) });
  return { row: h("div", { class: "field" }, h("label", { for: id }, called), input), focus: () => input.focus() };
}

/** Places the caret at the end of a field. */
function caretIn(said) {
  said.focus({ preventScroll: true });
  const range = document.createRange();
  range.selectNodeContents(said);
  range.collapse(false);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}

/** Sets or removes a mark on a field's selected text. Returns whether text was selected. */
function toggle(said, mark) {
  const selection = getSelection();
  if (selection.rangeCount === 0 || selection.isCollapsed || !said.contains(selection.anchorNode)) return false;
  const range = selection.getRangeAt(0);
  const around = range.commonAncestorContainer;
  const stressed = (around.nodeType === Node.ELEMENT_NODE ? around : around.parentElement).closest(mark);
  if (stressed && said.contains(stressed)) {
    stressed.replaceWith(...stressed.childNodes);
    return true;
  }
  const marked = document.createElement(mark);
  const taken = range.extractContents();
  for (const inner of taken.querySelectorAll(mark)) inner.replaceWith(...inner.childNodes);
  marked.append(taken);
  range.insertNode(marked);
  return true;
}

function alignment(node, hand) {
  const now = node.getAttribute("align") ?? "";
  const fieldset = segments(`hand-align-${++fields}`, [["start", "Start"], ["center", "Centre"], ["end", "End"]], now,
    (value) => hand.change(() => node.setAttribute("align", value)), { legend: "Alignment" });
  return h("div", { class: "hand-row" }, h("span", { "aria-hidden": "true" }, "Alignment"), fieldset);
}

/** Returns a colour picker: palette colours, any other colour, and a reset to the style's own. */
function swatches(called, node, attribute, names, colours, hand) {
  const now = node.getAttribute(attribute);
  const set = (value) => hand.change(() => (value === null ? node.removeAttribute(attribute) : node.setAttribute(attribute, value)));
  const named = names.map((name) => colours.find((colour) => colour.name === name)).filter(Boolean);
  // If two names stand for one colour, only the first is shown, unless the element uses the other.
  const known = named.filter(({ name, color }, place) => name === now || !named.some((other, at) => other.color === color && (at < place || other.name === now)));
  const swatch = ({ name, color }) => h("button", {
    type: "button", class: "hand-swatch", "aria-label": `${called}: ${name}, ${color}`, title: `${name} ${color}`, "aria-pressed": String(now === name),
    style: { "--swatch": color }, onclick: () => set(name),
  });
  const own = h("input", { type: "color", class: "hand-own", "aria-label": `${called}: any colour`, value: /^#[0-9a-f]{6}$/i.test(now ?? "") ? now : "#888888", onchange: () => set(own.value) });
  return h("div", { class: "hand-row wide" }, h("span", {}, called),
    h("div", { class: "hand-swatches", role: "group", "aria-label": called }, known.map(swatch), own,
      now !== null && iconButton(`${called}: as the style has it`, "rotate-ccw", { onclick: () => set(null) })));
}

/** Returns the actions on the element as a whole. */
function order(node, hand) {
  const id = node.getAttribute("id");
  const deed = (words, name, work, disabled = false) => h("button", { type: "button", class: "button small", disabled, onclick: work }, icon(name), words);
  return h("div", { class: "buttons hand-order" },
    deed("Earlier", "chevron-left", () => hand.move(id, -1), !node.previousElementSibling),
    deed("Later", "chevron-right", () => hand.move(id, 1), !node.nextElementSibling),
    deed("Duplicate", "copy", () => hand.duplicate(id)),
    deed("Delete", "trash-2", () => hand.remove(id)));
}
