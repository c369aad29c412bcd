// The integrations page: API keys with sample programs, and webhooks.

import { data, h, stage, tabs } from "./core.js";
import { programs } from "./integrations-code.js";
import { keysSection } from "./integrations-keys.js";
import { webhooksPanel } from "./integrations-webhooks.js";

const given = data();

stage().append(tabs("Integrations", [
  { id: "keys", words: "API Keys", panel: h("div", { class: "integrations-split" }, keysSection(given), programs(given.address)) },
  { id: "webhooks", words: "Webhooks", panel: webhooksPanel(given) },
]));
