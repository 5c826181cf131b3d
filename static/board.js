// The screen on the wall: it follows the match by itself, and says so when what it shows may be old.

import "./awake.js";
import { main, seen, show } from "./page.js";

const FRESH = 1000;
const PATIENCE = 4000;
const OLD = 5000; // without an answer for so long, what is shown may be old
const GAP = 4000; // this screen slept

const match = document.body.dataset.match;
const note = document.getElementById("lost");
const since = note.querySelector(".since");
const opened = Date.now();
let heard; // when the server last answered, by the clock of this screen
let ticked = opened;
let asking;

async function ask(address, { signal }) {
  const answer = await fetch(address, { signal });
  if ([404, 410].includes(answer.status)) location.reload(); // the match is gone: the page says so
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}

async function follow() {
  tell();
  if (asking || document.hidden) return;
  const stop = (asking = new AbortController());
  const late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    if ((await ask(`${match}/version`, stop)) !== seen()) show(await ask(location.href, stop), location.href);
    const next = main().querySelector("[data-next]"); // the rematch: nobody stands here to open it
    if (next && (await ask(next.href, stop))) location.replace(next.href);
    if (asking === stop) heard = Date.now();
  } catch {
    // it is asked again in a moment
  }
  clearTimeout(late);
  if (asking === stop) asking = undefined;
  tell();
}

/** Whatever was asked before a sleep is not waited for. */
function wake() {
  asking?.abort();
  asking = undefined;
  follow();
}

function tell() {
  const old = Date.now() - (heard ?? opened) > OLD;
  note.hidden = !old;
  document.body.classList.toggle("old", old);
  const time = new Date(heard ?? Number(main().dataset.at)).toLocaleTimeString(document.documentElement.lang);
  if (old && since.textContent !== time) since.textContent = time;
}

function tick() {
  const slept = Date.now() - ticked > GAP;
  ticked = Date.now();
  if (slept) wake();
  else follow();
}

for (const [where, sign] of [[window, "pageshow"], [window, "online"], [document, "visibilitychange"]]) where.addEventListener(sign, wake);
setInterval(tick, FRESH);
follow();
