// Entries on their way. One that gets no answer is kept, shown as not sent, and sent again with the same key, so that it
// is entered once however often it is sent.

import { main, show, token } from "./page.js";

const PATIENCE = 6000;
const AGAIN = 3000;
const DOUBLE_TAP = 350;

const match = document.body.dataset.match;
const shelf = `unsent:${match}`;
const banner = document.getElementById("unsent");

let unsent = kept();
let sending = false;
let failed = unsent.length > 0;
let timer;
let last = 0;

/** Whether something is on its way or waits. */
export const busy = () => sending || unsent.length > 0;

/** Ask the server; throws where no answer comes. */
export async function ask(address, fields) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const answer = await fetch(address, { method: fields ? "POST" : "GET", body: fields, signal: stop.signal });
    if ([502, 503, 504].includes(answer.status)) throw new Error(answer.statusText);
    return { ok: answer.ok, html: await answer.text(), address: answer.redirected ? answer.url : location.href };
  } finally {
    clearTimeout(late);
  }
}

/** Enter what a form says by one of its buttons. */
export function enter(form, button) {
  const now = Date.now();
  if (failed ? now - last < DOUBLE_TAP : sending) return;
  last = now;
  button?.classList.add("pressed");
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) fields.append(button.name, button.value);
  if (unsent.length) {
    if (button?.dataset.key === "u") return drop();
    fields.set("seen", Number(fields.get("seen")) + unsent.length);
    fields.set("key", [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16)).join("-"));
    fields.set("seat", ""); // whoever is on turn by then
  }
  unsent.push({ to: form.getAttribute("action"), fields: `${fields}`, text: button?.ariaLabel ?? button?.innerText ?? "" });
  keep();
  send();
}

/** Send what waits, in order, until one gets no answer or is refused. */
export async function send() {
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  try {
    const now = unsent.length && failed && token((await ask(match)).html); // what was filled in long ago may have an old one
    while (unsent.length) {
      const [{ to, fields }] = unsent;
      const sent = new URLSearchParams(fields);
      if (now) sent.set("csrf_token", now);
      const { ok, html, address } = await ask(to, sent);
      unsent.shift();
      failed = !ok && unsent.length > 0; // what followed a refused entry waits for a decision
      keep();
      show(html, address);
      if (ok) navigator.vibrate?.(document.documentElement.dataset.buzz === "on" ? 20 : 0);
      if (failed) break;
    }
  } catch {
    failed = true;
    timer = setTimeout(send, AGAIN);
  }
  sending = false;
  tell();
}

/** Give up the newest entry that was not sent. */
function drop() {
  unsent.pop();
  failed &&= unsent.length > 0;
  keep();
  tell();
}

function tell() {
  banner.hidden = !failed;
  banner.querySelector("bdi").textContent = unsent.map((one) => one.text.replace(/\s+/g, " ").trim()).join(" · ");
  if (!failed) main().querySelectorAll(".pressed").forEach((one) => one.classList.remove("pressed"));
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(shelf)) ?? [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

function keep() {
  try {
    if (unsent.length) localStorage.setItem(shelf, JSON.stringify(unsent));
    else localStorage.removeItem(shelf);
  } catch {
    // it is still sent while the page is open
  }
}

banner.querySelector(".send").addEventListener("click", send);
banner.querySelector(".drop").addEventListener("click", drop);
for (const sign of ["online", "pageshow"]) addEventListener(sign, send);
document.addEventListener("visibilitychange", send);
tell();
