// A generation while it is being made: how far it is, and each image as it lands.

import { api, busy, button, h, link } from "./core.js";
import { hasEnded, STAGES } from "./generation-parts.js";

/** Between looks where the stream of events can't be had. */
const LOOK_MS = 5000;

/** Follows a generation until it ends. `tell`: {progress(told), landed(output), ended(generation)}. Gives what stops it. */
export function follow(id, tell) {
  let stopped = false;
  const source = new EventSource(link(`/api/generations/${id}/events`));
  const stop = () => {
    stopped = true;
    source.close();
  };
  const ended = (generation) => {
    if (stopped) return;
    stop();
    tell.ended(generation);
  };
  const on = (name, deed) => source.addEventListener(name, (event) => deed(JSON.parse(event.data)));
  on("progress", tell.progress);
  // An image that failed for good is told as null.
  on("output", (output) => output && tell.landed(output));
  for (const name of ["completed", "partial", "failed", "cancelled"]) on(name, ({ generation }) => ended(generation));
  // The browser opens a broken stream again by itself, save where it was refused or everything was told.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED && !stopped) look();
  });

  async function look() {
    if (stopped) return;
    try {
      const { generation } = document.hidden ? {} : await api("GET", `/api/generations/${id}`);
      if (generation && hasEnded(generation)) return ended(generation);
      if (generation && !stopped) {
        tell.progress(generation);
        generation.outputs.forEach(tell.landed);
      }
    } catch {
      // The next look may do better.
    }
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
  return {
    element: h("div", { class: "card generation-progress" }, h("div", { class: "row between" }, words, cancel), bar),
    show({ progress, stage }, ready) {
      const said = stage === "rendering" ? `${STAGES[stage]}: ${ready} of ${total} ready` : `${STAGES[stage]}…`;
      // Said again only where it changed, so that screen readers are not made to repeat it.
      if (words.textContent !== said) words.textContent = said;
      filled.style.setProperty("width", `${progress}%`);
      bar.setAttribute("aria-valuenow", progress);
    },
  };
}
