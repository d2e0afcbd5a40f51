// The table as people see it: rivers, melds, sticks and the centre, turned toward whoever looks.

import { fill, find, make, setText, setTile } from "./tools.js";

const sides = [...document.querySelectorAll(".side")];

const newTile = () => make("li", { className: "tile fresh" }, make("img"));

/** Draws one tile of a row. */
export function drawTile(node, tile) {
  setTile(node.firstElementChild, tile.face, tile.name);
  node.classList.toggle("sideways", Boolean(tile.sideways));
  node.classList.toggle("last", Boolean(tile.is_last));
  node.classList.toggle("doubtful", Boolean(tile.is_doubtful));
  if (tile.index !== undefined) node.dataset.index = tile.index;
}

/** Rows of six; what comes after the eighteenth lies in the third row. */
function rowsOf(river) {
  const rows = [river.slice(0, 6), river.slice(6, 12), river.slice(12)];
  return rows.filter((row) => row.length);
}

function drawMeld(node, meld) {
  fill(node, meld.tiles, newTile, (tile, item) => {
    drawTile(tile, item);
    const added = item.sideways ? meld.added : null;
    if (added && !tile.querySelector(".added")) tile.append(make("img", { className: "added" }));
    if (!added) tile.querySelector(".added")?.remove();
    else setTile(tile.querySelector(".added"), added.face, added.name);
  });
}

function drawSide(side, seat, turned) {
  side.dataset.side = (seat.seat - turned + 4) % 4;
  side.classList.toggle("to-move", seat.turn);
  setTile(side.querySelector(".plate .wind"), seat.wind, seat.name);
  setText(side.querySelector(".plate b"), seat.score_text);
  side.querySelector(".stick").hidden = !seat.stick;
  const river = side.querySelector(".river");
  river.ariaLabel = seat.labels.river;
  const rows = rowsOf(seat.river);
  fill(river, rows, () => make("ol", { className: "row" }), (row, tiles) => fill(row, tiles, newTile, drawTile));
  const melds = side.querySelector(".melds");
  melds.ariaLabel = seat.labels.melds;
  melds.classList.toggle("many", seat.melds.reduce((sum, meld) => sum + meld.tiles.length, 0) > 13);
  fill(melds, seat.melds, () => make("li", {}, make("ol", { className: "row meld" })), (item, meld) =>
    drawMeld(item.firstElementChild, meld),
  );
}

function drawCentre(centre) {
  setText(find("round"), centre.round ?? "");
  setText(find("left"), centre.left ?? "–");
  setText(find("honba"), centre.honba);
  setText(find("deposits"), centre.deposits);
  find("penalties").hidden = !centre.penalties;
  setText(find("penalties").lastElementChild, `+${centre.penalties}`);
  const slots = [...centre.dora, ...Array(5).fill({ face: "back", name: "" })].slice(0, 5);
  fill(find("dora"), slots, newTile, (node, tile) => {
    drawTile(node, tile);
    node.classList.toggle("unturned", tile.face === "back");
  });
}

/** Draws the table with seat `turned` at the bottom. */
export function drawFelt(table, turned) {
  drawCentre(table.centre);
  sides.forEach((side, seat) => drawSide(side, table.seats[seat], turned));
}
