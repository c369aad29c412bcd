// Sample programs that call this service, ready to copy.

import { h, icon, link, segments } from "./core.js";
import { LANGUAGES, VERIFIERS } from "./integrations-snippets.js";
import { copyButton } from "./once.js";

const KEPT = "integrations-language";

/** Syntax highlighting by language: patterns of comments, then of strings. */
const TOKENS = {
  curl: /(#.*$)|('[^']*')/gm,
  javascript: /(\/\/.*$)|("(?:[^"\\]|\\.)*")/gm,
  python: /(#.*$|"""[^]*?""")|("(?:[^"\\]|\\.)*")/gm,
  rust: /(\/\/.*$)|("(?:[^"\\]|\\.)*")/gm,
};

/** Returns a program's text as highlighted nodes. */
function coloured(text, language) {
  const nodes = [];
  let from = 0;
  for (const token of text.matchAll(TOKENS[language])) {
    nodes.push(text.slice(from, token.index), h("span", { class: token[1] ? "integrations-comment" : "integrations-text" }, token[0]));
    from = token.index + token[0].length;
  }
  return [...nodes, text.slice(from)];
}

/** Returns a file with its name and a copy button. */
function file(name, text, language) {
  return h("figure", { class: "integrations-file" },
    h("figcaption", {}, h("span", { class: "mono" }, name), copyButton(() => text, { kind: "small plain" })),
    h("pre", { tabindex: 0, role: "region", "aria-label": name }, h("code", {}, coloured(text, language))));
}

/** Returns a language selector over the content that `show(language)` returns. The selection is remembered. */
function byLanguage(name, languages, show) {
  const kept = localStorage.getItem(KEPT);
  const first = languages.find(([id]) => id === kept)?.[0] ?? languages[0][0];
  const place = h("div", { class: "stack", "aria-live": "off" }, show(first));
  const choose = (language) => {
    localStorage.setItem(KEPT, language);
    place.replaceChildren(...show(language));
  };
  return [segments(name, languages, first, choose, { legend: "Language" }), place];
}

/** Returns the programs that make images. `address`: the API's address. */
export function programs(address) {
  const [choice, place] = byLanguage("language", LANGUAGES.map(({ id, words }) => [id, words]), (chosen) => {
    const { name, run, text } = LANGUAGES.find(({ id }) => id === chosen);
    return [file(name, text(address), chosen), h("p", { class: "quiet small" }, run[0], h("code", {}, run[1]))];
  });
  return h("section", { class: "card" },
    h("div", { class: "card-head" }, h("h2", {}, "Call it from"), choice),
    place,
    h("ul", { class: "integrations-links" },
      h("li", {}, h("a", { href: link("/docs") }, icon("book-open"), "API documentation")),
      h("li", {}, h("a", { href: link("/openapi.json") }, icon("code"), "OpenAPI description"))));
}

/** Returns the programs that verify deliveries. */
export function verifiers() {
  const [choice, place] = byLanguage("verifier", VERIFIERS.map(({ id, words }) => [id, words]), (chosen) => {
    const { name, text } = VERIFIERS.find(({ id }) => id === chosen);
    return [file(name, text, chosen)];
  });
  return [choice, place];
}
