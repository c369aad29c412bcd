// Calling a generation otherwise: in lists, on its page and in the files that it is exported as.

import { api, field, h, toast } from "./core.js";
import { formDialog } from "./forms.js";

/** Characters of a title. */
const LONGEST = 200;

/** Asks for the title of a generation. Gives the generation as it is then; undefined where it was dismissed. */
export async function rename(generation) {
  const title = h("input", { class: "input", maxlength: LONGEST, value: generation.title ?? "", dir: "auto", autocomplete: "off", autofocus: true });
  const renamed = await formDialog("Rename", {
    parts: field("Title", title, { hint: "What its images say stays as it is. Leave it empty for the title that was found." }),
    controls: { title },
    yes: "Rename",
    send: async () => (await api("PATCH", `/api/generations/${generation.id}`, { title: title.value.trim() || null })).generation,
  });
  if (renamed) toast(renamed.title ? `It is called “${renamed.title}” now.` : "It has no title now.");
  return renamed;
}
