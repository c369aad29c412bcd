// What was in the last hours, minute by minute: parts of it for charts, and the same in few rows for a table.

import { most, sum } from "./fleet-parts.js";

/** Hours that can be looked at, and minutes that a point of a chart and a row of the table then stand for. */
export const RANGES = [
  { hours: 1, words: "1 h", point: 1, row: 5 }, { hours: 6, words: "6 h", point: 1, row: 30 }, { hours: 24, words: "24 h", point: 5, row: 60 },
];

const LINES = ["waiting", "oldestS", "busy", "slots", "done", "failed"];

/** The last hours of a history, by the same names. */
export function lastHours(history, hours) {
  const end = history.at.at(-1) ?? 0;
  const from = history.at.findIndex((at) => at > end - hours * 3600);
  const cut = (list) => (from < 0 ? [] : list.slice(from));
  return { everyS: history.everyS, at: cut(history.at), ...Object.fromEntries(LINES.map((line) => [line, cut(history[line])])) };
}

/** The same with a hole wherever minutes are missing, so that charts draw no line over a time that nobody knows of. */
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

/** The places of a history by stretches of some minutes, each with its beginning. */
function stretches(history, minutes) {
  const places = new Map();
  history.at.forEach((at, place) => {
    const begin = Math.floor(at / (minutes * 60)) * minutes * 60;
    places.set(begin, [...(places.get(begin) ?? []), place]);
  });
  return [...places].map(([at, its]) => ({ at, of: (name) => its.map((place) => history[name][place]) }));
}

/** To a tenth. */
const average = (list) => Math.round((sum(list) / list.length) * 10) / 10;

/** The same with fewer points, where minutes would lie closer than a line is thick: the worst wait and what was usual else. */
export function thinned(history, minutes) {
  if (minutes === 1) return history;
  const parts = stretches(history, minutes);
  const line = (name, how) => parts.map(({ of }) => how(of(name)));
  return {
    everyS: minutes * 60, at: parts.map(({ at }) => at), waiting: line("waiting", most), oldestS: line("oldestS", most),
    done: line("done", average), failed: line("failed", average), busy: line("busy", average), slots: line("slots", most),
  };
}

/** Rows for a table, the newest first: the most that waited, all that was made, and the slots that were busy on average. */
export function rowsOf(history, minutes) {
  return stretches(history, minutes).reverse().map(({ at, of }) => ({
    at, waiting: most(of("waiting")), oldestS: most(of("oldestS")), done: sum(of("done")), failed: sum(of("failed")),
    busy: average(of("busy")), slots: most(of("slots")),
  }));
}
