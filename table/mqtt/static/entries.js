// What somebody typed into a form of the desk is kept until it is sent: another round, or another form that is sent, may
// come first. A field keeps what the server has changed meanwhile. A form is sent only while the hall's computer answers,
// since a browser that reaches nobody replaces the page by its own.

const LONGEST_MS = 8000;
const FIELDS = "form[method=post] :is(input:not([type=hidden], [type=checkbox], [type=password], [type=file]), select, textarea)";
const isRefused = document.body.dataset.address !== undefined;
/** The form that is sent by its next event, since the hall's computer has just answered. @type {HTMLFormElement | null} */
let readyForm = null;

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @param {string} name */
function recall(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null; // the browser keeps nothing
  }
}

/** @param {string} name @param {unknown} value */
function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // the browser keeps nothing
  }
}

/** Tells the forms of all rounds and tournaments apart. @param {HTMLFormElement} form */
function nameOf(form) {
  const [round, place] = ["shown", "place"].map((name) => /** @type {any} */ (form.elements.namedItem(name))?.value);
  return [document.body.dataset.state, round, place].join(" ");
}

/** The value of a field as the server wrote it. @param {Field} field */
function initialValue(field) {
  if (!(field instanceof HTMLSelectElement)) return field.defaultValue;
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value;
}

/** @type {Record<string, Record<string, [before: string, entered: string]>>} */
const entries = recall("entries") ?? {};
const sentForm = recall("sent form");
if (sentForm !== null && !isRefused) delete entries[sentForm];
remember("sent form", null);

const fields = () => /** @type {Field[]} */ ([...document.querySelectorAll(FIELDS)]).filter((field) => field.name);

for (const field of fields()) {
  const [before, entered] = entries[nameOf(field.form)]?.[field.name] ?? [];
  if (before === undefined || before !== initialValue(field)) continue;
  field.value = entered;
  field.closest("details")?.setAttribute("open", "");
}

addEventListener("pagehide", () => {
  for (const field of fields()) {
    const form = (entries[nameOf(field.form)] ??= {});
    const [kept, entered] = form[field.name] ?? [];
    const before = kept !== undefined && isRefused && entered === initialValue(field) ? kept : initialValue(field);
    if (field.value === before) delete form[field.name];
    else form[field.name] = [before, field.value];
  }
  remember("entries", entries);
});

/** @param {HTMLFormElement} form */
function sayUnsent(form) {
  const { content } = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=unsent]"));
  const line = document.createElement("p");
  line.className = "refusal unsent";
  line.setAttribute("role", "alert");
  line.textContent = content;
  form.append(line);
  line.scrollIntoView({ block: "nearest" });
}

addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = /** @type {HTMLElement} */ (event.submitter);
  if (form === readyForm) return void (readyForm = null);
  event.preventDefault();
  form.querySelector(".unsent")?.remove();
  const isReached = await fetch("/api/hall", { signal: AbortSignal.timeout?.(LONGEST_MS) }).then(() => true, () => false);
  if (!isReached) return sayUnsent(form);
  remember("sent form", nameOf(form));
  readyForm = form;
  submitter.click();
});

export {};
