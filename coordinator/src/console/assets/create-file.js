// File input: chosen or dropped, uploaded at once, and kept by the service for a day.

import { button, bytes, h, icon, iconButton, showFaults, upload } from "./core.js";

/** Supported file name extensions. */
const ENDINGS = "pdf docx pptx xlsx odt odp ods epub html htm xhtml csv tsv md markdown txt".split(" ");
const READ = new RegExp(`\\.(${ENDINGS.join("|")})$`, "i");

/** Returns the field. `take(file)` uploads a file. `forget()` drops an upload that the service no longer has. */
export function fileField({ limits }, choices, changed) {
  const most = `${Math.floor(limits.fileBytes / 2 ** 20)} MB`;
  const control = h("input", { id: "create-file", type: "file", accept: ENDINGS.map(ending => `.${ending}`).join(), class: "hidden-text", onchange: () => {
    const [file] = control.files;
    control.value = "";
    if (file) take(file);
  } });
  const zone = h("label", { class: "create-zone", for: control.id },
    icon("upload"), h("b", {}, "Drop a file here"), h("span", { class: "quiet" }, `or choose one, up to ${most}`));
  const state = h("div", { role: "status" });
  const element = h("div", { class: "field create-panel create-upload" }, control, zone, state,
    h("p", { class: "create-foot" }, h("span", {}, "PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, HTML, CSV, Markdown or text. A scan needs a text layer.")));
  let sending = null;

  function show(...content) {
    state.replaceChildren(...content);
    zone.hidden = content.length > 0;
    control.hidden = zone.hidden;
  }

  function fault(message) {
    show();
    showFaults([{ field: "fileId", message }], { fileId: control });
  }

  function showFile({ name, size }) {
    show(h("div", { class: "create-file" }, icon("file-text"),
      h("div", {}, h("b", {}, name), h("span", { class: "quiet small" }, size ? `${bytes(size)}, sent` : "Ready")),
      iconButton("Remove the file", "x", { onclick: remove })));
  }

  function remove() {
    choices.file = null;
    show();
    control.focus();
    changed();
  }

  async function take(file) {
    sending?.abort();
    choices.file = null;
    choices.sending = false;
    showFaults([], { control });
    changed();
    if (!READ.test(file.name)) return fault(`${file.name} is of a kind that is not read. Files that are read: ${ENDINGS.join(", ")}.`);
    if (file.size > limits.fileBytes) return fault(`${file.name} has ${bytes(file.size)}; at most ${most} can be sent.`);
    const mine = (sending = new AbortController());
    choices.sending = true;
    changed();
    show(h("div", { class: "create-file" }, icon("upload"),
      h("div", {}, h("b", {}, file.name), h("span", { class: "quiet small" }, `Sending ${bytes(file.size)}`), h("div", { class: "bar create-sending" }, h("i"))),
      button("Stop", { kind: "small", onclick: () => mine.abort() })));
    try {
      const { id } = await upload(file, { signal: mine.signal });
      choices.file = { id, name: file.name, size: file.size };
      showFile(choices.file);
    } catch (error) {
      if (error.name !== "AbortError") fault(error.details?.[0]?.message ?? error.message);
      else if (sending === mine) show();
    } finally {
      if (sending === mine) {
        sending = null;
        choices.sending = false;
        changed();
      }
    }
  }

  if (choices.file) showFile(choices.file);
  return {
    element,
    control,
    take,
    forget() {
      choices.file = null;
      fault("The file was deleted after a day. Choose it again.");
      changed();
    },
  };
}
