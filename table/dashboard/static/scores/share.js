// The score sheet as a PNG: messengers accept no SVG. Drawn here, so that the server needs no second renderer.

import { make } from "../web/tools.js";

const SCALE = 2;
const SAVED_MS = 60_000; // a browser may first ask where to save, and read the file only then

async function sheetImage(address) {
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
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
}

/** Shares the sheet at this address, as a picture with this name; saves it if the browser cannot share. */
export async function shareSheet(address, name) {
  const files = [new File([await sheetImage(address)], name, { type: "image/png" })];
  if (!navigator.canShare?.({ files })) return save(files[0]);
  try {
    await navigator.share({ files });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) save(files[0]); // cancelled: no file
  }
}
