// The picture, with an optional second one over it: a preview or an earlier version, with a slider between.

import { h, local, segments } from "./core.js";

/** Slider positions of the display modes, as the percentage of the left picture that is visible. */
const CUTS = { left: 100, slide: 50, right: 0 };
/** Matches while the prompt covers the bottom of the window, as in the page's style sheet. */
const SHEET = matchMedia("(max-width: 72rem)");

/**
 * Returns the frame of `output`'s picture, with `bar` below it. `moded(fieldset)` receives the display mode control, or
 * null if there is none.
 */
export function pictureFrame(output, bar, moded) {
  const now = h("img", { class: "image-now", src: local(output.thumbnailUrl), alt: output.altText, width: output.width, height: output.height, draggable: "false" });
  const other = h("img", { class: "image-other", alt: "", hidden: true, draggable: "false" });
  const range = h("input", { type: "range", class: "image-range", min: 0, max: 100, hidden: true, oninput: () => slid() });
  const divider = h("span", { class: "image-divider", "aria-hidden": "true", hidden: true });
  const [left, right] = [h("span", {}), h("span", {})];
  const sides = h("div", { class: "image-sides small", "aria-hidden": "true" }, left, right);
  const frame = h("div", { class: "image-frame" }, now, other, divider, range);
  const element = h("div", { class: "image-picture", style: { "--ratio": output.width / output.height } }, sides, frame, bar);
  /** Counts requests, so that a late picture doesn't replace a newer one. */
  let comparisons = 0;
  let settlings = 0;
  let shown = output;
  let compared = null;
  let modes = null;

  function slid() {
    frame.classList.remove("moving");
    cut(Number(range.value), "slide");
  }

  /** Shows the left picture up to `percent`. */
  function cut(percent, mode) {
    const [first, second] = compared.labels;
    range.value = percent;
    range.setAttribute("aria-valuetext", percent === 100 ? first : percent === 0 ? second : `${first} ${percent} %, ${second} ${100 - percent} %`);
    frame.style.setProperty("--image-cut", `${percent}%`);
    left.classList.toggle("faded", percent < 8);
    right.classList.toggle("faded", percent > 92);
    divider.classList.toggle("faded", percent === 0 || percent === 100);
    modes.querySelector(`[value="${mode}"]`).checked = true;
  }

  function move(mode) {
    frame.classList.add("moving");
    cut(CUTS[mode], mode);
  }

  /** Shows only the present picture. */
  function plain() {
    comparisons += 1;
    compared = null;
    modes = null;
    delete frame.dataset.side;
    for (const part of [other, range, divider]) part.hidden = true;
    for (const side of [left, right]) side.textContent = "";
    moded(null);
  }

  /**
   * Shows the picture at `url` over the present one. `side`: "right" for a preview, "left" for an earlier version.
   * Returns false if a newer request came meanwhile; throws if the picture can't be loaded.
   */
  async function compare({ url, alt, side, labels }) {
    const turn = ++comparisons;
    const picture = await drawable(local(url));
    if (turn !== comparisons) return false;
    compared = { side, labels };
    other.src = picture.src;
    other.alt = alt;
    [left.textContent, right.textContent] = labels;
    range.setAttribute("aria-label", `How much of each is shown: ${labels.join(" and ")}`);
    frame.dataset.side = side;
    for (const part of [other, range, divider]) part.hidden = false;
    modes = segments("image-mode", [["left", labels[0]], ["slide", "Slide"], ["right", labels[1]]], "slide", move, { legend: "What is shown" });
    moded(modes);
    // Starts with the present picture and sweeps to the other, so that the user sees the difference.
    frame.classList.remove("moving");
    cut(side === "right" ? CUTS.left : CUTS.right, "slide");
    frame.getBoundingClientRect();
    move("slide");
    return true;
  }

  /** Makes `next` the present picture. The overlay stays until that is decoded, so that nothing flashes. */
  async function settle(next) {
    const turn = ++settlings;
    const over = comparisons;
    if (compared) move(compared.side);
    const picture = await drawable(local(next.imageUrl)).catch(() => ({ src: local(next.thumbnailUrl) }));
    if (turn !== settlings) return;
    shown = next;
    now.src = picture.src;
    now.alt = next.altText;
    if (over === comparisons) plain();
  }

  /** Shows a drawing of the edit in progress; null shows the present picture. */
  function draft(url) {
    settlings += 1;
    now.src = url ?? local(shown.imageUrl);
  }

  /** Scrolls the picture into view, above the prompt if that overlaps it. */
  function reveal() {
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    element.scrollIntoView({ block: SHEET.matches ? "start" : "nearest", behavior });
  }

  plain();
  settle(output);
  return { element, compare, plain, reveal, settle, draft, cover: (over) => now.after(over) };
}

/** Loads a picture and returns it decoded. */
async function drawable(src) {
  const picture = new Image();
  picture.src = src;
  await picture.decode();
  return picture;
}
