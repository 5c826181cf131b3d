// The table page without page loads. All that it does here, its forms and links also do alone.

import "./awake.js";
import "./ends.js";
import "./keys.js";
import { fresh, silent } from "./old.js";
import { main, seen, show, showParts } from "./page.js";
import { ask, busy, enter, send } from "./sending.js";

const FRESH = 2000;
const TYPING = 250;

const match = document.body.dataset.match;
let touched = false; // a form is half filled in: the page waits with what is new
let typing;

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
  load(link.href);
});

async function load(address) {
  try {
    const { html } = await ask(address);
    show(html, address);
  } catch {
    location.href = address; // the browser says that there is no network, and tries again
  }
}

/** Show what others entered, unless something of one's own is under way. */
async function refresh() {
  if (document.hidden || busy() || touched || location.search) return;
  try {
    const { ok, html } = await ask(`${match}/version`);
    if (!ok || busy() || touched) return;
    if (html !== seen()) await load(location.href);
    else fresh();
  } catch {
    silent(); // it is asked again in a moment
  }
}

/** The working of a settlement, while it is entered. */
async function work(form) {
  const fields = new URLSearchParams(new FormData(form));
  fields.set("do", "work");
  try {
    showParts((await ask(form.getAttribute("action"), fields)).html);
  } catch {
    // the working comes with the next change
  }
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest("form.settle");
  if (!form) return;
  touched = true;
  if (target.type === "checkbox") for (const tile of form.querySelectorAll(`[value="${CSS.escape(target.value)}"]`)) {
    if (tile !== target) tile.parentElement.classList.toggle("elsewhere", target.checked);
  }
  clearTimeout(typing);
  typing = setTimeout(work, TYPING, form);
});

document.addEventListener("shown", () => {
  touched = false;
  fresh();
});
for (const [where, sign] of [[window, "pageshow"], [document, "visibilitychange"]]) where.addEventListener(sign, refresh);
setInterval(refresh, FRESH);
send();
