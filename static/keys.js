// One key for what is done often; templates say which: data-key. The list of them opens with "?".

const list = document.getElementById("keys");

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || list?.open) return;
  if (event.repeat && !key.startsWith("Arrow")) return target.matches("button") && event.preventDefault(); // held down
  if (target.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return;
  const wanted = key.length > 1 || document.documentElement.dataset.letters === "on"; // what has a name is no letter
  if (walk(key, target) || (wanted && press(key))) event.preventDefault();
});

function press(key) {
  if (key === "?") list?.showModal();
  const button = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  button?.click();
  return button || key === "?";
}

/** Arrows go through the cells, a figure goes to its column of the row. */
function walk(key, cell) {
  const row = cell.closest?.(".grid-row, .triangle-row, .tick");
  if (!row) return key === "ArrowDown" && cell === document.body && focus(document.querySelector("main button.cell"));
  const cells = [...row.querySelectorAll("button, a, input")];
  const at = cells.indexOf(cell);
  if (key === "ArrowLeft" || key === "ArrowRight") return focus(cells[at + (key === "ArrowLeft" ? -1 : 1)]);
  if (/^[0-6]$/.test(key)) return focus(cells.find((one) => one.dataset.pip === key));
  if (key !== "ArrowUp" && key !== "ArrowDown") return false;
  const rows = [...document.querySelectorAll(".grid-row, .triangle-row")].filter((one) => one.querySelector("button, a"));
  const next = rows[rows.indexOf(row) + (key === "ArrowUp" ? -1 : 1)];
  const x = (one) => one.getBoundingClientRect().x;
  const nearest = (one, other) => Math.abs(x(one) - x(cell)) - Math.abs(x(other) - x(cell));
  return focus([...(next?.querySelectorAll("button, a") ?? [])].sort(nearest)[0]);
}

function focus(cell) {
  cell?.focus();
  return Boolean(cell);
}
