// A tap counts for the control on which the finger came down: before it is lifted, another one may take that place, such
// as "Confirm" instead of "Tsumo". A finger on its way to that place means what was there, too.

const CONTROLS = "button, summary, a, select, input, [role=button]";
/** Sooner nobody can have seen a control that has come, and tapped it. */
const UNSEEN_MS = 500;
/** @type {{ control: Element | null, isUnseen: boolean } | null} */
let lastPress = null;

const controlAt = (/** @type {Event} */ { target }) => {
  const element = /** @type {Element} */ (target);
  return element.closest("label") ?? element.closest(CONTROLS);
};

/** Shows or hides a control, or a row of them; fingers on one that comes are ignored for a moment. */
export function reveal(/** @type {HTMLElement} */ node, /** @type {boolean} */ isShown) {
  const isDrawnBefore = "version" in document.body.dataset;
  if (isShown && node.hidden && isDrawnBefore) node.dataset.cameAt = String(Date.now());
  node.hidden = !isShown;
}

/** Whether a control, or the row with it, has just come. */
function hasJustCome(/** @type {Element | null | undefined} */ control) {
  const node = /** @type {HTMLElement | null} */ (control?.closest("[data-came-at]") ?? null);
  return node !== null && (Math.abs(Date.now() - Number(node.dataset.cameAt)) < UNSEEN_MS || hasJustCome(node.parentElement));
}

addEventListener("pointerdown", (event) => {
  const control = controlAt(event);
  lastPress = { control, isUnseen: event.pointerType !== "mouse" && hasJustCome(control) };
}, { capture: true });

addEventListener("click", (event) => {
  const [control, hit] = [lastPress?.control, controlAt(event)];
  if (!event.detail || !lastPress || !hit || (hit === control && !lastPress.isUnseen)) return; // also for a click by a key
  if (control && !control.isConnected && control.isEqualNode(hit)) return; // the control was only redrawn
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });
