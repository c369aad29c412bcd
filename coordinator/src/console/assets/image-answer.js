// What the service answers to a prompt: what would change and what that costs, or a question back, or why not.

import { button, copy, count, h, icon, link, local, note, plural } from "./core.js";
import { credits } from "./generation-parts.js";

const COLOUR = /(#[0-9a-f]{6})\b/i;
/** Characters of what was and what would be that stand beside each other. */
const SHORT = 28;

/**
 * What an edit would do. `balance`: the credits that there are. `apply(button)` and `discard()` are its
 * buttons, and `ask(prompt)` what its other ways do. Gives its element, and what a screen reader is to be told of it.
 */
export function proposalCard(proposal, { balance, apply, discard, ask }) {
  const { changedImages, changes, creditCost, notes, refinedInstruction } = proposal;
  const title = titleOf(changedImages);
  const price = creditCost ? credits(creditCost) : "free";
  const doIt = button(`Apply · ${price}`, { icon: "check", kind: "primary", onclick: () => apply(doIt) });
  const leave = button(changedImages ? "Discard" : "Close", { kind: changedImages ? "plain" : "", onclick: discard });
  const element = h("div", { class: "card image-answer" },
    h("h3", {}, title),
    changes.length > 0 && h("ul", { class: "image-changes" }, changes.map(change)),
    // The other slides of a carousel may change where this one does not.
    changedImages > 0 && changes.length === 0 && h("p", { class: "quiet" }, "Nothing that could be listed changes here. The preview shows it."),
    remarks(notes),
    others("Other ways", proposal.alternatives, ask),
    creditCost > balance && tooDear(`This costs ${credits(creditCost)}, and there are ${count(balance)}.`),
    h("div", { class: "buttons" }, changedImages > 0 && doIt, leave),
    changedImages > 0 && exact(refinedInstruction));
  return { element, says: [`${title}.`, `${price}.`, ...notes].join(" ") };
}

function titleOf(images) {
  if (images === 0) return "Nothing changes: it is so already";
  return images > 1 ? `This changes ${plural(images, "slide")}` : "This is what changes";
}

function change({ what, from, to }) {
  const [before, after] = bare(from, to);
  const long = before.length + after.length > SHORT;
  const [dropped, added] = parts(from, to);
  return h("li", { class: long ? "long" : null },
    h("span", { class: "image-what" }, what === "ground" ? "background" : what),
    h("span", { class: "image-from" }, dropped ?? value(before, "none")),
    icon("arrow-right"), h("span", { class: "hidden-text" }, " becomes "),
    h("span", { class: "image-to" }, added ?? value(after, "removed")));
}

/** Colours alone where both say a colour behind a word of the designer's: "own (#fbf7ef)". */
function bare(from, to) {
  const [before, after] = [from, to].map((said) => /^\w+ \((#[0-9a-f]{6})\)$/i.exec(said)?.[1]);
  return before && after && before !== after ? [before, after] : [from, to];
}

/** A value, each colour in it with a swatch. */
function value(said, none) {
  if (said === "") return h("em", {}, none);
  return said.split(COLOUR).map((piece) => (COLOUR.test(piece)
    ? h("span", { class: "image-colour" }, h("i", { class: "image-swatch", style: { "--swatch": piece } }), piece)
    : piece));
}

/** A list with what goes and what comes marked; nothing where neither is a list. */
function parts(from, to) {
  const [before, after] = [from, to].map((said) => said.split(" · "));
  if (before.length < 2 && after.length < 2) return [];
  const marked = (list, others, tag) => h("span", { class: "image-list" }, list.map((words) => h(others.includes(words) ? "span" : tag, {}, words)));
  return [marked(before, after, "del"), marked(after, before, "ins")];
}

function remarks(notes) {
  if (notes.length === 0) return null;
  return note("", notes.length === 1 ? notes[0] : h("ul", { class: "stack tight" }, notes.map((words) => h("li", {}, words))));
}

/** The instruction as the API takes it, for who wants to read or use it. */
function exact(instruction) {
  return h("details", { class: "image-exact" }, h("summary", {}, icon("chevron-down"), "The exact instruction"),
    h("p", { class: "mono" }, instruction),
    button("Copy", { icon: "copy", kind: "small", "aria-label": "Copy the exact instruction", onclick: () => copy(instruction, "The instruction is copied.") }));
}

/** A question back, with prompts that would be understood. */
export function clarificationCard({ clarificationMessage, reason, alternatives }, ask) {
  const title = reason === "not_possible" ? "That can't be done here" : alternatives.length ? "Which of these?" : "Say it another way";
  const element = h("div", { class: "card image-answer" },
    h("h3", {}, title),
    h("p", { dir: "auto" }, clarificationMessage),
    others("This would work", alternatives, ask));
  return { element, says: `${title}. ${clarificationMessage}` };
}

/** Prompts with small pictures of what each would make; nothing where there are none. */
function others(title, alternatives, ask) {
  if (alternatives.length === 0) return null;
  const tile = ({ prompt, previewImageUrl }) => h("li", {}, h("button", { type: "button", class: "image-choice", onclick: () => ask(prompt) },
    h("img", { src: local(previewImageUrl), alt: "", draggable: "false" }), h("span", {}, prompt)));
  return h("div", {}, h("p", { class: "small quiet" }, title), h("ul", { class: "image-others" }, alternatives.map(tile)));
}

/** That there are too few credits. */
export const tooDear = (words) => note("warn", words, " ", h("a", { href: link("/credits") }, "See your credits"));

/** What is said in other words than the service's, since there is a button for it here. */
const OVERTAKEN = {
  stale_instruction: "The image has changed since this preview was made. Nothing was charged.",
  edit_in_progress: "Another edit of this image is being drawn. It takes a moment; nothing was charged.",
};

/** Whether an answer says that the image is another by now, so that a preview of it is of no use. */
export const isOvertaken = (error) => error.code in OVERTAKEN;

/** That the image is another by now; `again()` asks for a new preview. */
export function overtakenCard(error, again) {
  const element = h("div", { class: "card image-answer" }, note("warn", OVERTAKEN[error.code]),
    h("div", { class: "buttons" }, button("Preview again", { icon: "refresh-cw", onclick: again })));
  return { element, says: OVERTAKEN[error.code] };
}
