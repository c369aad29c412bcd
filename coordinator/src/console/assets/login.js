// The sign-in page.

import { api, link } from "./core.js";
import { door } from "./door.js";
import { revealing } from "./passwords.js";

const form = document.getElementById("login");
const { email, password } = form.elements;

/** Returns the address to open after signing in: a page of this service, never another host. */
function next() {
  const asked = new URLSearchParams(location.search).get("next") ?? "/";
  // Browsers treat a backslash as a slash, and ignore tabs and line breaks.
  const own = asked.startsWith("/") && !/^\/[/\\]|[\t\r\n]/.test(asked);
  return link(own ? asked : "/");
}

/** Returns field errors that need no request. */
function missing() {
  if (!email.value.trim()) return [email, "Enter your e-mail address."];
  if (!password.value) return [password, "Enter your password."];
  return null;
}

password.closest(".field").after(revealing("Show the password", password));
door(form, {
  async send() {
    const lack = missing();
    if (lack) throw Object.assign(new Error(lack[1]), { control: lack[0] });
    await api("POST", "/console/api/session", { email: email.value.trim(), password: password.value });
    location.assign(next());
  },
  at: (error) => error.control ?? password,
});
