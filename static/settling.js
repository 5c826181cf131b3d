// Leftovers while they are entered: kept through a reload, and a tile of one hand is struck out for the others.

const DRAFT = "settling";

/** Strike out, in each hand, the tiles that another hand shows. */
export function strike(form) {
  const ticks = [...form.querySelectorAll("input[type=checkbox]")];
  for (const tick of ticks) {
    const elsewhere = ticks.some((one) => one !== tick && one.value === tick.value && one.checked);
    tick.parentElement.classList.toggle("elsewhere", elsewhere && !tick.checked);
  }
}

/** Keep what was entered in this tab, for this round of this match. */
export function keepDraft(form) {
  const entered = [...new FormData(form)].filter(([name]) => /^(left|pips)-/.test(name));
  use((kept) => kept.setItem(DRAFT, JSON.stringify({ of: mark(form), entered })));
}

/** Enter again what was kept, unless the page has something already; whether there was anything. */
export function restoreDraft(form) {
  const draft = JSON.parse(use((kept) => kept.getItem(DRAFT)) ?? "{}");
  if (draft.of !== mark(form) || form.querySelector("input:checked")) return false;
  for (const [name, value] of draft.entered) {
    const tick = form.querySelector(`[name="${name}"][value="${CSS.escape(value)}"]`);
    if (tick?.type === "checkbox") tick.checked = true;
    else if (name.startsWith("pips-") && value) form.elements[name].value = value;
  }
  return draft.entered.some(([, value]) => value);
}

const mark = (form) => `${form.getAttribute("action")} ${form.elements.seen.value}`;

function use(how) {
  try {
    return how(sessionStorage);
  } catch {
    return null; // a browser that keeps nothing
  }
}
