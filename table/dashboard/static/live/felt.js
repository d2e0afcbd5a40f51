// The table as people see it: rivers, melds, sticks and the centre, rotated toward the viewer.

import { remember, recall } from "../web/browser_memory.js";
import { fill, find, labelled, lastingNameOf, make, nameOf, setText, setTile, withNote } from "../web/tools.js";

const sides = [...document.querySelectorAll(".side")];
const places = [...document.querySelectorAll(".place")];
const { seat: ownSeat } = document.body.dataset;
const TURNED_KEY = `turned ${ownSeat}`; // a phone that takes another seat sees the table from there

/** The seat at the bottom: the phone's own, unless somebody turned the table. */
export const bottomSeat = () => Number(recall(TURNED_KEY) ?? ownSeat ?? 0) % 4 || 0;

export const keepBottom = (seat) => remember(TURNED_KEY, String(seat));

const newTile = () => make("li", { className: "tile fresh" }, make("img"));

/** Draws one tile of a row. */
export function drawTile(node, tile) {
  setTile(node.firstElementChild, tile.face, tile.name);
  node.classList.toggle("sideways", Boolean(tile.sideways));
  node.classList.toggle("last", Boolean(tile.is_last));
  node.classList.toggle("doubtful", Boolean(tile.is_doubtful));
  if (tile.index !== undefined) node.dataset.index = tile.index;
}

/** Rows of six; from the nineteenth on, tiles are in the third row. */
function rowsOf(river) {
  const rows = [river.slice(0, 6), river.slice(6, 12), river.slice(12)];
  return rows.filter((row) => row.length);
}

/** Draws a meld: the called tile is sideways, with an added one on it. */
export function drawMeld(node, meld) {
  fill(node, meld.tiles, newTile, (tile, item) => {
    drawTile(tile, item);
    const added = item.sideways ? meld.added : null;
    if (added && !tile.querySelector(".added")) tile.append(make("img", { className: "added" }));
    if (!added) tile.querySelector(".added")?.remove();
    else setTile(tile.querySelector(".added"), added.face, added.name);
  });
}

/** Draws what lies before one seat, with seat `bottom` at the bottom. */
export function drawSide(side, seat, bottom) {
  side.dataset.side = (seat.seat - bottom + 4) % 4;
  side.classList.toggle("to-move", seat.turn);
  side.querySelector(".stick").hidden = !seat.stick;
  const river = side.querySelector(".river");
  river.setAttribute("aria-label", seat.labels.river);
  const rows = rowsOf(seat.river);
  fill(river, rows, () => make("ol", { className: "row" }), (row, tiles) => fill(row, tiles, newTile, drawTile));
  const melds = side.querySelector(".melds");
  melds.setAttribute("aria-label", seat.labels.melds);
  melds.classList.toggle("many", seat.melds.reduce((sum, meld) => sum + meld.tiles.length, 0) > 13);
  fill(melds, seat.melds, () => make("li", {}, make("ol", { className: "row meld" })), (item, meld) =>
    drawMeld(item.firstElementChild, meld),
  );
}

/** The number at a seat as screen readers read it: a difference names the seat compared with. */
const spokenScore = ({ score_text: text, score_label: label }) => (label ? withNote(text, label) : text);

/** A seat's points, or the difference to the seat that the others are compared with. */
function drawScore(score, seat) {
  setText(score, seat.score_text);
  score.dataset.seat = seat.seat;
  score.classList.toggle("gap", Boolean(seat.is_gap));
  if (!score.hasAttribute("role")) return;
  score.setAttribute("aria-pressed", String(Boolean(seat.is_compared)));
  score.setAttribute("aria-label", labelled(nameOf(seat), spokenScore(seat)));
}

/** Gives a seat's box its label: without one, screen readers would read the name a second time with the score. */
function nameBox(card, seat) {
  const box = card.querySelector("input");
  if (!box) return;
  const turn = seat.turn && card.querySelector(".playing").textContent;
  const parts = [turn, seat.name, seat.player, spokenScore(seat), ...seat.badges.map((badge) => badge.text)];
  box.setAttribute("aria-label", parts.filter(Boolean).join(" "));
}

/** A seat at the table's edge: its name, its points, and the state of its riichi. */
function drawPlace(place, seat) {
  setTile(place.querySelector(".wind"), seat.wind, seat.name);
  setText(place.querySelector(".name"), lastingNameOf(seat));
  drawScore(place.querySelector(".score"), seat);
  const tiles = seat.melds.reduce((sum, meld) => sum + meld.tiles.length, 0);
  place.dataset.melds = String(Math.ceil(tiles / 3));
  const card = place.querySelector(".card");
  card.classList.toggle("dealer", seat.is_dealer);
  card.classList.toggle("to-move", seat.turn);
  card.querySelector(".playing").hidden = !seat.turn;
  nameBox(card, seat);
  fill(card.querySelector(".badges"), seat.badges, () => make("em"), (badge, item) => {
    badge.dataset.kind = item.kind;
    setText(badge, item.text);
  });
}

function drawCentre(centre) {
  setText(find("round"), centre.round ?? "");
  setText(find("left"), centre.left ?? "");
  find("left").parentElement.hidden = centre.left === null;
  setText(find("honba"), centre.honba);
  setText(find("deposits"), centre.deposits);
  find("penalties").hidden = !centre.penalties;
  setText(find("penalties").lastElementChild, centre.penalties_text);
  const slots = [...centre.dora, ...Array(5).fill({ face: "back", name: "" })].slice(0, 5);
  fill(find("dora"), slots, newTile, (node, tile) => {
    drawTile(node, tile);
    node.classList.toggle("unturned", tile.face === "back");
  });
}

/** A shown hand: its tiles, its value and the reasons. */
export function handElement(hand, isNamed) {
  const tiles = make("ol", { className: "row hand" });
  fill(tiles, hand.tiles, () => make("li", { className: "tile" }, make("img")), drawTile);
  const value = make("p", { className: "value", textContent: hand.value });
  const yaku = make("ul", { className: "yaku" }, ...hand.yaku.map((text) => make("li", { textContent: text })));
  const name = make("p", { className: "owner", textContent: hand.name, hidden: !isNamed });
  const fu = make("p", { className: "fu", textContent: hand.fu.join(" + ") });
  const parts = [name, value, tiles, make("div", { className: "why-worth" }, ...[yaku, fu].filter((part) => part.hasChildNodes()))];
  return make("div", { className: "won" }, ...parts.filter((part) => part.hasChildNodes()));
}

/** Draws the table with seat `bottom` at the bottom. */
export function drawFelt(table, bottom) {
  drawCentre(table.centre);
  places.forEach((place, at) => drawPlace(place, table.seats[(bottom + at) % 4]));
  sides.forEach((side, seat) => drawSide(side, table.seats[seat], bottom));
}
