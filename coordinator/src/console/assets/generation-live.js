// A generation while it is being made: how far it is, and each image as it lands.

import { api, busy, button, h, link } from "./core.js";
import { hasEnded, LOST, STAGES } from "./generation-parts.js";

/** Between looks where the stream of events can't be had. */
const LOOK_MS = 5000;
/** How long a stream may be broken before that is said: browsers open it again by themselves. */
const BROKEN_MS = 1500;
/** How long nothing may be heard before the service is asked: a connection may end without a word. */
const QUIET_MS = 15_000;
/** How long an answer to that may take. */
const PATIENCE_MS = 8000;

/**
 * Follows a generation until it ends. `tell`: {progress(told), landed(output), ended(generation), lost(isLost)}. Gives what
 * stops it.
 */
export function follow(id, tell) {
  let stopped = false;
  let heard = Date.now();
  let breaking = null;
  const source = new EventSource(link(`/api/generations/${id}/events`));
  const quiet = setInterval(() => document.hidden || Date.now() - heard < QUIET_MS || ask(), QUIET_MS);
  const gone = () => stopped || tell.lost(true);
  const found = () => {
    heard = Date.now();
    clearTimeout(breaking);
    breaking = null;
    if (!stopped) tell.lost(false);
  };
  const stop = () => {
    stopped = true;
    clearTimeout(breaking);
    clearInterval(quiet);
    removeEventListener("offline", gone);
    removeEventListener("online", ask);
    source.close();
  };
  const ended = (generation) => {
    if (stopped) return;
    found();
    stop();
    tell.ended(generation);
  };
  const on = (name, deed) => source.addEventListener(name, (event) => {
    found();
    deed(JSON.parse(event.data));
  });
  on("progress", tell.progress);
  // An image that failed for good is told as null.
  on("output", (output) => output && tell.landed(output));
  for (const name of ["completed", "partial", "failed", "cancelled"]) on(name, ({ generation }) => ended(generation));
  source.addEventListener("open", found);
  // The browser opens a broken stream again by itself, save where it was refused or everything was told.
  source.addEventListener("error", () => {
    if (stopped) return;
    if (source.readyState === EventSource.CLOSED) return look();
    breaking ??= setTimeout(gone, BROKEN_MS);
  });
  addEventListener("offline", gone);
  addEventListener("online", ask);

  /** Asks how the generation stands. */
  async function ask() {
    try {
      const { generation } = await api("GET", `/api/generations/${id}`, null, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (stopped) return;
      found();
      if (hasEnded(generation)) return ended(generation);
      tell.progress(generation);
      generation.outputs.forEach(tell.landed);
    } catch (error) {
      if (error.code === "unreachable") gone();
    }
  }

  async function look() {
    if (stopped) return;
    if (!document.hidden) await ask();
    setTimeout(look, LOOK_MS);
  }
  return stop;
}

/** What is shown of the progress. `cancelled(generation)` is told when it was stopped here. */
export function progressCard(generation, total, cancelled) {
  const filled = h("i", {});
  const bar = h("div", { class: "bar", role: "progressbar", "aria-label": "Progress", "aria-valuemin": 0, "aria-valuemax": 100 }, filled);
  const words = h("p", { class: "generation-stage", role: "status", "aria-live": "polite" });
  const cancel = button("Cancel", { icon: "x", kind: "small", onclick: () => busy(cancel, async () => {
    cancelled((await api("POST", `/api/generations/${generation.id}/cancel`)).generation);
  }) });
  const element = h("div", { class: "card generation-progress" }, h("div", { class: "row between" }, words, cancel), bar);
  let isLost = false;
  let doing = "";
  const say = () => {
    const said = isLost ? LOST : doing;
    // Said again only where it changed, so that screen readers are not made to repeat it.
    if (words.textContent !== said) words.textContent = said;
  };
  return {
    element,
    /** Says that nothing is heard of the service, or goes on. */
    lost(now) {
      isLost = now;
      element.classList.toggle("lost", now);
      say();
    },
    show({ progress, stage }, ready) {
      doing = stage === "rendering" ? `${STAGES[stage]}: ${ready} of ${total} ready` : `${STAGES[stage]}…`;
      say();
      filled.style.setProperty("width", `${progress}%`);
      bar.setAttribute("aria-valuenow", progress);
    },
  };
}
