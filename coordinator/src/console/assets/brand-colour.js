// Brand colours: their names, how people write them, and how readable one is on another.

/** A kit's colours: [field, label, purpose]. */
export const COLOURS = [
  ["primary", "Primary", "The brand’s own"],
  ["secondary", "Secondary", "Stands beside it"],
  ["accent", "Accent", "Seen first"],
  ["background", "Background", "Under everything"],
  ["text", "Text", "The words"],
];

/** Minimum contrast at which text of any size is easy to read (WCAG 2.2, AA). */
const EASY = 4.5;
/** Minimum contrast for large text. */
const LARGE = 3;

/** Returns a typed colour in the service's notation: "0AF" becomes "#00aaff". Returns null if it isn't a colour. */
export function hexOf(typed) {
  const digits = typed.trim().replace(/^#/, "").toLowerCase();
  if (/^[0-9a-f]{6}$/.test(digits)) return `#${digits}`;
  if (/^[0-9a-f]{3}$/.test(digits)) return `#${[...digits].map((digit) => digit + digit).join("")}`;
  return null;
}

/** Returns the relative luminance, from 0 to 1. */
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colours, from 1 to 21. */
export function contrast(one, other) {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Whether black text is more readable on it than white text. */
export const isLight = (hex) => contrast(hex, "#000000") > contrast(hex, "#ffffff");

/** Returns how readable a contrast ratio is: the kind of the tag, and a label. */
export function verdict(ratio) {
  if (ratio >= EASY) return ["good", "Easy to read"];
  return ratio >= LARGE ? ["warn", "Large words only"] : ["bad", "Hard to read"];
}
