// The versions of the image as a row of thumbnails. Each can be compared with the present one and restored.

import { api, ago, button, busy, h, icon, local, note } from "./core.js";

/** Versions per request. */
const PAGE = 50;

/**
 * Returns the row of an image's versions, empty until loaded. `path`: of the image's output. `choose(version)` receives
 * the selected version.
 */
export function versionFilm(path, choose) {
  const film = h("ol", { class: "image-film", "aria-label": "Versions, the newest first" });
  const about = h("p", { class: "quiet small" }, "Every edit makes a new version, and every version stays. Choose one to compare it with the picture as it is.");
  const older = button("Show older versions", { kind: "small", hidden: true, onclick: () => busy(older, more) });
  const trouble = h("div", {});
  let versions = [];
  let cursor = null;
  let chosen = null;
  /** Counts requests, so that a late list doesn't replace a newer one. */
  let asked = 0;

  async function load() {
    const turn = ++asked;
    try {
      const answer = await api("GET", `${path}/versions?limit=${PAGE}`);
      if (turn !== asked) return;
      versions = [];
      take(answer);
      trouble.replaceChildren();
    } catch (error) {
      if (turn === asked) trouble.replaceChildren(note("bad", `The versions can't be shown. ${error.message}`), button("Try again", { icon: "refresh-cw", kind: "small", onclick: load }));
    }
  }

  const more = async () => take(await api("GET", `${path}/versions?limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`));

  function take({ versions: some, pagination }) {
    versions.push(...some);
    cursor = pagination.nextCursor;
    older.hidden = !cursor;
    show();
  }

  function show() {
    film.replaceChildren(...versions.map((version) => cell(version, version.version === chosen, () => choose(version))));
  }

  film.append(h("li", { class: "image-version waiting" }, h("span", { class: "image-still skeleton" }), h("span", { class: "skeleton" }), h("span", { class: "skeleton" })));
  return {
    element: h("section", { class: "image-versions stack", "aria-labelledby": "versions" },
      h("div", { class: "stack tight" }, h("h2", { id: "versions" }, "Versions"), about), trouble, film, older),
    load,
    /** Focuses the version with that number. */
    focus: (number) => film.querySelector(`button[value="${number}"]`)?.focus({ preventScroll: true }),
    /** Marks the version with that number as selected; null for none. */
    mark(number) {
      chosen = number;
      for (const press of film.querySelectorAll("button")) press.setAttribute("aria-pressed", String(Number(press.value) === number));
    },
  };
}

function cell(version, isChosen, press) {
  const { version: number, thumbnailUrl, current, createdAt } = version;
  const still = thumbnailUrl
    ? h("img", { src: local(thumbnailUrl), alt: "", loading: "lazy", draggable: "false" })
    : h("span", { class: "image-gone" }, icon("image"));
  return h("li", {}, h("button", { type: "button", class: "image-version", value: number, "aria-pressed": String(isChosen), disabled: !thumbnailUrl, onclick: press },
    h("span", { class: "image-still" }, still),
    h("span", { class: "image-which" }, `Version ${number}`, current && h("span", { class: "tag good" }, "Now")),
    h("span", { class: "image-origin", dir: "auto" }, originOf(version)),
    h("span", { class: "small quiet" }, thumbnailUrl ? ago(createdAt) : "Deleted since")));
}

/** Returns what created a version. */
function originOf({ version, prompt, restoredFrom }) {
  if (restoredFrom) return `Went back to version ${restoredFrom}`;
  return prompt ?? (version === 1 ? "As it was made" : "Edited");
}
