// The accounts of the service, and operations on them.

import { api, busy, button, copy, count, day, h, icon, plural, settled } from "./core.js";
import { changeAccount, giveCredits, inviteMember, newAccount, switchAccount } from "./fleet-account-dialogs.js";
import { menu } from "./fleet-menu.js";
import { nothing, planName, section, sync, table } from "./fleet-parts.js";

const PAGE = 50;
const COLUMNS = [{ words: "Name" }, { words: "Plan" }, { words: "Credits", end: true }, { words: "Since" }, { words: "State", state: true }, { words: "What to do", quiet: true, end: true }];

/** Returns the table of accounts, starting with the first page. `changed` is called when names may have changed. */
export function accountsSection(first, plans, { changed }) {
  const accounts = new Map();
  let next = null;
  let sought = "";

  const { element: list, body, row } = table("Accounts", COLUMNS);
  const wrap = h("div", { class: "table-wrap" }, list);
  const none = nothing("search", "No account of this name", "Try another part of the name.");
  const told = h("span", { class: "quiet small", role: "status" });
  const more = button("Show more", { kind: "small", onclick: () => busy(more, loadMore) });
  const search = h("input", { class: "input", type: "search", placeholder: "Search by name", "aria-label": "Search accounts by name", autocomplete: "off", oninput: settled(() => {
    sought = search.value.trim().toLocaleLowerCase();
    said();
  }, 120) });
  const create = button("New account", { icon: "plus", kind: "primary", onclick: make });
  const element = section("Accounts", { id: "accounts", controls: [h("div", { class: "input-with fleet-search" }, icon("search"), search), create] },
    wrap, none, h("div", { class: "fleet-more" }, more, told));

  /** Stores a page or a single account. Keeps the known balance if the response has none. */
  function keep(account, { front = false } = {}) {
    const known = { ...accounts.get(account.id), ...account };
    if (!front) return accounts.set(account.id, known);
    const others = [...accounts];
    accounts.clear();
    accounts.set(account.id, known);
    others.forEach(([id, other]) => accounts.set(id, other));
    return accounts;
  }

  function take({ accounts: page, pagination }) {
    page.forEach((account) => keep(account));
    next = pagination?.nextCursor ?? null;
  }

  async function loadMore() {
    take(await api("GET", `/console/api/service/accounts?limit=${PAGE}&cursor=${encodeURIComponent(next)}`));
    said();
    changed();
  }

  /** Shows an account as the dialog left it. */
  async function after(dialog) {
    const account = await dialog;
    if (!account) return;
    keep(account);
    said();
    changed();
  }

  async function make() {
    const account = await newAccount(plans);
    if (!account) return;
    keep(account, { front: true });
    search.value = sought = "";
    said();
    changed();
    await inviteMember(account, { fresh: true });
  }

  function rowOf(account) {
    const { id, name, plan, credits, createdAt, active } = account;
    const doings = [
      { words: "Change name or plan", icon: "pencil", act: () => after(changeAccount(account, plans)) },
      { words: "Invite a member", icon: "mail", act: () => inviteMember(account) },
      { words: "Copy the account’s id", icon: "copy", act: () => copy(id, "Id copied") },
      active ? { words: "Deactivate", icon: "ban", kind: "danger", act: () => after(switchAccount(account, false)) }
        : { words: "Activate", icon: "circle-check", act: () => after(switchAccount(account, true)) },
    ];
    return row([
      h("span", { class: "fleet-account-name" }, name), planName(plan),
      credits ? count(credits.balance) : h("span", { class: "quiet" }, "–"), h("span", { class: "quiet" }, day(createdAt)),
      h("span", { class: `tag ${active ? "good" : ""}` }, active ? "Active" : "Deactivated"),
      h("div", { class: "fleet-doings" }, button("Add credits", { kind: "small", "aria-label": `Add credits to ${name}`, onclick: () => after(giveCredits(account)) }),
        menu(`More for ${name}`, doings)),
    ]);
  }

  function said() {
    const all = [...accounts.values()];
    const found = all.filter(({ name }) => name.toLocaleLowerCase().includes(sought));
    sync(body, found, rowOf);
    // The list response has no balances, so the column is hidden while no balance is known.
    list.classList.toggle("fleet-no-credits", !all.some(({ credits }) => credits));
    wrap.hidden = found.length === 0;
    none.hidden = found.length > 0;
    more.hidden = next === null;
    if (sought) told.textContent = `${count(found.length)} of ${plural(all.length, next ? "loaded account" : "account")}`;
    else told.textContent = next ? `The first ${plural(all.length, "account")}` : plural(all.length, "account");
  }

  take(first);
  said();
  return { element, nameOf: (id) => accounts.get(id)?.name };
}
