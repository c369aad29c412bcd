// The generation page: images first, updated live while they are made, and the actions on them.

import { api, busy, button, confirm, data, h, ago, icon, iconButton, link, note, plural, refreshBalance, stage, statusTag, toast, day } from "./core.js";
import { downloads } from "./downloads.js";
import { again } from "./generation-again.js";
import { inAnotherLanguage, moreLikeThis } from "./generation-derive.js";
import { facts, remarks, trouble } from "./generation-facts.js";
import { imagePart } from "./generation-image.js";
import { follow, progressCard } from "./generation-live.js";
import { directionOf, expected, hasEnded } from "./generation-parts.js";
import { arrangeSlides, carousels, undoOffer } from "./generation-slides.js";
import { viewer } from "./generation-viewer.js";
import { rename } from "./rename.js";

const page = data();
const pictures = expected(page.generation, page.formats);
const image = imagePart(page, pictures.length > 1);
const view = viewer(pictures, page.formats, image, directionOf(page.generation.language));

const heading = document.querySelector(".page-head h1");
const call = iconButton("Rename", "pencil", { kind: "plain", onclick: async () => {
  const renamed = await rename(page.generation);
  if (renamed) stand(renamed);
} });
const meta = h("div", { class: "row small quiet generation-meta" });
const actions = h("div", { class: "buttons" });
const news = h("div", { class: "stack generation-news" });
const aside = h("aside", { class: "stack generation-aside", "aria-label": "About these images" });
const below = h("div", { class: "generation-below" }, image.element, aside);
let stop = () => {};

const ready = () => pictures.filter(({ output }) => output).length;
const missing = () => pictures.filter(({ output }) => !output);
const price = () => missing().reduce((sum, { formatId }) => sum + (page.formats[formatId]?.creditsPerUnit ?? 0), 0);

/** Takes over an output. A shown picture stays, but gets fresh addresses. */
function land(output) {
  const picture = pictures[output.sortOrder];
  if (!picture) return;
  picture.output = output;
  picture.missing = undefined;
  view.show(picture.place);
}

/** Shows a generation in its current state. */
function stand(generation) {
  page.generation = generation;
  heading.textContent = heading.title = generation.title ?? "Untitled";
  document.title = `${generation.title ?? "Untitled"} · Vivid`;
  generation.outputs.forEach(land);
  const ended = hasEnded(generation);
  for (const picture of missing()) {
    picture.missing = ended ? { cancelled: "Not rendered: it was cancelled." }[generation.status] ?? "This image could not be rendered." : undefined;
    view.show(picture.place);
  }
  // Without any image, the page shows the reason instead of empty frames.
  const bare = ended && ready() === 0;
  view.element.hidden = bare || Boolean(generation.imagesDeletedAt);
  image.element.hidden = view.element.hidden;
  below.classList.toggle("bare", view.element.hidden);
  head(generation, ended);
  tell(generation, ended);
  aside.replaceChildren(...[remarks(generation), h("div", { class: "card" }, h("h2", { class: "hidden-text" }, "Facts"), facts(generation, page.brands))].filter(Boolean));
}

function head(generation, ended) {
  meta.replaceChildren(statusTag(generation.status), h("span", {}, plural(pictures.length, "image")), h("span", {}, ago(generation.createdAt)));
  const several = ready() > 1 && !generation.imagesDeletedAt;
  const remove = iconButton("Delete", "trash-2", { kind: "plain", onclick: () => busy(remove, () => away(generation)) });
  actions.replaceChildren(...(ended ? [
    ready() > 0 && button("More like this", { icon: "layers", onclick: () => moreLikeThis(page, pictures, view.shown()) }),
    ready() > 0 && page.languages.length > 0 && button("In another language", { icon: "languages", onclick: () => inAnotherLanguage(page, pictures, view.shown()) }),
    button("Make it again", { icon: "dices", onclick: () => again(page) }),
    ready() > 0 && !generation.imagesDeletedAt && (several || generation.removedOutputs.length > 0) && page.generation.inputType !== "pages" && carousels(generation).length > 0 && button("Arrange slides", { icon: "layout-grid", onclick: () => arrangeSlides(page, view.shown().output) }),
    several && downloads(generation, { words: "Download all" }).element,
    remove,
  ] : []).filter(Boolean));
}

async function away(generation) {
  const sure = await confirm(pictures.length === 1 ? "Delete this image?" : `Delete all ${pictures.length} images?`, "The images and their URLs are deleted permanently. Credits are not refunded.", { yes: "Delete" });
  if (!sure) return;
  await api("DELETE", `/api/generations/${generation.id}`);
  location.assign(link("/library"));
}

function tell(generation, ended) {
  if (!ended) return;
  const deleted = generation.imagesDeletedAt && note("", `The images were deleted on ${day(generation.imagesDeletedAt)}, at the end of the retention period. “Make it again” can render them again.`);
  news.replaceChildren(...[deleted, undoOffer(generation), trouble(generation, missing().length, price(), begin)].filter(Boolean));
}

/** Follows a running generation. */
function begin(generation) {
  stand(generation);
  stop();
  const progress = progressCard(generation, pictures.length, (told) => end(told));
  let told = generation;
  const show = () => progress.show(told, ready());
  news.replaceChildren(progress.element);
  show();
  stop = follow(generation.id, {
    progress: (now) => {
      if (now.status !== told.status) head({ ...generation, status: now.status }, false);
      told = now;
      show();
    },
    landed: (output) => {
      land(output);
      show();
    },
    lost: progress.lost,
    ended: end,
  });
}

/** Shows the final page and refreshes the balance. */
function end(generation) {
  stop();
  stand(generation);
  if (generation.status === "completed") toast(pictures.length === 1 ? "The image is ready." : `All ${pictures.length} images are ready.`);
  refreshBalance();
}

const header = document.querySelector(".page-head");
header.firstElementChild.prepend(h("nav", { class: "crumbs", "aria-label": "Where you are" }, icon("arrow-left"), h("a", { href: link("/library") }, "Library")));
heading.dir = "auto";
const titled = h("div", { class: "generation-title" });
heading.replaceWith(titled);
titled.append(heading, call);
header.firstElementChild.append(meta);
header.append(actions);
stage().append(news, view.element, below);
view.go((Number(location.hash.slice(1)) || 1) - 1, false);
if (hasEnded(page.generation)) stand(page.generation);
else begin(page.generation);
addEventListener("pagehide", () => stop());
// A page restored by "back" may show images that were edited since.
addEventListener("pageshow", (event) => event.persisted && location.reload());
