// The image editor: ask for a change, compare the preview, apply it, or restore a version.

import { api, bytes, busy, button, copy, data, empty, failed, h, icon, iconButton, keepClearOf, link, local, note, onceKey, refreshBalance, segments, stage, toast, upload } from "./core.js";
import { downloads } from "./downloads.js";
import { hasEnded, size } from "./generation-parts.js";
import { clarificationCard, isOvertaken, overtakenCard, proposalCard, tooDear } from "./image-answer.js";
import { designPicker } from "./image-designs.js";
import { handEditor } from "./hand.js";
import { pictureFrame } from "./image-frame.js";
import { crumbs, kindOf } from "./image-parts.js";
import { promptBox } from "./image-prompt.js";
import { slideStrip } from "./image-slides.js";
import { versionFilm } from "./image-versions.js";

/** Poll interval while an edit is drawn. */
const LOOK_MS = 3000;
/** Maximum number of polls. */
const LOOKS = 100;

const page = data();
const { generation, format } = page;
const title = generation.title ?? "Untitled";
let output = page.output;
/** Aborts the current request. */
let asking = null;
let watching = false;

const outputPath = `/api/images/${generation.id}/outputs/${output.id}`;
const bar = h("div", { class: "image-bar" });
const answer = h("div", { class: "image-answers" });
const status = h("p", { class: "hidden-text", role: "status" });
const download = downloads(generation);
const copyUrl = button(h("span", {}, "Copy URL"), { icon: "link", onclick: () => copy(output.imageUrl, "The image's URL is copied. It works for seven days.") });
const frame = pictureFrame(output, bar, showBar);
const slides = slideStrip(generation, page.slides, output);
const box = promptBox({ id: output.id, starters: starters(), hint: "Previews are free", send: ask });
const film = versionFilm(outputPath, choose);
const hand = handEditor({ path: `${outputPath}/page`, language: generation.language ?? "en", draft: frame.draft, begun: () => mode("hand"), saved: savedByHand, photo: usePhoto });
const designs = designPicker({ path: outputPath, slides: page.slides.length, choose: show, photo: usePhoto });
const words = h("div", { class: "image-words" }, box.form, box.starters);
/** The editing modes, with their panels. */
const panels = { words, design: designs.element, hand: hand.element };
const ways = segments("image-way", [["words", "In words"], ["design", "Design"], ["hand", "By hand"]], "words", mode, { legend: "How to edit" });

/** Returns suggested prompts, without those that already hold. */
function starters() {
  const style = generation.visualStyle === "elegant" ? "make it bold" : "make it elegant";
  const ground = generation.visualStyle === "dark" ? "use a light background" : "use a dark background";
  return ["make the headline bigger", ground, style, "use other colours", "add more space",
    page.slides.length > 1 && "on all slides, change the accent to green",
    page.slides.length > 1 && "duplicate this slide", output.version > 1 && "undo"].filter(Boolean);
}

/** Shows the bar below the picture: facts about the file, or the display modes of a comparison. */
function showBar(modes, ...more) {
  bar.replaceChildren(...(modes ? [modes, ...more] : [h("p", { class: "quiet small number" },
    [format?.name, size(output), kindOf(output), bytes(output.bytes), `Version ${output.version}`].filter(Boolean).join(" · "))]));
}

/** Switches the editing mode. The address holds it for reloads. */
function mode(way) {
  if (!panels[way].hidden) return;
  ways.querySelector(`[value="${way}"]`).checked = true;
  for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== way;
  history.replaceState(null, "", way === "words" ? location.pathname + location.search : `#${way}`);
  asking?.abort();
  clear();
  if (way === "design") designs.load();
  if (way === "hand") frame.reveal();
}

/** Loads the hand editor. Pages that the API client wrote, and pages still being drawn, can't be edited by hand. */
async function loadHand() {
  try {
    await hand.load();
    ways.hidden = false;
  } catch (error) {
    ways.hidden = true;
    if (!words.hidden) return;
    mode("words");
    toast(error.message, "bad");
  }
}

function savedByHand(drawn, charged) {
  if (!drawn) {
    status.textContent = "It is being rendered.";
    return watch();
  }
  page.balance -= charged;
  toast(`Saved as version ${drawn.version}${charged ? "" : ", free of charge"}.`);
  slides?.show([drawn]);
  take(drawn, { loaded: true });
  return refreshBalance();
}

function say({ element, says }) {
  answer.replaceChildren(element);
  status.textContent = says;
}

/** Clears the response and shows only the picture. */
function clear() {
  designs.release();
  answer.replaceChildren();
  status.textContent = "";
  film.mark(null);
  frame.plain();
}

const post = (body, more) => api("POST", `/api/images/${generation.id}/edit`, { outputId: output.id, ...body }, more);

/** First step: previews the prompt's effect. The previous response stays until then. */
async function ask(prompt) {
  if (hand.isChanged()) {
    box.fault("Save or discard what you changed by hand first.");
    return;
  }
  asking?.abort();
  const turn = asking = new AbortController();
  box.wait(true);
  try {
    const said = await post({ prompt }, { signal: turn.signal });
    if (turn === asking) await (said.needsClarification ? question(said) : propose(prompt, said));
  } catch (error) {
    if (error.name === "AbortError") return;
    clear();
    refused(error, prompt);
  } finally {
    if (turn === asking) box.wait(false);
  }
}

/** Previews a design; `name` is its label. */
async function show(design, name) {
  if (hand.isChanged()) {
    designs.release();
    return toast("Save or discard what you changed by hand first.", "bad");
  }
  asking?.abort();
  const turn = asking = new AbortController();
  try {
    const said = await post({ prompt: design.refinedInstruction }, { signal: turn.signal });
    if (turn === asking) await (said.needsClarification ? question(said) : propose(name, said));
  } catch (error) {
    if (error.name === "AbortError") return;
    clear();
    refused(error, design.refinedInstruction);
  }
}

/** Previews the photo replaced by the user's picture. */
async function usePhoto(file) {
  if (hand.isChanged()) return toast("Save or discard what you changed by hand first.", "bad");
  status.textContent = "The photo is being sent.";
  try {
    const { id } = await upload(file);
    await show({ refinedInstruction: `On version ${output.version}: show the photo “upload:${id}”` }, `Photo: ${file.name}`);
  } catch (error) {
    failed(error);
  }
}

function question(said) {
  clear();
  say(clarificationCard(said, box.ask));
}

async function propose(prompt, proposal) {
  film.mark(null);
  // The idempotency key: a retry takes effect only once.
  const once = onceKey();
  say(proposalCard(proposal, {
    balance: page.balance,
    ask: box.ask,
    apply: (press) => busy(press, () => apply(prompt, proposal, once)),
    discard: () => {
      clear();
      if (!words.hidden) box.focus();
    },
  }));
  if (proposal.changedImages === 0) return frame.plain();
  await compare({ url: proposal.previewImageUrl, alt: `Preview: ${proposal.refinedInstruction}`, side: "right", labels: ["Before", "After"] });
}

async function compare(what) {
  try {
    if (await frame.compare(what)) frame.reveal();
  } catch {
    toast("The picture could not be loaded. Try again.", "bad");
  }
}

/** Shows why the service refused the request. */
function refused(error, prompt) {
  if (error.code === "invalid_prompt") return box.fault(error.message);
  if (isOvertaken(error)) {
    clear();
    say(overtakenCard(error, () => (words.hidden ? designsAnew() : box.ask(prompt))));
    return look();
  }
  const why = error.code === "insufficient_credits" ? tooDear(error.message) : note("bad", error.message);
  why.classList.add("image-refused");
  answer.querySelector(".image-refused")?.remove();
  // The proposal stays beside the error, so that the user can apply it again.
  answer.append(why);
}

function designsAnew() {
  clear();
  designs.load({ again: true });
}

/** Second step: applies the proposal. */
async function apply(prompt, proposal, once) {
  try {
    const said = await post({ prompt, confirmedInstruction: proposal.refinedInstruction }, { headers: once });
    if (said.needsClarification) return question(said);
    // Slide order and numbers changed, and this slide may be gone, so another page opens.
    if (proposal.refinedInstruction.startsWith("Arrange the slides as ")) return rearranged(said.outputs);
    if (said.generation) {
      status.textContent = "It is being rendered.";
      const drawn = await untilDrawn();
      if (drawn) applied(prompt, drawn, proposal.creditCost, proposal.changedImages);
      return;
    }
    slides?.show(said.outputs);
    const isSame = said.outputs.every((drawn) => drawn.id === output.id && drawn.version === output.version);
    applied(prompt, said.output, said.creditsCharged, isSame ? 0 : said.outputs.length);
  } catch (error) {
    refused(error, prompt);
  }
}

/** Opens this slide in the rearranged carousel; if it is gone, the slide now in its place. */
function rearranged(outputs = []) {
  const place = Math.min(page.slides.findIndex(({ id }) => id === output.id), outputs.length - 1);
  const shown = outputs.find(({ id }) => id === output.id) ?? outputs[Math.max(place, 0)] ?? output;
  location.assign(link(`/generations/${generation.id}/outputs/${shown.id}`));
}

/** Shows the result of an edit of `changed` images. */
function applied(prompt, drawn, charged, changed) {
  page.balance -= charged;
  answer.replaceChildren();
  if (!words.hidden) {
    box.done(prompt);
    box.focus();
  }
  toast(doneWords(changed, drawn.version));
  take(drawn);
  refreshBalance();
}

function doneWords(changed, version) {
  if (changed === 0) return "Nothing had to change. Nothing was charged.";
  return changed > 1 ? `Done. ${changed} slides have a new version.` : `Done. This is version ${version}.`;
}

/** Makes an output the present one. `loaded`: its page is already loaded. */
function take(drawn, { loaded = false } = {}) {
  output = drawn;
  if (!loaded) loadHand();
  if (!designs.element.hidden) designs.load({ again: true });
  download.show(output);
  slides?.show([output]);
  film.mark(null);
  film.load();
  frame.settle(output);
}

/** Reloads the output. */
async function read() {
  const { generation: now } = await api("GET", `/api/generations/${generation.id}`);
  slides?.show(now.outputs);
  return now.outputs.find(({ id }) => id === output.id);
}

/** Shows changes to the image that were made elsewhere. */
async function look() {
  try {
    const now = await read();
    if (now.edit?.status === "running") return watch();
    if (now.version !== output.version) take(now);
  } catch {
    // The page stays as it is; the next request shows the error.
  }
}

/** Polls until an edit is drawn. Returns the output, or undefined after showing an error. */
async function untilDrawn() {
  for (let left = LOOKS; left > 0;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (document.hidden) continue;
    left -= 1;
    const now = await read().catch(() => null);
    if (!now || now.edit?.status === "running") continue;
    if (!now.edit) return now;
    tellFailed(now.edit);
    return null;
  }
  answer.replaceChildren(note("warn", "This takes longer than usual. Reload the page later to see the new version."));
  return null;
}

/** Follows an edit that was applied elsewhere, or before the page was opened. */
async function watch() {
  if (watching) return;
  watching = true;
  const words = note("", "A new version is being rendered. It appears here in a moment.");
  answer.append(words);
  const drawn = await untilDrawn();
  words.remove();
  watching = false;
  if (drawn) take(drawn);
}

const tellFailed = ({ error }) => answer.replaceChildren(note("warn", "The last edit could not be rendered, and its credits were refunded. ", error?.message ?? ""));

/** Compares a version with the present one. The proposal is discarded; its prompt stays. */
async function choose(version) {
  asking?.abort();
  clear();
  if (version.current) return;
  film.mark(version.version);
  const name = `Version ${version.version}`;
  await compare({ url: version.imageUrl, alt: `${name}: ${version.altText}`, side: "left", labels: [name, "Now"] });
  const restore = button("Restore this version", { icon: "undo-2", kind: "primary", onclick: () => busy(restore, () => goBack(version.version)) });
  const close = iconButton("Close", "x", { onclick: () => {
    clear();
    film.focus(version.version);
  } });
  const modes = bar.querySelector("fieldset");
  if (modes) showBar(modes, restore, close);
}

async function goBack(version) {
  const { output: now } = await api("POST", `${outputPath}/restore`, { version }, { headers: onceKey() });
  toast(`Version ${version} is back, as version ${now.version}.`);
  take(now);
  box.focus();
}

/** Returns the placeholder if there is nothing to edit. */
function nothing() {
  const back = h("a", { class: "button", href: link(`/generations/${generation.id}`) }, icon("arrow-left"), "Back to the images");
  return generation.imagesDeletedAt
    ? empty("image", "This image is gone", "It was deleted at the end of the retention period. Make it again to edit it.", back)
    : empty("clock", "Still being made", "You can edit it once all of its images are ready.", back);
}

function build() {
  document.title = `Edit ${title} · Vivid`;
  const head = document.querySelector(".page-head");
  head.firstElementChild.prepend(crumbs(generation));
  if (generation.imagesDeletedAt || !hasEnded(generation)) return stage().append(nothing());
  head.append(h("div", { class: "buttons image-deeds" }, copyUrl, download.element));
  download.show(output);
  stage().append(h("div", { class: "image-desk" },
    h("section", { class: "image-ground", "aria-label": "Picture" }, slides?.element, frame.element),
    h("section", { class: "image-panel", "aria-label": "Edit" }, ways, words, designs.element, hand.element, answer, status),
    film.element));
  keepClearOf(document.querySelector(".image-panel"));
  frame.cover(hand.overlay);
  for (const panel of [hand.element, designs.element]) panel.hidden = true;
  ways.hidden = true;
  const way = location.hash.slice(1);
  loadHand().then(() => way in panels && !ways.hidden && mode(way));
  slides?.centre();
  film.load();
  if (output.edit?.status === "running") watch();
  else if (output.edit) tellFailed(output.edit);
  box.focus();
}

build();
addEventListener("pagehide", () => asking?.abort());
// A page restored by "back" may show an image that was edited since.
addEventListener("pageshow", (event) => event.persisted && location.reload());
