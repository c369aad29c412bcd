// Names of fonts set in the fonts themselves. A face is fetched once it is about to be seen, and never more than some in a
// minute: the session has requests for other things to make.

import { link } from "./core.js";

const A_MINUTE = 60_000;
const MOST_A_MINUTE = 30;

/** Faces that are here or on their way, by family: a promise of the name that styles know each by. */
const faces = new Map();
/** When those of the last minute were asked for. */
const asked = [];
let made = 0;
/** The families of what is to be set, by element. */
const waiting = new WeakMap();

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    setNow(target, waiting.get(target));
  }
}, { rootMargin: "64px" });

/** Sets an element in a family once it is seen. Where that can't be had, it stays as the page is set. */
export function setIn(element, family) {
  element.style.removeProperty("font-family");
  waiting.set(element, family);
  seen.unobserve(element);
  if (family) seen.observe(element);
  return element;
}

/** Fetches a family anew when it is next seen: it has another face now. */
export const forget = (family) => faces.delete(family);

async function setNow(element, family) {
  if (!faces.has(family)) faces.set(family, load(family));
  try {
    const name = await faces.get(family);
    if (waiting.get(element) === family) element.style.setProperty("font-family", `"${name}", var(--sans)`);
  } catch {
    // It may be had when it is next asked for.
    faces.delete(family);
  }
}

async function load(family) {
  await turn();
  // Named by number: a family's own name may hold quotes, or be one that the page itself is set in.
  const name = `specimen-${++made}`;
  const face = new FontFace(name, `url("${link(`/console/api/faces/${encodeURIComponent(family)}?weight=400`)}")`);
  document.fonts.add(await face.load());
  return name;
}

/** Waits until one more may be asked for. */
async function turn() {
  while (asked.length >= MOST_A_MINUTE) {
    const rest = asked[0] + A_MINUTE - Date.now();
    if (rest <= 0) asked.shift();
    else await new Promise((go) => setTimeout(go, rest));
  }
  asked.push(Date.now());
}
