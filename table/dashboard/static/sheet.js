// The score sheet as a PNG: messengers take no SVG. Drawn here, so that the server needs no second way to draw.

import { find } from "./tools.js";

const SCALE = 2;

const link = find("png");
link.onclick = async (event) => {
  event.preventDefault();
  const picture = new Image();
  picture.src = link.href;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * picture.naturalWidth;
  canvas.height = SCALE * picture.naturalHeight;
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const file = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const save = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: link.download });
  save.click();
  URL.revokeObjectURL(save.href);
};
