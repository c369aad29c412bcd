// The operators' page: state of the service, workers, failures, and accounts.

import { data, h, stage } from "./core.js";
import { accountsSection } from "./fleet-accounts.js";
import { chartsSection } from "./fleet-charts.js";
import { failuresSection } from "./fleet-failures.js";
import { figuresSection } from "./fleet-figures.js";
import { lettersSection } from "./fleet-letters.js";
import { live } from "./fleet-live.js";
import { freshen } from "./fleet-parts.js";
import { workersSection } from "./fleet-workers.js";

const begun = data();
let service = begun.service;

const accounts = accountsSection(begun.accounts, begun.plans, { changed: () => show(service) });
const letters = lettersSection({ nameOf, done: () => state.refresh() });
const sections = [figuresSection(), chartsSection(), workersSection(), letters, failuresSection()];
const [figures, charts, workers, , failures] = sections;
const state = live(show);

/** Returns an account's name: from the loaded list, else from recent failures, else the end of its id. */
function nameOf(id) {
  if (!id) return "Unknown account";
  return accounts.nameOf(id) ?? service.failures.find(({ accountId }) => accountId === id)?.accountName ?? `Account …${id.slice(-8)}`;
}

function show(read) {
  service = read;
  for (const section of sections) section.show(service);
  freshen(stage());
}

show(service);
stage().querySelector(".page-head").append(state.element);
stage().append(figures.element, charts.element, workers.element,
  h("div", { class: "fleet-troubles" }, letters.element, failures.element), accounts.element);
