// What images are made of: a text, a link, an idea or a PDF. What was typed stays when another kind is looked at.

import { api, bytes, count, field, h, icon, iconButton, note, segments } from "./core.js";

const KINDS = [["text", "Text"], ["url", "Link"], ["idea", "Idea"], ["pdf", "PDF"]];
const IDEA_CHARACTERS = 2000;

/** The input's part of the page. `changed()` is told of every change. `fields()` gives the fields of a creation. */
export function inputPart(limits, start, changed) {
  /** What was given as `type`, by the generation that this one begins as or by a draft. */
  const given = (type) => (start.inputType === type && start.inputContent) || start[type] || "";
  let kind = start.inputType ?? "text";
  let file = start.fileId ? { id: start.fileId, name: start.fileName ?? "The PDF of before" } : null;
  const text = h("textarea", { class: "input create-text", rows: 10, placeholder: "Paste an article, notes, a list, a transcript …", value: given("text"), oninput: told });
  const url = h("input", { class: "input", type: "url", inputmode: "url", placeholder: "https://", value: start.inputUrl ?? "", oninput: told });
  const idea = h("textarea", { class: "input", rows: 4, maxlength: IDEA_CHARACTERS, placeholder: "Three habits of calm teams: write decisions down, meet less, ship small", value: given("idea"), oninput: told });
  const length = h("span", { class: "hint number" });
  const pdf = h("div", { class: "create-pdf", "aria-live": "polite" });
  const picker = h("input", { type: "file", accept: "application/pdf", id: "pdf", class: "create-file", onchange: () => take(picker.files[0]) });
  const panels = {
    text: h("div", {}, field("Your text", text, { className: "create-hero" }), length),
    url: field("Address of the page", url, { hint: "An article, a post, a product page, or a PDF. It is read once, now." }),
    idea: field("Your idea in a line or two", idea, { hint: "A language model develops it where this service has one; else it is set as it stands." }),
    pdf: h("div", {}, picker, pdf),
  };
  const body = h("div", {});

  function told() {
    length.textContent = `${count([...text.value].length)} of ${count(limits.textCharacters)} characters`;
    length.classList.toggle("over", [...text.value].length > limits.textCharacters);
    changed();
  }

  function choose(chosen) {
    kind = chosen;
    body.replaceChildren(panels[kind]);
    changed();
  }

  async function take(given) {
    if (!given) return;
    if (given.size > limits.pdfBytes) {
      drop(note("bad", `This file has ${bytes(given.size)}; a PDF may have ${bytes(limits.pdfBytes)}.`));
      return;
    }
    pdf.replaceChildren(h("p", { class: "quiet" }, `Sending ${given.name} …`), h("div", { class: "skeleton" }));
    try {
      const form = new FormData();
      form.append("file", given);
      const { upload } = await api("POST", "/api/uploads", form);
      file = { id: upload.id, name: given.name, bytes: upload.bytes };
      kept();
    } catch (error) {
      drop(note("bad", error.details?.[0]?.message ?? error.message));
    }
    changed();
  }

  function kept() {
    const remove = iconButton("Remove the PDF", "x", { onclick: () => { file = null; picker.value = ""; drop(); changed(); } });
    pdf.replaceChildren(h("div", { class: "create-kept" }, icon("file-text"), h("span", {}, file.name, file.bytes ? h("span", { class: "quiet small" }, ` ${bytes(file.bytes)}`) : null), remove));
  }

  function drop(trouble) {
    const over = (on) => (event) => { event.preventDefault(); zone.classList.toggle("over", on); };
    const zone = h("label", {
      class: "create-drop", for: "pdf", ondragover: over(true), ondragleave: over(false),
      ondrop: (event) => { over(false)(event); take(event.dataTransfer.files[0]); },
    }, icon("upload"), h("span", {}, "Drop a PDF here, or choose one"), h("span", { class: "quiet small" }, `Up to ${bytes(limits.pdfBytes)}`));
    pdf.replaceChildren(...[zone, trouble].filter(Boolean));
  }

  if (file) kept();
  else drop();
  told();
  choose(kind);
  const values = { text: () => ({ inputContent: text.value }), url: () => ({ inputUrl: url.value.trim() }), idea: () => ({ inputContent: idea.value }), pdf: () => ({ fileId: file?.id }) };
  return {
    element: h("section", { class: "stack", "aria-label": "What it is made of" }, segments("kind", KINDS, kind, choose, { legend: "What it is made of" }), body),
    fields: () => ({ inputType: kind, ...values[kind]() }),
    ready: () => ({ text: text.value.trim() && [...text.value].length <= limits.textCharacters, url: url.value.trim(), idea: idea.value.trim(), pdf: file })[kind],
    draft: () => ({ inputType: kind, text: text.value, idea: idea.value, inputUrl: url.value }),
    /** The first words, for a swatch. */
    words: () => ({ text: text.value, idea: idea.value })[kind]?.trim().split("\n")[0].slice(0, 120) ?? "",
    controls: { inputContent: text, inputUrl: url, idea, fileId: picker },
    focus: () => text.focus(),
  };
}
