// The workers: first those in the coordinator's own process, then those on other machines.

import { button, bytes, copy, count, h, plural } from "./core.js";
import { folded, meter, nothing, section, span, sync, table } from "./fleet-parts.js";

const FEW = 20;
const JOIN = "vivid-worker --queue nats://HOST:4222 --store s3://BUCKET";
const COLUMNS = [{ words: "Name" }, { words: "Draws on" }, { words: "Load" }, { words: "Images/min", end: true }, { words: "Memory", end: true }, { words: "Version" }, { words: "State", state: true }];

/** Returns the most frequent version; of several, the newest. */
function usualVersion(workers) {
  const counts = new Map();
  for (const { version } of workers) counts.set(version, (counts.get(version) ?? 0) + 1);
  const newest = (a, b) => b.localeCompare(a, "en", { numeric: true });
  return [...counts].sort(([a, times], [b, others]) => others - times || newest(a, b))[0]?.[0];
}

/** "2 × NVIDIA L4, llvmpipe" */
function devicesOf(devices) {
  const counts = new Map();
  for (const device of devices) {
    const said = device === "cpu" ? "CPU" : device;
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  return [...counts].map(([device, times]) => (times > 1 ? `${times} × ${device}` : device)).join(", ") || "–";
}

function stateOf({ busy, slots, stopping }) {
  if (stopping) return ["warn", "Finishing", "It finishes its current jobs and takes no new ones."];
  if (slots === 0) return ["bad", "No slots", "It takes no jobs. See its log for the reason, for example a wrong clock."];
  if (busy === 0) return ["", "Idle", "It waits for work."];
  return busy >= slots ? ["info", "Full", "All of its slots work."] : ["good", "Working", "Some of its slots are free."];
}

function stateTag(worker) {
  const [kind, words, tip] = stateOf(worker);
  return h("span", { class: `tag ${kind}`, title: tip }, words);
}

function versionOf({ version, differs, usual }) {
  if (!version) return h("span", { class: "quiet" }, "–");
  return h("span", { class: "fleet-version" }, h("span", { class: "mono" }, version), differs && h("span", { class: "tag warn", title: `Most have ${usual}` }, "Differs"));
}

/** "1 plan, 3 images" */
function workOf(jobs) {
  const of = (...classes) => jobs.filter((job) => classes.includes(job.class)).length;
  const parts = [[of("plan"), "plan"], [of("edit"), "edit"], [of("render_2k", "render_4k"), "image"]];
  return parts.filter(([some]) => some > 0).map(([some, what]) => plural(some, what)).join(", ");
}

/** Returns one line per job: what it is for and how long it has run. */
function jobsOf(jobs) {
  const what = ({ class: kind, output }) => (kind === "plan" ? "Plan" : `${kind === "edit" ? "Edit of image" : "Image"} ${output + 1}`);
  const again = (claim) => (claim > 1 ? `, claim ${claim}` : "");
  return jobs.map((job) => `${what(job)} of ${job.generationId}, ${span(job.forS ?? 0)}${again(job.claim)}`).join("\n");
}

function load({ name, busy, slots, jobs }) {
  return h("div", { title: jobsOf(jobs) },
    h("div", { class: "fleet-load" }, meter(`Load of ${name}`, busy, slots), h("span", { class: "number" }, `${count(busy)} of ${count(slots)}`)),
    h("span", { class: "quiet small" }, workOf(jobs)));
}

function nameOf({ name, cores, own }) {
  const below = own ? "Part of the coordinator" : plural(cores, "core");
  return h("div", { class: "fleet-name" }, h("span", {}, name), h("span", { class: "quiet small" }, below));
}

/** Explains how to connect the first worker. */
function joining() {
  return h("div", { class: "fleet-join" },
    nothing("server", "No workers on other machines yet",
      "A worker on another machine joins automatically once you start it with the same queue and object store as this service. See “Many machines” in the README."),
    h("div", { class: "secret" }, h("code", {}, JOIN), button("Copy", { icon: "copy", kind: "small", onclick: () => copy(JOIN, "Command copied") })));
}

/** Returns the workers as rows, with remarks. */
function rowsOf({ workers, here }) {
  const usual = usualVersion(workers);
  const remote = workers.map((worker) => ({ ...worker, usual, differs: worker.version !== usual }))
    .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }) || a.id.localeCompare(b.id));
  const own = here ? [{ id: "here", own: true, name: "This process", ...here }] : [];
  return [...own, ...remote];
}

/** Returns the table of workers. */
export function workersSection() {
  const { element: list, body, row } = table("Workers", COLUMNS);
  const remark = h("span", { class: "quiet small" });
  const join = joining();
  const fold = folded(FEW, "worker", "workers", (some) => sync(body, some, (worker) => row([
    nameOf(worker), h("span", { class: "fleet-devices" }, devicesOf(worker.devices)), load(worker),
    h("span", { class: "number" }, count(worker.imagesLastMinute)), worker.memoryMiB ? bytes(worker.memoryMiB * 2 ** 20) : h("span", { class: "quiet" }, "–"), versionOf(worker), stateTag(worker),
  ])));
  const wrap = h("div", { class: "table-wrap" }, list);
  const element = section("Workers", { id: "workers", remark }, wrap, h("div", { class: "fleet-more" }, fold.more), join);
  return {
    element,
    show(service) {
      const rows = rowsOf(service);
      const others = rows.filter(({ differs }) => differs).length;
      remark.textContent = others > 0 ? `${plural(others, "worker has", "workers have")} another version than most` : "";
      wrap.hidden = rows.length === 0;
      join.hidden = service.workers.length > 0;
      fold.show(rows);
    },
  };
}
