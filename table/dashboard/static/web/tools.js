// Small tools for drawing.

/** Attributes for which older browsers have no properties. */
const isAttribute = (name) => name === "role" || name.startsWith("aria-");

/**
 * Makes an element with properties, children and texts; `role` and names that begin with `aria-` become attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {object} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (isAttribute(name)) node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

/** Gives a list one child for each item, and calls `update` for each; existing children are reused. */
export function fill(list, items, create, update) {
  while (list.children.length > items.length) list.lastElementChild.remove();
  items.forEach((item, at) => {
    const node = list.children[at] ?? list.appendChild(create(item));
    update(node, item, at);
  });
}

/** Calls `draw` unless the node already shows these data: a finger may be on the elements that it would replace. */
export function drawNew(node, data, draw) {
  const mark = JSON.stringify(data);
  if (node.dataset.mark === mark) return;
  node.dataset.mark = mark;
  draw();
}

/**
 * Gives a node these parts. A part is drawn only if the node has none that shows the same `data`: somebody may be
 * choosing in it, or have a finger on it.
 * @param {HTMLElement} node
 * @param {[data: unknown, draw: () => HTMLElement][]} parts
 */
export function drawParts(node, parts) {
  const old = /** @type {HTMLElement[]} */ ([...node.children]);
  const nodes = parts.map(([data, draw]) => {
    const mark = JSON.stringify(data);
    const index = old.findIndex((part) => part.dataset.mark === mark);
    const part = index < 0 ? draw() : old.splice(index, 1)[0];
    part.dataset.mark = mark;
    return part;
  });
  for (const part of old) part.remove();
  nodes.forEach((part, at) => node.children[at] === part || node.insertBefore(part, node.children[at] ?? null));
}

/**
 * The element with this id, or null; `tests/js/page.d.ts` declares its type.
 * @template {string} Id
 * @param {Id} id
 * @returns {ElementOf<Id>}
 */
export const find = (id) => /** @type {ElementOf<Id>} */ (document.getElementById(id));

/**
 * A name cut to a width, for drawings, in which browsers cut no text. East Asian characters count twice.
 * @param {string} name
 * @param {number} limit the width in Latin letters
 */
export function cutName(name, limit) {
  let room = limit;
  const letters = [...name];
  const end = letters.findIndex((letter) => (room -= letter > "\u2e7f" || (letter >= "\u1100" && letter < "\u1200") ? 2 : 1) < 0);
  return end < 0 ? name : `${letters.slice(0, Math.max(1, end - 1)).join("")}…`;
}

/** A name isolated for use within a text, so that one written from right to left does not reorder the rest. */
const isolate = (name) => (/[\u0590-\u08ff\u202a-\u202e\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name);

/** The player's name, else the seat's wind. */
export const nameOf = (seat) => isolate(seat.player) || seat.name;

/** The player's name, else the seat's number: for texts that outlast the hand and its winds. */
export const lastingNameOf = (seat) => isolate(seat.player) || seat.number_text;

const isWide = () => /^(ja|zh)/.test(document.documentElement.lang);

/**
 * A text with its placeholders filled in. The values are used as they are: `replace` itself would read a `$` in a name.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const withValues = (text, values) => text.replaceAll(/\{(\w+)\}/g, (placeholder, name) => String(values[name] ?? placeholder));

/** Items in one line, separated by the comma of the page's language. */
export const listText = (items) => items.join(isWide() ? "、" : ", ");

/** Sentences one after another, without empty ones; no space follows a Japanese or Chinese full stop. */
export const runningText = (sentences) => sentences.filter(Boolean).join(" ").replaceAll("。 ", "。");

/** A name in a list: one from right to left is cut at its end, before a form of address. */
export function listedName(name) {
  const end = name.indexOf("\u2069");
  if (end < 0) return make("span", { textContent: name });
  return make("span", { className: "listed" }, make("bdi", { textContent: name.slice(1, end) }), make("i", { textContent: name.slice(end + 1) }));
}

/** A label and a text, separated by the colon of the page's language. */
export const labelled = (...parts) => parts.join(isWide() ? "：" : ": ");

/** A text with a note in the brackets of the page's language. */
export const withNote = (text, note) => (isWide() ? `${text}（${note}）` : `${text} (${note})`);

export function setText(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
}

/**
 * Enables or disables controls; if the focused one is disabled, the first enabled one gets the focus.
 * @param {[HTMLButtonElement | HTMLInputElement, unknown][]} controls each with whether it can be used
 */
export function enable(...controls) {
  const focused = document.activeElement;
  for (const [control, isOn] of controls) control.disabled = !isOn;
  if (controls.some(([control, isOn]) => control === focused && !isOn)) controls.find(([, isOn]) => isOn)?.[0].focus();
}

/** The address of a face's picture; it changes whenever the pictures do. */
export const picture = (face) => `/tile/${face}.svg?v=${document.body.dataset.art}`;

export function setTile(image, face, name) {
  if (image.dataset.face !== face) {
    image.dataset.face = face;
    image.src = picture(face);
  }
  image.alt = name;
}

/** Loads the page anew. The answer to a form is loaded by its address: `reload` would send the form again. */
export function loadAnew() {
  if (document.querySelector("meta[name=answers-form]")) location.replace(location.pathname + location.search);
  else location.reload();
}

const LONGEST_MS = 8000;

/**
 * The time limit of a request: without an answer by then it was lost, even if the network reports no error.
 *
 * @returns {RequestInit}
 */
export const requestLimit = (ms = LONGEST_MS) => ({ signal: AbortSignal.timeout?.(ms) });
