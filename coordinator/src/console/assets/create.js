// Making something: what of, in which formats, in which look; what it costs and says before anything is spent.

import { api, busy, button, count, data, h, icon, link, note, onceKey, plural, showFaults, stage } from "./core.js";
import { formatsPart } from "./create-formats.js";
import { inputPart } from "./create-input.js";
import { lookPart } from "./create-look.js";

const page = data();
const DRAFT = "draft";
const start = page.start ?? JSON.parse(localStorage.getItem(DRAFT) ?? "{}");
let key = null;
let built = false;

const input = inputPart(page.limits, start, changed);
const formats = formatsPart(page.formats, start, changed);
const look = lookPart(page, start, input.words, changed);
const price = h("p", { class: "create-price" });
const after = h("p", { class: "quiet small" });
const trouble = h("div", { class: "stack tight", "aria-live": "polite" });
const outline = h("div", { class: "create-outline", "aria-live": "polite" });
const see = button("See the outline", { icon: "book-open", onclick: () => busy(see, estimate) });
const create = button("", { icon: "sparkles", kind: "primary", onclick: () => busy(create, make) });
let estimated = false;

const body = () => {
  const { outputFormats, carouselCounts } = formats.fields();
  return { ...input.fields(), outputFormats, carouselCounts, ...look.fields() };
};

/** Says what it costs, and keeps what was chosen for the next visit. */
function changed() {
  // The parts tell of themselves while they are made.
  if (!built) return;
  key = null;
  const [images, cost] = [formats.images(), formats.cost()];
  const many = images > page.limits.images;
  price.replaceChildren(h("b", { class: "number" }, count(cost)), " credits");
  after.textContent = cost > page.balance ? `You have ${count(page.balance)}.` : `${plural(images, "image")}; ${count(page.balance - cost)} credits are left then.`;
  create.lastChild.textContent = images === 0 ? "Choose a format" : `Create ${plural(images, "image")} · ${count(cost)} credits`;
  create.disabled = images === 0 || many || cost > page.balance || !input.ready();
  see.disabled = images === 0 || many || !input.ready();
  const remarks = [cost > page.balance && note("warn", "Not enough credits for this. ", h("a", { href: link("/credits") }, "See your credits")), many && note("warn", `At most ${page.limits.images} images at once.`)];
  trouble.replaceChildren(...remarks.filter(Boolean));
  if (estimated) outline.classList.add("stale");
  look.redraw();
  if (!page.start) localStorage.setItem(DRAFT, JSON.stringify({ ...look.fields(), ...formats.fields(), ...input.draft() }));
}

function tell(error) {
  const controls = { ...input.controls, ...formats.controls, ...look.controls };
  if (input.fields().inputType === "idea") controls.inputContent = input.controls.idea;
  const others = showFaults(error.details ?? [], controls);
  const said = error.details?.length ? others.map(({ message }) => message) : [error.message];
  trouble.replaceChildren(...said.map((words) => note("bad", words)));
}

/** What every page would say. Nothing is spent. */
async function estimate() {
  outline.replaceChildren(h("h2", {}, "Outline"), h("div", { class: "skeleton create-wait" }));
  try {
    const { estimate: told } = await api("POST", "/api/generations/estimate", body());
    estimated = true;
    outline.classList.remove("stale");
    outline.replaceChildren(h("h2", {}, "Outline"), h("p", { class: "quiet small create-stale" }, "This was before your last changes."),
      ...told.warnings.map(({ message }) => note("", message)), h("ol", { class: "create-pages" }, told.outputs.map(sheet)));
  } catch (error) {
    outline.replaceChildren();
    tell(error);
  }
}

function sheet({ formatId, slideIndex, page: { texts } }) {
  const where = slideIndex === null ? formats.nameOf(formatId) : `${formats.nameOf(formatId)}, slide ${slideIndex + 1}`;
  const size = (slot) => (/^title|^value/.test(slot) ? "large" : /head|^unit/.test(slot) ? "middle" : "");
  return h("li", { class: "create-page" }, h("h3", { class: "quiet small" }, where), texts.map(({ slot, text }) => h("p", { class: size(slot), dir: "auto" }, text)));
}

async function make() {
  // Sent again after a fault of the way, it is the same order still.
  key ??= onceKey();
  try {
    const { generation } = await api("POST", "/api/generations", { ...body(), maxCredits: formats.cost() }, { headers: key });
    localStorage.removeItem(DRAFT);
    location.assign(link(`/generations/${generation.id}`));
  } catch (error) {
    tell(error);
  }
}

stage().append(h("div", { class: "create-split" },
  h("div", { class: "stack loose" }, input.element, formats.element, look.element, outline),
  h("aside", { class: "create-summary card", "aria-label": "What it costs" }, h("h2", {}, icon("coins"), "Before you spend"), price, after, trouble, create, see)));
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !create.disabled) create.click();
});
built = true;
changed();
