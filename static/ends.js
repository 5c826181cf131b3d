// An end in the drawing and its row in the grid belong together: touching one lights up the other.

const NEAR = 44;

/** Light up an end, in the drawing and in the grid. */
function light(end) {
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  if (end) for (const one of document.querySelectorAll(`[data-end="${end}"]`)) one.classList.add("lit");
}

function rowOf(target) {
  return target.closest?.(".grid-row[data-end]");
}

for (const sign of ["focusin", "pointerdown", "pointerover"]) {
  document.addEventListener(sign, ({ target }) => {
    const row = rowOf(target);
    if (row) light(row.dataset.end);
  });
}

// The marks are small on a phone, so the one that lies nearest to the finger is meant.
document.addEventListener("click", ({ target, clientX, clientY }) => {
  const picture = target.closest?.(".felt svg");
  if (!picture) return;
  const far = (mark) => {
    const { x, y, width, height } = mark.getBoundingClientRect();
    return Math.hypot(x + width / 2 - clientX, y + height / 2 - clientY);
  };
  const [mark] = [...picture.querySelectorAll("[data-end]")].sort((one, other) => far(one) - far(other));
  if (!mark || far(mark) > NEAR) return light("");
  light(mark.dataset.end);
  const row = document.querySelector(`.grid-row[data-end="${mark.dataset.end}"]`);
  row?.scrollIntoView({ block: "nearest" });
  row?.querySelector("button")?.focus({ preventScroll: true });
});
