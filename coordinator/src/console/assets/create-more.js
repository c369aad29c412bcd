// Rarely changed options: title, hints for the language model, language, size, file type, seed, and whether to keep
// every word.

import { field, h, icon, iconButton, link, segments } from "./core.js";
import { LONGEST_TITLE } from "./create-choices.js";

const SEEDS = 2 ** 32;

/** Returns the options behind "More choices". They start unfolded if one differs from its default. */
export function morePart({ languages, paid, languageModel }, choices, changed) {
  const said = h("span", { class: "quiet small create-more-said" });
  const set = (name, value) => {
    choices[name] = value;
    say();
    changed();
  };

  const title = h("input", { id: "create-title", class: "input", maxlength: LONGEST_TITLE, placeholder: "Found in the text", value: choices.title, autocomplete: "off", oninput: () => set("title", title.value) });
  const wish = (name, placeholder, maxlength) => {
    const input = h("input", { id: `create-${name}`, class: "input", maxlength, placeholder, value: choices[name], autocomplete: "off", oninput: () => set(name, input.value) });
    return input;
  };
  const audience = wish("audience", "Managers of small teams", 300);
  const goal = wish("goal", "Try one quiet morning a week", 300);
  const tone = wish("tone", "Warm, plain", 200);
  const language = h("select", { id: "create-language", class: "input", onchange: () => set("language", language.value || null) },
    h("option", { value: "" }, "As the text"), languages.map(({ tag, name }) => h("option", { value: tag, selected: tag === choices.language }, name)));
  const seed = h("input", { id: "create-seed", class: "input number", inputmode: "numeric", maxlength: 16, placeholder: "Taken from the text", value: choices.seed, autocomplete: "off", oninput: () => set("seed", seed.value) });
  const dice = iconButton("Choose a random seed", "dices", { kind: "", onclick: () => {
    seed.value = crypto.getRandomValues(new Uint32Array(1))[0] % SEEDS;
    set("seed", seed.value);
  } });
  const resolution = segments("resolution", [["exact", "Exact"], ["2K", "2K"], ["4K", "4K"]], choices.resolution, (value) => set("resolution", value), { legend: "Size" });
  resolution.querySelector('[value="4K"]').disabled = !paid;
  const imageFormat = segments("imageFormat", [["png", "PNG"], ["jpeg", "JPEG"], ["webp", "WebP"]], choices.imageFormat, (value) => set("imageFormat", value), { legend: "File type" });
  const exact = h("input", { id: "create-exact", type: "checkbox", role: "switch", class: "create-switch", checked: choices.useExactContent, "aria-describedby": "create-exact-hint", onchange: () => set("useExactContent", exact.checked) });

  const element = h("details", { class: "card flush create-more" },
    h("summary", {}, h("h2", {}, "More choices"), said, icon("chevron-down")),
    h("div", { class: "create-more-body" },
      h("div", { class: "field create-exact" }, h("div", { class: "row between" }, h("label", { for: "create-exact" }, "Use my words exactly"), exact),
        h("span", { class: "hint", id: "create-exact-hint" }, "Nothing is shortened or rewritten. You are told before you pay if a text doesn't fit.")),
      field("Title", title, { hint: "Shown instead of the title that is found." }),
      languageModel && [
        field("Readers", audience, { hint: "Who the pages are for." }),
        field("Goal", goal, { hint: "What the readers should know, feel or do afterwards." }),
        field("Tone", tone, { hint: "How the pages speak, instead of the brand kit’s tone." }),
      ],
      field("Language", language, { hint: languageModel ? "If you choose another language than the text's, the text is translated." : "The language that your text is in. Translating is not available here." }),
      choice("Size", resolution, paid ? "Exact is the platform’s own pixel size. With 2K the long edge has 2,048 pixels, with 4K 4,096." : ["Exact is the platform’s own pixel size. With 2K the long edge has 2,048 pixels. 4K comes with a paid plan. ", h("a", { href: link("/credits") }, "See your plan")]),
      choice("File type", imageFormat, "PNG is sharpest, JPEG and WebP are smaller."),
      labelled("Seed", seed, h("div", { class: "create-seed" }, seed, dice), "The same words with the same seed make the same pictures.")));

  /** Summarises the options while they are folded. */
  function say() {
    const own = [
      choices.useExactContent && "exact words", choices.title.trim() && "own title",
      languageModel && [choices.audience, choices.goal, choices.tone].some((wish) => wish.trim()) && "readers, goal, tone",
      languages.find(({ tag }) => tag === choices.language)?.name, choices.resolution === "exact" ? "exact size" : choices.resolution, { png: "PNG", jpeg: "JPEG", webp: "WebP" }[choices.imageFormat],
      choices.seed.trim() && `seed ${choices.seed.trim()}`,
    ];
    said.textContent = own.filter(Boolean).join(" · ");
  }

  say();
  element.open = Boolean(choices.useExactContent || choices.title || choices.audience || choices.goal || choices.tone || choices.language || choices.seed || choices.resolution !== "2K" || choices.imageFormat !== "png");
  return {
    element,
    controls: () => ({ title, audience, goal, tone, language, resolution, imageFormat, seed, useExactContent: exact }),
    /** Unfolds the options if one has an error. */
    unfold: () => (element.open ||= element.querySelector('[aria-invalid="true"]') !== null),
  };
}

/** Returns a labelled choice among few options. */
function choice(label, control, hint) {
  return h("div", { class: "field" }, h("span", { class: "label", "aria-hidden": "true" }, label), control, h("span", { class: "hint" }, hint));
}

/** Returns a labelled control with a line of text beside it. */
function labelled(label, control, line, hint) {
  control.setAttribute("aria-describedby", `${control.id}-hint`);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), line, h("span", { class: "hint", id: `${control.id}-hint` }, hint));
}
