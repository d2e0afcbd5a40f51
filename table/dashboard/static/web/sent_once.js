// Sends a form only once: a second tap would be refused because of what the first one changed. A page that somebody
// returns to is loaded again, unless something was filled in and not sent.

import { isChanged } from "./form_fields.js";
import "./second_tap.js";
import { loadAnew } from "./tools.js";
import "./typed_fields.js";

/** Longer than an answer takes: after this time the answer was lost, and a tap sends the form again. */
const SENT_FOR_MS = 8000;

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  setTimeout(() => delete form.dataset.sent, SENT_FOR_MS);
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
