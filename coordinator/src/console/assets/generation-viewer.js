// The viewer shows all images of a generation side by side at one height, with the selected one in the middle. Swiping,
// arrow keys and buttons select another; a click on the selected one opens it at full size. An overview shows all as
// small tiles.

import { h, icon, iconButton, local, segments } from "./core.js";
import { overview } from "./generation-grid.js";
import { lightbox } from "./generation-lightbox.js";
import { nameOf } from "./generation-parts.js";

/** Number of neighbours on each side that also load at full size. */
const NEAR = 1;
/** The strip must stand still this long before the image in its middle is selected. */
const REST_MS = 120;

/** The query parameter of the display mode, and its value for the overview. */
const VIEW = "view";
const GRID = "grid";

/**
 * Returns a viewer of `pictures` with direction `dir`: the expected images, each with `output` once finished and
 * `missing` if it will not come. `image.show(picture)` receives the selected one. With several images, `image.actions`
 * are the actions on it.
 */
export function viewer(pictures, formats, image, dir) {
  let at = -1;
  const forward = dir === "rtl" ? -1 : 1;
  // Whether `go` scrolled the strip last. A smooth scroll may stall; then the middle of the strip is not the selection.
  let driven = false;
  const cells = pictures.map((picture, place) => cell(picture, () => (place === at ? enlarge() : go(place))));
  const thumbs = pictures.map((picture, place) => thumb(picture, () => go(place)));
  const strip = h("ul", { class: "generation-strip", dir }, cells.map(({ element }) => element));
  const caption = h("p", { class: "generation-caption", "aria-live": "polite", dir: "ltr" });
  const back = iconButton("Previous image", "chevron-left", { onclick: () => go(at - 1) });
  const on = iconButton("Next image", "chevron-right", { onclick: () => go(at + 1) });
  const several = pictures.length > 1;
  const ways = several && viewSwitch((isGrid) => {
    for (const part of [strip, film, steps]) part.hidden = isGrid;
    all.element.hidden = !isGrid;
    if (!isGrid && at >= 0) centre(strip, cells[at].element, false);
  });
  const all = several && overview(pictures, formats, dir, (place) => {
    ways.set(false);
    go(place, false);
    cells[at].focus();
  });

  /** Selects an image and scrolls it to the middle. */
  function go(place, smooth = true) {
    const next = Math.min(pictures.length - 1, Math.max(0, place));
    driven = true;
    chosen(next);
    centre(strip, cells[next].element, smooth);
  }

  function chosen(place) {
    if (place === at) return;
    at = place;
    cells.forEach((each, other) => each.stand(other - at));
    thumbs.forEach((each, other) => each.stand(other === at));
    if (all) all.mark(at);
    const { formatId, slide, of } = pictures[at];
    caption.replaceChildren(h("b", {}, nameOf(formats, formatId)), slide === null ? "" : ` ${slide + 1} of ${of}`);
    // A `disabled` button would lose the keyboard focus at the end of the strip.
    back.setAttribute("aria-disabled", String(at === 0));
    on.setAttribute("aria-disabled", String(at === pictures.length - 1));
    // The address holds the selection for reloads and back navigation.
    history.replaceState(history.state, "", at ? `#${at + 1}` : location.pathname + location.search);
    image.show(pictures[at]);
  }

  const enlarge = () => {
    const ready = pictures.filter(({ output }) => output);
    if (!pictures[at].output) return;
    lightbox(ready, ready.indexOf(pictures[at]), dir, (picture) => {
      go(picture.place, false);
      cells[at].focus();
    });
  };

  const steps = h("div", { class: "generation-steps", dir }, back, caption, on);
  const film = h("ol", { class: "generation-film", "aria-label": "All images", dir, onkeydown: keysOf(thumbs, (key) => {
    const to = target(key, true);
    if (to !== null) go(to);
    return to !== null;
  }, () => at) }, several && groups(pictures, thumbs, formats));

  whenMoved(strip, () => (driven = false), () => driven || strip.classList.contains("fits") || chosen(nearest(strip, cells)));
  document.addEventListener("keydown", (event) => {
    const isWithin = strip.contains(document.activeElement);
    const to = target(event.key, isWithin);
    const elsewhere = event.target.closest?.("input, select, textarea, dialog, .generation-film, .table-wrap");
    if (!several || strip.hidden || to === null || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(to);
    // The strip is one tab stop, on the selected image.
    if (isWithin) cells[at].focus();
  });

  /** Returns the target index of a key; null if it has none. Home and End work only while an image has the focus. */
  function target(key, isWithin) {
    const steps = { ArrowLeft: at - forward, ArrowRight: at + forward, ...(isWithin && { Home: 0, End: pictures.length - 1 }) };
    return steps[key] ?? null;
  }
  // If all images fit side by side, they form a gallery that doesn't scroll.
  const room = new ResizeObserver(() => {
    const gap = parseFloat(getComputedStyle(strip).columnGap);
    const needed = cells.reduce((sum, { element: { offsetWidth } }) => sum + offsetWidth + gap, gap);
    strip.classList.toggle("fits", needed <= strip.clientWidth);
    if (at >= 0) centre(strip, cells[at].element, false);
  });
  room.observe(strip);

  const element = h("section", { class: "generation-viewer", "aria-label": "Images" }, several && ways.element, strip,
    all && all.element, several && h("div", { class: "generation-turn" }, steps, image.actions), several && film);
  if (several) ways.set(ways.isGrid());
  return {
    element,
    go,
    /** The selected picture. */
    shown: () => pictures[at],
    /** Updates an image. */
    show(place) {
      cells[place].show();
      thumbs[place].show();
      if (all) all.show(place);
      cells[place].stand(place - at);
      if (place === at) image.show(pictures[at]);
    },
  };
}

/** Returns the switch between strip and overview; it calls `show(isGrid)`. The address holds the mode for reloads. */
function viewSwitch(show) {
  const element = segments(VIEW, [["strip", "One by one"], [GRID, "Overview"]], "strip", (value) => set(value === GRID),
    { legend: "How the images are shown" });
  function set(isGrid) {
    const query = new URLSearchParams(location.search);
    if (isGrid) query.set(VIEW, GRID);
    else query.delete(VIEW);
    history.replaceState(history.state, "", location.pathname + (query.size ? `?${query}` : "") + location.hash);
    element.querySelector(`[value="${isGrid ? GRID : "strip"}"]`).checked = true;
    show(isGrid);
  }
  return { element, set, isGrid: () => new URLSearchParams(location.search).get(VIEW) === GRID };
}

/** Calls `begun()` when the user scrolls a strip, and `rested()` once it stands still. */
function whenMoved(strip, begun, rested) {
  let rest;
  strip.addEventListener("scroll", () => {
    clearTimeout(rest);
    rest = setTimeout(rested, REST_MS);
  }, { passive: true });
  for (const gesture of ["pointerdown", "touchstart", "wheel", "keydown"]) {
    strip.addEventListener(gesture, begun, { passive: true });
  }
}

/** Returns one image of the strip. */
function cell(picture, press) {
  const frame = h("button", { type: "button", class: "generation-picture", onclick: press });
  const element = h("li", { class: "generation-cell", style: { "--ratio": picture.ratio } }, frame);
  let image = null;
  let large = false;
  const show = () => {
    if (picture.output && !image) {
      image = h("img", { src: local(picture.output.thumbnailUrl), alt: picture.output.altText, class: "generation-landing", draggable: "false" });
      frame.replaceChildren(image);
    } else if (!picture.output) frame.replaceChildren(...(picture.missing ? absent(picture) : [h("span", { class: "skeleton" })]));
  };
  const stand = (distance) => {
    element.toggleAttribute("data-chosen", distance === 0);
    frame.tabIndex = distance === 0 ? 0 : -1;
    const deed = distance === 0 ? "show at full size" : "choose";
    frame.setAttribute("aria-label", `${picture.name}: ${picture.output ? deed : picture.missing ?? "not drawn yet"}`);
    if (image && !large && Math.abs(distance) <= NEAR) {
      large = true;
      sharpen(image, picture.output);
    }
  };
  show();
  return { element, show, stand, focus: () => frame.focus({ preventScroll: true }) };
}

/** Replaces the thumbnail by the full image once that is decoded, so that nothing flashes. */
async function sharpen(image, output) {
  const whole = new Image();
  whole.src = local(output.imageUrl);
  try {
    await whole.decode();
    image.src = whole.src;
  } catch {
    // The thumbnail stays, which is better than a broken image.
  }
}

const absent = ({ missing }) => [h("span", { class: "generation-absent" }, icon("circle-alert"), h("span", {}, missing))];

/** Returns one image of the thumbnail row below. */
function thumb(picture, press) {
  const element = h("button", { type: "button", class: "generation-thumb", "aria-label": picture.name, style: { "--ratio": picture.ratio }, onclick: press });
  let shown = false;
  const show = () => {
    if (picture.output && !shown) element.replaceChildren(h("img", { src: local(picture.output.thumbnailUrl), alt: "", class: "generation-landing", draggable: "false" }));
    else if (!picture.output) element.replaceChildren(picture.missing ? icon("circle-alert") : h("span", { class: "skeleton" }));
    shown = Boolean(picture.output);
  };
  const stand = (isChosen) => {
    element.setAttribute("aria-current", String(isChosen));
    element.tabIndex = isChosen ? 0 : -1;
    if (isChosen && element.isConnected) centre(element.closest(".generation-film"), element, true);
  };
  show();
  return { element, show, stand };
}

/** Arrow keys move along the thumbnail row, with the focus. */
const keysOf = (thumbs, go, at) => (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !go(event.key)) return;
  event.preventDefault();
  thumbs[at()].element.focus({ preventScroll: true });
};

/** Groups the thumbnails by format, under the format's name. */
function groups(pictures, thumbs, formats) {
  const ids = [...new Set(pictures.map(({ formatId }) => formatId))];
  return ids.map((id) => h("li", { class: "generation-group" },
    ids.length > 1 && h("span", { class: "small quiet" }, nameOf(formats, id)),
    h("div", { class: "generation-thumbs" }, thumbs.filter((_, place) => pictures[place].formatId === id).map(({ element }) => element))));
}

/** Scrolls horizontally only; the page doesn't move. */
function centre(scroller, element, smooth) {
  const left = element.offsetLeft - (scroller.clientWidth - element.offsetWidth) / 2;
  const still = !smooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
  scroller.scrollTo({ left, behavior: still ? "instant" : "smooth" });
}

/** Returns the index of the image nearest to the strip's middle. */
function nearest(strip, cells) {
  const middle = strip.scrollLeft + strip.clientWidth / 2;
  const distances = cells.map(({ element }) => Math.abs(element.offsetLeft + element.offsetWidth / 2 - middle));
  return distances.indexOf(Math.min(...distances));
}
