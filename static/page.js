// Puts a page that the server sent in the place of the one that is shown.

const parser = new DOMParser();

const read = (html) => parser.parseFromString(html, "text/html");

/** Show a whole page. What had the focus has it again; who cannot see hears what it says. */
export function show(html, address) {
  const fresh = read(html);
  const back = focused();
  document.title = fresh.title;
  document.body.className = fresh.body.className;
  for (const part of [".bar", "main"]) document.querySelector(part).replaceWith(fresh.querySelector(part));
  if (address !== location.href) history.replaceState(null, "", address);
  back();
  document.getElementById("said").textContent = main().dataset.said ?? "";
  document.dispatchEvent(new Event("shown"));
}

/** Show only the parts that follow what is being entered, so that the fields stay as they are. */
export function showParts(html) {
  const fresh = read(html);
  for (const part of document.querySelectorAll("[data-live]")) {
    const after = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (after && after.innerHTML !== part.innerHTML) part.replaceWith(after);
  }
}

/** The token of the forms of a page. */
export const token = (html) => read(html).querySelector("[name=csrf_token]")?.value;

export const main = () => document.querySelector("main");

/** How many entries of the match the page knows of. */
export const seen = () => main().dataset.seen;

/** Remember where the focus is; the answer puts it there again, or on what can be done next. */
function focused() {
  const { name, value, dataset } = document.activeElement ?? {};
  if (!main().contains(document.activeElement)) return () => {};
  return () => {
    const all = [...main().querySelectorAll("button, input, a[href], summary")];
    const same = all.find((one) => (dataset.key ? one.dataset.key === dataset.key : name && one.name === name && one.value === value));
    (same ?? main().querySelector(".cell:is(button, a, label), .taps :is(button, input:not([type=hidden]))"))?.focus({ preventScroll: true });
  };
}
