// Jobs that were given up, by the generation that they were part of, and having them done after all: whoever retries one
// retries its generation.

import { ago, api, busy, button, confirm, h, plural, toast } from "./core.js";
import { reason } from "./fleet-failures.js";
import { folded, idOf, nothing, section, sync } from "./fleet-parts.js";

const FEW = 6;
/** Between two requests of many, so that they stay below what an account may send in a minute. */
const PAUSE_MS = 2_200;
/** As many may be sent without pauses. */
const AT_ONCE = 15;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const listed = new Intl.ListFormat("en");

/** Tells a job from the same job that was given up again later. */
const once = ({ jobId, givenUpAt }) => `${jobId} ${givenUpAt}`;

/** "Planning", "Images 2 and 3" */
function jobsOf(letters) {
  const places = letters.map(({ sortOrder }) => sortOrder).filter((place) => Number.isInteger(place)).sort((a, b) => a - b);
  if (places.length === 0) return "Planning";
  const numbers = places.length > 6 ? [...places.slice(0, 5).map((place) => place + 1), `${places.length - 5} more`] : places.map((place) => place + 1);
  return `${places.length === 1 ? "Image" : "Images"} ${listed.format(numbers.map(String))}`;
}

/** Letters by their generations, the newest first; of one whose generation isn't known, by themselves. */
function grouped(letters) {
  const groups = new Map();
  for (const letter of letters) {
    const id = letter.generationId ?? letter.jobId;
    groups.set(id, [...(groups.get(id) ?? []), letter]);
  }
  return [...groups].map(([id, its]) => ({ id, letters: its }));
}

/** The jobs that were given up. `nameOf(accountId)` says whose they were; `done` is called after something was retried. */
export function lettersSection({ nameOf, done }) {
  let letters = [];
  /** What was sent again since the service was last read. */
  const gone = new Set();
  /** Why a generation could not be sent again, by its newest letter. */
  const faults = new Map();

  const none = nothing("circle-check", "No job was given up", "Jobs that no worker could finish stand here.");
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
      !generationId && h("p", { class: "small quiet" }, "It can’t be retried, as nobody knows any more what it was part of."),
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

  /** Sends a generation again, with all that was given up of it. */
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

  /** The button that had the focus may be gone with its row. */
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

  /** Sends generations again one after the other: how many went, and what stopped it before the last. */
  async function sendEach(groups) {
    let sent = 0;
    for (const [place, group] of groups.entries()) {
      progress.textContent = `${place + 1} of ${groups.length}`;
      if (place >= AT_ONCE) await pause(PAUSE_MS);
      try {
        await send(group);
        sent += 1;
      } catch (problem) {
        // One that can't be sent doesn't hold the others up; a service that is away or wants a rest does.
        if (problem.status === 0 || problem.status === 429 || problem.status >= 500) return { sent, stopped: problem };
      }
      said();
    }
    return { sent };
  }

  async function retryAll() {
    const groups = left().filter((group) => group.letters[0].generationId);
    const words = plural(groups.length, "generation");
    const sure = await confirm("Retry everything that was given up?",
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
