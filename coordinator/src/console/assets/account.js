// The account page: the member, password and sessions, the account's members, and the theme.

import { api, busy, button, data, field, h, segments, showFaults, signOut, stage, toast } from "./core.js";
import { membersSection } from "./account-members.js";
import { sessionsSection } from "./account-sessions.js";
import { section } from "./account-parts.js";
import { faultPlace, tellFaults } from "./forms.js";
import { refusal, revealing, tellStrength } from "./passwords.js";

const given = data();
const root = document.documentElement;

function youSection({ name, email, role }, account) {
  const fact = (words, ...value) => [h("dt", {}, words), h("dd", {}, value)];
  return section("You", "How you are known here.",
    h("dl", { class: "facts account-facts" },
      fact("Name", name), fact("E-mail", email),
      fact("Role", role === "holder" ? "Holder: everything, with keys and members" : "Operator: everything but keys and members"),
      fact("Account", account.name, " ", h("span", { class: "tag" }, `${account.plan[0].toUpperCase()}${account.plan.slice(1)} plan`))),
    h("div", { class: "buttons" }, button("Sign out", { icon: "log-out", onclick: (event) => busy(event.currentTarget, signOut) })));
}

/**
 * `renewed(session)` receives the session that starts with the password change. The change ends all earlier sessions.
 */
function passwordSection({ email }, renewed) {
  const secret = (name, autocomplete) => h("input", { class: "input", type: "password", name, autocomplete });
  const current = secret("current", "current-password");
  const chosen = secret("new", "new-password");
  const chosenField = field("New password", chosen, { hint: "At least 10 characters. An unusual combination of a few words works well." });
  const faults = faultPlace();
  const submit = h("button", { type: "submit", class: "button" }, "Change the password");
  const form = h("form", { class: "stack account-form", novalidate: true },
    // Password managers need the user name to find the right entry.
    h("input", { type: "text", name: "username", autocomplete: "username", value: email, hidden: true, readonly: true }),
    field("Current password", current), chosenField);
  form.append(revealing("Show both", current, chosen), faults, h("div", { class: "buttons" }, submit));
  tellStrength(chosen, chosenField.querySelector(".hint"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.getAttribute("aria-busy") === "true") return;
    submit.setAttribute("aria-busy", "true");
    try {
      faults.hidden = true;
      showFaults([], { current, new: chosen });
      renewed(await change(current.value, chosen.value));
      form.reset();
      chosen.dispatchEvent(new Event("input"));
      toast("The password is changed. Other devices are signed out.");
    } catch (error) {
      tellFaults(said(error), { current, new: chosen }, faults);
    } finally {
      submit.removeAttribute("aria-busy");
    }
  });
  return section("Password", "Changing it signs you out everywhere else.", form);
}

async function change(current, chosen) {
  const refused = refusal(chosen);
  const details = [];
  if (!current) details.push({ field: "current", message: "Enter your current password." });
  if (refused) details.push({ field: "new", message: refused });
  if (details.length > 0) throw Object.assign(new Error(), { details });
  const answer = await api("PUT", "/console/api/password", { current, new: chosen });
  root.dataset.csrf = answer.csrfToken;
  return answer.session;
}

/** Returns the message of an error. The member is signed in, so the e-mail address can't be wrong. */
function said(error) {
  return error.code === "credentials_invalid" ? { details: [{ field: "current", message: "This is not your current password." }] } : error;
}

/** Offers the same choice as the theme toggle in the sidebar, which phones don't show. */
function themeSection() {
  const themes = [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]];
  const now = () => localStorage.getItem("theme") ?? "system";
  const place = h("div", {});
  const show = () => place.replaceChildren(segments("theme", themes, now(), choose, { legend: "Theme" }));
  const choose = (theme) => {
    // The toggle cycles through the themes and shows the current one, so the code clicks it until it reaches this
    // theme.
    const toggle = document.querySelector("[data-theme-toggle]");
    for (let turns = 0; now() !== theme && turns < themes.length; turns += 1) toggle.click();
  };
  document.querySelector("[data-theme-toggle]").addEventListener("click", () => {
    const chosen = place.querySelector(`input[value="${now()}"]`);
    if (chosen) chosen.checked = true;
  });
  show();
  return section("Theme", "On this device.", place);
}

const sessions = sessionsSection(given.sessions);

stage().append(
  h("div", { class: "account-sections" },
    youSection(given.member, given.account),
    given.members && membersSection(given.members, given.member.id),
    passwordSection(given.member, (session) => sessions.show([session])),
    sessions.element,
    themeSection()));
