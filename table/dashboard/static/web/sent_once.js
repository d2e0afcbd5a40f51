// Sends a form only once: a second tap would be refused because of what the first one changed. A form is sent only while
// the table answers, since a browser that reaches nobody replaces the page, and what was filled in, by its own. A page
// that somebody returns to is loaded again, unless something was filled in and not sent.

import { isChanged } from "./form_fields.js";
import "./second_tap.js";
import { loadAnew, make, requestLimit } from "./tools.js";
import "./typed_fields.js";

/** Longer than an answer takes: after this time the answer was lost, and a tap sends the form again. */
const SENT_FOR_MS = 8000;
/** The form that is sent by its next event, since the table has just answered. @type {HTMLFormElement | null} */
let readyForm = null;
/** Says that a form was not sent. @type {HTMLElement | null} */
let unsentLine = null;

const isReached = () => fetch("/api/session", requestLimit()).then(() => true, () => false);

/** Says below a form that it was not sent; the form itself stays the same, so that no redraw replaces it. */
function sayUnsent(/** @type {HTMLFormElement} */ form) {
  const { content } = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=unsent]"));
  unsentLine = make("p", { className: "refusal unsent", role: "alert", textContent: content });
  form.after(unsentLine);
  unsentLine.scrollIntoView({ block: "nearest" });
}

addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = /** @type {HTMLElement | null} */ (event.submitter);
  if (event.defaultPrevented || form.method !== "post") return;
  if (form === readyForm) return void (readyForm = null);
  event.preventDefault();
  if (form.dataset.sent) return;
  form.dataset.sent = "yes";
  unsentLine?.remove();
  if (!(await isReached())) {
    delete form.dataset.sent;
    return sayUnsent(form);
  }
  setTimeout(() => delete form.dataset.sent, SENT_FOR_MS);
  readyForm = form;
  if (submitter) submitter.click(); // sends the button's own field, too
  else form.submit();
});

/** Somebody returns: Safari shows a page as it was left, with the points and seats of that moment. */
addEventListener("pageshow", (event) => {
  const sentForms = /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-sent]"));
  const isFilledIn = [...document.querySelectorAll("input, select, textarea")].some(isChanged);
  const isRefused = document.querySelector(".refusal[role=alert]:not([hidden])"); // loading the page would lose what was entered
  for (const form of sentForms) delete form.dataset.sent;
  if (!event.persisted || isRefused || (isFilledIn && !sentForms.length)) return;
  event.stopImmediatePropagation(); // no other listener needs to load it again
  loadAnew();
});
