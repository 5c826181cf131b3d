// Entries on their way. One that gets no answer is kept, shown as not sent, and sent again with the same key, so that it
// is entered once however often it is sent.

import { clock, main, read, show } from "./page.js";

const PATIENCE = 5000;
const SLOW = 600;
const AGAIN = 3000;
const DOUBLE_TAP = 350;

const match = document.body.dataset.match;
const shelf = `unsent:${match}`;
const banner = document.getElementById("unsent");
const offline = document.getElementById("offline");

// Entries in order, each as it will be sent; once one was refused those after it are `dropped`, and only named.
let { unsent, dropped } = kept();
let sending = false;
let failed = unsent.length > 0;
let timer;

/** Whether something is on its way, waits, or has to be read. */
export const busy = () => sending || unsent.length + dropped.length > 0;

/** Ask the server; throws where no answer comes, and the page says since when. */
export async function ask(address, fields) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const answer = await fetch(address, { method: fields ? "POST" : "GET", body: fields, signal: stop.signal });
    if ([502, 503, 504].includes(answer.status)) throw new Error(answer.statusText);
    const html = await answer.text();
    offline.hidden = true;
    return { status: answer.status, ok: answer.ok, html, address: answer.redirected ? answer.url : location.href };
  } catch (error) {
    if (offline.hidden) offline.querySelector("time").textContent = clock(Date.now());
    offline.hidden = unsent.length > 0 && !offline.dataset.at; // the banner says it already, but not that the page is old
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Enter what a form says by one of its buttons. */
export function enter(form, button) {
  // After an entry, and on a new page, nothing is taken for a moment: it would be the second half of a double tap, or a
  // key held down. While it lasts an animation runs.
  if ((sending && !failed) || main().getAnimations().length) return;
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) fields.append(button.name, button.value);
  if (unsent.length && button?.dataset.key === "u") return drop();
  if (fields.get("play") && unsent.some((one) => new URLSearchParams(one.fields).get("play") === fields.get("play"))) return;
  main().animate([], DOUBLE_TAP);
  button?.classList.add("pressed");
  if (unsent.length && fields.has("seen")) {
    const entries = unsent.filter((one) => new URLSearchParams(one.fields).has("seen")); // no agreement is an entry
    fields.set("seen", Number(fields.get("seen")) + entries.length);
    fields.set("key", [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16)).join("-"));
    fields.set("seat", ""); // whoever is on turn by then
  }
  const text = button?.dataset.what ?? button?.ariaLabel ?? button?.innerText ?? "";
  unsent.push({ to: form.getAttribute("action"), fields: `${fields}`, text: text.replace(/\s+/g, " ").trim() });
  keep();
  send();
}

/** Send what waits, in order, until one gets no answer or is refused. */
export async function send() {
  if (sending || !unsent.length) return;
  sending = true;
  clearTimeout(timer);
  const slow = setTimeout(() => main().classList.add("waiting"), SLOW);
  try {
    while (unsent.length) {
      const [{ to, fields }] = unsent;
      let answer = await ask(to, new URLSearchParams(fields));
      if (answer.status === 400) answer = await ask(to, await withFreshToken(fields));
      const { ok, html, address } = answer;
      unsent.shift();
      if (!ok) dropped = unsent.splice(0); // they were made on what did not come about
      keep();
      show(html, address, ok);
      if (ok && document.documentElement.dataset.buzz === "on") navigator.vibrate?.(20);
    }
    failed = false;
  } catch {
    failed = true;
    timer = setTimeout(send, AGAIN);
  }
  clearTimeout(slow);
  sending = false;
  tell();
}

/** The fields with the token of a page made now: that of an older one was lost with its cookie. */
async function withFreshToken(fields) {
  const page = read((await ask(match)).html);
  const fresh = new URLSearchParams(fields);
  fresh.set("csrf_token", page.querySelector("main [name=csrf_token]")?.value ?? "");
  return fresh;
}

/** Give up the newest entry that was not sent, or what was dropped and has been read. */
function drop() {
  if (unsent.length) unsent.pop();
  else dropped = [];
  failed &&= unsent.length > 0;
  keep();
  tell();
}

function tell() {
  const shown = unsent.length ? unsent : dropped;
  banner.hidden = !(failed || dropped.length);
  banner.classList.toggle("dropped", !unsent.length);
  banner.querySelector("bdi").textContent = unbroken(shown.map((one) => one.text).join(" · "));
  main().classList.remove("waiting");
  const undo = main().querySelector(".undo .short");
  if (undo) {
    undo.dataset.text ??= undo.textContent;
    const newest = unsent.at(-1);
    undo.textContent = newest ? `↶ ${banner.querySelector(".drop .if-unsent").textContent}: ${unbroken(newest.text)}` : undo.dataset.text;
  }
  if (!failed) for (const one of main().querySelectorAll(".pressed")) one.classList.remove("pressed");
}

/** With a word joiner in each tile, so that no line ends within it. */
const unbroken = (text) => text.replace(/\d-(?=\d)/g, "$&\u2060");

function kept() {
  try {
    return { unsent: [], dropped: [], ...JSON.parse(localStorage.getItem(shelf)) };
  } catch {
    return { unsent: [], dropped: [] }; // a browser that keeps nothing
  }
}

function keep() {
  try {
    if (unsent.length || dropped.length) localStorage.setItem(shelf, JSON.stringify({ unsent, dropped }));
    else localStorage.removeItem(shelf);
  } catch {
    // it is still sent while the page is open
  }
}

banner.querySelector(".send").addEventListener("click", send);
banner.querySelector(".drop").addEventListener("click", drop);
// A page that the worker kept says that it is old. Over http there is no worker.
const { at } = offline.dataset;
if (at) {
  offline.querySelector("time").textContent = clock(Number(at));
  offline.querySelector("span").hidden = false;
}
navigator.serviceWorker?.register(`${match}/../../sw.js`).catch(() => {});

for (const sign of ["online", "pageshow"]) addEventListener(sign, send);
document.addEventListener("visibilitychange", send);
tell();
