// A page in the page language as a document: elements by id, their texts with marks, and the edits.

/** Marks of the page language that are also HTML elements, which makes them editable. */
const MARKS = ["em", "strong", "mark", "del", "u", "sup", "code", "i", "b", "s"];
/** Attributes that contain texts or figures of the page, with their labels. */
const WORDS = {
  by: "Said by", label: "Label", head: "Heading", note: "Note", said: "Words", unit: "Unit", series: "Series", title: "Title",
  value: "Value", values: "Values", x: "Across", y: "Up", stub: "Stub", "stub-label": "Label of the stub", initials: "Initials",
};
/** Type sizes, smallest first. */
const STEPS = ["xs", "sm", "md", "lg", "xl", "2xl", "3xl", "hero", "giant"];

/** Labels of element kinds; other kinds use their own names. */
const NAMES = {
  headline: "Headline", lead: "Lead", text: "Text", label: "Label", caption: "Caption", figure: "Figure", numeral: "Number", quote: "Quotation",
  source: "Source", page: "Page", column: "Column", row: "Row", grid: "Grid", layer: "Layer", card: "Card", band: "Band", icon: "Icon", badge: "Badge",
  pill: "Pill", button: "Button", picture: "Picture", svg: "Drawing", img: "Photo", art: "Ornament", chart: "Chart", table: "Table", progress: "Progress",
  rule: "Line", logo: "Logo", place: "Part of a drawing", item: "Item", steps: "Steps", timeline: "Timeline",
};
export const nameOfElement = (name) => NAMES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);

/** Parses `text` as a page. */
export function handPage(text) {
  let page = read(text);

  const find = (id) => (id ? [...page.querySelectorAll("*")].find((element) => element.getAttribute("id") === id) ?? null : null);
  const print = () => new XMLSerializer().serializeToString(page.documentElement);

  /** Returns an unused id. */
  function fresh(like) {
    const known = new Set([...page.querySelectorAll("[id]")].map((element) => element.getAttribute("id")));
    let n = 1;
    while (known.has(`${like}-${n}`)) n += 1;
    return `${like}-${n}`;
  }

  return {
    find,
    print,
    root: () => page.documentElement,
    /** Replaces the page by another text. */
    take(other) {
      page = read(other);
    },
    /** Returns the path of an element from the page down, as sibling indexes. */
    wayTo(element) {
      const way = [];
      for (let each = element; each !== page.documentElement; each = each.parentElement) way.unshift([...each.parentElement.children].indexOf(each));
      return way;
    },
    /** Returns the element at a path. */
    at: (way) => way.reduce((around, place) => around?.children[place] ?? null, page.documentElement),
    /** Copies an element and inserts the copy after it. Returns the copy's id. */
    duplicate(element) {
      const copy = element.cloneNode(true);
      element.after(copy);
      for (const part of [copy, ...copy.querySelectorAll("*")]) {
        if (part.hasAttribute("id")) part.setAttribute("id", fresh(part.nodeName));
      }
      return copy.getAttribute("id");
    },
    /** Removes an element, and containers that become empty. Returns the id to select next. */
    remove(element) {
      const next = element.nextElementSibling ?? element.previousElementSibling ?? element.parentElement;
      let gone = element;
      while (gone.parentElement && gone.parentElement !== page.documentElement && gone.parentElement.children.length === 1
        && !wordsOf(gone.parentElement)) gone = gone.parentElement;
      const left = gone.contains(next) ? gone.nextElementSibling ?? gone.previousElementSibling ?? gone.parentElement : next;
      gone.remove();
      return left?.getAttribute("id") ?? null;
    },
    /** Moves an element before (-1) or after (1) its sibling. Returns whether it had one. */
    move(element, step) {
      const other = step < 0 ? element.previousElementSibling : element.nextElementSibling;
      if (!other) return false;
      if (step < 0) other.before(element);
      else other.after(element);
      return true;
    },
    /** Returns the elements that share this element's size: its fit group, or itself alone. */
    alike(element) {
      const group = element.getAttribute("fit-group");
      return group ? [...page.querySelectorAll("*")].filter((other) => other.getAttribute("fit-group") === group) : [element];
    },
  };
}

function read(text) {
  return new DOMParser().parseFromString(text, "application/xml");
}

/** Returns the element's own text, without that of child elements. */
export function wordsOf(element) {
  const own = [...element.childNodes].filter((node) => isWords(node));
  return own.map((node) => node.textContent).join("").trim();
}

const isWords = (node) => node.nodeType === Node.TEXT_NODE || node.nodeName === "br" || MARKS.includes(node.nodeName);

/** Returns the element's text attributes: [[name, label]]. */
export const spokenAttributes = (element) => Object.entries(WORDS).filter(([name]) => element.hasAttribute(name));

/** Shows an element's text in an editable HTML field, with marks as elements. */
export function showWords(element, field) {
  const shown = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeName === "br") return document.createElement("br");
    const mark = document.createElement(node.nodeName);
    mark.append(...[...node.childNodes].map(shown));
    return mark;
  };
  field.replaceChildren(...[...element.childNodes].filter(isWords).map(shown));
}

/** Writes the text of a field back to an element. Other child elements stay after it. */
export function takeWords(field, element) {
  const owner = element.ownerDocument;
  const out = [];
  const read = (node, into, first) => {
    if (node.nodeType === Node.TEXT_NODE) return into.push(owner.createTextNode(node.data.replaceAll("\u00a0", " ")));
    if (node.nodeName === "BR") return into.push(owner.createElement("br"));
    const name = node.nodeName.toLowerCase();
    const inside = [];
    [...node.childNodes].forEach((child, place) => read(child, inside, place === 0));
    if (MARKS.includes(name)) {
      const mark = owner.createElement(name);
      mark.append(...inside);
      return into.push(mark);
    }
    // The browser wrapped a line in a block of its own.
    if (["DIV", "P"].includes(node.nodeName) && !first) into.push(owner.createElement("br"));
    return into.push(...inside);
  };
  [...field.childNodes].forEach((node, place) => read(node, out, place === 0));
  // Browsers keep a line break at the end of a text for the caret.
  while (out.at(-1)?.nodeName === "br") out.pop();
  for (const node of [...element.childNodes]) if (isWords(node)) node.remove();
  element.prepend(...out);
}

/** Returns the attribute that holds an element's size, from the attributes that it takes. */
export const sizeAttribute = (takes) => ["fit", "size"].find((name) => takes.includes(name));

/** Returns the sizes one step larger (1) or smaller (-1) than `sizes`, such as "xl..hero"; null at the limit. */
export function stepped(sizes, step) {
  const [low, high = low] = sizes.split("..").map((name) => STEPS.indexOf(name));
  if (low < 0 || high < 0) return null;
  const bounded = (n) => Math.min(STEPS.length - 1, Math.max(0, n));
  const [least, most] = [bounded(low + step), bounded(high + step)];
  return least === low && most === high ? null : `${STEPS[least]}..${STEPS[most]}`;
}
