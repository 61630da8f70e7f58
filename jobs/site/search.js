"use strict";
// Finds sections that have every word. The words of all pages are in index.js, which is loaded when somebody begins to search, as
// a script, because a page that is opened from a disk may not fetch.
const field = document.getElementById("search"), found = document.getElementById("found");
const up = document.body.dataset.up;
let loading = null;

function load() {
  loading = loading || new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = up + "/index.js";
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
  return loading;
}

// Words in the heading count most, then in the title of the page.
function score([, title, heading, , text], words) {
  const places = [[heading, 20], [title, 8], [text, 1]].map(([place, weight]) => [place.toLowerCase(), weight]);
  let sum = 0;
  for (const word of words) {
    const best = Math.max(...places.map(([place, weight]) => place.includes(word) ? weight : 0));
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 50);
  return (at > 0 ? "…" : "") + text.slice(at, at + 150) + (text.length > at + 150 ? "…" : "");
}

function entry([place, title, heading, anchor, text], words) {
  const link = document.createElement("a"), small = document.createElement("small");
  link.href = up + "/" + place + (anchor ? "#" + anchor : "");
  link.textContent = heading && heading !== title ? title + ": " + heading : title;
  small.textContent = excerpt(text, words[0]);
  link.append(small);
  return link;
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  if (found.hidden) return;
  await load();
  const hits = ENTRIES.map(one => [score(one, words), one]).filter(([points]) => points > 0);
  hits.sort(([a], [b]) => b - a);
  found.replaceChildren(...hits.slice(0, 30).map(([, one]) => entry(one, words)));
  if (hits.length === 0) found.textContent = "No section has all of these words.";
}

field.addEventListener("input", search);
field.addEventListener("focus", load);
document.addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  } else if (event.key === "Escape") {
    field.value = "";
    found.hidden = true;
    field.blur();
  }
});
// On a telephone the menu begins closed.
if (window.matchMedia("(max-width: 48rem)").matches) document.querySelector("nav > details").open = false;
