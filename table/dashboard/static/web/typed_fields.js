// What somebody filled in is there again when they come back, with the browser's button, from the help or from another
// step of the set-up, and when a form is refused: browsers keep no field that offers no earlier entries. A field keeps
// what the server has changed meanwhile.

import { recall, remember, takeOut } from "./browser_memory.js";
import { initialValue, isTick, valueOf } from "./form_fields.js";

const ADDRESS = `typed ${location.pathname}${location.search}`;
const isDetour = /^\/(help|begin)\b/.test(location.pathname);
const isBack = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0])?.type === "back_forward";
const isAnswer = document.querySelector("meta[name=answers-form]") !== null;
/** @type {Map<string, [before: any, entered: any]>} */
const entries = new Map(JSON.parse(recall(ADDRESS, "sessionStorage")));

/** The fields that are kept; a tick that a form requires is a promise, which is made anew. */
const keptFields = () =>
  /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("form[method=post] :is(input, select, textarea)")])
    .filter((field) => field.name && !/^(hidden|password|file)$/.test(field.type) && !(field.type === "checkbox" && field.required));

/** Tells the fields of a page apart, and those of other games and other people in the seats. */
function nameIn(/** @type {HTMLInputElement} */ field) {
  const { form } = field;
  const [deed, game, seats] = ["do", "game", "seats"].map((name) => /** @type {any} */ (form.elements.namedItem(name))?.value);
  return [form.getAttribute("action"), deed, game, seats, field.name, field.type === "radio" && field.value].join(" ");
}

/** The value of a field before it was entered: the answer to a form is written with what was entered. */
function valueBefore(/** @type {HTMLInputElement} */ field) {
  const [before, entered] = entries.get(nameIn(field)) ?? [];
  return isAnswer && before !== undefined && entered === initialValue(field) ? before : initialValue(field);
}

function restore() {
  for (const field of keptFields()) {
    const [before, entered] = entries.get(nameIn(field)) ?? [];
    if (before === undefined || before !== initialValue(field)) continue;
    if (isTick(field)) field.checked = entered;
    else field.value = entered;
    field.closest("details")?.setAttribute("open", "");
  }
}

const isRefused = isAnswer && document.querySelector(".refusal[role=alert]:not([hidden])") !== null;
if (takeOut("detour") || isBack || isRefused) restore();
if (isAnswer) history.replaceState(null, "", location.href); // going back to it would need the form to be sent again

addEventListener("pageshow", (event) => event.persisted && takeOut("detour")); // the page is as it was left

addEventListener("pagehide", () => {
  const entered = keptFields().map((field) => [nameIn(field), [valueBefore(field), valueOf(field)]]).filter(([, [before, value]]) => before !== value);
  remember(ADDRESS, JSON.stringify(entered), "sessionStorage");
  if (isDetour) remember("detour", "yes", "sessionStorage");
});
