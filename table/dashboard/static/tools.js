// Small tools for drawing.

/** Makes an element with properties, children and texts. */
export function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/** Makes a list's children as many as the items and lets `update` bring each up to date: nothing is drawn twice. */
export function fill(list, items, create, update) {
  while (list.children.length > items.length) list.lastElementChild.remove();
  items.forEach((item, at) => {
    const node = list.children[at] ?? list.appendChild(create(item));
    update(node, item, at);
  });
}

export const find = (id) => document.getElementById(id);

export function setText(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
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
