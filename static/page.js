// Puts a page that the server sent in the place of the one that is shown.

const parser = new DOMParser();

export const read = (html) => parser.parseFromString(html, "text/html");

/** Show a whole page. What had the focus has it again, what was unfolded is; who cannot see hears what is new. */
export function show(html, address, ok = true) {
  const fresh = read(html);
  const back = focused();
  const before = document.body.className;
  const unfolded = [...main().querySelectorAll("details.more[open] > summary")].map((one) => one.textContent);
  document.title = fresh.title;
  document.body.className = fresh.body.className;
  for (const part of [".bar", "main"]) document.querySelector(part).replaceWith(fresh.querySelector(part));
  if (address !== location.href) history.replaceState(null, "", address);
  for (const one of main().querySelectorAll("details.more > summary")) {
    one.parentElement.open ||= unfolded.includes(one.textContent);
  }
  back();
  if (!ok) toTrouble();
  else if (document.body.className !== before) scrollTo(0, 0); // another part of the game, which begins at the top
  document.getElementById("said").textContent = main().dataset.said ?? "";
  document.dispatchEvent(new Event("shown"));
}

/** Show only the parts that follow what is being entered, so that the fields stay; or all, if the form is gone. */
export function showParts(html) {
  const fresh = read(html);
  if (!fresh.querySelector("[data-live]")) return show(html, location.href);
  for (const part of document.querySelectorAll("[data-live]")) {
    const after = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (after && after.innerHTML !== part.innerHTML) part.replaceChildren(...after.childNodes);
  }
}

/** A time of day as the language has it. */
export const clock = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });

export const main = () => document.querySelector("main");

/** How many entries of the match the page knows of. */
export const seen = () => main().dataset.seen;

/** To what is wrong: the field, or else its sentence, or that of the whole page. */
function toTrouble() {
  const field = main().querySelector("[aria-invalid]");
  const trouble = main().querySelector("fieldset .error") ?? main().querySelector(".error, .refusal");
  trouble?.scrollIntoView({ block: field ? "center" : "nearest" });
  field?.focus({ preventScroll: true });
}

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
