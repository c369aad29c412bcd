// A single image on a dark background: fitted to the window, or at its own size.

import { h, iconButton, local } from "./core.js";

/** Minimum length of a swipe, in pixels. */
const SWIPE_PX = 48;

/** Shows `pictures[at]` of a set with direction `dir`. `left(picture)` receives the picture shown on closing. */
export function lightbox(pictures, at, dir, left) {
  const forward = dir === "rtl" ? -1 : 1;
  const image = h("img", { draggable: "false" });
  const ground = h("div", { class: "generation-ground", tabindex: "0", onclick: (event) => (event.target === image ? zoom(event) : dialog.close()) }, image);
  const name = h("h2", {});
  const sized = iconButton("Actual size", "maximize-2", { "aria-pressed": "false", onclick: () => zoom() });
  const back = iconButton("Previous image", "chevron-left", { kind: "plain generation-back", dir, onclick: () => go(-1) });
  const on = iconButton("Next image", "chevron-right", { kind: "plain generation-on", dir, onclick: () => go(1) });
  const dialog = h("dialog", { class: "generation-lightbox", "aria-label": "Image at full size", onkeydown: (event) => {
    const step = { ArrowLeft: -forward, ArrowRight: forward }[event.key];
    if (!step || ground.classList.contains("zoomed")) return;
    event.preventDefault();
    go(step);
  } },
  h("header", {}, name, sized, iconButton("Close", "x", { autofocus: true, onclick: () => dialog.close() })), ground,
  pictures.length > 1 && [back, on]);

  const go = (step) => {
    at = Math.min(pictures.length - 1, Math.max(0, at + step));
    show();
  };

  function show() {
    const { output, name: words } = pictures[at];
    zoomed(false);
    name.textContent = words;
    image.alt = output.altText;
    image.src = local(output.imageUrl);
    back.setAttribute("aria-disabled", String(at === 0));
    on.setAttribute("aria-disabled", String(at === pictures.length - 1));
  }

  function zoomed(actual) {
    ground.classList.toggle("zoomed", actual);
    sized.setAttribute("aria-pressed", String(actual));
  }

  /** Switches between the window's size and the image's own. The clicked point is centred. */
  function zoom(event) {
    const box = image.getBoundingClientRect();
    const share = event ? [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height] : [.5, .5];
    zoomed(!ground.classList.contains("zoomed"));
    ground.scrollTo(share[0] * ground.scrollWidth - ground.clientWidth / 2, share[1] * ground.scrollHeight - ground.clientHeight / 2);
  }

  let start = null;
  ground.addEventListener("touchstart", ({ touches }) => {
    start = touches.length === 1 && !ground.classList.contains("zoomed") ? touches[0].clientX : null;
  }, { passive: true });
  ground.addEventListener("touchend", ({ changedTouches }) => {
    const way = start === null ? 0 : changedTouches[0].clientX - start;
    if (Math.abs(way) > SWIPE_PX) go(way < 0 ? forward : -forward);
  });

  dialog.addEventListener("close", () => {
    dialog.remove();
    left(pictures[at]);
  });
  document.body.append(dialog);
  show();
  dialog.showModal();
}
