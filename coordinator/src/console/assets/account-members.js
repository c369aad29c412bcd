// Lists the account's members for its holders. The service sends no mail, so the inviting holder passes the link on.

import { ago, api, busy, button, confirm, failed, field, h, iconButton, link, toast, when } from "./core.js";
import { section } from "./account-parts.js";
import { formDialog, need } from "./forms.js";
import { showOnce } from "./once.js";

const ROLES = [["operator", "Operator: makes images, brands and webhooks"], ["holder", "Holder: keys and members too"]];

/** Returns the members section. `own` is the id of the signed-in member. */
export function membersSection(members, own) {
  const list = h("ul", { class: "account-rows" });
  const page = {
    own,
    show: (all) => list.replaceChildren(...all.map((member) => row(page, member))),
    reload: async () => page.show((await api("GET", "/console/api/members")).members),
  };
  page.show(members);
  return section("Members", "People who work in this account, each with their own password.", list,
    h("div", { class: "buttons" }, button("Invite somebody", { icon: "plus", onclick: () => invite(page) })));
}

function row(page, member) {
  const { id, name, email } = member;
  // The account pages don't allow changes to a staff member.
  const actions = member.staff ? null : h("div", { class: "account-actions" },
    iconButton(`Change ${name}`, "pencil", { onclick: () => change(page, member) }),
    member.disabled ? h("span", {}) : iconButton(`New link for ${name}`, "link", { onclick: (event) => renew(page, member, event.currentTarget) }),
    id === page.own ? h("span", {}) : iconButton(`Remove ${name}`, "trash-2", { onclick: (event) => remove(page, member, event.currentTarget) }));
  return h("li", { class: "account-row" },
    h("span", { class: "account-sign", "aria-hidden": "true" }, [...name][0]?.toUpperCase()),
    h("div", { class: "account-what" },
      h("h3", {}, name, tags(page, member)),
      h("p", { class: "quiet small" }, email),
      h("p", { class: "quiet small" }, seen(member))),
    actions);
}

function tags(page, { id, role, invited, disabled, staff }) {
  const tag = (kind, words) => h("span", { class: `tag ${kind}` }, words);
  return [
    id === page.own && tag("good", "You"),
    role === "holder" && tag("", "Holder"),
    staff && tag("info", "Runs the service"),
    disabled ? tag("bad", "May not sign in") : invited && tag("warn", "Invited"),
  ];
}

function seen({ invited, createdAt, lastLoginAt }) {
  if (lastLoginAt) return ["Signed in ", ago(lastLoginAt)];
  return invited ? ["Invited ", ago(createdAt), ", has no password yet"] : "Never signed in";
}

function roleField(chosen) {
  const role = h("select", { class: "input" }, ROLES.map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
  return [role, field("Role", role)];
}

async function invite(page) {
  const email = h("input", { class: "input", type: "email", autocomplete: "off", autofocus: true });
  const name = h("input", { class: "input", maxlength: 100, autocomplete: "off" });
  const [role, roles] = roleField("operator");
  const made = await formDialog("Invite somebody", {
    lead: "You get a link to send to the new member, who sets a password with it.",
    parts: [field("E-mail", email), field("Name", name), roles],
    controls: { email, name, role },
    yes: "Make the link",
    send: () => {
      need([["email", email.value.trim(), "Whom do you invite?"], ["name", name.value.trim(), "What are they called?"]]);
      return api("POST", "/console/api/members", { email: email.value.trim(), name: name.value.trim(), role: role.value });
    },
  });
  if (made) await hand(page, made);
}

/** Shows a link to pass on, above the refreshed list. */
async function hand(page, { member, link: { token, expiresAt } }) {
  const listed = page.reload().catch(failed);
  await showOnce(`A link for ${member.name}`, {
    words: "Send it over a private channel. It sets their password.",
    secret: `${location.origin}${link("/welcome")}#${token}`,
    remark: `It works once, until ${when(expiresAt)}, and is not shown again. A new link invalidates this one.`,
  });
  await listed;
}

async function change(page, member) {
  const name = h("input", { class: "input", maxlength: 100, value: member.name, autocomplete: "off" });
  const [role, roles] = roleField(member.role);
  const may = h("input", { type: "checkbox", checked: !member.disabled });
  const own = member.id === page.own;
  const saved = await formDialog(`Change ${member.name}`, {
    parts: [field("Name", name), roles, !own && h("label", { class: "check" }, may, h("span", {}, "May sign in"))],
    controls: { name, role },
    yes: "Save",
    send: () => {
      need([["name", name.value.trim(), "What are they called?"]]);
      return api("PUT", `/console/api/members/${member.id}`, { name: name.value.trim(), role: role.value, ...(own ? {} : { disabled: !may.checked }) });
    },
  });
  if (!saved) return;
  // The member's own role decides what the page shows, so a change to it reloads the page.
  if (own) return location.reload();
  await page.reload().catch(failed);
  toast(`${saved.member.name} is changed.`);
}

async function renew(page, member, pressed) {
  const words = member.invited
    ? "The previous link then becomes invalid."
    : "It sets a new password, such as when the old one is forgotten. The old one works until the link is used.";
  const sure = await confirm(`New link for ${member.name}?`, words, { yes: "Make a link", danger: false });
  if (!sure) return;
  const made = await busy(pressed, () => api("POST", `/console/api/members/${member.id}/link`));
  if (made) await hand(page, made);
}

async function remove(page, member, pressed) {
  const sure = await confirm(`Remove ${member.name}?`, "They are signed out and need an invitation to return. Everything they made stays.", { yes: `Remove ${member.name}` });
  if (!sure) return;
  await busy(pressed, async () => {
    await api("DELETE", `/console/api/members/${member.id}`);
    await page.reload();
  });
}
