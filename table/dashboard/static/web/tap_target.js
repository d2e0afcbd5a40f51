// A tap counts for what the finger came down on: until it is lifted, something else may have come to stand there, such
// as "Confirm" in the place of "Tsumo".

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
  if (!event.detail || !lastPress || !hit || hit === control) return; // also by a key
  if (control && !control.isConnected && control.isEqualNode(hit)) return; // it was only drawn anew
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });
