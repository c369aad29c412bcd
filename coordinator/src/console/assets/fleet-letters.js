// Jobs that were given up, grouped by generation, with a retry. Retrying one job retries its whole generation.

import { ago, api, busy, button, confirm, h, plural, toast } from "./core.js";
import { reason } from "./fleet-failures.js";
import { folded, idOf, nothing, section, sync } from "./fleet-parts.js";

const FEW = 6;
/** Pause between requests of a batch, to stay below the account's rate limit per minute. */
const PAUSE_MS = 2_200;
/** This many requests are sent without pauses. */
const AT_ONCE = 15;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const listed = new Intl.ListFormat("en");

/** Identifies one failure of a job: the same job may be given up again later. */
const once = ({ jobId, givenUpAt }) => `${jobId} ${givenUpAt}`;

/** "Planning", "Images 2 and 3" */
function jobsOf(letters) {
  const places = letters.map(({ sortOrder }) => sortOrder).filter((place) => Number.isInteger(place)).sort((a, b) => a - b);
  if (places.length === 0) return "Planning";
  const numbers = places.length > 6 ? [...places.slice(0, 5).map((place) => place + 1), `${places.length - 5} more`] : places.map((place) => place + 1);
  return `${places.length === 1 ? "Image" : "Images"} ${listed.format(numbers.map(String))}`;
}

/** Groups letters by generation, newest first. Letters without a known generation stand alone. */
function grouped(letters) {
  const groups = new Map();
  for (const letter of letters) {
    const id = letter.generationId ?? letter.jobId;
    groups.set(id, [...(groups.get(id) ?? []), letter]);
  }
  return [...groups].map(([id, its]) => ({ id, letters: its }));
}

/** Returns the given-up jobs. `nameOf(accountId)` returns the owner's name. `done` is called after a retry. */
export function lettersSection({ nameOf, done }) {
  let letters = [];
  /** Letters retried since the last refresh. */
  const gone = new Set();
  /** Errors of failed retries, by the generation's newest letter. */
  const faults = new Map();

  const none = nothing("circle-check", "No jobs given up", "Jobs that no worker could finish appear here.");
  const list = h("ul", { class: "fleet-items" });
  const all = button("Retry all", { icon: "rotate-ccw", kind: "small", onclick: () => busy(all, retryAll) });
  const progress = h("span", { class: "quiet small number", role: "status" });
  const fold = folded(FEW, "generation", "generations", (some) => sync(list, some, item));
  const element = section("Jobs given up", { id: "letters", remark: progress, controls: [all] }, none, list, h("div", { class: "fleet-more" }, fold.more));

  function item(group) {
    const { id, account, fault } = group;
    const [{ generationId, code, message, claims, givenUpAt }] = group.letters;
    const about = `fleet-letter-${id}`;
    const retry = generationId && button("Retry", { icon: "rotate-ccw", kind: "small", "aria-describedby": about, onclick: () => busy(retry, () => retryOne(group)) });
    return h("li", { class: "fleet-item" },
      h("div", { class: "fleet-item-head" }, h("h3", { id: about }, reason(code)), retry),
      h("p", {}, `${jobsOf(group.letters)}, tried ${plural(claims, "time")}`),
      h("p", { class: "quiet small fleet-said" }, message),
      fault && h("p", { class: "small fleet-fault" }, fault),
      !generationId && h("p", { class: "small quiet" }, "It can’t be retried, because its generation is unknown."),
      h("p", { class: "fleet-item-foot quiet small" }, h("span", {}, account), ago(givenUpAt), generationId && idOf(generationId, "generation")));
  }

  const left = () => grouped(letters.filter((letter) => !gone.has(once(letter))));

  function said() {
    const groups = left();
    none.hidden = groups.length > 0;
    list.hidden = groups.length === 0;
    all.hidden = groups.filter((group) => group.letters[0].generationId).length < 2;
    fold.show(groups.map((group) => ({ ...group, account: nameOf(group.letters[0].accountId), fault: faults.get(once(group.letters[0])) })));
  }

  /** Retries a generation with all its given-up jobs. */
  async function send(group) {
    const [newest] = group.letters;
    faults.delete(once(newest));
    try {
      await api("POST", `/console/api/service/dead-letters/${newest.jobId}/retry`);
      for (const letter of group.letters) gone.add(once(letter));
    } catch (problem) {
      faults.set(once(newest), problem.message);
      throw problem;
    }
  }

  /** The refresh may remove the focused button with its row. */
  function keepFocus() {
    if (document.activeElement === document.body) (list.querySelector("li .button:not(.only-icon)") ?? element.querySelector("h2")).focus();
  }

  async function retryOne(group) {
    try {
      await send(group);
      toast(`${jobsOf(group.letters)} sent again for ${group.account}`);
    } finally {
      said();
      keepFocus();
    }
    done();
  }

  /**
   * Retries generations one after another. Returns how many succeeded, and the error that stopped the batch, if any.
   */
  async function sendEach(groups) {
    let sent = 0;
    for (const [place, group] of groups.entries()) {
      progress.textContent = `${place + 1} of ${groups.length}`;
      if (place >= AT_ONCE) await pause(PAUSE_MS);
      try {
        await send(group);
        sent += 1;
      } catch (problem) {
        // One rejected retry doesn't stop the batch. A rate limit, a server error or a lost connection does.
        if (problem.status === 0 || problem.status === 429 || problem.status >= 500) return { sent, stopped: problem };
      }
      said();
    }
    return { sent };
  }

  async function retryAll() {
    const groups = left().filter((group) => group.letters[0].generationId);
    const words = plural(groups.length, "generation");
    const sure = await confirm("Retry all jobs that were given up?",
      `${words} are sent again, one after the other. Their accounts pay for the images anew, as they had their credits back.`, { yes: `Retry ${words}`, danger: false });
    if (!sure) return;
    const { sent, stopped } = await sendEach(groups);
    progress.textContent = "";
    said();
    keepFocus();
    const told = `Sent ${sent} of ${words} again`;
    if (stopped) toast(`${told}, then stopped. ${stopped.message}`, "bad");
    else if (sent < groups.length) toast(`${told}. The others say below why not.`, "bad");
    else toast(told);
    done();
  }

  return {
    element,
    show({ deadLetters }) {
      letters = deadLetters.deadLetters;
      said();
    },
  };
}
