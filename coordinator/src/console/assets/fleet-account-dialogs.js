// Dialogs for operations on an account. Each returns the updated account, or undefined if dismissed.

import { api, busy, button, bytes, confirm, copy, dialog, field, h, link, note, onceKey, plural, Problem, segments, showFaults, toast, when } from "./core.js";
import { planName } from "./fleet-parts.js";

const ACCOUNTS = "/console/api/service/accounts";

/**
 * Opens a dialog with a form. `controls`: its fields by the names used in errors. `send` returns the value that the
 * dialog closes with. Errors appear in the dialog, and the input stays.
 */
function ask(title, { lead, controls, content, go, cancel = "Cancel", send }) {
  return dialog(title, (close) => {
    const wrong = h("div", { class: "fleet-wrong" });
    const tell = (problem) => {
      const others = showFaults(problem.details, controls);
      const words = others.map(({ message }) => message);
      if (problem.details.length === 0) words.push(problem.message);
      wrong.replaceChildren(...(words.length > 0 ? [note("bad", words.join(" "))] : []));
      Object.values(controls).find((control) => control.getAttribute("aria-invalid"))?.focus();
    };
    const submit = async () => {
      try {
        close(await send());
      } catch (problem) {
        if (problem.details === undefined) throw problem;
        tell(problem);
      }
    };
    return h("form", { class: "stack fleet-form", novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      busy(go, submit);
    } }, lead && h("p", { class: "quiet" }, lead), content, wrong,
    h("div", { class: "buttons" }, button(cancel, { kind: "plain", onclick: () => close() }), go));
  });
}

const submitButton = (words) => button(words, { kind: "primary", type: "submit" });

function planChoice(plans, chosen) {
  return h("select", { class: "input" }, plans.map((plan) => h("option", { value: plan, selected: plan === chosen }, planName(plan))));
}

/** Checks the input before it is sent. `wishes`: [field, whether it is valid, message]. */
function want(...wishes) {
  const details = wishes.filter(([, right]) => !right).map(([name, , message]) => ({ field: name, message }));
  if (details.length > 0) throw new Problem(400, { details });
}

/** Returns the number in a field; undefined if it is empty. */
const numberIn = (control) => (control.value.trim() === "" ? undefined : Number(control.value));

/** Describes the storage that an account uses of its plan's quota. */
const keeps = ({ usedBytes, quotaBytes }) => `It keeps ${bytes(usedBytes)}${quotaBytes === null ? "" : ` of ${bytes(quotaBytes)}`}.`;

/** Whether a field contains a whole number of at least 1. */
const isWhole = (control) => Number.isInteger(numberIn(control)) && numberIn(control) > 0;

/** Creates an account. */
export function newAccount(plans) {
  const name = h("input", { class: "input", maxlength: 100, autocomplete: "off", autofocus: true });
  const plan = planChoice(plans, plans[0]);
  const credits = h("input", { class: "input", type: "number", min: 0, step: 1, inputmode: "numeric", placeholder: "0" });
  return ask("New account", {
    lead: "Next, you invite its owner.",
    controls: { name, plan, credits },
    content: [field("Name", name, { hint: "The company or person." }), field("Plan", plan),
      field("Credits to begin with", credits, { hint: "In addition to the plan's monthly credits. They don't expire." })],
    go: submitButton("Make the account"),
    send: async () => {
      want(["name", name.value.trim(), "Enter a name for the account."]);
      const body = { name: name.value.trim(), plan: plan.value, credits: numberIn(credits) };
      const { account } = await api("POST", ACCOUNTS, body);
      toast(`“${account.name}” is there`);
      return account;
    },
  });
}

/** Changes an account's name and plan. */
export function changeAccount(account, plans) {
  const name = h("input", { class: "input", value: account.name, maxlength: 100, autocomplete: "off" });
  const plan = planChoice(plans, account.plan);
  return ask("Change the account", {
    lead: account.credits && keeps(account.credits.storage),
    controls: { name, plan },
    content: [field("Name", name), field("Plan", plan, { hint: "The plan sets the monthly credits, the storage and the available features." })],
    go: submitButton("Save the changes"),
    send: async () => {
      want(["name", name.value.trim(), "Enter a name for the account."]);
      const { account: changed } = await api("PATCH", `${ACCOUNTS}/${account.id}`, { name: name.value.trim(), plan: plan.value });
      toast(`“${changed.name}” is on ${planName(changed.plan)}`);
      return changed;
    },
  });
}

/** Returns the end of the selected day in the API's format. */
const endOf = (chosen) => (chosen ? new Date(`${chosen}T23:59:59`).toISOString() : "");

/** Returns the day this many days from now, in the format of a date field. */
function dayIn(days) {
  const date = new Date(Date.now() + days * 86_400_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Gives an account credits, permanently or until a day. */
export function giveCredits(account) {
  const go = submitButton("Add credits");
  const amount = h("input", { class: "input number", type: "number", min: 1, step: 1, inputmode: "numeric", autofocus: true, oninput: () => {
    go.textContent = isWhole(amount) ? `Add ${plural(numberIn(amount), "credit")}` : "Add credits";
  } });
  const remark = h("input", { class: "input", maxlength: 200, autocomplete: "off", placeholder: "Invoice 17" });
  const expiresAt = h("input", { class: "input", type: "date", min: dayIn(1), value: dayIn(90) });
  const until = field("Last day", expiresAt, { hint: "Unused credits of the pack expire then." });
  let kind = "topup";
  until.hidden = true;
  const kinds = segments("fleet-credit-kind", [["topup", "For good"], ["pack", "Until a day"]], kind, (chosen) => {
    kind = chosen;
    until.hidden = kind !== "pack";
  }, { legend: "How long the credits last" });
  // A retry of the same gift, such as after a lost connection, reuses the key and takes effect once. A different gift
  // gets a new key.
  let sent = { body: "", key: null };

  return ask(`Add credits to ${account.name}`, {
    lead: account.credits && `It has ${plural(account.credits.balance, "credit")} now.`,
    controls: { amount, expiresAt, note: remark },
    content: [field("Credits", amount), h("div", { class: "field" }, h("span", { class: "label", "aria-hidden": "true" }, "How long they last"), kinds), until,
      field("Note", remark, { hint: "It appears in the account’s ledger." })],
    go,
    send: async () => {
      want(["amount", isWhole(amount), "Enter a whole number of at least 1."]);
      const body = { amount: numberIn(amount), note: remark.value.trim() || undefined, expiresAt: kind === "pack" ? endOf(expiresAt.value) : undefined };
      const said = JSON.stringify(body);
      if (sent.body !== said) sent = { body: said, key: onceKey() };
      const { credits } = await api("POST", `${ACCOUNTS}/${account.id}/credits`, body, { headers: sent.key });
      toast(`“${account.name}” has ${plural(credits.balance, "credit")} now`);
      return { ...account, credits };
    },
  });
}

/** Whether the account is the signed-in user's own; false if that can't be determined. */
async function isOwn(account) {
  try {
    return (await api("GET", "/console/api/session")).account.id === account.id;
  } catch {
    return false;
  }
}

/** Activates or deactivates an account. */
export async function switchAccount(account, active) {
  if (!active) {
    const own = (await isOwn(account)) ? " This is your own account: you will be locked out of the console, too." : "";
    const sure = await confirm(`Deactivate ${account.name}?`,
      `Its members can’t use the console and its API keys are refused until you activate it again. Nothing is deleted.${own}`, { yes: "Deactivate the account" });
    if (!sure) return undefined;
  }
  try {
    const { account: changed } = await api("PATCH", `${ACCOUNTS}/${account.id}`, { active });
    toast(active ? `“${changed.name}” is active again` : `“${changed.name}” is deactivated`);
    return changed;
  } catch (problem) {
    toast(problem.message, "bad");
    return undefined;
  }
}

/** Shows a link once. An accidental click doesn't close the dialog before the link is copied. */
async function showLink(account, { member, link: made }) {
  const address = `${location.origin}${link("/welcome")}#${made.token}`;
  let taken = false;
  const show = () => dialog(`Send this link to ${member.name}`, (close) => [
    h("div", { class: "stack" },
      h("p", { class: "quiet" }, `It sets the password of ${member.email} for ${account.name}. It works once, until ${when(made.expiresAt)}. No mail is sent, so send the link yourself.`),
      h("div", { class: "secret fleet-link" }, h("code", { class: "small" }, address), button("Copy the link", { icon: "copy", kind: "primary", autofocus: true, onclick: () => {
        taken = true;
        copy(address, "Link copied");
      } })),
      note("warn", "This is the only time that the link is shown.")),
    h("div", { class: "buttons" }, button("Done", { onclick: () => close() })),
  ]);
  do await show();
  while (!taken && !(await confirm("Close without the link?", "You have not copied it, and it can’t be shown again.", { yes: "Close without it" })));
}

/** Invites a member to an account and shows the link to pass on. */
export async function inviteMember(account, { fresh = false } = {}) {
  const email = h("input", { class: "input", type: "email", autocomplete: "off", autofocus: true, placeholder: "ada@example.org" });
  const name = h("input", { class: "input", maxlength: 100, autocomplete: "off", placeholder: "Ada Lovelace" });
  let role = "holder";
  const roles = segments("fleet-role", [["holder", "Holder"], ["operator", "Operator"]], role, (chosen) => (role = chosen), { legend: "What they may do" });
  const invited = await ask(fresh ? `Invite the holder of ${account.name}` : `Invite a member to ${account.name}`, {
    lead: "You send them a link to set a password.",
    controls: { email, name },
    content: [field("E-mail", email), field("Name", name),
      h("div", { class: "field" }, h("span", { class: "label", "aria-hidden": "true" }, "What they may do"), roles,
        h("span", { class: "hint" }, "Holders also manage API keys and members."))],
    go: submitButton("Make the link"),
    cancel: fresh ? "Later" : "Cancel",
    send: () => {
      want(["email", email.value.trim(), "Enter an e-mail address."], ["name", name.value.trim(), "Enter a name."]);
      return api("POST", `${ACCOUNTS}/${account.id}/members`, { email: email.value.trim(), name: name.value.trim(), role });
    },
  });
  if (invited) await showLink(account, invited);
}
