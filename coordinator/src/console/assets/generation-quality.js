// The design measures of an image, explained without typographic terms.

import { h, icon, plural } from "./core.js";

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const number = (n) => plain.format(n);
// A number and its unit stay on one line.
const ratio = (n) => `${plain.format(n)}\u00a0:\u00a01`;
const pixels = (n) => `${plain.format(n)}\u00a0px`;
const share = (n) => `${plain.format(n * 100)}\u00a0%`;

const least = "at least";
const most = "at most";

/** For each measure: its label, how its numbers are formatted, and on which side of the threshold they should lie. */
const MEASURES = {
  text_blocks: ["Texts on the image", number, least],
  text_overflow: ["Texts that run out of their place", number, most],
  text_overlap: ["Overlap of texts", number, most],
  outside_safe_area: ["Texts under a phone’s controls", number, most],
  edge_margin: ["Distance of text to the edge", pixels, least],
  smallest_size: ["Smallest type", pixels, least],
  body_size: ["Smallest running text", pixels, least],
  note_size: ["Smallest text of a point", pixels, least],
  line_length: ["Longest line, in characters", number, most],
  words: ["Words", number, most],
  widows: ["Last lines of a lonely word", number, most],
  hero_ratio: ["Largest type against the rest", ratio, least],
  sizes: ["Sizes of type", number, most],
  centered_blocks: ["Share of centred texts", share, most],
  contrast_small: ["Contrast of small text", ratio, least],
  contrast_large: ["Contrast of large text", ratio, least],
  apca_small: ["Perceived contrast of small text", number, least],
  apca_large: ["Perceived contrast of large text", number, least],
  art_near_text: ["Texts with busy art beside them", number, most],
  emptiness: ["Largest empty rectangle, as a share of the image", share, most],
  sameness: ["Share with the same layout as the slide before", share, most],
  families: ["Families of type", number, most],
  text_area: ["Share of the image that is text", share, "8 % to"],
  colours: ["Colours", number, most],
  hue_families: ["Families of hues", number, most],
};

/** Returns a collapsible report; `show(quality)` sets the image's measures. */
export function qualityReport() {
  const words = h("span", {});
  const tag = h("span", { class: "tag" });
  const content = h("div", { class: "stack" });
  return {
    element: h("details", { class: "generation-report" }, h("summary", {}, h("h3", {}, words), tag, icon("chevron-down")), content),
    show({ passed, checks }) {
      const missed = checks.filter((check) => !check.passed).length;
      words.textContent = "Design checks";
      tag.className = `tag ${passed ? "good" : "warn"}`;
      tag.textContent = missed === 0 ? `All ${checks.length} passed` : `${checks.length - missed} of ${checks.length} passed`;
      content.replaceChildren(
        group("Must hold", "An image that fails one of these is redesigned, or not delivered.", checks.filter(({ hard }) => hard)),
        group("Guides", "These guide the choice between designs. A better design may miss one.", checks.filter(({ hard }) => !hard)),
        h("p", { class: "hint" }, "Sizes are in pixels of an image whose short edge is 1,080."));
    },
  };
}

function group(title, words, checks) {
  return h("div", { class: "stack tight" }, h("h4", {}, title), h("p", { class: "hint" }, words),
    h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": `${title}: ${plural(checks.length, "check")}` },
      h("table", { class: "table generation-checks" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Check"), h("th", { scope: "col", class: "end" }, "Measured"),
          h("th", { scope: "col", class: "end" }, "Wanted"), h("th", { scope: "col" }, h("span", { class: "hidden-text" }, "Holds")))),
        h("tbody", {}, checks.map(row)))));
}

function row({ name, value, gate, passed }) {
  const [words, say, side] = MEASURES[name] ?? [name.replaceAll("_", " "), number, ""];
  return h("tr", {}, h("th", { scope: "row" }, words), h("td", { class: "end" }, say(value)), h("td", { class: "end quiet" }, `${side} ${say(gate)}`),
    h("td", { class: `generation-result ${passed ? "good" : "missed"}` }, icon(passed ? "check" : "x"), h("span", { class: "hidden-text" }, passed ? "Yes" : "No")));
}
