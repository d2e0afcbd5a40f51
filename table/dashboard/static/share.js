// The score sheet as a PNG: messengers take no SVG. Drawn here, so that the server needs no second way to draw.

import { make } from "./tools.js";

const SCALE = 2;

async function drawn(address) {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = make("canvas", { width: SCALE * picture.naturalWidth, height: SCALE * picture.naturalHeight });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return /** @type {Promise<Blob>} */ (new Promise((done) => canvas.toBlob(done, "image/png")));
}

function save(file) {
  const link = make("a", { href: URL.createObjectURL(file), download: file.name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Hands the sheet at this address, as a picture of this name, to another program; where the browser cannot, saves it. */
export async function shareSheet(address, name) {
  const files = [new File([await drawn(address)], name, { type: "image/png" })];
  if (!navigator.canShare?.({ files })) return save(files[0]);
  try {
    await navigator.share({ files });
  } catch (error) {
    if (error.name !== "AbortError") save(files[0]); // people who change their mind want no file
  }
}
