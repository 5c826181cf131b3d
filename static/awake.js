// Keeps the screen on during a round where the browser can; where it cannot, the page says so once to who keeps score.

const note = document.getElementById("awake");
const SAID = "said:awake";

async function stay() {
  if (document.hidden || !document.body.matches(".phase-set, .phase-play, .phase-settle")) return;
  if (navigator.wakeLock) await navigator.wakeLock.request("screen").catch(() => {}); // saving power, the phone may refuse
  else note.hidden = !document.querySelector(".actions") || Boolean(storage((kept) => kept.getItem(SAID)));
}

function storage(use) {
  try {
    return use(localStorage);
  } catch {
    return null; // a browser that keeps nothing
  }
}

note.querySelector("button").addEventListener("click", () => {
  storage((kept) => kept.setItem(SAID, "yes"));
  note.hidden = true;
});
for (const sign of ["visibilitychange", "shown"]) document.addEventListener(sign, stay);
stay();
