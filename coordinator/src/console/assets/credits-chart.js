// Credits spent per day, as bars and as a table.

import uPlot from "./vendored/uplot.js";

import { count, h, icon, plural, segments } from "./core.js";

const HEIGHT = 224;
const DAY_MS = 86_400_000;
const RANGES = [["30", "30 days"], ["90", "90 days"]];
/** Candidate steps between labelled days, and between credit marks. The chart takes the first step that fits. */
const DAY_STEPS = [1, 2, 7, 14, 28];
const CREDIT_STEPS = [5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];

// Days are UTC days, as in the ledger.
const short = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const long = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** Returns each of the last days, oldest first, including days without spending. */
function lastDays(usage, days) {
  const spent = new Map(usage.map((one) => [one.day, one.credits]));
  const today = Math.floor(Date.now() / DAY_MS);
  return Array.from({ length: days }, (_, back) => {
    const date = new Date((today - days + 1 + back) * DAY_MS);
    return { date, credits: spent.get(date.toISOString().slice(0, 10)) ?? 0 };
  });
}

/** Returns the chart with its range selector and its table. */
export function usageSection(usage) {
  const sum = h("p", { class: "quiet", "aria-live": "polite" });
  const plot = h("div", { class: "credits-plot", role: "img" });
  const table = h("tbody", {});
  let drawn = null;
  const show = (range) => {
    const days = lastDays(usage, Number(range));
    const words = summary(days);
    sum.textContent = words;
    plot.setAttribute("aria-label", `${words} The table below says how many on each day.`);
    table.replaceChildren(...rows(days));
    drawn?.destroy();
    drawn = draw(plot, days);
  };
  const section = h("section", { class: "card" },
    h("div", { class: "card-head" }, h("div", {}, h("h2", {}, "Spent by day"), sum),
      segments("days", RANGES, RANGES[0][0], show, { legend: "How far back" })),
    plot,
    h("details", { class: "credits-days" },
      h("summary", {}, icon("chevron-right"), "As a table"),
      h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": "Credits spent by day" },
        h("table", { class: "table" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Day"), h("th", { scope: "col", class: "end" }, "Credits"))), table))));
  // The chart takes the width of its container, which is zero before it is in the page.
  requestAnimationFrame(() => {
    show(RANGES[0][0]);
    new ResizeObserver(() => drawn.setSize({ width: plot.clientWidth, height: HEIGHT })).observe(plot);
    onTheme(() => drawn.redraw());
  });
  return section;
}

function summary(days) {
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  if (total === 0) return `Nothing in the last ${days.length} days.`;
  const most = days.reduce((best, one) => (one.credits > best.credits ? one : best));
  return `${plural(total, "credit")} in the last ${days.length} days, most of them on ${short.format(most.date)} (${count(most.credits)}).`;
}

function rows(days) {
  const spent = days.filter(({ credits }) => credits > 0).reverse();
  if (spent.length === 0) return [h("tr", {}, h("td", { colspan: 2, class: "quiet" }, "Nothing was spent."))];
  return spent.map(({ date, credits }) => h("tr", {}, h("th", { scope: "row" }, long.format(date)), h("td", { class: "end" }, count(credits))));
}

/** Calls `work` whenever the theme turns dark or light. */
function onTheme(work) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", work);
  new MutationObserver(work).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

function draw(plot, days) {
  const probe = h("i", { hidden: true });
  plot.replaceChildren(probe);
  // A canvas can't read custom properties, but accepts an element's computed colour.
  const colour = (name) => () => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const axis = { stroke: colour("soft"), font: `12px ${getComputedStyle(plot).fontFamily}`, ticks: { show: false } };
  const values = days.map(({ credits }) => credits);
  const tip = h("div", { class: "credits-tip", hidden: true });
  const chart = new uPlot({
    width: plot.clientWidth, height: HEIGHT, padding: [12, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-.7, days.length - .3] },
      y: { range: (_, least, most) => [0, Math.max(20, most) * 1.05] },
    },
    axes: [
      { ...axis, grid: { show: false }, incrs: DAY_STEPS, space: 60, size: 36, gap: 10, values: (_, places) => places.map((at) => (days[at] ? short.format(days[at].date) : "")) },
      { ...axis, grid: { stroke: colour("line"), width: 1 }, incrs: CREDIT_STEPS, space: 44, size: 48, values: (_, amounts) => amounts.map(count) },
    ],
    series: [{}, {
      stroke: colour("accent"), fill: colour("accent"), width: 0, points: { show: false },
      paths: uPlot.paths.bars({ size: [.64, 28], radius: .2 }),
    }],
    hooks: { setCursor: [(chart) => pointAt(chart, tip, days)] },
  }, [values.map((_, at) => at), values], plot);
  chart.over.append(tip);
  return chart;
}

/** Shows a tooltip for the day under the pointer, beside it and within the chart. */
function pointAt(chart, tip, days) {
  const { left, idx } = chart.cursor;
  const one = left >= 0 ? days[idx] : undefined;
  tip.hidden = !one;
  if (!one) return;
  tip.replaceChildren(h("b", {}, plural(one.credits, "credit")), h("span", {}, long.format(one.date)));
  const middle = chart.valToPos(idx, "x");
  const room = chart.over.clientWidth - tip.offsetWidth;
  tip.style.setProperty("--at", `${Math.round(Math.max(0, Math.min(room, middle - tip.offsetWidth / 2)))}px`);
}
