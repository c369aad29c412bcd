// What somebody has chosen so far: how it begins, how it is kept between visits, and the creation that it comes to.

import { DRAFT } from "./core.js";

/** Formats that one creation may have. */
export const MOST_FORMATS = 20;
/** Characters of a title. */
export const LONGEST_TITLE = 200;
const LONGEST_IDEA = 2000;

/** Characters that an input of this type may have. */
export const longest = (type, { limits }) => (type === "idea" ? Math.min(LONGEST_IDEA, limits.textCharacters) : limits.textCharacters);

/** Characters as the service counts them. */
export const characters = (text) => [...text].length;

/** The choices that the page begins with: those of before where they were kept, else those that the server names. */
export function begin(page) {
  return fitting(page, { ...named(page.start), ...draftOf(page).read() });
}

/** The creation that the server names, with its input where the page keeps inputs. */
function named(start) {
  if (!start) return {};
  const { inputType, inputContent, inputUrl, fileId, fileName, ...rest } = start;
  // The address of a file is read as that of a page is.
  if (inputUrl) return { ...rest, inputType: "url", url: inputUrl };
  if (fileId) return { ...rest, inputType, file: { id: fileId, name: fileName } };
  return { ...rest, inputType, [inputType]: inputContent };
}

/** Choices that this account can make: what was kept may be of another day, or of another plan. */
function fitting({ formats, styles, brands, languages, limits, paid }, given) {
  const known = new Map(formats.map((format) => [format.id, format]));
  const wanted = Array.isArray(given.outputFormats) ? given.outputFormats : [formats[0].id];
  const one = (value, values, otherwise) => (values.includes(value) ? value : otherwise);
  const text = (value) => (typeof value === "string" ? value : "");
  return {
    inputType: one(given.inputType, ["text", "url", "idea", "pdf"], "text"),
    text: text(given.text),
    idea: text(given.idea),
    url: text(given.url),
    file: given.file ?? null,
    images: (Array.isArray(given.images) ? given.images : []).filter(({ url }) => typeof url === "string").slice(0, limits.pictures)
      .map(({ url, alt, use }) => ({ url, name: url, alt: text(alt), use: one(use, ["any", "cover"], "any") })),
    /** Whether a file is on its way. */
    sending: false,
    outputFormats: [...new Set(wanted)].filter((id) => known.has(id)).slice(0, MOST_FORMATS),
    carouselCounts: Object.fromEntries(Object.entries(given.carouselCounts ?? {})
      .filter(([id]) => known.get(id)?.slides)
      .map(([id, slides]) => [id, within(known.get(id), slides)])),
    brandId: one(given.brandId, [null, ...brands.map(({ id }) => id)], brands.find(({ isDefault }) => isDefault)?.id ?? null),
    visualStyle: one(given.visualStyle, styles, null),
    language: one(given.language, languages.map(({ tag }) => tag), null),
    /** One of the API's resolutions, or `exact` for its `exactSize`. */
    resolution: given.exactSize === true ? "exact" : one(given.resolution, ["exact", "2K", ...(paid ? ["4K"] : [])], "2K"),
    imageFormat: one(given.imageFormat, ["png", "jpeg", "webp"], "png"),
    seed: Number.isSafeInteger(given.seed) ? String(given.seed) : text(given.seed),
    title: text(given.title),
    audience: text(given.audience),
    goal: text(given.goal),
    tone: text(given.tone),
    useExactContent: given.useExactContent === true,
    /** What the pages say, by format, where somebody has changed it; else null. */
    outline: outlined(given.outline, known),
  };
}

/** An outline as it was kept; null where it is none. */
function outlined(given, known) {
  const sets = (Array.isArray(given) ? given : []).filter((set) => known.has(set?.formatId) && Array.isArray(set.pages) && set.pages.length > 0);
  return sets.length > 0 ? sets : null;
}

/** The parts of somebody's outline that are for what is chosen. */
export function outlineOf(page, choices) {
  const fits = ({ formatId, pages }) => {
    const format = page.formats.find(({ id }) => id === formatId);
    return choices.outputFormats.includes(formatId) && (slidesOf(format, choices) ?? 1) === pages.length;
  };
  return (choices.outline ?? []).filter(fits);
}

/** A number of slides that a format can have. */
export function within({ slides }, wanted) {
  const whole = Number.parseInt(wanted, 10);
  return Math.min(slides.max, Math.max(slides.min, Number.isNaN(whole) ? slides.default : whole));
}

/** The slides of a format, or null where it is a single image. */
export const slidesOf = (format, { carouselCounts }) => (format.slides ? carouselCounts[format.id] ?? format.slides.default : null);

/** What is paid for: a line a format, with the number of its images and their price. */
export function bill({ formats }, choices) {
  return choices.outputFormats.map((id) => {
    const format = formats.find((each) => each.id === id);
    const images = slidesOf(format, choices) ?? 1;
    return { format, images, credits: images * format.creditsPerUnit };
  });
}

/** An address as it is fetched: people leave the scheme out. */
function addressOf(url) {
  const typed = url.trim();
  return typed === "" || /^[a-z][\w+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
}

const inputOf = ({ inputType, file, url, ...words }) => ({
  url: { inputUrl: addressOf(url) },
  pdf: { fileId: file?.id },
}[inputType] ?? { inputContent: words[inputType] });

/** What is said about the purpose of the pages: it guides the language model. */
export const WISHES = ["audience", "goal", "tone"];

/** An outline as it is sent: without points that say nothing yet, and with a dash where a figure is awaited. */
const said = ({ formatId, pages }) => ({ formatId, pages: pages.map(({ items, ...page }) => {
  const kept = (items ?? []).filter(({ title }) => title.trim()).map((item) => (item.cells ? { ...item, cells: item.cells.map((cell) => cell.trim() || "–") } : item));
  return { ...page, ...(kept.length > 0 && { items: kept }) };
}) });

/** The body of the creation, or of its estimate. */
export function bodyOf(page, choices) {
  const { brandId, visualStyle, language, title, seed, resolution, imageFormat, useExactContent } = choices;
  const wishes = page.languageModel ? WISHES.map((name) => [name, choices[name].trim()]).filter(([, value]) => value) : [];
  const lines = bill(page, choices);
  const outline = outlineOf(page, choices);
  return {
    inputType: choices.inputType,
    ...inputOf(choices),
    outputFormats: lines.map(({ format }) => format.id),
    carouselCounts: Object.fromEntries(lines.filter(({ format }) => format.slides).map(({ format, images }) => [format.id, images])),
    ...(outline.length > 0 && { outline: outline.map(said) }),
    ...(brandId && { brandId }),
    ...(visualStyle && { visualStyle }),
    ...(language && { language }),
    ...(title.trim() && { title: title.trim() }),
    ...Object.fromEntries(wishes),
    ...(seed.trim() && { seed: Number(seed) }),
    ...(resolution === "exact" ? { exactSize: true } : { resolution }),
    imageFormat,
    useExactContent,
    ...(choices.images.length > 0 && { images: choices.images.filter(({ sending }) => !sending).map(imageOf) }),
  };
}

/** A picture as it is asked for. */
const imageOf = ({ url, uploadId, alt, use }) => ({ ...(uploadId ? { uploadId } : { url }), ...(alt.trim() && { alt: alt.trim() }), use });

/** What is missing or can't be so, in the way of the service: [{field, message}]. */
export function faultsOf(page, choices) {
  const { inputType, url, file, seed } = choices;
  const faults = [];
  const fault = (field, message) => faults.push({ field, message });
  if (inputType === "url") {
    if (!url.trim()) fault("inputUrl", "Paste the address of a page first.");
    else if (!URL.canParse(addressOf(url))) fault("inputUrl", "This is no web address. One looks like https://example.org/article.");
  } else if (inputType === "pdf") {
    if (!file) fault("fileId", choices.sending ? "The file is still on its way." : "Choose a file first.");
  } else if (!choices[inputType].trim()) {
    fault("inputContent", inputType === "idea" ? "Say in a line what it is to be about." : "Write or paste something first.");
  } else if (characters(choices[inputType]) > longest(inputType, page)) {
    fault("inputContent", "This is longer than can be read. Shorten it, please.");
  }
  if (choices.images.some(({ sending }) => sending)) fault("images", "A picture is still on its way.");
  if (choices.outputFormats.length === 0) fault("outputFormats", "Choose at least one format.");
  if (seed.trim() && !(/^\d+$/.test(seed.trim()) && Number.isSafeInteger(Number(seed)))) fault("seed", "A seed is a whole number, up to 16 digits.");
  return faults;
}

/**
 * Where the choices are kept: for the next visit, or, where the page began as another creation, while the tab is open. Files
 * are not kept.
 */
export function draftOf({ start }) {
  const key = start ? `${DRAFT}${location.search}` : DRAFT;
  const store = () => (start ? sessionStorage : localStorage);
  return {
    read() {
      try {
        return JSON.parse(store().getItem(key)) ?? {};
      } catch {
        return {};
      }
    },
    write(choices) {
      try {
        const images = choices.images.filter(({ url }) => url);
        store().setItem(key, JSON.stringify({ ...choices, file: undefined, images }));
      } catch {
        // Without storage, or without room in it, the choices last as long as the page is open.
      }
    },
    clear() {
      try {
        store().removeItem(key);
      } catch {
        // There was nothing to keep it in.
      }
    },
  };
}
