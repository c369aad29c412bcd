// The figures at the top: the current state of the service, each beside its usual value.

import { count, h, plural } from "./core.js";
import { meter, most, span, sum } from "./fleet-parts.js";

const CLASSES = { interactive: "Interactive", batch: "Batch", edit: "Edits", plan: "Plans", render_2k: "2K images", render_4k: "4K images" };
/** Waits in seconds that count as long, and as bad. */
const LONG_S = 60;
const VERY_LONG_S = 300;
/** Minutes of one hour in the history. */
const HOUR = 60;

const className = (name) => CLASSES[name] ?? name.replaceAll("_", " ");

function figure(words) {
  const value = h("span", { class: "fleet-value number" });
  const below = h("span", { class: "fleet-below small quiet" });
  const element = h("div", { class: "fleet-figure" }, h("dt", {}, words), h("dd", {}, value, below));
  return {
    element,
    show(said, remark, kind = "") {
      value.textContent = said;
      value.dataset.kind = kind;
      below.replaceChildren(...[remark].flat());
    },
  };
}

/** Returns totals of all workers, local and remote: count, slots, and busy slots. */
export function totals({ count: remote, slots, busy, here }) {
  return { workers: remote + (here?.slots ? 1 : 0), slots: slots + (here?.slots ?? 0), busy: busy + (here?.busy ?? 0) };
}

function showWorkers(shown, service) {
  const { workers, slots, busy } = totals(service);
  const remark = slots === 0 ? "Nothing runs until a worker joins" : [meter("Busy slots", busy, slots), `${count(busy)} of ${plural(slots, "slot")} busy`];
  shown.show(count(workers), remark, workers === 0 ? "bad" : "");
}

function showWaiting(shown, { queue }) {
  const some = queue.filter(({ waiting }) => waiting > 0);
  const parts = some.map(({ class: name, waiting }) => h("span", { class: "fleet-part" }, className(name), " ", h("b", {}, count(waiting))));
  shown.show(count(sum(queue.map(({ waiting }) => waiting))), some.length > 0 ? parts : "Nothing waits");
}

function showOldest(shown, { oldestS, history }) {
  const kind = oldestS >= VERY_LONG_S ? "bad" : oldestS >= LONG_S ? "warn" : "";
  shown.show(span(oldestS), `At most ${span(most(history.oldestS))} in 24 h`, kind);
}

function showPace(shown, { history: { done } }) {
  shown.show(count(done.at(-1) ?? 0), `At most ${count(most(done))} in 24 h`);
}

function showFailed(shown, { history }) {
  const [done, failed] = [sum(history.done.slice(-HOUR)), sum(history.failed.slice(-HOUR))];
  const share = done + failed > 0 ? failed / (done + failed) : 0;
  const percent = failed === 0 ? "None" : share < 0.001 ? "Less than 0.1%" : `${(share * 100).toFixed(1)}%`;
  const remark = done + failed > 0 ? `${percent} of ${plural(done + failed, "image")}` : "No images made";
  shown.show(count(failed), remark, share >= 0.1 ? "bad" : share >= 0.02 ? "warn" : "");
}

/** Returns the figures as one strip. */
export function figuresSection() {
  const shows = [["Workers", showWorkers], ["Waiting", showWaiting], ["Oldest wait", showOldest], ["Images a minute", showPace], ["Failed in the last hour", showFailed]]
    .map(([words, show]) => ({ shown: figure(words), show }));
  const element = h("section", { "aria-labelledby": "fleet-now" }, h("h2", { id: "fleet-now", class: "hidden-text" }, "Now"),
    h("dl", { class: "card flush fleet-figures" }, shows.map(({ shown }) => shown.element)));
  return { element, show: (service) => shows.forEach(({ shown, show }) => show(shown, service)) };
}
