// The library: every generation of the account as a picture, with search and filters.

import { api, busy, button, data, empty, failed, h, icon, link, note, plural, stage } from "./core.js";
import { hasEnded, LOST } from "./generation-parts.js";
import { card, looks } from "./library-card.js";
import { filterBar, filtersOf } from "./library-filters.js";
import { rename } from "./rename.js";

/** Poll interval of running generations while the page is visible. */
const LOOK_MS = 5000;
/** Generations per page, and the API's maximum per request. */
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

/** Returns the API address of a list. */
const listed = (also) => `/api/generations?${new URLSearchParams({ ...filters, ...also, expand: "outputs" })}`;

/** Shows the current list. Cards with unchanged content stay. */
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
  // An empty library has nothing to search.
  bar.hidden = generations.length === 0 && Object.keys(filters).length === 0;
}

/** Renames a generation and updates the list. Focus stays on its card. */
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

/** Reloads the list after the filters changed. Earlier requests no longer count. */
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
  // Keyboard users continue at the first new card.
  if (first) list.querySelector(`[data-id="${first.id}"] a`)?.focus({ preventScroll: true });
}

/** Refreshes the list, as far as one response covers it. */
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
      // The next poll may succeed, and the shown list remains valid.
      if (error.code === "unreachable") lost.hidden = false;
    }
  }
  setTimeout(keepUp, LOOK_MS);
}

stage().append(bar, lost, told, list, nothing, h("div", { class: "library-more" }, more));
show();
setTimeout(keepUp, LOOK_MS);
// A page restored by "back" may show generations that were deleted or edited since.
addEventListener("pageshow", (event) => {
  if (event.persisted) lookAgain().catch(failed);
});
