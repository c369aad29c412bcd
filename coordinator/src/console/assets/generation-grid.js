// The overview of a generation: all images as small tiles. It is one tab stop; arrow keys move through it.

import { h, icon, small } from "./core.js";
import { nameOf } from "./generation-parts.js";

/** Returns an overview of the viewer's `pictures`. `choose(place)` is called with the opened one. */
export function overview(pictures, formats, dir, choose) {
  const tiles = pictures.map((picture) => tile(picture, () => choose(picture.place)));
  const ids = [...new Set(pictures.map(({ formatId }) => formatId))];
  const element = h("div", { class: "generation-overview", role: "group", "aria-label": "Overview", dir, onkeydown: walk }, ids.map((id) => [
    ids.length > 1 && h("h2", { class: "small quiet", dir: "ltr" }, nameOf(formats, id)),
    h("ul", {}, tiles.filter((_, place) => pictures[place].formatId === id).map(({ element: one }) => h("li", {}, one))),
  ]));

  function walk(event) {
    const at = tiles.findIndex((each) => each.element === document.activeElement);
    const on = dir === "rtl" ? -1 : 1;
    const to = { ArrowRight: () => at + on, ArrowLeft: () => at - on, ArrowDown: () => beside(at, 1), ArrowUp: () => beside(at, -1), Home: () => 0, End: () => tiles.length - 1 }[event.key]?.();
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    // The page has other arrow key handlers, which must not run here.
    event.stopPropagation();
    const next = Math.min(tiles.length - 1, Math.max(0, to));
    tiles.forEach((each, place) => (each.element.tabIndex = place === next ? 0 : -1));
    tiles[next].element.focus();
  }

  /** Returns the nearest tile in the next row up or down; the same tile if there is no such row. */
  function beside(at, step) {
    const middle = (place) => {
      const box = tiles[place].element.getBoundingClientRect();
      return [box.left + box.width / 2, box.bottom];
    };
    const [x, y] = middle(at);
    const rows = tiles.map((_, place) => [place, ...middle(place)]).filter(([, , bottom]) => (bottom - y) * step > 2);
    const row = Math.min(...rows.map(([, , bottom]) => (bottom - y) * step));
    const near = rows.filter(([, , bottom]) => (bottom - y) * step <= row + 2).sort((a, b) => Math.abs(a[1] - x) - Math.abs(b[1] - x));
    return near[0]?.[0] ?? at;
  }

  return {
    element,
    show: (place) => tiles[place].show(),
    /** Marks the selected image, which becomes the tab stop. */
    mark: (place) => tiles.forEach((each, other) => each.stand(place === other)),
    focus: (place) => tiles[place].element.focus(),
  };
}

function tile(picture, press) {
  const frame = h("span", { class: "generation-small", style: { "--ratio": picture.ratio } });
  const number = picture.slide === null ? picture.place + 1 : picture.slide + 1;
  const element = h("button", { type: "button", class: "generation-tile", "aria-label": `${picture.name}: open`, onclick: press },
    frame, h("span", { class: "small number" }, number));
  let shown = null;
  const show = () => {
    const { output, missing } = picture;
    const now = output && `${output.id} ${output.version}`;
    // Loads only pictures near the window: a set of a hundred has a hundred pictures.
    if (output && now !== shown) frame.replaceChildren(h("img", { ...small(output, { sizes: "8rem", most: 256 }), alt: "", loading: "lazy", decoding: "async", draggable: "false" }));
    else if (!output) frame.replaceChildren(missing ? icon("circle-alert") : h("span", { class: "skeleton" }));
    shown = now ?? null;
  };
  const stand = (isChosen) => {
    element.setAttribute("aria-current", String(isChosen));
    element.tabIndex = isChosen ? 0 : -1;
  };
  show();
  return { element, show, stand };
}
