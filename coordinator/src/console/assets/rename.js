// Renaming a generation: the title in lists, on its page, and in names of exported files.

import { api, field, h, toast } from "./core.js";
import { formDialog } from "./forms.js";

/** Maximum characters of a title. */
const LONGEST = 200;

/** Asks for a new title. Returns the updated generation; undefined if dismissed. */
export async function rename(generation) {
  const title = h("input", { class: "input", maxlength: LONGEST, value: generation.title ?? "", dir: "auto", autocomplete: "off", autofocus: true });
  const renamed = await formDialog("Rename", {
    parts: field("Title", title, { hint: "The images don't change. Leave it empty to restore the title found in the content." }),
    controls: { title },
    yes: "Rename",
    send: async () => (await api("PATCH", `/api/generations/${generation.id}`, { title: title.value.trim() || null })).generation,
  });
  if (renamed) toast(renamed.title ? `It is called “${renamed.title}” now.` : "It has no title now.");
  return renamed;
}
