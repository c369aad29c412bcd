// Shows font names in their own fonts. A font loads shortly before its name scrolls into view. Loads are limited per
// minute, so that the session's rate limit leaves room for other requests.

import { link } from "./core.js";

const A_MINUTE = 60_000;
const MOST_A_MINUTE = 30;

/** Loaded and loading fonts by family. Each value is a promise of the family name to use in styles. */
const faces = new Map();
/** Times of the requests in the last minute. */
const asked = [];
let made = 0;
/** The font family to apply, by element. */
const waiting = new WeakMap();

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    setNow(target, waiting.get(target));
  }
}, { rootMargin: "64px" });

/** Applies a font family to an element once it becomes visible. If loading fails, the element keeps the page's font. */
export function setIn(element, family) {
  element.style.removeProperty("font-family");
  waiting.set(element, family);
  seen.unobserve(element);
  if (family) seen.observe(element);
  return element;
}

/** Forgets a family whose font file changed, so that it loads again when next visible. */
export const forget = (family) => faces.delete(family);

async function setNow(element, family) {
  if (!faces.has(family)) faces.set(family, load(family));
  try {
    const name = await faces.get(family);
    if (waiting.get(element) === family) element.style.setProperty("font-family", `"${name}", var(--sans)`);
  } catch {
    // A later request tries again.
    faces.delete(family);
  }
}

async function load(family) {
  await turn();
  // The name is a number: a family name may contain quotes, or clash with the page's own font.
  const name = `specimen-${++made}`;
  const face = new FontFace(name, `url("${link(`/console/api/faces/${encodeURIComponent(family)}?weight=400`)}")`);
  document.fonts.add(await face.load());
  return name;
}

/** Waits until the limit allows another request. */
async function turn() {
  while (asked.length >= MOST_A_MINUTE) {
    const rest = asked[0] + A_MINUTE - Date.now();
    if (rest <= 0) asked.shift();
    else await new Promise((go) => setTimeout(go, rest));
  }
  asked.push(Date.now());
}
