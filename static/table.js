// The table page without page loads. All that it does here, its forms and links also do alone.

import "./awake.js";
import "./ends.js";
import "./keys.js";
import { main, seen, show, showParts } from "./page.js";
import { keepDraft, restoreDraft, strike } from "./settling.js";
import { ask, busy, enter, send } from "./sending.js";

const FRESH = 1800; // with the way there and back within two seconds
const TYPING = 250;

const match = document.body.dataset.match;
let touched = false; // a form is half filled in: the page waits with what is new
let typing;
let wanted = 0; // the newest question about a settlement: a late answer to an older one is not shown

// What is said above the page takes its height from the screen that a round fills.
const notes = [...document.querySelectorAll(".note")];
const measure = () => document.body.style.setProperty("--notes", `${notes.reduce((sum, one) => sum + one.offsetHeight, 0)}px`);
const measuring = new ResizeObserver(measure);
for (const one of notes) measuring.observe(one, { box: "border-box" });

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!main().contains(form) || form.method !== "post" || !form.getAttribute("action")?.startsWith(`${match}/`)) return;
  event.preventDefault();
  if (submitter?.value === "work") work(form);
  else enter(form, submitter);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("main a[href]");
  if (!link || link.pathname !== location.pathname || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  load(link.href).catch(() => {}); // the page says that there is no connection
});

/** Show another view of the match; an answer that comes after something newer was shown is old, and asked for again. */
async function load(address) {
  const before = main();
  const { html } = await ask(address);
  if (main() === before) show(html, address);
  else await load(address);
}

/** Show what others entered, unless something of one's own is under way. */
async function refresh() {
  if (document.hidden || busy() || touched || location.search || !seen() || main().querySelector("[data-wait]")) return;
  try {
    const { ok, status, html } = await ask(`${match}/version`);
    if ([404, 410].includes(status)) location.reload(); // the match is gone: the page says so
    if (!ok || html === seen()) return;
    const before = main();
    const fresh = await ask(location.href);
    if (main() === before && !busy() && !touched) show(fresh.html, fresh.address);
  } catch {
    // it is asked again in a moment, and the page says so
  }
}

/** A settlement that was half entered is there again, and what was ticked is struck out for the others. */
function settling() {
  const form = main().querySelector("form.settle");
  if (!form) return;
  touched = restoreDraft(form);
  strike(form);
  if (touched) work(form);
}

/** The working of a settlement, while it is entered. */
async function work(form) {
  const question = ++wanted;
  const fields = new URLSearchParams(new FormData(form));
  fields.set("do", "work");
  try {
    const { html } = await ask(form.getAttribute("action"), fields);
    if (question === wanted) showParts(html);
  } catch {
    // the working comes with the next change, and the page says why
  }
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest("form.settle");
  if (!form) return;
  touched = true;
  target.removeAttribute("aria-invalid"); // whether it is right now, the working says
  strike(form);
  keepDraft(form);
  clearTimeout(typing);
  typing = setTimeout(work, TYPING, form);
});

document.addEventListener("shown", () => {
  touched = false;
  clearTimeout(typing);
  wanted += 1;
  settling();
});
settling();
for (const [where, sign] of [[window, "pageshow"], [document, "visibilitychange"]]) where.addEventListener(sign, refresh);
setInterval(refresh, FRESH);
send();
