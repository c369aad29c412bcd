// The source: a text, a page address, an idea or a file. Each keeps its input while another is shown.

import { button, count, h, icon, note, segments, showFaults } from "./core.js";
import { characters, longest } from "./create-choices.js";
import { fileField } from "./create-file.js";

const TYPES = [["text", "type", "Text"], ["url", "link", "Link"], ["idea", "lightbulb", "Idea"], ["pdf", "file-text", "File"]];
/** Ideas that a language model develops. */
const TOPICS = ["5 tips for better sleep", "Why small teams ship faster", "Summer sale: 30 % off until 31 August, code SUN30"];
/** Ideas that fill an image without a language model: an offer, an event, a quotation, a list. */
const WHOLE = [
  "Summer sale: all tents from €89, 30 % off until 31 August, code SUN30",
  "Open evening at Mill Hall: 12 May, 19:00, 4 Quay Street, free entry",
  "“The only thing we have to fear is fear itself.” — Franklin D. Roosevelt",
  "Three habits of calm teams: write decisions down, meet less, ship small",
];
/** The character count is highlighted from this share of the limit on. */
const NEARLY = 0.9;

/** Returns the input. `controls()` returns its controls by API field name. */
export function inputPart(page, choices, changed) {
  const words = { text: textField(), idea: ideaField() };
  const url = urlField();
  const pdf = fileField(page, choices, changed);
  const panels = { text: words.text.element, url: url.element, idea: words.idea.element, pdf: pdf.element };
  const types = segments("inputType", TYPES.map(([type, name, said]) => [type, [icon(name), said]]), choices.inputType, (type) => {
    show(type);
    changed();
  }, { legend: "What it is made of" });
  const element = h("section", { class: "create-hero", "aria-labelledby": "create-input" },
    h("h2", { class: "hidden-text", id: "create-input" }, "What it is made of"), types, Object.values(panels));

  function show(type) {
    choices.inputType = type;
    for (const [each, panel] of Object.entries(panels)) panel.hidden = each !== type;
    types.querySelector(`[value="${type}"]`).checked = true;
  }

  /** Moves an address that was pasted as text to the address field. */
  function asLink() {
    choices.url = choices.text.trim();
    choices.text = "";
    words.text.say();
    url.say();
    show("url");
    url.control.focus();
    changed();
  }

  function textField() {
    const offer = h("p", { class: "create-offer", hidden: true }, "This looks like a link. ",
      button("Read the page instead", { kind: "small", onclick: asLink }));
    return wordsField("text", {
      label: "Your text", rows: 9, hint: "Plain text or Markdown", foot: offer,
      placeholder: "Paste or write your text: an article, notes, a newsletter, a list…",
      said: (text) => (offer.hidden = !/^https?:\/\/\S+$/i.test(text.trim())),
    });
  }

  function ideaField() {
    const { languageModel } = page;
    const examples = h("ul", { class: "create-examples", "aria-label": "Examples" }, (languageModel ? TOPICS : WHOLE).map((idea) =>
      h("li", {}, h("button", { type: "button", class: "create-example", onclick: () => {
        choices.idea = idea;
        words.idea.say();
        words.idea.control.focus();
        changed();
      } }, idea))));
    return wordsField("idea", {
      label: "Your idea", rows: 3, hint: "A line or two; figures, dates and codes are kept as they are",
      foot: [!languageModel && unwritten(), examples], placeholder: languageModel ? "What should it be about?" : "What should it say?",
      described: languageModel ? "" : UNWRITTEN,
      said: (text) => (examples.hidden = text !== ""),
    });
  }

  function wordsField(type, { label, rows, placeholder, hint, foot, said, described = "" }) {
    const limit = longest(type, page);
    const number = h("span", { class: "create-count number" });
    const control = h("textarea", {
      id: `create-${type}`, class: `create-words create-${type}`, rows, placeholder, "aria-describedby": `${described} create-${type}-foot`.trim(), spellcheck: "true",
      oninput: () => {
        choices[type] = control.value;
        say();
        changed();
      },
    });
    function say() {
      if (control.value !== choices[type]) control.value = choices[type];
      const typed = characters(choices[type]);
      number.textContent = `${count(typed)} of ${count(limit)} characters`;
      number.classList.toggle("near", typed > limit * NEARLY);
      number.classList.toggle("over", typed > limit);
      showFaults([], { control });
      said(choices[type]);
    }
    const element = h("div", { class: "field create-panel" }, h("label", { class: "hidden-text", for: control.id }, label), control, foot,
      h("p", { class: "create-foot", id: `create-${type}-foot` }, h("span", {}, hint), number));
    say();
    return { element, control, say };
  }

  function urlField() {
    const control = h("input", {
      id: "create-url", class: "create-address", type: "url", inputmode: "url", autocomplete: "url", maxlength: 2048, spellcheck: "false",
      placeholder: "https://example.org/article", "aria-describedby": "create-url-foot",
      oninput: () => {
        choices.url = control.value;
        showFaults([], { control });
        changed();
      },
    });
    const say = () => (control.value = choices.url);
    say();
    const element = h("div", { class: "field create-panel" }, h("label", { class: "create-ask", for: control.id }, "Address of the page"),
      h("div", { class: "create-line" }, icon("link"), control),
      h("p", { class: "create-foot", id: "create-url-foot" }, h("span", {}, "A public page, article or document. Vivid reads its text without menus and comments, and can't sign in anywhere.")));
    return { element, control, say };
  }

  acceptDrops(element, (file) => {
    show("pdf");
    pdf.take(file);
  });
  show(choices.inputType);
  return {
    element,
    controls: () => ({ inputContent: (words[choices.inputType] ?? words.text).control, inputUrl: url.control, fileId: pdf.control }),
    /** Focuses the input unless that opens an on-screen keyboard. */
    focus() {
      if (matchMedia("(pointer: fine)").matches) words[choices.inputType]?.control.focus({ preventScroll: true });
    },
    forgetFile: pdf.forget,
  };
}

/** The id of the note shown without a language model. */
const UNWRITTEN = "create-idea-unwritten";

/** Explains what happens to an idea without a language model, and how to configure one. */
function unwritten() {
  const said = note("", h("p", {}, "This service has no language model, so an idea is used as it is: one image shows its own words."),
    h("p", {}, "A carousel needs several points, such as three tips, one a line. One with more slides than the idea has points is refused for too little content."),
    h("p", {}, "The settings ", h("code", {}, "--llm-base-url"), " and ", h("code", {}, "--llm-model"), " of the service add a model, which develops ideas."));
  said.id = UNWRITTEN;
  said.classList.add("create-unwritten");
  return said;
}

/** Accepts a file dropped anywhere on the page. Otherwise the browser would open it in place of the page. */
function acceptDrops(element, take) {
  const withFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const mark = (dropping) => element.classList.toggle("dropping", dropping);
  document.addEventListener("dragover", (event) => {
    if (!withFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) mark(false);
  });
  document.addEventListener("drop", (event) => {
    if (!withFile(event)) return;
    event.preventDefault();
    mark(false);
    if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files[0]);
  });
}
