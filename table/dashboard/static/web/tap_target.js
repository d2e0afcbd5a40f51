// A tap counts for the control on which the finger came down: before it is lifted, another one may take that place, such
// as "Confirm" instead of "Tsumo".

const CONTROLS = "button, summary, a, select, input, [role=button]";
/** @type {{ control: Element | null } | null} */
let lastPress = null;

const controlAt = (/** @type {Event} */ { target }) => {
  const element = /** @type {Element} */ (target);
  return element.closest("label") ?? element.closest(CONTROLS);
};

addEventListener("pointerdown", (event) => void (lastPress = { control: controlAt(event) }), { capture: true });

addEventListener("click", (event) => {
  const [control, hit] = [lastPress?.control, controlAt(event)];
  if (!event.detail || !lastPress || !hit || hit === control) return; // also for a click by a key
  if (control && !control.isConnected && control.isEqualNode(hit)) return; // the control was only redrawn
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });
