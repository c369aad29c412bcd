// The two logos of a kit, each on the background that it is made for. A dropped or picked picture is uploaded at once.
// A kit that isn't saved yet keeps it in the browser until then.

import { button, h, icon, local } from "./core.js";

const TYPES = "image/png,image/jpeg,image/webp,image/avif,image/gif,image/svg+xml,.png,.jpg,.jpeg,.webp,.avif,.gif,.svg";
const MOST_BYTES = 5_000_000;

/** The logos: [variant in `PUT /logo`, the kit's URL field, label]. */
const VARIANTS = [["light", "logoUrl", "For light grounds"], ["dark", "logoDarkUrl", "For dark grounds"]];

/**
 * Returns the drop zones. `send(variant, file)` stores a logo and returns the updated kit, or null if there is no kit
 * yet. `remove(field, words)` removes a logo and returns the updated kit, or undefined if cancelled. `changed()` is
 * called when the set of pending pictures changes.
 */
export function logoZones(brand, actions) {
  const zones = VARIANTS.map(([variant, field, words]) => logoZone(variant, field, words, {
    ...actions,
    show: (now) => zones.forEach((zone) => zone.show(now)),
  }));
  if (brand) zones.forEach((zone) => zone.show(brand));
  return {
    element: h("div", { class: "brand-logos" }, zones.map(({ element }) => element)),
    /** Whether a picture is still to be uploaded. */
    waits: () => zones.some((zone) => zone.waits()),
    /** Uploads all pending pictures. Returns whether all uploads succeeded. */
    async sendWaiting() {
      const arrived = [];
      for (const zone of zones) arrived.push(await zone.sendWaiting());
      return arrived.every(Boolean);
    },
  };
}

function logoZone(variant, field, words, { send, remove, changed, show: showAll }) {
  /** The picture that isn't stored yet, and its object URL. */
  let waiting = null;
  let kept = null;

  const input = h("input", { type: "file", accept: TYPES, hidden: true, onchange: () => {
    if (input.files[0]) take(input.files[0]);
    input.value = "";
  } });
  const ground = h("div", { class: `brand-ground brand-on-${variant}` });
  const said = h("div", { class: "brand-logo-said small", "aria-live": "polite" });
  const deeds = h("div", { class: "buttons" });
  const element = h("div", { class: "brand-logo", role: "group", "aria-label": `Logo ${words.toLowerCase()}` },
    h("h3", {}, words), ground, deeds, said, input);

  const pick = () => input.click();

  /** Shows the current logo. A pending picture takes precedence over the stored one. */
  function look() {
    const there = waiting?.address ?? (kept && local(kept));
    ground.replaceChildren(there
      ? h("img", { src: there, alt: `The logo ${words.toLowerCase()}` })
      : h("button", { type: "button", class: "brand-drop", onclick: pick }, icon("upload"),
        h("span", {}, h("b", {}, "Choose a file"), " or drop it here"), h("span", { class: "small" }, "SVG, PNG, JPEG, WebP, AVIF or GIF, up to 5 MB")));
    deeds.replaceChildren(...(there ? [
      button("Replace", { icon: "upload", "aria-label": `Replace the logo ${words.toLowerCase()}`, onclick: pick }),
      button("Remove", { icon: "trash-2", kind: "plain", "aria-label": `Remove the logo ${words.toLowerCase()}`, onclick: away }),
    ] : []));
  }

  function say(kind, message, ...more) {
    said.replaceChildren(h("p", { class: kind === "bad" ? "fault" : "quiet" }, message), ...more);
  }

  function wait(file) {
    if (waiting) URL.revokeObjectURL(waiting.address);
    waiting = file && { file, address: URL.createObjectURL(file) };
    look();
    changed();
  }

  async function take(file) {
    if (file.size > MOST_BYTES) return say("bad", "This file is larger than 5 MB. Choose a smaller one.");
    wait(file);
    await sendWaiting();
  }

  /**
   * Uploads the pending picture. If the service rejects it as unusable, it is dropped. After any other error it stays
   * pending.
   */
  async function sendWaiting() {
    if (!waiting) return true;
    say("", "Sending the logo…");
    ground.setAttribute("aria-busy", "true");
    try {
      const brand = await send(variant, waiting.file);
      if (!brand) {
        say("", "It is uploaded when you save the kit. The preview shows it then.");
        return false;
      }
      showAll(brand);
      wait(null);
      say("", "The logo is saved.");
      return true;
    } catch (error) {
      refused(error);
      return false;
    } finally {
      ground.removeAttribute("aria-busy");
    }
  }

  function refused(error) {
    if (error.status >= 400 && error.status < 429) {
      wait(null);
      return say("bad", error.status === 415 ? "This file can't be used as a picture. Choose an SVG, PNG, JPEG, WebP, AVIF or GIF." : error.message);
    }
    say("bad", error.message, button("Try again", { icon: "refresh-cw", kind: "small", onclick: sendWaiting }));
  }

  async function away() {
    if (!waiting) {
      const brand = await remove(field, words);
      if (!brand) return;
      showAll(brand);
    }
    wait(null);
    say("", "The logo is removed.");
    ground.querySelector("button")?.focus();
  }

  const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
  const over = (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    ground.classList.add("over");
  };
  element.addEventListener("dragenter", over);
  element.addEventListener("dragover", over);
  element.addEventListener("dragleave", (event) => {
    if (!element.contains(event.relatedTarget)) ground.classList.remove("over");
  });
  element.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    ground.classList.remove("over");
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });

  look();
  return {
    element,
    waits: () => waiting !== null,
    sendWaiting,
    show(brand) {
      kept = brand[field];
      look();
    },
  };
}
