// A tap counts for the control on which the finger came down: before it is lifted, another one may take that place, such
// as "Confirm" instead of "Tsumo", or it may mean something else, such as the undoing of another phone's act. A finger
// on its way to that place means what was there, too.

const CONTROLS = "button, summary, a, select, input, [role=button]";
/** Sooner nobody can have seen a control that has come, and tapped it. */
const UNSEEN_MS = 500;
/** No phone is later in handling a tap; what seems to have come later still came before its clock was set back. */
const LATEST_MS = 10_000;
/** @type {{ control: Element | null, news: string, isUnseen: boolean } | null} */
let lastPress = null;

const controlAt = (/** @type {Event} */ { target }) => {
  const element = /** @type {Element} */ (target);
  return element.closest("label") ?? element.closest(CONTROLS);
};

/** Keeps fingers off a control, or a row of them, for a moment, except while the page is drawn for the first time. */
export function keepFingersOff(/** @type {HTMLElement} */ node) {
  if ("version" in document.body.dataset) node.dataset.cameAt = String(Date.now());
}

/** Shows or hides a control, or a row of them; fingers on one that comes are ignored for a moment. */
export function reveal(/** @type {HTMLElement} */ node, /** @type {boolean} */ isShown) {
  if (isShown && node.hidden) keepFingersOff(node);
  node.hidden = !isShown;
}

/** Keeps what a tap on a control, or on a row of them, would do; once that changes, fingers are ignored for a moment. */
export function setMeaning(/** @type {HTMLElement} */ node, /** @type {unknown} */ meaning) {
  const mark = String(meaning);
  if (node.dataset.means !== mark) keepFingersOff(node);
  node.dataset.means = mark;
}

/** Yields a control, and the rows around it, that have come, from the control outwards. */
function* comeAround(/** @type {Element | null | undefined} */ control) {
  const nearest = (/** @type {Element | null | undefined} */ element) => /** @type {HTMLElement | null} */ (element?.closest("[data-came-at]") ?? null);
  for (let node = nearest(control); node; node = nearest(node.parentElement)) yield node;
}

/** What has come around a control, and what that means. */
const newsOf = (/** @type {Element | null | undefined} */ control) =>
  Array.from(comeAround(control), ({ dataset }) => `${dataset.cameAt} ${dataset.means}`).join();

/** How long ago a finger came down: a slow phone first draws what it has heard of meanwhile. */
const ageOf = (/** @type {Event} */ event) => Math.min(Math.max(performance.now() - event.timeStamp, 0), LATEST_MS);

/** Whether a control, or a row with it, had just come at a time, or came only after it. */
const hadJustCome = (/** @type {Element | null | undefined} */ control, /** @type {number} */ time) =>
  Array.from(comeAround(control), ({ dataset }) => time - Number(dataset.cameAt))
    .some((seenMs) => seenMs > -LATEST_MS - UNSEEN_MS && seenMs < UNSEEN_MS);

addEventListener("pointerdown", (event) => {
  const control = controlAt(event);
  lastPress = { control, news: newsOf(control), isUnseen: event.pointerType !== "mouse" && hadJustCome(control, Date.now() - ageOf(event)) };
}, { capture: true });

addEventListener("click", (event) => {
  const [control, hit] = [lastPress?.control, controlAt(event)];
  if (!event.detail || !lastPress || !hit) return; // a click by a key, or on no control
  const isChanged = lastPress.isUnseen || newsOf(hit) !== lastPress.news;
  if (hit === control && !isChanged) return;
  if (!isChanged && control && !control.isConnected && control.isEqualNode(hit)) return; // the control was only redrawn
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

/** What lay under a sheet comes when that is closed: a second tap on its cross is not for the control below. */
addEventListener("close", () => keepFingersOff(document.body), { capture: true });
