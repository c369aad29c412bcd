// The library's filters. They use the names of the API's query parameters, and so does the page's address.

import { button, h, icon, settled } from "./core.js";
import { SOURCES } from "./generation-parts.js";

const STATUSES = [["completed", "Completed"], ["partial", "Partly done"], ["processing", "Working"], ["pending", "Waiting"],
  ["failed", "Failed"], ["cancelled", "Cancelled"]];
const NAMES = ["q", "status", "inputType", "brandId", "createdAfter", "createdBefore"];

/** Returns the filters of a query, without empty and unknown ones. */
export const filtersOf = (query) => Object.fromEntries(NAMES.filter((name) => query[name]).map((name) => [name, query[name]]));

/** Returns a day in the format of date inputs, in the browser's time zone. */
function dayOf(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const two = (n) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/**
 * Returns the start of a day in the browser's time zone, in the API's format; with `later` 1, the start of the next
 * day.
 */
function beginning(day, later = 0) {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** Returns the bar of search and filters. `change(filters)` receives the current filters. */
export function filterBar(query, brands, change) {
  const tell = () => {
    const filters = read();
    said(filters);
    change(filters);
  };
  const soon = settled(tell, 300);
  const search = h("input", { class: "input", type: "search", placeholder: "Search titles, texts and slides", "aria-label": "Search", maxlength: 200, value: query.q ?? "", oninput: soon });
  const status = choice("Status", "Any status", STATUSES, query.status, tell);
  const inputType = choice("Made from", "Any source", Object.entries(SOURCES).map(([value, [words]]) => [value, words]), query.inputType, tell);
  const brandId = choice("Brand kit", "Any brand", brands.map(({ id, name }) => [id, name]), query.brandId, tell);
  const after = date(query.createdAfter && dayOf(query.createdAfter), tell);
  // The end is the start of the next day, so the moment before it lies on the selected day.
  const before = date(query.createdBefore && dayOf(new Date(query.createdBefore).getTime() - 1), tell);
  const parts = h("div", { class: "library-selects", id: "library-selects" }, status, inputType, brands.length > 0 && brandId,
    h("div", { class: "library-days" },
      h("label", {}, h("span", { class: "small quiet" }, "From"), after), h("label", {}, h("span", { class: "small quiet" }, "To"), before)));
  const toggle = button("Filters", { icon: "settings-2", kind: "library-toggle", "aria-expanded": "false", "aria-controls": parts.id,
    onclick: () => open(toggle.getAttribute("aria-expanded") !== "true") });
  const open = (shown) => toggle.setAttribute("aria-expanded", String(shown));
  const wipe = button("Clear", { icon: "x", kind: "plain", onclick: () => clear() });

  const read = () => filtersOf({
    q: search.value.trim(),
    status: status.value,
    inputType: inputType.value,
    brandId: brandId.value,
    createdAfter: after.value && beginning(after.value),
    createdBefore: before.value && beginning(before.value, 1),
  });
  const said = (filters) => {
    const chosen = Object.keys(filters).filter((name) => name !== "q").length;
    toggle.lastChild.textContent = chosen ? `Filters (${chosen})` : "Filters";
    wipe.hidden = Object.keys(filters).length === 0;
    after.max = before.value;
    before.min = after.value;
  };
  const clear = () => {
    for (const control of [search, status, inputType, brandId, after, before]) control.value = "";
    tell();
    search.focus();
  };

  said(read());
  open(Object.keys(read()).some((name) => name !== "q"));
  const bar = h("search", { class: "library-bar" },
    h("div", { class: "library-search" }, h("div", { class: "input-with" }, icon("search"), search), toggle), parts, wipe);
  return { bar, clear };
}

function choice(label, any, options, chosen, change) {
  return h("select", { class: "input", "aria-label": label, onchange: change },
    h("option", { value: "" }, any), options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
}

const date = (value, change) => h("input", { class: "input", type: "date", value: value || "", onchange: change });
