// Lists the sessions in which the member is signed in.

import { ago, api, busy, button, confirm, h, icon, link } from "./core.js";
import { section } from "./account-parts.js";

/** Browsers by patterns in their user agents. Browsers whose patterns also occur in other user agents come last. */
const BROWSERS = [[/Edg(e|A|iOS)?\//, "Edge"], [/OPR\//, "Opera"], [/SamsungBrowser\//, "Samsung Internet"], [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"], [/Safari\//, "Safari"], [/^curl\//, "curl"], [/^python/i, "Python"]];
const SYSTEMS = [[/iPhone/, "iPhone", "smartphone"], [/iPad/, "iPad", "tablet"], [/Android(?!.*Mobile)/, "Android tablet", "tablet"],
  [/Android/, "Android phone", "smartphone"], [/Windows/, "Windows", "monitor"], [/Mac OS X|Macintosh/, "Mac", "monitor"],
  [/CrOS/, "Chromebook", "monitor"], [/Linux|X11/, "Linux", "monitor"]];

/** Number of other sessions shown before the user asks for the rest. */
const FEW = 5;

/** Returns a user agent in plain words, and the device's icon. */
function device(agent) {
  const browser = BROWSERS.find(([mark]) => mark.test(agent))?.[1];
  const [, system, sign] = SYSTEMS.find(([mark]) => mark.test(agent)) ?? [];
  const words = browser && system ? `${browser} on ${article(system)}` : browser ?? system ?? "An unknown device";
  return { words, sign: sign ?? "monitor" };
}

const article = (system) => (["Windows", "Linux"].includes(system) ? system : `${/^[AEIOU]|^iP/.test(system) ? "an" : "a"} ${system}`);

/** Returns the section and a function that refreshes it. */
export function sessionsSection(sessions) {
  const list = h("ul", { class: "account-rows" });
  const foot = h("div", { class: "buttons" });
  let whole = false;
  const show = (all) => {
    const others = all.filter(({ current }) => !current);
    const listed = [...all.filter(({ current }) => current), ...(whole ? others : others.slice(0, FEW))];
    list.replaceChildren(...listed.map((session) => row(session, (pressed) => end([session], pressed, all))));
    const more = !whole && others.length > FEW && button(`Show all ${all.length}`, { icon: "chevron-down", onclick: () => {
      whole = true;
      show(all);
      list.children[listed.length]?.querySelector("button")?.focus();
    } });
    foot.hidden = others.length < 2;
    foot.replaceChildren(...[more].filter(Boolean), button(`Sign out the ${others.length} others`, { kind: "danger", icon: "log-out", onclick: (event) => endAll(others, event.currentTarget, all) }));
  };
  const end = (some, pressed, all) => busy(pressed, async () => {
    for (const { id } of some) await api("DELETE", `/console/api/sessions/${id}`);
    if (some.some(({ current }) => current)) return location.assign(link("/login"));
    show(all.filter((session) => !some.includes(session)));
  });
  const endAll = async (others, pressed, all) => {
    const sure = await confirm("Sign out everywhere else?", "Only this browser stays signed in.", { yes: "Sign out the others" });
    if (sure) await end(others, pressed, all);
  };
  show(sessions);
  return { element: section("Sessions", "Where you are signed in. A session ends after 12 hours without use.", list, foot), show };
}

function row(session, end) {
  const { words, sign } = device(session.userAgent);
  return h("li", { class: "account-row" },
    h("span", { class: "account-sign", title: session.userAgent }, icon(sign)),
    h("div", { class: "account-what" },
      h("h3", {}, words, session.current && h("span", { class: "tag good" }, "This one")),
      h("p", { class: "quiet small" }, session.current ? "Signed in " : ["Last used ", ago(session.lastSeenAt), " · signed in "], ago(session.createdAt))),
    !session.current && h("div", { class: "account-actions" },
      button("Sign out", { kind: "small", "aria-label": `Sign out: ${words}`, onclick: (event) => end(event.currentTarget) })));
}
