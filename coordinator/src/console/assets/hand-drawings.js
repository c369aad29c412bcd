// Icons and pictures to choose from, searchable in the page's language.

import { api, failed, h, settled } from "./core.js";
import { capital } from "./generation-parts.js";

/** Returns a picker for the drawing named in the element's `attribute`. `kind`: "icons" or "pictures". */
export function drawingPicker(node, attribute, kind, language, hand) {
  const called = kind === "icons" ? "Icon" : "Picture";
  const list = h("div", { class: `hand-drawings ${kind}`, role: "group", "aria-label": `${called}s` });
  let turn = 0;
  const query = h("input", { type: "search", class: "input", "aria-label": `Find ${kind}`, placeholder: `Find ${kind}: cloud, team, money`, oninput: settled(() => find(), 200) });

  async function find() {
    const own = ++turn;
    try {
      const found = await api("GET", `/api/drawings?${new URLSearchParams({ query: query.value, language })}`);
      if (own === turn) show(found[kind]);
    } catch (error) {
      failed(error);
    }
  }

  function show(found) {
    const chosen = node.getAttribute(attribute);
    list.replaceChildren(...(found.length ? found.map((drawing) => choice(drawing, drawing.name === chosen)) : [h("p", { class: "quiet small" }, "Nothing was found. Try another word.")]));
  }

  const choice = ({ name, about, svg }, isChosen) => h("button", {
    type: "button", class: "hand-drawing", "aria-pressed": String(isChosen), "aria-label": about ? null : name, title: name,
    onclick: (event) => {
      for (const other of list.children) other.setAttribute("aria-pressed", String(other === event.currentTarget));
      hand.change(() => node.setAttribute(attribute, name), { keep: true });
    },
  }, svg ? drawn(svg) : [h("strong", {}, capital(name.replaceAll("-", " "))), h("span", { class: "small quiet" }, about)]);

  const element = h("details", { class: "hand-picker", ontoggle: () => element.open && list.childElementCount === 0 && find() },
    h("summary", {}, `${called}: ${node.getAttribute(attribute) ?? "none"}`), query, list);
  return element;
}

/** Returns one of the service's drawings as an element. */
function drawn(svg) {
  const read = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  read.setAttribute("aria-hidden", "true");
  return read;
}
