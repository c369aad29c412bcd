// Refreshes the page while it is visible, and shows whether the service responds.

import { api, h } from "./core.js";

const EVERY_MS = 5_000;
/** Poll interval after a rate limit error. */
const SLOW_MS = 20_000;

const clock = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });

/** Polls the state of the service and passes it to `show`. */
export function live(show) {
  const words = h("span", {}, "Live");
  const heard = h("span", { class: "quiet small number" });
  const element = h("div", { class: "fleet-live", dataset: { state: "live" } },
    h("span", { class: "fleet-dot", "aria-hidden": "true" }), h("span", { role: "status" }, words), heard);
  let timer;
  let asking;
  let last = new Date();

  const say = (state, told) => {
    element.dataset.state = state;
    // Set only on change, because screen readers announce every update.
    if (words.textContent !== told) words.textContent = told;
    heard.textContent = state === "live" ? clock.format(last) : "";
  };
  const missed = (problem) => {
    if (problem.status === 429) say("slow", "Too many requests. Trying again in a moment.");
    else if (problem.status === 0 || problem.status >= 500) say("away", `Not reachable since ${clock.format(last)}`);
    else say("away", problem.message);
    return problem.status === 429 ? SLOW_MS : EVERY_MS;
  };
  const ask = async () => {
    clearTimeout(timer);
    asking?.abort();
    const mine = (asking = new AbortController());
    let wait = EVERY_MS;
    try {
      const service = await api("GET", "/console/api/service", null, { signal: mine.signal });
      last = new Date();
      say("live", "Live");
      show(service);
    } catch (error) {
      if (error.name === "AbortError") return;
      // An error in the page's own code is no connection problem.
      if (error.status === undefined) throw error;
      wait = missed(error);
    }
    if (mine === asking && !document.hidden) timer = setTimeout(ask, wait);
  };
  const pause = () => {
    clearTimeout(timer);
    asking?.abort();
    say("paused", "Paused");
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? pause() : ask()));
  say("live", "Live");
  if (!document.hidden) timer = setTimeout(ask, EVERY_MS);
  return { element, refresh: ask };
}
