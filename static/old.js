// Has the worker keep the table page for when there is no network; a page that was kept says that it is old.

const note = document.getElementById("offline");
const { at, worker } = note.dataset;

if (at) {
  note.querySelector("time").textContent = new Date(Number(at)).toTimeString().slice(0, 5);
  note.querySelector("span").hidden = false;
}
navigator.serviceWorker?.register(worker).catch(() => {}); // without one the page is as it is over http
