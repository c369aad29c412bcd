// The service's response to a prompt: the changes and their price, a question back, or the reason for a refusal.

import { button, copy, count, h, icon, link, local, note, plural } from "./core.js";
import { credits } from "./generation-parts.js";

const COLOUR = /(#[0-9a-f]{6})\b/i;
/** Maximum characters of an old and a new value that stand side by side. */
const SHORT = 28;

/**
 * Returns what an edit would do. `balance`: available credits. `apply(button)` and `discard()` are the actions of its
 * buttons; `ask(prompt)` is called for its alternatives. Returns its element, and the announcement for screen readers.
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
    // A carousel edit may change other slides but not this one.
    changedImages > 0 && changes.length === 0 && h("p", { class: "quiet" }, "See the preview for the changes."),
    remarks(notes),
    others("Other ways", proposal.alternatives, ask),
    creditCost > balance && tooDear(`This costs ${credits(creditCost)}, and there are ${count(balance)}.`),
    h("div", { class: "buttons" }, changedImages > 0 && doIt, leave),
    changedImages > 0 && exact(refinedInstruction));
  return { element, says: [`${title}.`, `${price}.`, ...notes].join(" ") };
}

function titleOf(images) {
  if (images === 0) return "Nothing to change";
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

/** Strips the name from designer colours if both values have it: "own (#fbf7ef)". */
function bare(from, to) {
  const [before, after] = [from, to].map((said) => /^\w+ \((#[0-9a-f]{6})\)$/i.exec(said)?.[1]);
  return before && after && before !== after ? [before, after] : [from, to];
}

/** Returns a value with a swatch before each colour. */
function value(said, none) {
  if (said === "") return h("em", {}, none);
  return said.split(COLOUR).map((piece) => (COLOUR.test(piece)
    ? h("span", { class: "image-colour" }, h("i", { class: "image-swatch", style: { "--swatch": piece } }), piece)
    : piece));
}

/** Returns a list with additions and removals marked; null if neither value is a list. */
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

/** Returns the instruction in the API's form, for users of the API. */
function exact(instruction) {
  return h("details", { class: "image-exact" }, h("summary", {}, icon("chevron-down"), "The exact instruction"),
    h("p", { class: "mono" }, instruction),
    button("Copy", { icon: "copy", kind: "small", "aria-label": "Copy the exact instruction", onclick: () => copy(instruction, "The instruction is copied.") }));
}

/** Returns a question back, with prompts that would be understood. */
export function clarificationCard({ clarificationMessage, reason, alternatives }, ask) {
  const title = reason === "not_possible" ? "This isn't possible here" : alternatives.length ? "Which of these?" : "Say it another way";
  const element = h("div", { class: "card image-answer" },
    h("h3", {}, title),
    h("p", { dir: "auto" }, clarificationMessage),
    others("This would work", alternatives, ask));
  return { element, says: `${title}. ${clarificationMessage}` };
}

/** Returns prompts with small previews of their results; nothing if there are none. */
function others(title, alternatives, ask) {
  if (alternatives.length === 0) return null;
  const tile = ({ prompt, previewImageUrl }) => h("li", {}, h("button", { type: "button", class: "image-choice", onclick: () => ask(prompt) },
    h("img", { src: local(previewImageUrl), alt: "", draggable: "false" }), h("span", {}, prompt)));
  return h("div", {}, h("p", { class: "small quiet" }, title), h("ul", { class: "image-others" }, alternatives.map(tile)));
}

/** Returns a note that the credits don't suffice. */
export const tooDear = (words) => note("warn", words, " ", h("a", { href: link("/credits") }, "See your credits"));

/** Messages that replace the service's, because the page has a button for the remedy. */
const OVERTAKEN = {
  stale_instruction: "The image has changed since this preview was made. Nothing was charged.",
  edit_in_progress: "Another edit of this image is being drawn. It takes a moment; nothing was charged.",
};

/** Whether an error means that the image has changed, so that the preview is outdated. */
export const isOvertaken = (error) => error.code in OVERTAKEN;

/** Returns a card that says that the image has changed; `again()` requests a new preview. */
export function overtakenCard(error, again) {
  const element = h("div", { class: "card image-answer" }, note("warn", OVERTAKEN[error.code]),
    h("div", { class: "buttons" }, button("Preview again", { icon: "refresh-cw", onclick: again })));
  return { element, says: OVERTAKEN[error.code] };
}
