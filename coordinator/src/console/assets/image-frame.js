// The picture, and over it at times another one of the same shape: a preview or an earlier version, with a slider between.

import { h, local, segments } from "./core.js";

/** What the slider's ways show, as the share of the left picture in percent. */
const CUTS = { left: 100, slide: 50, right: 0 };
/** Where the prompt lies over the foot of the window, as the page's style has it. */
const SHEET = matchMedia("(max-width: 72rem)");

/**
 * The frame of `output`'s picture, with `bar` below it. `moded(fieldset)` is told of the choice of what is shown, null where
 * there is none.
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
  /** Count what is asked for, so that a picture that arrives late is not shown over a newer one. */
  let comparisons = 0;
  let settlings = 0;
  let shown = output;
  let compared = null;
  let modes = null;

  function slid() {
    frame.classList.remove("moving");
    cut(Number(range.value), "slide");
  }

  /** Lets the left picture be seen up to `percent`. */
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

  /** Shows the present picture alone. */
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
   * Shows the picture at `url` over the present one. `side` is where it stands: "right" for what would be, "left" for what
   * was. Gives false where something newer was asked for meanwhile; throws where the picture can't be had.
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
    // It begins with the present picture alone and sweeps over, so that the eye sees what changes.
    frame.classList.remove("moving");
    cut(side === "right" ? CUTS.left : CUTS.right, "slide");
    frame.getBoundingClientRect();
    move("slide");
    return true;
  }

  /** Takes `next` as the present picture. What lies over it stays until that can be drawn, so that nothing flashes. */
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

  /** Shows a drawing of what is being changed; the present picture again where `url` is null. */
  function draft(url) {
    settlings += 1;
    now.src = url ?? local(shown.imageUrl);
  }

  /** Brings the picture into the window; above the prompt where that lies over it. */
  function reveal() {
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    element.scrollIntoView({ block: SHEET.matches ? "start" : "nearest", behavior });
  }

  plain();
  settle(output);
  return { element, compare, plain, reveal, settle, draft, cover: (over) => now.after(over) };
}

/** A picture that can be drawn at once. */
async function drawable(src) {
  const picture = new Image();
  picture.src = src;
  await picture.decode();
  return picture;
}
