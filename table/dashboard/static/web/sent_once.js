// A form is sent once: a second tap would be answered with what the first one changed.

/** Longer than an answer takes; then the network lost it, and a tap sends the form again. */
const SENT_FOR_MS = 8000;

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  setTimeout(() => delete form.dataset.sent, SENT_FOR_MS);
});

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form")) delete form.dataset.sent; // somebody comes back to the page
});
