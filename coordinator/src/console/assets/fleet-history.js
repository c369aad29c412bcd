// The last hours minute by minute: ranges of them for charts, and aggregated rows for a table.

import { most, sum } from "./fleet-parts.js";

/** Selectable ranges in hours, with the minutes per chart point and per table row. */
export const RANGES = [
  { hours: 1, words: "1 h", point: 1, row: 5 }, { hours: 6, words: "6 h", point: 1, row: 30 }, { hours: 24, words: "24 h", point: 5, row: 60 },
];

const LINES = ["waiting", "oldestS", "busy", "slots", "done", "failed"];

/** Returns the last hours of a history, with the same fields. */
export function lastHours(history, hours) {
  const end = history.at.at(-1) ?? 0;
  const from = history.at.findIndex((at) => at > end - hours * 3600);
  const cut = (list) => (from < 0 ? [] : list.slice(from));
  return { everyS: history.everyS, at: cut(history.at), ...Object.fromEntries(LINES.map((line) => [line, cut(history[line])])) };
}

/** Returns the history with a gap for missing minutes, so that charts draw no line across them. */
export function withHoles(history) {
  const places = [];
  history.at.forEach((at, place) => {
    const before = history.at[place - 1];
    if (before !== undefined && at - before > 2 * history.everyS) places.push({ at: before + history.everyS, place: -1 });
    places.push({ at, place });
  });
  const line = (name) => places.map(({ place }) => (place < 0 ? null : history[name][place]));
  return { at: places.map(({ at }) => at), ...Object.fromEntries(LINES.map((name) => [name, line(name)])) };
}

/** Groups the indexes of a history into intervals of some minutes, each with its start. */
function stretches(history, minutes) {
  const places = new Map();
  history.at.forEach((at, place) => {
    const begin = Math.floor(at / (minutes * 60)) * minutes * 60;
    places.set(begin, [...(places.get(begin) ?? []), place]);
  });
  return [...places].map(([at, its]) => ({ at, of: (name) => its.map((place) => history[name][place]) }));
}

/** Average to one decimal. */
const average = (list) => Math.round((sum(list) / list.length) * 10) / 10;

/**
 * Returns the history with fewer points if minutes would be closer than a line's width: maxima of waiting jobs, wait
 * time and slots, and averages of the rest.
 */
export function thinned(history, minutes) {
  if (minutes === 1) return history;
  const parts = stretches(history, minutes);
  const line = (name, how) => parts.map(({ of }) => how(of(name)));
  return {
    everyS: minutes * 60, at: parts.map(({ at }) => at), waiting: line("waiting", most), oldestS: line("oldestS", most),
    done: line("done", average), failed: line("failed", average), busy: line("busy", average), slots: line("slots", most),
  };
}

/** Returns rows for a table, newest first: the maximum waiting, the sum made, and the average of busy slots. */
export function rowsOf(history, minutes) {
  return stretches(history, minutes).reverse().map(({ at, of }) => ({
    at, waiting: most(of("waiting")), oldestS: most(of("oldestS")), done: sum(of("done")), failed: sum(of("failed")),
    busy: average(of("busy")), slots: most(of("slots")),
  }));
}
