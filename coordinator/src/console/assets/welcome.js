// Setting a password by a link. Its token stands in the fragment.

import { api, h, link } from "./core.js";
import { door, tell } from "./door.js";
import { refusal, revealing, tellStrength } from "./passwords.js";

const form = document.getElementById("welcome");
const { password, again } = form.elements;
const token = location.hash.slice(1);

/** Problems that no other password mends: the link itself is no good. */
const SPENT = ["link_not_found", "link_expired"];

/** What has to be said of the fields before the service is asked. */
function lack() {
  const refused = refusal(password.value);
  if (refused) return [password, refused];
  if (password.value !== again.value) return [again, "The two are not the same. Type it again."];
  return null;
}

/** The form can't do anything any more; what went wrong and a way on are all that is left of it. */
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
    // Whoever set it is signed in with it.
    location.assign(link("/"));
  },
  at: (error) => error.control ?? password,
});
if (!token) end("This address has no link in it. Open it as it was given to you, or ask for a new one.");
