// The user's choices: initial values, storage between visits, and the request body.

import { DRAFT } from "./core.js";

/** Maximum formats of one generation. */
export const MOST_FORMATS = 20;
/** Maximum characters of a title. */
export const LONGEST_TITLE = 200;
const LONGEST_IDEA = 2000;

/** Maximum characters of an input of this type. */
export const longest = (type, { limits }) => (type === "idea" ? Math.min(LONGEST_IDEA, limits.textCharacters) : limits.textCharacters);

/** Counts characters as the service does. */
export const characters = (text) => [...text].length;

/** Returns the initial choices: stored ones if present, else the server's defaults. */
export function begin(page) {
  return fitting(page, { ...named(page.start), ...draftOf(page).read() });
}

/** Returns the creation given by the server, with its input in the page's form. */
function named(start) {
  if (!start) return {};
  const { inputType, inputContent, inputUrl, fileId, fileName, ...rest } = start;
  // A file's address is handled like a page's address.
  if (inputUrl) return { ...rest, inputType: "url", url: inputUrl };
  if (fileId) return { ...rest, inputType, file: { id: fileId, name: fileName } };
  return { ...rest, inputType, [inputType]: inputContent };
}

/** Keeps only choices that this account can use: stored ones may be outdated or from another plan. */
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
    /** Whether an upload is in progress. */
    sending: false,
    outputFormats: [...new Set(wanted)].filter((id) => known.has(id)).slice(0, MOST_FORMATS),
    carouselCounts: Object.fromEntries(Object.entries(given.carouselCounts ?? {})
      .filter(([id]) => known.get(id)?.slides)
      .map(([id, slides]) => [id, within(known.get(id), slides)])),
    brandId: one(given.brandId, [null, ...brands.map(({ id }) => id)], brands.find(({ isDefault }) => isDefault)?.id ?? null),
    visualStyle: one(given.visualStyle, styles, null),
    language: one(given.language, languages.map(({ tag }) => tag), null),
    /** One of the API's resolutions, or `exact` for the API's `exactSize`. */
    resolution: given.exactSize === true ? "exact" : one(given.resolution, ["exact", "2K", ...(paid ? ["4K"] : [])], "2K"),
    imageFormat: one(given.imageFormat, ["png", "jpeg", "webp"], "png"),
    seed: Number.isSafeInteger(given.seed) ? String(given.seed) : text(given.seed),
    title: text(given.title),
    audience: text(given.audience),
    goal: text(given.goal),
    tone: text(given.tone),
    useExactContent: given.useExactContent === true,
    /** The page texts by format if the user edited them; else null. */
    outline: outlined(given.outline, known),
  };
}

/** Returns a stored outline; null if it is invalid. */
function outlined(given, known) {
  const sets = (Array.isArray(given) ? given : []).filter((set) => known.has(set?.formatId) && Array.isArray(set.pages) && set.pages.length > 0);
  return sets.length > 0 ? sets : null;
}

/** Returns the parts of the user's outline that match the selected formats. */
export function outlineOf(page, choices) {
  const fits = ({ formatId, pages }) => {
    const format = page.formats.find(({ id }) => id === formatId);
    return choices.outputFormats.includes(formatId) && (slidesOf(format, choices) ?? 1) === pages.length;
  };
  return (choices.outline ?? []).filter(fits);
}

/** Clamps a number of slides to the format's range. */
export function within({ slides }, wanted) {
  const whole = Number.parseInt(wanted, 10);
  return Math.min(slides.max, Math.max(slides.min, Number.isNaN(whole) ? slides.default : whole));
}

/** Returns the format's number of slides, or null for a single image. */
export const slidesOf = (format, { carouselCounts }) => (format.slides ? carouselCounts[format.id] ?? format.slides.default : null);

/** Returns the bill: one line per format, with the number of images and their price. */
export function bill({ formats }, choices) {
  return choices.outputFormats.map((id) => {
    const format = formats.find((each) => each.id === id);
    const images = slidesOf(format, choices) ?? 1;
    return { format, images, credits: images * format.creditsPerUnit };
  });
}

/** Returns an address with a scheme, since people often omit it. */
function addressOf(url) {
  const typed = url.trim();
  return typed === "" || /^[a-z][\w+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
}

const inputOf = ({ inputType, file, url, ...words }) => ({
  url: { inputUrl: addressOf(url) },
  pdf: { fileId: file?.id },
}[inputType] ?? { inputContent: words[inputType] });

/** Hints about the purpose of the pages, which guide the language model. */
export const WISHES = ["audience", "goal", "tone"];

/** Returns an outline as it is sent: without empty points, and with a dash for a missing figure. */
const said = ({ formatId, pages }) => ({ formatId, pages: pages.map(({ items, ...page }) => {
  const kept = (items ?? []).filter(({ title }) => title.trim()).map((item) => (item.cells ? { ...item, cells: item.cells.map((cell) => cell.trim() || "–") } : item));
  return { ...page, ...(kept.length > 0 && { items: kept }) };
}) });

/** Returns the request body of the generation or of its estimate. */
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

/** Returns a picture as the API expects it. */
const imageOf = ({ url, uploadId, alt, use }) => ({ ...(uploadId ? { uploadId } : { url }), ...(alt.trim() && { alt: alt.trim() }), use });

/** Returns missing or invalid fields in the service's format: [{field, message}]. */
export function faultsOf(page, choices) {
  const { inputType, url, file, seed } = choices;
  const faults = [];
  const fault = (field, message) => faults.push({ field, message });
  if (inputType === "url") {
    if (!url.trim()) fault("inputUrl", "Paste the address of a page first.");
    else if (!URL.canParse(addressOf(url))) fault("inputUrl", "This is not a web address. Example: https://example.org/article.");
  } else if (inputType === "pdf") {
    if (!file) fault("fileId", choices.sending ? "The file is still uploading." : "Choose a file first.");
  } else if (!choices[inputType].trim()) {
    fault("inputContent", inputType === "idea" ? "Enter the topic in one line." : "Write or paste something first.");
  } else if (characters(choices[inputType]) > longest(inputType, page)) {
    fault("inputContent", "This is too long. Shorten it.");
  }
  if (choices.images.some(({ sending }) => sending)) fault("images", "A picture is still uploading.");
  if (choices.outputFormats.length === 0) fault("outputFormats", "Choose at least one format.");
  if (seed.trim() && !(/^\d+$/.test(seed.trim()) && Number.isSafeInteger(Number(seed)))) fault("seed", "A seed is a whole number, up to 16 digits.");
  return faults;
}

/**
 * Stores the choices: for the next visit, or, if the page started from another generation, until the tab closes. Files
 * are not stored.
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
        // If storage is unavailable or full, the choices last until the page closes.
      }
    },
    clear() {
      try {
        store().removeItem(key);
      } catch {
        // Storage was unavailable.
      }
    },
  };
}
