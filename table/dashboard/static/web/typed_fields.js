// What somebody filled in and did not send is there again when they come back, with the browser's button or from the
// help: browsers keep no field that offers no earlier entries. A field keeps what the server has changed meanwhile.

import { recall, remember, takeOut } from "./browser_memory.js";
import { initialValue, isChanged, valueOf } from "./form_fields.js";

const ADDRESS = `typed ${location.pathname}${location.search}`;
const isHelp = location.pathname.startsWith("/help");
const isBack = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0])?.type === "back_forward";

/** The fields that are kept; a tick that a form requires is a promise, which is made anew. */
const keptFields = () =>
  /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("form[method=post] :is(input, select, textarea)")])
    .filter((field) => field.name && !/^(hidden|password|file)$/.test(field.type) && !(field.type === "checkbox" && field.required));

/** Tells the fields of a page apart. */
function nameIn(/** @type {HTMLInputElement} */ field) {
  const { action, elements } = field.form;
  return [action, /** @type {any} */ (elements.namedItem("do"))?.value, field.name].join(" ");
}

function restore() {
  const entries = new Map(JSON.parse(recall(ADDRESS, "sessionStorage")));
  for (const field of keptFields()) {
    const [before, entered] = entries.get(nameIn(field)) ?? [];
    if (before === undefined || before !== initialValue(field)) continue;
    if (field.type === "checkbox") field.checked = entered;
    else field.value = entered;
    field.closest("details")?.setAttribute("open", "");
  }
}

if (!isHelp && (takeOut("help") || isBack)) restore();

addEventListener("pagehide", () => {
  const entries = keptFields().filter(isChanged).map((field) => [nameIn(field), [initialValue(field), valueOf(field)]]);
  remember(isHelp ? "help" : ADDRESS, JSON.stringify(entries), "sessionStorage");
});
