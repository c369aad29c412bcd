// A generation in progress: its progress, and each image as it is finished.

import { api, busy, button, h, link } from "./core.js";
import { hasEnded, LOST, STAGES } from "./generation-parts.js";

/** Poll interval if the event stream is unavailable. */
const LOOK_MS = 5000;
/** A broken stream is reported after this long, because browsers reconnect by themselves. */
const BROKEN_MS = 1500;
/** The service is polled after this long without an event, because a connection may end silently. */
const QUIET_MS = 15_000;
/** Timeout of that poll. */
const PATIENCE_MS = 8000;

/**
 * Follows a generation until it ends. `tell`: {progress(told), landed(output), ended(generation), lost(isLost)}.
 * Returns a function that stops it.
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
  // The service sends null for an image that failed for good.
  on("output", (output) => output && tell.landed(output));
  for (const name of ["completed", "partial", "failed", "cancelled"]) on(name, ({ generation }) => ended(generation));
  source.addEventListener("open", found);
  // The browser reopens a broken stream by itself, unless the server refused it or closed it at the end.
  source.addEventListener("error", () => {
    if (stopped) return;
    if (source.readyState === EventSource.CLOSED) return look();
    breaking ??= setTimeout(gone, BROKEN_MS);
  });
  addEventListener("offline", gone);
  addEventListener("online", ask);

  /** Requests the generation's state. */
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

/** Returns the progress display. `cancelled(generation)` is called after the user cancelled here. */
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
    // Set only on change, so that screen readers don't repeat it.
    if (words.textContent !== said) words.textContent = said;
  };
  return {
    element,
    /** Shows or clears the message that the connection is lost. */
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
