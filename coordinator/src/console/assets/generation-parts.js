// Shared by the library and the generation page: ended states, expected images, and labels.

import { count, plural } from "./core.js";

const ENDED = ["completed", "partial", "failed", "cancelled"];

/** Whether a generation has reached a final state. */
export const hasEnded = (generation) => ENDED.includes(generation.status);

/** Returns the aspect ratio of a format's images: "4:5" is 0.8. */
export function ratioOf(format) {
  const [width, height] = (format?.aspectRatio ?? "").split(":").map(Number);
  return width > 0 && height > 0 ? width / height : 1;
}

/** Scripts written from right to left. */
const LEFTWARD = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

/** Returns the direction of a language and of its slides: "ltr" or "rtl". */
export function directionOf(language) {
  try {
    return LEFTWARD.includes(new Intl.Locale(language).maximize().script) ? "rtl" : "ltr";
  } catch {
    return "ltr";
  }
}

/** Returns a format's name; its id if the service no longer has it. */
export const nameOf = (formats, id) => formats[id]?.name ?? id;

/**
 * Returns the images that a generation will have, in order: [{place, formatId, slide, of, ratio, name}]. `slide` counts
 * from 0 and is null for a single image; `of` is the number of slides.
 */
export function expected(generation, formats) {
  // Several carousels of one format may have different numbers of slides by now, so finished outputs decide.
  if (generation.status === "completed" && generation.outputs?.length) return drawn(generation.outputs, formats);
  const images = generation.outputFormats.flatMap((formatId) => {
    const slides = generation.carouselCounts[formatId] ?? null;
    const shape = { formatId, of: slides, ratio: ratioOf(formats[formatId]) };
    if (slides === null) return [{ ...shape, slide: null, name: nameOf(formats, formatId) }];
    return Array.from({ length: slides }, (_, slide) => (
      { ...shape, slide, name: `${nameOf(formats, formatId)}, slide ${slide + 1} of ${slides}` }));
  });
  return images.map((image, place) => ({ ...image, place }));
}

/** Returns the finished images in the format of `expected`. */
function drawn(outputs, formats) {
  const begins = (output, place) => output.slideIndex === 0 || output.slideIndex === null || place === 0;
  const starts = outputs.flatMap((output, place) => (begins(output, place) ? [place] : []));
  return outputs.map(({ formatId, slideIndex }, place) => {
    const shape = { formatId, place, slide: slideIndex, ratio: ratioOf(formats[formatId]) };
    if (slideIndex === null) return { ...shape, of: null, name: nameOf(formats, formatId) };
    const start = starts.findLast((at) => at <= place);
    const of = (starts.find((at) => at > place) ?? outputs.length) - start;
    return { ...shape, of, name: `${nameOf(formats, formatId)}, slide ${slideIndex + 1} of ${of}` };
  });
}

/** The message while the service is unreachable. */
export const LOST = "The connection to the service is lost. The page goes on by itself once it is back.";

/** Labels of the stages. */
export const STAGES = {
  queued: "Waiting for a free worker",
  designing: "Reading the content and designing the pages",
  rendering: "Drawing the images",
  finished: "Finishing",
};

/** Sources of generations: label and icon. */
export const SOURCES = {
  text: ["Text", "type"],
  url: ["Web page", "link"],
  pdf: ["File", "file-text"],
  idea: ["Idea", "lightbulb"],
};

/** "30 credits" */
export const credits = (n) => plural(n, "credit");

/** Capitalises a word: "modern" becomes "Modern". */
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** "1,638 × 2,048" */
export const size = ({ width, height }) => `${count(width)} × ${count(height)}`;
