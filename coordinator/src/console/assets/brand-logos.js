// The two logos of a kit, each on the ground that it is for. A picture is dropped or picked and sent at once; before the kit
// is saved it waits here.

import { button, h, icon, local } from "./core.js";

const TYPES = "image/png,image/jpeg,image/webp,image/avif,image/gif,image/svg+xml,.png,.jpg,.jpeg,.webp,.avif,.gif,.svg";
const MOST_BYTES = 5_000_000;

/** The logos: what `PUT /logo` calls each, the field of a kit with its URL, words. */
const VARIANTS = [["light", "logoUrl", "For light grounds"], ["dark", "logoDarkUrl", "For dark grounds"]];

/**
 * The zones. `send(variant, file)` keeps a logo and gives the kit with it, or null where there is no kit yet;
 * `remove(field, words)` takes one away and gives the kit without it, or undefined where it is not to be. `changed()` is
 * called when what waits changes.
 */
export function logoZones(brand, actions) {
  const zones = VARIANTS.map(([variant, field, words]) => logoZone(variant, field, words, {
    ...actions,
    show: (now) => zones.forEach((zone) => zone.show(now)),
  }));
  if (brand) zones.forEach((zone) => zone.show(brand));
  return {
    element: h("div", { class: "brand-logos" }, zones.map(({ element }) => element)),
    /** Whether a picture waits to be sent. */
    waits: () => zones.some((zone) => zone.waits()),
    /** Sends what waits. Says whether all of it arrived. */
    async sendWaiting() {
      const arrived = [];
      for (const zone of zones) arrived.push(await zone.sendWaiting());
      return arrived.every(Boolean);
    },
  };
}

function logoZone(variant, field, words, { send, remove, changed, show: showAll }) {
  /** The picture that is not kept yet, and its address in the browser. */
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

  /** Shows the logo that there is now: one that waits before one that is kept. */
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

  /** Sends the picture that waits. One that the service can’t use is dropped; after any other fault it can be sent again. */
  async function sendWaiting() {
    if (!waiting) return true;
    say("", "Sending the logo…");
    ground.setAttribute("aria-busy", "true");
    try {
      const brand = await send(variant, waiting.file);
      if (!brand) {
        say("", "It is sent when you save the kit, and joins the preview then.");
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
      return say("bad", error.status === 415 ? "This file is no picture that can be used. Choose an SVG, PNG, JPEG, WebP, AVIF or GIF." : error.message);
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
