// The page that sets a password by a link. The fragment contains the link's token.

import { api, h, link } from "./core.js";
import { door, tell } from "./door.js";
import { refusal, revealing, tellStrength } from "./passwords.js";

const form = document.getElementById("welcome");
const { password, again } = form.elements;
const token = location.hash.slice(1);

/** Errors of the link itself, which no other password can fix. */
const SPENT = ["link_not_found", "link_expired"];

/** Returns field errors that need no request. */
function lack() {
  const refused = refusal(password.value);
  if (refused) return [password, refused];
  if (password.value !== again.value) return [again, "The passwords don't match. Enter the password again."];
  return null;
}

/** Replaces the unusable form with the error and a way forward. */
function end(words) {
  for (const part of form.children) part.hidden = true;
  tell(form, words);
  const on = h("a", { class: "button", href: link("/login") }, "Go to sign in");
  form.append(on);
  on.focus();
}

tellStrength(password, document.getElementById("rule"));
again.closest(".field").after(revealing("Show both", password, again));
door(form, {
  async send() {
    const said = lack();
    if (said) throw Object.assign(new Error(said[1]), { control: said[0] });
    try {
      await api("POST", "/console/api/password", { token, password: password.value });
    } catch (error) {
      if (!SPENT.includes(error.code)) throw error;
      return end(error.message);
    }
    // Setting the password also signs the member in.
    location.assign(link("/"));
  },
  at: (error) => error.control ?? password,
});
if (!token) end("This link is incomplete. Open the full link, or ask for a new one.");
