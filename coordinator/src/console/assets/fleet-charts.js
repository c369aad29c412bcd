// The service over time: four small charts of the same hours with a shared cursor, and the same data as a table.

import uPlot from "./vendored/uplot.js";

import { count, h, icon, segments } from "./core.js";
import { lastHours, RANGES, rowsOf, thinned, withHoles } from "./fleet-history.js";
import { nothing, section, span } from "./fleet-parts.js";

const HEIGHT = 164;
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];
const SECONDS = [1, 5, 10, 20, 60, 120, 300, 600, 1200, 3600, 7200, 14400, 43200, 86400];

/** "12K", for an axis. */
const short = new Intl.NumberFormat("en", { notation: "compact" });
const compact = (n) => short.format(n);

/** The charts. `least` is the minimum top of the axis, so that small values look small. */
const PANELS = [
  { title: "Waiting", lines: [{ name: "waiting", words: "Jobs", colour: "info", filled: true }], steps: COUNTS, least: 4, say: count, mark: compact },
  { title: "Oldest wait", lines: [{ name: "oldestS", words: "Seconds", colour: "warn", filled: true, alone: true }], steps: SECONDS, least: 10, say: span },
  { title: "Images a minute", lines: [
    { name: "done", words: "Done", colour: "good", filled: true }, { name: "failed", words: "Failed", colour: "bad" },
  ], steps: COUNTS, least: 4, say: count, mark: compact },
  { title: "Slots", lines: [
    { name: "busy", words: "Busy", colour: "accent", filled: true }, { name: "slots", words: "All", colour: "faint", dash: [5, 4] },
  ], steps: COUNTS, least: 2, say: count, mark: compact },
];

const minute = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23" });
const clock = (at) => minute.format(new Date(at * 1000));

/** Returns the page's colours for a canvas: computed colours of the probe element in the current theme. */
function palette() {
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const known = new Map();
  const ink = (name, share = 100) => {
    const said = `color-mix(in srgb, var(--${name}) ${share}%, transparent)`;
    if (!known.has(said)) {
      probe.style.color = said;
      known.set(said, getComputedStyle(probe).color);
    }
    return known.get(said);
  };
  return { ink, forget: () => known.clear() };
}

/** Calls `work` when the theme turns light or dark. */
function onTheme(work) {
  new MutationObserver(work).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", work);
}

function options({ lines, steps, least, say, mark }, ink, pointed) {
  const font = `${12 * (parseFloat(getComputedStyle(document.documentElement).fontSize) / 16)}px Geist, system-ui, sans-serif`;
  const axis = { font, stroke: () => ink("soft"), ticks: { show: false } };
  return {
    width: 320, height: HEIGHT, padding: [10, 20, 0, 0], legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: "fleet" }, points: { size: 7 } },
    scales: { x: { range: (_, from, to) => [from, to] }, y: { range: (_, from, to) => [0, Math.max(least, to * 1.08)] } },
    axes: [
      { ...axis, grid: { show: false }, space: 72, size: 30, gap: 8, values: (_, marks) => marks.map(clock) },
      { ...axis, grid: { stroke: () => ink("line"), width: 1 }, space: 36, size: 46, incrs: steps, values: (_, marks) => marks.map(mark ?? say) },
    ],
    series: [{}, ...lines.map(({ colour, filled, dash }) => ({
      stroke: () => ink(colour), fill: filled ? () => ink(colour, 13) : undefined, width: 1.75, dash,
      points: { space: 24, size: 5 },
    }))],
    hooks: { setCursor: [({ cursor }) => pointed(cursor.idx ?? null)] },
  };
}

/** Returns one chart. `pointed` receives the index under the cursor, or null. */
function panel(kind, ink, pointed) {
  const values = kind.lines.map(() => h("b", { class: "number" }));
  const legend = h("ul", { class: "fleet-legend" }, kind.lines.map(({ words, colour, dash, alone }, line) =>
    h("li", {}, h("i", { class: dash ? "dashed" : "", style: { "--mark": `var(--${colour})` } }), alone ? null : h("span", { class: "quiet" }, words), values[line])));
  const frame = h("div", { class: "fleet-plot", role: "img" });
  const element = h("div", { class: "fleet-panel" }, h("div", { class: "fleet-panel-head" }, h("h3", {}, kind.title), legend), frame);
  let lists = [];
  const say = (place) => values.forEach((value, line) => {
    const said = lists[line]?.at(place ?? -1);
    value.textContent = said === null || said === undefined ? "–" : kind.say(said);
  });
  const chart = new uPlot(options(kind, ink, (place) => {
    say(place);
    pointed(place);
  }), [[], ...kind.lines.map(() => [])], frame);
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width > 0) chart.setSize({ width: Math.floor(contentRect.width), height: HEIGHT });
  }).observe(frame);

  const show = (history, { hours, words }) => {
    lists = kind.lines.map(({ name }) => history[name]);
    const to = history.at.at(-1);
    chart.batch(() => {
      chart.setData([history.at, ...lists], false);
      chart.setScale("x", { min: to - hours * 3600, max: to });
    });
    say(chart.cursor.idx ?? null);
    const told = kind.lines.map(({ words: line }, place) => {
      const known = lists[place].filter((n) => n !== null);
      return `${line}: now ${kind.say(known.at(-1))}, at most ${kind.say(Math.max(...known))}`;
    });
    frame.setAttribute("aria-label", `${kind.title}, last ${words}. ${told.join(". ")}.`);
  };
  return { element, show, redraw: () => chart.redraw(false) };
}

const COLUMNS = ["From", "Most waiting", "Oldest wait", "Images done", "Failed", "Slots busy", "Slots"];

/** Returns the data as a table for users who can't see charts. It is built on demand. */
function alternative() {
  let rows = () => [];
  const body = h("tbody");
  const fill = () => body.replaceChildren(...rows().map((row) => h("tr", {}, h("th", { scope: "row" }, clock(row.at)),
    [count(row.waiting), span(row.oldestS), count(row.done), count(row.failed), count(row.busy), count(row.slots)]
      .map((said) => h("td", { class: "end" }, said)))));
  const element = h("details", { class: "fleet-same", ontoggle: () => element.open && fill() },
    h("summary", {}, icon("chevron-right"), "As a table"),
    h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": "The service over time, as a table" },
      h("table", { class: "table" }, h("thead", {}, h("tr", {}, COLUMNS.map((words, place) => h("th", { scope: "col", class: place ? "end" : null }, words)))), body)));
  return {
    element,
    show(make) {
      rows = make;
      if (element.open) fill();
    },
  };
}

/** Returns the charts with their range selector. */
export function chartsSection() {
  const { ink, forget } = palette();
  const at = h("span", { class: "quiet small number", "aria-hidden": "true" });
  const none = nothing("activity", "No data yet", "Data is recorded once a minute. Charts start with the second record.");
  const same = alternative();
  let [range] = RANGES;
  let history;
  let shown = { at: [] };
  const panels = PANELS.map((kind) => panel(kind, ink, (place) => {
    at.textContent = place === null ? "" : `At ${clock(shown.at[place])}`;
  }));
  const grid = h("div", { class: "fleet-panels" }, panels.map(({ element }) => element));

  const draw = () => {
    const part = lastHours(history, range.hours);
    shown = withHoles(thinned(part, range.point));
    const empty = part.at.length < 2;
    none.hidden = !empty;
    grid.hidden = same.element.hidden = empty;
    if (empty) return;
    for (const each of panels) each.show(shown, range);
    same.show(() => rowsOf(part, range.row));
  };
  const ranges = segments("fleet-range", RANGES.map(({ hours, words }) => [String(hours), words]), String(range.hours), (hours) => {
    range = RANGES.find((each) => String(each.hours) === hours);
    draw();
  }, { legend: "Time that the charts show" });
  onTheme(() => {
    forget();
    for (const each of panels) each.redraw();
  });
  const element = section("Over time", { id: "charts", remark: at, controls: [ranges] }, none, grid, same.element);
  return {
    element,
    // A finished minute doesn't change, and the service is polled far more often than the history grows. So the charts
    // redraw only for a new minute.
    show(service) {
      const fresh = service.history.at.at(-1) !== history?.at.at(-1);
      if (history && !fresh) return;
      history = service.history;
      draw();
    },
  };
}
