// One page of the outline: its texts as fields, and actions on the page.

import { button, h, iconButton } from "./core.js";

/** The texts of a page in reading order, with their labels. */
const ABOVE = [["kicker", "line above the headline"], ["title", "headline"], ["text", "text"]];
const BELOW = [["attribution", "source"], ["note", "note"], ["action", "call to action"]];
const PARTS = [["label", "label"], ["title", "point"], ["text", "text"]];
/** Texts that can be added to any page without them. */
const ADDED = [["title", "headline"], ["text", "text"], ["action", "call to action"]];

/**
 * Returns the label of a field that the service calls `title` or `items[2].text`. Indexes refer to the page as sent.
 */
export function fieldOf(page, name) {
  const plain = [...ABOVE, ...BELOW].find(([key]) => key === name);
  if (plain) return plain[1];
  const [, at, key] = /^items\[(\d+)\](?:\.(\w+))?/.exec(name) ?? [];
  if (at === undefined) return name.startsWith("figure") ? "figure" : null;
  // Empty points are not sent, so indexes skip them.
  const sent = (page.items ?? []).flatMap((item, place) => (item.title.trim() ? [place] : []));
  const label = PARTS.find(([part]) => part === key)?.[1] ?? "point";
  return `${label} ${(sent[at] ?? 0) + 1}`;
}

/**
 * Returns the card of page `place` of `pages`. `changed()` is called before each change. `redraw(focus)` is called
 * after pages or points were added, removed or moved; `focus` names the field to focus.
 */
export function pageCard(pages, place, { format, changed, redraw }) {
  const page = pages[place];
  const bounds = format.slides;
  const name = bounds ? `Slide ${place + 1}` : "Page";

  /** Returns a field for `owner[key]`. Clearing it deletes the text; a point without texts is removed. */
  function text(owner, key, label, className, emptied = () => delete owner[key]) {
    const field = h("textarea", { class: `create-said ${className}`, rows: 1, "aria-label": `${name}: ${label}`, placeholder: label.charAt(0).toUpperCase() + label.slice(1), maxlength: 2000, "data-field": label, oninput: () => {
      changed(field);
      owner[key] = field.value;
    }, onchange: () => {
      if (field.value.trim() === "") {
        emptied();
        // The click that took the focus from the field must run first.
        setTimeout(() => redraw());
      }
    } });
    field.value = owner[key] ?? "";
    return field;
  }

  const texts = (list) => list.filter(([key]) => page[key] !== undefined).map(([key, label]) => text(page, key, label, key));

  function figure() {
    const value = text(page.figure, "value", "figure", "value", () => delete page.figure);
    return h("div", { class: "create-figure" }, value, text(page.figure, "unit", "unit", "unit"));
  }

  function item(one, at) {
    const drop = () => {
      page.items.splice(at, 1);
      if (page.items.length === 0) delete page.items;
    };
    const parts = PARTS.filter(([key]) => one[key] !== undefined)
      .map(([key, label]) => text(one, key, `${label} ${at + 1}`, { title: "head", text: "body" }[key] ?? key, key === "title" ? drop : undefined));
    // An edited figure loses its parsed value, so that it is parsed again.
    const cellsBefore = [...(one.cells ?? [])];
    const cells = (one.cells ?? []).map((_, n) => {
      const cell = text(one.cells, n, `figure ${n + 1} of point ${at + 1}`, "body", () => {
        one.cells[n] = cellsBefore[n];
      });
      cell.addEventListener("input", () => delete one.values);
      return cell;
    });
    return h("li", {}, parts, cells, iconButton(`Remove point ${at + 1} of ${name.toLowerCase()}`, "x", { kind: "plain small", onclick: () => {
      changed();
      drop();
      redraw(`${place}`);
    } }));
  }

  function move(by) {
    changed();
    pages.splice(place + by, 0, ...pages.splice(place, 1));
    redraw(`${place + by} ${by < 0 ? "earlier" : "later"}`);
  }

  /** Returns a button that keeps its place and the focus while it is inactive. */
  function tool(label, name, glyph, works, act) {
    return iconButton(label, glyph, { kind: "plain small", "data-tool": name, "aria-disabled": !works, onclick: () => works && act() });
  }

  function add(key, label) {
    return button(`Add ${label}`, { icon: "plus", kind: "plain small", onclick: () => {
      changed();
      page[key] = "";
      redraw(`${place} ${label}`);
    } });
  }

  const addPoint = () => button("Add point", { icon: "plus", kind: "plain small", onclick: () => {
    changed();
    page.items ??= [];
    const { text: words, label, group, cells } = page.items.at(-1) ?? {};
    page.items.push({ title: "", ...(words !== undefined && { text: "" }), ...(label !== undefined && { label: "" }), ...(group && { group }), ...(cells && { cells: cells.map(() => "") }) });
    if (page.kind === "point") page.kind = "list";
    redraw(`${place} point ${page.items.length}`);
  } });

  const tools = bounds && h("div", { class: "create-page-tools" },
    h("span", { class: "create-page-number" }, place + 1),
    tool(`Move slide ${place + 1} earlier`, "earlier", "arrow-left", place > 0, () => move(-1)),
    tool(`Move slide ${place + 1} later`, "later", "arrow-right", place + 1 < pages.length, () => move(1)),
    tool(`Add a slide after slide ${place + 1}`, "add", "plus", pages.length < bounds.max, () => {
      changed();
      pages.splice(place + 1, 0, { kind: "point", title: "", text: "" });
      redraw(`${place + 1} headline`);
    }),
    tool(`Remove slide ${place + 1}`, "remove", "trash-2", pages.length > bounds.min, () => {
      changed();
      pages.splice(place, 1);
      redraw(`${Math.min(place, pages.length - 1)} remove`);
    }));

  const groupsBefore = [...(page.groups ?? [])];
  const most = page.kind === "series" ? 60 : 12;
  return h("li", { class: "create-page", "data-place": place },
    bounds && h("span", { class: "hidden-text" }, `${format.name}, slide ${place + 1}`),
    h("div", { class: "create-page-words", dir: "auto" },
      texts(ABOVE.slice(0, 1)), page.figure && figure(), texts(ABOVE.slice(1)),
      page.groups && h("div", { class: "create-groups" }, page.groups.map((_, n) => text(page.groups, n, `name of group ${n + 1}`, "group", () => {
        page.groups[n] = groupsBefore[n];
      }))),
      page.items && h("ul", { class: "create-items" }, page.items.map(item)),
      texts(BELOW)),
    h("div", { class: "create-page-more" }, ADDED.filter(([key]) => page[key] === undefined).map(([key, label]) => add(key, label)),
      (page.items?.length ?? 0) < most && addPoint()),
    tools);
}
