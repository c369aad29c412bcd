// Actions on the selected image, and facts about it.

import { bytes, copy, h, button, icon, link, note } from "./core.js";
import { downloads } from "./downloads.js";
import { size } from "./generation-parts.js";
import { qualityReport } from "./generation-quality.js";
import { sourcesReport } from "./generation-sources.js";

/**
 * Returns the part of the page about one image; `show(picture)` selects it. With several images, `actions` stand beside
 * the control that selects the image.
 */
export function imagePart(page, several) {
  const name = h("h2", { id: "chosen" });
  const edit = h("a", { class: "button" }, icon("pencil"), "Edit");
  const download = downloads(page.generation, { kind: "primary" });
  const remarks = h("div", {});
  const facts = h("p", { class: "quiet small number" });
  const alt = h("p", { dir: "auto" });
  const sources = sourcesReport(page.generation.id);
  const quality = qualityReport();
  let shown = null;

  const actions = h("div", { class: "buttons" }, download.element, edit,
    button("Copy URL", { icon: "link", onclick: () => copy(shown.imageUrl, "The image's URL is copied. It works for seven days.") }));
  const ready = h("div", { class: "stack loose" },
    !several && actions,
    remarks,
    h("section", { class: "stack tight", "aria-labelledby": "alt-text" },
      h("div", { class: "row between" }, h("h3", { id: "alt-text" }, "Alt text"),
        button("Copy", { icon: "copy", kind: "plain small", "aria-label": "Copy the alt text", onclick: () => copy(shown.altText, "The alt text is copied.") })),
      alt),
    h("div", { class: "generation-reports" }, sources.element, quality.element));
  const waiting = h("p", { class: "quiet" });
  const element = h("section", { class: "stack generation-image", "aria-labelledby": "chosen" }, h("div", { class: "stack tight" }, name, facts), ready, waiting);

  return {
    element,
    actions,
    show(picture) {
      const { output } = picture;
      actions.hidden = !output;
      name.textContent = picture.name;
      ready.hidden = !output;
      facts.hidden = !output;
      waiting.hidden = Boolean(output);
      waiting.textContent = picture.missing ?? "This image is not ready yet. Its actions will appear here.";
      shown = output ?? null;
      if (!output) return;
      edit.href = link(`/generations/${page.generation.id}/outputs/${output.id}`);
      download.show(output);
      facts.textContent = [size(output), kind(output), bytes(output.bytes), `Version ${output.version}`].join(" · ");
      alt.textContent = output.altText;
      remarks.hidden = !output.edit;
      remarks.replaceChildren(...edits(output));
      sources.show(output);
      quality.show(output.quality);
    },
  };
}

const kind = ({ mimeType }) => mimeType.split("/").pop().toUpperCase();

function edits({ edit }) {
  if (edit?.status === "running") return [note("", `Version ${edit.version} is being drawn. Reload the page in a moment to see it.`)];
  if (edit) return [note("warn", `The last edit failed, and its credits were refunded. ${edit.error?.message ?? ""}`)];
  return [];
}
