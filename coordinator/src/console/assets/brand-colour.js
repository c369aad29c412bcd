// What there is to know about colours of a brand: their names, how people write them, and how well one is read on another.

/** A kit's colours: field, words, what each is for. */
export const COLOURS = [
  ["primary", "Primary", "The brand’s own"],
  ["secondary", "Secondary", "Stands beside it"],
  ["accent", "Accent", "Seen first"],
  ["background", "Background", "Under everything"],
  ["text", "Text", "The words"],
];

/** From here on, text of any size is easy to read (WCAG 2.2, AA). */
const EASY = 4.5;
/** From here on, large text is. */
const LARGE = 3;

/** A colour as the service writes it, of what somebody typed: "0AF" is "#00aaff". Null for what is no colour. */
export function hexOf(typed) {
  const digits = typed.trim().replace(/^#/, "").toLowerCase();
  if (/^[0-9a-f]{6}$/.test(digits)) return `#${digits}`;
  if (/^[0-9a-f]{3}$/.test(digits)) return `#${[...digits].map((digit) => digit + digit).join("")}`;
  return null;
}

/** Relative luminance, from 0 to 1. */
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(one, other) {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Whether black is read more easily on it than white. */
export const isLight = (hex) => contrast(hex, "#000000") > contrast(hex, "#ffffff");

/** How a contrast reads: the kind of its tag, and plain words. */
export function verdict(ratio) {
  if (ratio >= EASY) return ["good", "Easy to read"];
  return ratio >= LARGE ? ["warn", "Large words only"] : ["bad", "Hard to read"];
}
