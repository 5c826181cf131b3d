// Says on the table page that it may be old, and since when. Has the worker keep the page for when there is no network.

const note = document.getElementById("old");
const PATIENCE = 8000;

let heard = Number(note.dataset.at) || Date.now();

/** The page is as the server has it, as of now. */
export function fresh() {
  heard = Date.now();
  note.hidden = true;
}

/** No answer came. */
export function silent() {
  if (Date.now() - heard > PATIENCE) tell();
}

function tell() {
  note.hidden = false;
  note.querySelector("time").textContent = new Date(heard).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
}

if (!note.hidden) tell();
navigator.serviceWorker?.register(note.dataset.worker).catch(() => {}); // without it the page is as it is over http
