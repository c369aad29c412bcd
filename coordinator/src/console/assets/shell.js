// The page shell: theme, sign-out, and keyboard shortcuts.

import { dialog, failed, h, link, signOut } from "./core.js";

const themes = ["system", "light", "dark"];
const root = document.documentElement;

for (const toggle of document.querySelectorAll("[data-theme-toggle]")) {
  const say = () => {
    const now = localStorage.getItem("theme") ?? "system";
    toggle.querySelector("span").textContent = { system: "System theme", light: "Light theme", dark: "Dark theme" }[now];
  };
  toggle.addEventListener("click", () => {
    const next = themes[(themes.indexOf(localStorage.getItem("theme") ?? "system") + 1) % themes.length];
    if (next === "system") {
      localStorage.removeItem("theme");
      delete root.dataset.theme;
    } else {
      localStorage.setItem("theme", next);
      root.dataset.theme = next;
    }
    say();
    tips();
  });
  say();
}

for (const leave of document.querySelectorAll("[data-sign-out]")) {
  leave.addEventListener("click", () => signOut().catch(failed));
}

// If the sidebar shows only icons, their labels become tooltips.
const narrow = matchMedia("(min-width: 40.01rem) and (max-width: 60rem)");
const tips = () => {
  for (const place of document.querySelectorAll(".places a, .places button")) {
    if (narrow.matches) place.title = place.textContent.trim();
    else place.removeAttribute("title");
  }
};
narrow.addEventListener("change", tips);
tips();

// "g" and a letter open a page; "?" lists the letters; "/" focuses the page's search.
const PLACES = [["c", "/", "Create"], ["l", "/library", "Library"], ["b", "/brands", "Brand kits"], ["i", "/integrations", "Integrations"],
  ["m", "/credits", "Credits"], ["a", "/account", "Account"], ["f", "/fleet", "Fleet"]]
  .filter(([, path]) => document.querySelector(`.places a[href="${CSS.escape(link(path))}"], .places a[href="${link(path)}"]`));
let going = false;

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable], dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (going) {
    going = false;
    const place = PLACES.find(([letter]) => letter === event.key);
    if (place) location.assign(link(place[1]));
    return;
  }
  if (event.key === "g") {
    going = true;
    setTimeout(() => (going = false), 1200);
  } else if (event.key === "/") {
    const search = document.querySelector("input[type=search]");
    if (search) {
      event.preventDefault();
      search.focus();
    }
  } else if (event.key === "?") {
    dialog("Keys", () => h("dl", { class: "facts" },
      PLACES.map(([letter, , words]) => [h("dt", {}, h("kbd", {}, `g ${letter}`)), h("dd", {}, words)]),
      h("dt", {}, h("kbd", {}, "/")), h("dd", {}, "Search on this page"),
      h("dt", {}, h("kbd", {}, "?")), h("dd", {}, "This list")));
  }
});

for (const menu of document.querySelectorAll("details.menu")) {
  document.addEventListener("click", (event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
}
