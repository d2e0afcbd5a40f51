// The hand of a winner, tile by tile or from a photo, with its value and the reasons.

import { valueOf } from "./counted_values.js";
import { askAgain, refusal, upload } from "../web/server.js";
import { fill, find, make, setText, setTile, withValues } from "../web/tools.js";

const box = find("hand");
const WIDEST = 1600; // width of an uploaded photo in pixels: more does not improve reading and takes long
let hand = null;
/** The last closed hand, by the `of` that names it: when it is opened again, it still has its tiles. */
const lastHand = { of: "", hand: null };
let onConfirm = null;
let requests = 0;
let value = null;
let query = null; // the request whose answer is the value

const selectedPart = () => box.querySelector("[name=part]:checked").value;
const tileName = (face) => box.querySelector(`.keys [value="${face}"] img`).alt;
const nextTile = (face, steps) => `${(face[0] === "0" ? 5 : Number(face[0])) + steps}${face[1]}`;

/** The tiles of a meld that begins with the tapped one; closed kans are written in brackets. */
function meldOf(kind, face) {
  const plainTile = nextTile(face, 0);
  const tiles = kind === "chi" ? [face, nextTile(face, 1), nextTile(face, 2)] : [face, ...Array(kind === "pon" ? 2 : 3).fill(plainTile)];
  return { tiles, text: kind === "closed" ? `(${tiles.join("")})` : tiles.join("") };
}

/** Melds as the server reads them. */
export const meldsText = (melds) => melds.map((meld) => meld.text).join(",");

const isChi = (face) => Number(nextTile(face, 0)[0]) <= 7;
const say = (text) => setText(box.querySelector(".worth .value"), text);

const tick = (name, choice) => (/** @type {HTMLInputElement} */ (box.querySelector(`[name=${name}][value=${choice}]`)).checked = true);

/** Whether the hand and its indicators would have more than four copies of a tile with these added. */
function hasFive(tiles) {
  const all = [...hand.tiles, ...hand.melds.flatMap((meld) => meld.tiles), ...hand.dora, ...hand.ura, ...tiles].map((tile) => nextTile(tile, 0));
  return tiles.some((tile) => all.filter((other) => other === nextTile(tile, 0)).length > 4);
}

/** The kind of meld being entered; an honour cannot be in a chi, so a pon is meant. */
function meldKind(face) {
  const chosen = box.querySelector("[name=meld]:checked");
  if (chosen.value === "chi" && face[1] === "z") tick("meld", "pon");
  return box.querySelector("[name=meld]:checked").value;
}

function addTile(face) {
  const kind = selectedPart() === "melds" ? meldKind(face) : "";
  if (kind === "chi" && !isChi(face)) return say(box.dataset.lowest);
  const meld = kind ? meldOf(kind, face) : null;
  if (hasFive(meld?.tiles ?? [face])) return say(box.dataset.four);
  if (meld) hand.melds.push(meld);
  else hand[selectedPart()].push(face);
  return draw();
}

/** Selects the part that the next tiles belong to. */
function select(name) {
  tick("part", name);
  draw();
}

function tickedFacts() {
  const ticked = [...find("facts").querySelectorAll("input:checked")].map((input) => [input.name, true]);
  const { double_riichi: isDouble, riichi, ...others } = Object.fromEntries(ticked);
  return { ...others, riichi: isDouble ? 2 : Number(Boolean(riichi)) };
}

function drawTiles(list, tiles, remove) {
  fill(list, tiles, () => make("li", { className: "tile" }, make("button", { type: "button" }, make("img"))), (item, face, at) => {
    const [button] = item.children;
    setTile(button.firstElementChild, face, tileName(face));
    button.setAttribute("aria-label", list.dataset.part === selectedPart() ? withValues(box.dataset.takeOut, { tile: tileName(face) }) : tileName(face));
    item.classList.toggle("doubtful", hand.doubts.has(face) && list.dataset.part === "tiles");
    button.onclick = () => remove(at);
  });
}

function draw() {
  find("meld-kinds").hidden = selectedPart() !== "melds";
  for (const list of box.querySelectorAll("[data-part]")) {
    const name = list.dataset.part;
    const tiles = name === "melds" ? hand.melds.flatMap((meld) => meld.tiles) : hand[name];
    drawTiles(list, tiles, (at) => {
      if (name !== selectedPart()) return select(name); // the tap was meant for the part, not for the tile under the finger
      if (name === "melds") {
        let rest = at;
        const found = hand.melds.findIndex((meld) => (rest -= meld.tiles.length) < 0);
        hand.melds.splice(found, 1);
      } else hand[name].splice(at, 1);
      return draw();
    });
  }
  updateValue();
}

const drawRefused = (answer) => say(refusal(answer));

async function updateValue() {
  const number = ++requests;
  const [title, yaku, fu] = box.querySelector(".worth").children;
  const isComplete = hand.tiles.length === 14 - 3 * hand.melds.length;
  value = query = null;
  box.querySelector(".confirm").disabled = true; // until the answer comes, an outdated value is shown
  let body = null;
  let [isWon, answer] = [false, null];
  const isOpen = isComplete && !hand.claim && hand.from === null;
  const isWanted = () => number === requests && box.open;
  if (isComplete && hand.claim) {
    const melds = hand.mayTellMelds ? { melds: meldsText(hand.melds) } : {};
    [isWon, answer] = await askAgain("shown", { seat: hand.seat, tiles: hand.tiles.join(""), ...melds }, isWanted, drawRefused);
  }
  if (isComplete && !hand.claim && !isOpen) {
    const texts = { tiles: hand.tiles.join(""), melds: meldsText(hand.melds), dora: hand.dora.join(""), ura: hand.ura.join("") };
    body = { hand: hand.number, seat: hand.seat, from: hand.from, ...texts, ...tickedFacts() };
    [isWon, answer] = await askAgain("value", body, isWanted, drawRefused);
  }
  if (number !== requests) return;
  if (isWon) [value, query] = [answer, body];
  const count = isOpen ? box.dataset.from : `${hand.tiles.length} / ${14 - 3 * hand.melds.length}`;
  setText(title, isWon ? answer.title : answer ? refusal(answer) : count);
  fill(yaku, isWon ? answer.yaku_texts : [], () => make("li"), setText);
  setText(fu, isWon ? answer.fu_texts.join(" + ") : "");
  box.querySelector(".confirm").disabled = !isWon;
}

/** A photo as a small JPEG: phones make pictures far larger than reading needs. Other files are returned unchanged. */
async function shrink(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return file;
  const scale = Math.min(1, WIDEST / Math.max(picture.width, picture.height));
  const canvas = make("canvas", { width: picture.width * scale, height: picture.height * scale });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
}

/** Uses the tiles in a photo for the hand, unless another one was opened meanwhile. */
async function readPhoto(file) {
  const openedHand = hand;
  requests += 1; // a pending answer would not be the value of the photo
  say(box.dataset.reading);
  const [isRead, answer] = await upload("photo", await shrink(file));
  if (openedHand !== hand) return undefined;
  if (!isRead) return drawRefused(answer);
  const tiles = answer.tiles.filter((tile) => /^[0-9][mpsz]$/.test(tile.to));
  hand.tiles = tiles.map((tile) => tile.to);
  hand.doubts = new Set(tiles.filter((tile) => tile.score < 0.9).map((tile) => tile.to));
  return draw();
}

/**
 * Opens the keyboard for the hand of a winner, with what is known of it; `callback` gets its value, its tiles, its melds
 * and the request that counted it once they are confirmed. `of` names the hand: when it is opened again, it still has its
 * tiles; `number` is that of a finished hand. With `claim`, only the shown tiles can be corrected, and with `mayTellMelds` the melds:
 * indicators and facts are the table's. The tiles in a `photo` become the hand.
 */
export function openHand(win, callback, photo = null) {
  const isReopened = Boolean(win.of) && win.of === lastHand.of && !win.tiles?.length && !win.melds?.length;
  const empty = { tiles: [], melds: [], dora: [], ura: [], doubts: new Set() };
  hand = isReopened ? { ...lastHand.hand, from: win.from, riichi: win.riichi } : { ...empty, claim: false, ...win };
  onConfirm = callback;
  if (!isReopened) box.querySelector("form").reset();
  /** @type {HTMLInputElement} */ (box.querySelector("[name=riichi]")).checked = Boolean(hand.riichi);
  Object.assign(lastHand, { of: win.of ?? "", hand });
  find("facts").hidden = hand.claim;
  find("hand-from").hidden = hand.claim || hand.from !== null;
  for (const input of box.querySelectorAll("[name=part]")) input.parentElement.hidden = hand.claim && input.value !== "tiles" && !(hand.mayTellMelds && input.value === "melds");
  draw();
  box.showModal();
  if (photo) readPhoto(photo);
}

/** Sets from whom the hand was won. */
export function setDiscarder(from) {
  hand.from = from;
  updateValue();
}

/** Ticks or unticks riichi if the hand is that of one of these seats: it was declared, or taken back, meanwhile. */
export function followHandRiichi(seats, isRiichi) {
  if (!box.open || hand.claim || !seats.includes(hand.seat)) return;
  /** @type {HTMLInputElement} */ (box.querySelector("[name=riichi]")).checked = isRiichi;
  updateValue();
}

if (box) {
  for (const key of box.querySelectorAll(".keys button")) key.onclick = () => addTile(key.value);
  for (const input of box.querySelectorAll("[name=part], #facts input")) input.onchange = draw;
  find("photo").onchange = () => {
    const [photo] = find("photo").files;
    find("photo").value = "";
    if (photo) readPhoto(photo);
  };
  find("hand-close").onclick = () => box.close();
  box.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    if (!value) return;
    onConfirm(valueOf(value), hand.tiles, hand.melds, query);
    box.close();
  };
}
