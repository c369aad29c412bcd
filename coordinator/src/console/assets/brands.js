// Lists the account's brand kits. Each card shows the kit's colours and logo.

import { api, confirm, data, empty, failed, h, icon, link, local, stage, toast } from "./core.js";
import { COLOURS, contrast, isLight } from "./brand-colour.js";
import { setIn } from "./brand-specimens.js";

/** Maximum characters of a name, and the suffix of a copy's name. */
const LONGEST_NAME = 100;
const COPY = " copy";
const PAPER = "#ffffff";
/** Below this contrast a monogram is hardly visible. */
const SEEN = 2;

let { brands } = data();

const list = h("ul", { class: "brands-grid" });
const nothing = empty("palette", "No brand kits yet", "Keep your colours, logos and fonts here, and every image you make with them looks like yours.", newLink());
const headButtons = h("div", { class: "buttons" }, newLink());

function newLink() {
  return h("a", { class: "button primary", href: link("/brands/new") }, icon("plus"), "New brand kit");
}

function show() {
  list.replaceChildren(...brands.map(card));
  list.hidden = headButtons.hidden = brands.length === 0;
  nothing.hidden = brands.length > 0;
}

function card(brand) {
  const { id, name, isDefault, handle, url } = brand;
  return h("li", { class: "card flush brands-card", dataset: { id } },
    cover(brand), palette(brand),
    h("div", { class: "brands-words" },
      h("div", { class: "row between brands-name" }, h("h2", { title: name }, name), isDefault && h("span", { class: "tag good" }, icon("star"), "Default")),
      facesOf(brand),
      h("p", { class: "quiet small brands-sign" }, [handle, url?.replace(/^https?:\/\//i, "")].filter(Boolean).join(" · ") || "No handle or website")),
    h("div", { class: "row between brands-foot" },
      h("a", { class: "button brands-edit", href: link(`/brands/${id}`) }, icon("pencil"), "Edit", h("span", { class: "hidden-text" }, ` ${name}`)),
      menu(brand)));
}

/**
 * Shows the logo on the kit's own background, or on paper if no logo fits that background. Without a logo, shows the
 * first letter of the name.
 */
function cover({ name, colors, fonts, logoUrl, logoDarkUrl }) {
  const ground = colors.background ?? PAPER;
  const fitting = isLight(ground) ? logoUrl : logoDarkUrl;
  const logo = fitting ?? logoUrl ?? logoDarkUrl;
  // If only the logo for the other background exists, use the background that it is made for.
  const under = fitting || !logo ? ground : logo === logoUrl ? PAPER : "#171411";
  const readable = isLight(under) ? "#1d1a16" : "#ffffff";
  const ink = [colors.primary, colors.text].find((colour) => colour && contrast(colour, under) >= SEEN) ?? readable;
  return h("div", { class: "brands-cover", "aria-hidden": "true", style: { "--under": under, "--over": ink } },
    logo
      ? h("img", { src: local(logo), alt: "", loading: "lazy", decoding: "async" })
      : setIn(h("span", { class: "brands-monogram", dataset: { letter: [...name.trim()][0]?.toUpperCase() ?? "" } }), fonts.heading));
}

function palette({ colors }) {
  const there = COLOURS.filter(([name]) => colors[name]);
  if (there.length === 0) return h("div", { class: "brands-palette", role: "img", "aria-label": "Colours: the style decides" });
  const words = there.map(([name, said]) => `${said.toLowerCase()} ${colors[name]}`).join(", ");
  return h("div", { class: "brands-palette", role: "img", "aria-label": `Colours: ${words}` },
    there.map(([name]) => h("i", { style: { "--colour": colors[name] } })));
}

function facesOf({ fonts: { heading, body } }) {
  const families = [...new Set([heading, body].filter(Boolean))];
  if (families.length === 0) return h("p", { class: "brands-faces quiet" }, "Fonts of the style");
  return h("p", { class: "brands-faces" }, families.flatMap((family, place) => [place > 0 && h("span", { class: "quiet" }, " · "), setIn(h("span", {}, family), family)]));
}

/** Returns the menu of further actions on a kit. */
function menu(brand) {
  const act = (words, name, work, kind = "") => h("button", { type: "button", class: kind, onclick: () => {
    opener.focus();
    element.open = false;
    during(brand, work);
  } }, icon(name), words);
  const opener = h("summary", { class: "button plain only-icon", "aria-label": `More for ${brand.name}`, title: "More" }, icon("ellipsis"));
  const element = h("details", { class: "menu" }, opener, h("div", { class: "menu-list" },
    !brand.isDefault && act("Make it the default", "star", makeDefault),
    act("Duplicate", "copy", duplicate),
    act("Delete", "trash-2", remove, "brands-delete")));
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !element.contains(relatedTarget)) element.open = false;
  });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !element.open) return;
    element.open = false;
    opener.focus();
  });
  return element;
}

/** Runs an action on a kit, marks its card as busy meanwhile, and refreshes the list. */
async function during(brand, work) {
  const element = list.querySelector(`[data-id="${brand.id}"]`);
  if (element.getAttribute("aria-busy") === "true") return;
  element.setAttribute("aria-busy", "true");
  try {
    const next = await work(brand);
    if (next === undefined) return;
    show();
    // The refresh recreates the cards, so focus moves to the card concerned, or else to the first.
    (list.querySelector(`[data-id="${next}"] summary`) ?? document.querySelector(".brands-edit, .page-inner a.button.primary"))?.focus();
  } catch (error) {
    failed(error);
  } finally {
    element.removeAttribute("aria-busy");
  }
}

// Each action returns the id of the kit to focus, null for none, or undefined if nothing changed.

async function makeDefault(brand) {
  const answer = await api("PUT", `/api/brands/${brand.id}`, { ...brand, isDefault: true });
  brands = brands.map((other) => (other.id === brand.id ? answer.brand : { ...other, isDefault: false }));
  toast(`${brand.name} is the default kit now.`);
  return brand.id;
}

async function duplicate(brand) {
  // The service sets the remaining fields itself: id, times and logo URLs.
  const { colors, fonts, tone, handle, url, visualStyle, footer } = brand;
  const name = [...brand.name].slice(0, LONGEST_NAME - COPY.length).join("") + COPY;
  let { brand: made } = await api("POST", "/api/brands", { name, colors, fonts, tone, handle, url, visualStyle, footer });
  try {
    for (const [variant, from] of [["light", brand.logoUrl], ["dark", brand.logoDarkUrl]]) {
      if (from) made = await copyLogo(made, variant, from);
    }
    toast(`${made.name} is made.`);
  } catch {
    toast(`${made.name} is made, but a logo could not be copied. Add it in the kit.`, "bad");
  }
  brands = [...brands, made];
  return made.id;
}

async function copyLogo(made, variant, from) {
  const answer = await fetch(local(from), { credentials: "same-origin" });
  if (!answer.ok) throw new Error("The logo could not be read.");
  return (await api("PUT", `/api/brands/${made.id}/logo?variant=${variant}`, await answer.blob())).brand;
}

async function remove(brand) {
  const sure = await confirm(`Delete ${brand.name}?`, "Images that were made with it stay. The kit and its logos can’t be brought back.", { yes: "Delete the kit" });
  if (!sure) return undefined;
  await api("DELETE", `/api/brands/${brand.id}`);
  brands = brands.filter(({ id }) => id !== brand.id);
  toast(`${brand.name} is deleted.`);
  return null;
}

document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll("details.menu[open]")) if (!open.contains(event.target)) open.open = false;
});
// A page restored by "back" may show an outdated kit.
addEventListener("pageshow", async (event) => {
  if (!event.persisted) return;
  try {
    ({ brands } = await api("GET", "/api/brands"));
    show();
  } catch (error) {
    failed(error);
  }
});

document.querySelector(".page-head").append(headButtons);
stage().append(list, nothing);
show();
