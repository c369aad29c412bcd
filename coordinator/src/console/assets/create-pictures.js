// Pictures for the pages: uploaded at once and kept by the service for a day, or given by address.

import { bytes, h, icon, iconButton, plural, showFaults, upload } from "./core.js";

/** Supported picture types. */
const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"];

/** Returns the part. `changed()` is called on every change. `forget()` drops uploads that the service no longer has. */
export function picturesPart({ limits }, choices, changed) {
  const most = `${Math.floor(limits.pictureBytes / 2 ** 20)} MB`;
  const control = h("input", { id: "create-pictures", type: "file", accept: TYPES.join(), multiple: true, class: "hidden-text", onchange: () => {
    const files = [...control.files];
    control.value = "";
    take(files);
  } });
  const choose = h("label", { class: "button small", for: control.id }, icon("upload"), "Choose pictures");
  const address = h("input", { id: "create-picture-url", class: "input", type: "url", inputmode: "url", autocomplete: "off", placeholder: "https://example.org/photo.jpg", onkeydown: (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    addAddress();
  } });
  const list = h("ul", { class: "create-pictures" });
  const said = h("span", { class: "quiet small create-more-said" });
  const state = h("p", { class: "hidden-text", role: "status" });
  const element = h("details", { class: "card flush create-more" },
    h("summary", {}, h("h2", {}, "Pictures"), said, icon("chevron-down")),
    h("div", { class: "create-pictures-body field" },
      h("p", { class: "hint" }, `Up to ${limits.pictures} photos, screenshots or logos. Each goes to the page that its description fits best.`),
      list,
      h("div", { class: "create-pictures-add" }, control, choose,
        h("div", { class: "create-picture-address" },
          h("label", { class: "hidden-text", for: address.id }, "Address of a picture"), address,
          h("button", { type: "button", class: "button small", onclick: addAddress }, "Add by address"))),
      state));

  function fault(message) {
    showFaults(message ? [{ field: "images", message }] : [], { images: control });
  }

  function addAddress() {
    const url = address.value.trim();
    if (!url) return address.focus();
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return fault("This is not a web address. Example: https://example.org/photo.jpg.");
    if (choices.images.length >= limits.pictures) return fault(`At most ${limits.pictures} pictures can be given.`);
    address.value = "";
    fault("");
    choices.images.push({ url, name: url, alt: "", use: "any" });
    show();
    changed();
  }

  function take(files) {
    fault("");
    for (const file of files) {
      if (choices.images.length >= limits.pictures) return fault(`At most ${limits.pictures} pictures can be given.`);
      if (!TYPES.includes(file.type)) fault(`${file.name} is not a picture that can be used. Choose a PNG, JPEG, WebP, GIF or AVIF.`);
      else if (file.size > limits.pictureBytes) fault(`${file.name} has ${bytes(file.size)}; at most ${most} can be sent.`);
      else send({ name: file.name, alt: "", use: "any", preview: URL.createObjectURL(file), sending: new AbortController() }, file);
    }
  }

  async function send(picture, file) {
    choices.images.push(picture);
    show();
    changed();
    try {
      picture.uploadId = (await upload(file, { signal: picture.sending.signal })).id;
      picture.sending = null;
      state.textContent = `${picture.name} is sent.`;
    } catch (error) {
      drop(picture);
      if (error.name !== "AbortError") fault(`${picture.name}: ${error.details?.[0]?.message ?? error.message}`);
    }
    show();
    changed();
  }

  /** Removes a picture from the choices. */
  function drop(picture) {
    picture.sending?.abort();
    if (picture.preview) URL.revokeObjectURL(picture.preview);
    choices.images = choices.images.filter((each) => each !== picture);
  }

  function row(picture, index) {
    const name = picture.name.split("/").pop() || picture.name;
    const set = (field) => (event) => {
      picture[field] = event.target.value;
      changed();
    };
    const alt = h("input", { id: `create-picture-alt-${index}`, class: "input", maxlength: limits.altCharacters, placeholder: "What it shows", value: picture.alt, autocomplete: "off", "aria-label": `What ${name} shows`, oninput: set("alt") });
    const use = h("select", { class: "input", "aria-label": `Where ${name} goes`, onchange: set("use") },
      h("option", { value: "any", selected: picture.use === "any" }, "Where it fits"), h("option", { value: "cover", selected: picture.use === "cover" }, "On the cover"));
    return h("li", {},
      picture.preview ? h("img", { src: picture.preview, alt: "" }) : h("span", { class: "create-picture-none" }, icon("image")),
      h("div", {}, h("b", { class: "small" }, name), picture.sending && h("span", { class: "quiet small" }, "Sending"), alt), use,
      iconButton(`Remove ${name}`, "x", { onclick: () => {
        drop(picture);
        show();
        changed();
        control.focus();
      } }));
  }

  function show() {
    list.replaceChildren(...choices.images.map(row));
    list.hidden = choices.images.length === 0;
    said.textContent = choices.images.length ? plural(choices.images.length, "picture") : "None";
  }

  show();
  element.open = choices.images.length > 0;
  return {
    element,
    controls: () => ({ images: control }),
    unfold: () => (element.open ||= element.querySelector('[aria-invalid="true"]') !== null),
    forget() {
      if (!choices.images.some(({ uploadId }) => uploadId)) return;
      choices.images.filter(({ uploadId }) => uploadId).forEach(drop);
      show();
      element.open = true;
      fault("The pictures were kept for a day and have expired. Choose them again.");
      changed();
    },
  };
}
