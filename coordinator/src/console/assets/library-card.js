// The library card of a generation: its picture on a tile, and the main facts.

import { ago, h, icon, iconButton, link, plural, small, statusTag } from "./core.js";
import { expected, hasEnded, nameOf, ratioOf } from "./generation-parts.js";

/** Short labels of the stages, to fit a tile. */
const STAGES = { queued: "Waiting", designing: "Designing", rendering: "Drawing", finished: "Finishing" };
/** Number of slides shown behind a carousel's first. */
const BEHIND = 2;

/** Returns everything that a card shows, so that a card is rebuilt only when that changed. */
export const looks = (generation) =>
  JSON.stringify([generation.status, generation.progress, generation.stage, generation.title, generation.outputs.map(({ id, version }) => [id, version])]);

/** Returns the card of a generation. `renamed()` is called when the user wants to rename it. */
export function card(generation, formats, renamed) {
  return h("li", { class: "library-card", dataset: { id: generation.id } },
    h("div", { class: "library-tile" }, tile(generation, formats)),
    h("div", { class: "library-words" },
      h("div", { class: "library-head" },
        h("h2", {}, h("a", { href: link(`/generations/${generation.id}`), class: "library-title", dir: "auto", title: titleOf(generation) }, titleOf(generation))),
        iconButton(`Rename “${titleOf(generation)}”`, "pencil", { kind: "plain small library-rename", title: "Rename", onclick: renamed })),
      h("p", { class: "library-formats small quiet" }, names(generation, formats)),
      h("div", { class: "library-foot small quiet" }, ago(generation.createdAt),
        generation.status !== "completed" && statusTag(generation.status), amount(generation))));
}

/** Returns the title; before there is one, the source. */
const titleOf = ({ title, inputUrl }) => title ?? inputUrl?.replace(/^https?:\/\/(www\.)?/, "") ?? "Untitled";

function amount({ outputs }) {
  if (outputs.length < 2) return null;
  const sign = outputs.every(({ kind }) => kind === "slide") ? "layers" : "images";
  return h("span", { class: "library-count" }, icon(sign), plural(outputs.length, "image"));
}

function names(generation, formats) {
  const [first, second, ...more] = generation.outputFormats.map((id) => nameOf(formats, id));
  if (more.length > 0) return `${first} and ${more.length + 1} more`;
  return second ? `${first} and ${second}` : first;
}

function tile(generation, formats) {
  if (!hasEnded(generation)) return working(generation, formats);
  if (generation.imagesDeletedAt) return absent("archive", "The images were deleted at the end of the retention period.");
  if (generation.outputs.length > 0) return pictures(generation);
  if (generation.status === "cancelled") return absent("ban", "Cancelled before anything was drawn.");
  return absent("circle-alert", generation.errorMessage ?? "No image could be rendered.");
}

function working(generation, formats) {
  const ratio = ratioOf(formats[generation.outputFormats[0]]);
  const total = expected(generation, formats).length;
  return [
    h("div", { class: "library-sheet skeleton", style: { "--ratio": ratio } }),
    h("div", { class: "library-progress small" },
      h("div", { class: "row between" }, h("span", {}, STAGES[generation.stage]), h("span", { class: "number" }, `${generation.progress} %`)),
      h("div", { class: "bar", role: "progressbar", "aria-label": `Progress of ${plural(total, "image")}`, "aria-valuenow": generation.progress, "aria-valuemin": 0, "aria-valuemax": 100 },
        h("i", { style: { width: `${generation.progress}%` } }))),
  ];
}

function pictures({ outputs }) {
  const [first] = outputs;
  const slides = outputs.filter(({ formatId, kind }) => kind === "slide" && formatId === first.formatId);
  const sheets = slides.length > 1 ? slides.slice(0, BEHIND + 1) : [first];
  return h("div", { class: "library-stack", style: { "--ratio": first.width / first.height } },
    sheets.map((output, depth) => sheet(output, depth)).reverse());
}

// The title beside it describes the picture, so screen readers skip the picture.
const sheet = (output, depth) =>
  h("img", { class: "library-sheet", ...small(output, { sizes: sizes(output), most: depth ? 128 : 384 }), alt: "", loading: "lazy", decoding: "async", style: { "--depth": depth } });

/** Returns the width of a sheet on a tile, following the rules of `library.css`. */
function sizes({ width, height }) {
  const share = Math.min(1, width / height);
  return `(max-width: 40rem) ${Math.round(share * 36)}vw, ${(share * 15.5).toFixed(2)}rem`;
}

const absent = (sign, words) => h("div", { class: "library-absent small" }, icon(sign), h("p", {}, words));
