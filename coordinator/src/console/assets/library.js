// The library: every generation of the account as a picture, to be searched and narrowed down.

import { api, busy, button, data, empty, failed, h, icon, link, note, plural, stage } from "./core.js";
import { hasEnded, LOST } from "./generation-parts.js";
import { card, looks } from "./library-card.js";
import { filterBar, filtersOf } from "./library-filters.js";
import { rename } from "./rename.js";

/** Between looks at what is in progress, while the page is seen. */
const LOOK_MS = 5000;
/** Generations of a page, and the most that the API gives at once. */
const PAGE = 20;
const MOST = 100;

const given = data();
const asked = Object.fromEntries(new URLSearchParams(location.search));
let filters = filtersOf(asked);
let { generations, pagination } = given;
let asking = new AbortController();

const list = h("ul", { class: "library-grid" });
const lost = h("div", { role: "status", hidden: true }, note("warn", LOST));
const nothing = h("div", {});
const told = h("p", { class: "hidden-text", role: "status", "aria-live": "polite" });
const more = button("Show more", { icon: "chevron-down", onclick: () => busy(more, showMore) });
const { bar, clear } = filterBar(asked, given.brands, (now) => {
  filters = now;
  narrow();
});

/** The address of a list of the API. */
const listed = (also) => `/api/generations?${new URLSearchParams({ ...filters, ...also, expand: "outputs" })}`;

/** Shows what is known now; cards whose looks did not change stay as they are. */
function show() {
  const standing = new Map([...list.children].map((element) => [element.dataset.id, element]));
  list.replaceChildren(...generations.map((generation) => {
    const was = standing.get(generation.id);
    const now = looks(generation);
    if (was?.dataset.looks === now) return was;
    const element = card(generation, given.formats, () => call(generation));
    element.dataset.looks = now;
    return element;
  }));
  more.hidden = !pagination.hasMore;
  nothing.replaceChildren(...(generations.length === 0 ? [blank()] : []));
  list.hidden = generations.length === 0;
  // A library without anything has nothing to search.
  bar.hidden = generations.length === 0 && Object.keys(filters).length === 0;
}

/** Has a generation called otherwise; the list shows it at once, and the focus stays with it. */
async function call(generation) {
  const renamed = await rename(generation);
  if (renamed) {
    generations = generations.map((each) => (each.id === renamed.id ? renamed : each));
    show();
  }
  list.querySelector(`[data-id="${generation.id}"] .library-rename`)?.focus({ preventScroll: true });
}

function blank() {
  if (Object.keys(filters).length > 0) {
    return empty("search", "Nothing found", "No images fit this search and these filters.", button("Clear the filters", { icon: "x", onclick: clear }));
  }
  return empty("images", "Nothing here yet", "Everything you make is kept here, ready to download, edit or make again.",
    h("a", { class: "button primary", href: link("/") }, icon("plus"), "Make the first images"));
}

/** Asks for the list anew after the filters changed; what was asked before no longer counts. */
async function narrow() {
  asking.abort();
  asking = new AbortController();
  history.replaceState(null, "", link("/library") + (Object.keys(filters).length ? `?${new URLSearchParams(filters)}` : ""));
  list.setAttribute("aria-busy", "true");
  try {
    const answer = await api("GET", listed({ limit: PAGE }), null, { signal: asking.signal });
    ({ generations, pagination } = answer);
    show();
    told.textContent = generations.length === 0 ? "Nothing found." : `${plural(generations.length, "result")}${pagination.hasMore ? " or more" : ""}.`;
    list.removeAttribute("aria-busy");
  } catch (error) {
    failed(error);
    if (error.name !== "AbortError") list.removeAttribute("aria-busy");
  }
}

async function showMore() {
  const { signal } = asking;
  const answer = await api("GET", listed({ limit: PAGE, cursor: pagination.nextCursor }), null, { signal });
  const first = answer.generations[0];
  const shown = new Set(generations.map(({ id }) => id));
  generations = [...generations, ...answer.generations.filter(({ id }) => !shown.has(id))];
  pagination = answer.pagination;
  show();
  told.textContent = `${plural(answer.generations.length, "more result")} shown.`;
  // Keyboards go on at the first of what came.
  if (first) list.querySelector(`[data-id="${first.id}"] a`)?.focus({ preventScroll: true });
}

/** Looks again at what is shown, as far as one answer holds it. */
async function lookAgain() {
  const { signal } = asking;
  const limit = Math.min(MOST, Math.max(PAGE, generations.length));
  const answer = await api("GET", listed({ limit }), null, { signal });
  const last = answer.generations.at(-1);
  const beyond = generations.length > MOST && last ? generations.filter(({ id }) => id < last.id) : [];
  generations = [...answer.generations, ...beyond];
  if (beyond.length === 0) pagination = answer.pagination;
  show();
}

async function keepUp() {
  const goesOn = generations.some((generation) => !hasEnded(generation));
  if (goesOn && !document.hidden) {
    try {
      await lookAgain();
      lost.hidden = true;
    } catch (error) {
      // The next look may do better, and what is shown still stands.
      if (error.code === "unreachable") lost.hidden = false;
    }
  }
  setTimeout(keepUp, LOOK_MS);
}

stage().append(bar, lost, told, list, nothing, h("div", { class: "library-more" }, more));
show();
setTimeout(keepUp, LOOK_MS);
// A page that comes back by "back" may show what was deleted or edited since.
addEventListener("pageshow", (event) => {
  if (event.persisted) lookAgain().catch(failed);
});
