// A transparent page over a video: requests the table's past state, with the delay that the server applies.

import { drawMeld, drawSide, drawTile } from "../live/felt.js";
import { fill, find, requestLimit, make, nameOf, setText, setTile } from "../web/tools.js";

const ASK_MS = 500;
const COUNT_MS = 900;
const SETTLED_MS = 15_000;
const { body, documentElement: root } = document;
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
const bottom = Number(body.dataset.seat);
const players = [...document.querySelectorAll(".player")];
const sides = [...document.querySelectorAll(".side")];
const owners = [...document.querySelectorAll(".owner")];
let seen = null;
let shownHands = null;
let drawnWin = "";
let hideTimer = 0;

root.style.setProperty("--size", String(Number(body.dataset.size) / 100));
for (const name of ["ink", "panel", "accent"]) {
  if (body.dataset[name]) root.style.setProperty(`--${name}`, `#${body.dataset[name]}`);
}

const newTile = () => make("li", { className: "tile fresh" }, make("img"));
const fromBottom = (seats) => [0, 1, 2, 3].map((place) => seats[(bottom + place) % 4]);
const signed = (points) => Math.abs(points).toLocaleString("en");

/** Counts from the shown points up or down to the present ones, and shows the change if it was a payment. */
function drawScore(player, seat, isPaid) {
  const score = player.querySelector(".score");
  const before = Number(score.dataset.points ?? seat.score);
  if (score.dataset.points === String(seat.score)) return setText(score, seat.score_text);
  score.dataset.points = String(seat.score);
  const change = seat.score - before;
  if (!change || !isPaid || isStill) return setText(score, seat.score_text);
  showChange(player, change);
  countUp(score, before, seat);
}

function showChange(player, change) {
  const text = `${change > 0 ? "+" : "−"}${signed(change)}`;
  const delta = make("span", { className: `delta risen ${change > 0 ? "gain" : "loss"}`, textContent: text });
  player.querySelector(".delta").replaceWith(delta);
}

function countUp(score, before, seat) {
  const startedAt = performance.now();
  const step = (now) => {
    if (score.dataset.points !== String(seat.score)) return;
    const part = Math.min(1, Math.max(0, (now - startedAt) / COUNT_MS));
    const points = Math.round((before + (seat.score - before) * (1 - (1 - part) ** 3)) / 100) * 100;
    setText(score, part < 1 ? `${points < 0 ? "−" : ""}${signed(points)}` : seat.score_text);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function drawPlayer(player, seat, isPaid) {
  setTile(player.querySelector(".wind"), seat.wind, seat.name);
  setText(player.querySelector(".name"), nameOf(seat));
  player.classList.toggle("dealer", seat.is_dealer);
  player.querySelector(".riichi").hidden = !seat.riichi;
  const waits = player.querySelector(".waits");
  waits.hidden = !seat.waits.length;
  fill(waits, seat.waits, newTile, drawTile);
  drawScore(player, seat, isPaid);
}

function drawCentre(centre) {
  if (!find("round")) return;
  setText(find("round"), centre.round ?? "");
  setText(find("honba"), centre.honba);
  setText(find("deposits"), centre.deposits);
  fill(find("dora"), centre.dora, newTile, drawTile);
}

function winElement(win) {
  const tiles = make("ol", { className: "row hand" });
  fill(tiles, win.tiles, () => make("li", { className: "tile" }, make("img")), drawTile);
  const melds = win.melds.map((meld) => {
    const row = make("ol", { className: "row meld" });
    drawMeld(row, meld);
    return row;
  });
  const tilesAndMelds = make("div", { className: "laid" }, ...(win.tiles.length ? [tiles] : []), ...melds);
  const yaku = make("ul", { className: "yaku" }, ...win.yaku.map((text) => make("li", { textContent: text })));
  const texts = [make("b", { textContent: win.name }), make("span", { className: "value", textContent: win.value })];
  return make("li", {}, make("p", {}, ...texts), tilesAndMelds, yaku);
}

/** Shows how a hand ends, and for a while afterwards how it ended. */
function drawHandEnd(won, seats) {
  const box = find("won");
  const mark = JSON.stringify(won);
  if (!box || mark === drawnWin) return;
  drawnWin = mark;
  clearTimeout(hideTimer);
  box.hidden = !won;
  if (!won) return;
  if (won.is_settled) hideTimer = setTimeout(() => (box.hidden = true), SETTLED_MS);
  setText(box.querySelector("h2"), won.title);
  box.querySelector(".hands").replaceChildren(...won.wins.map(winElement));
  const paidSeats = fromBottom(seats).filter((seat) => won.delta_texts[seat.seat]);
  const payments = paidSeats.map((seat) => {
    const text = won.delta_texts[seat.seat];
    return make("li", { className: text.startsWith("+") ? "gain" : text === "0" ? "" : "loss" }, won.names[seat.seat], make("b", { textContent: text }));
  });
  box.querySelector(".payments").replaceChildren(...payments);
  setText(box.querySelector(".at-end"), won.at_end);
}

const newPlace = () => make("li", {}, make("span"), make("b"), make("span"), make("strong"));

function draw(state) {
  for (const part of document.querySelectorAll("section[hidden]:not(#won)")) part.toggleAttribute("hidden", false);
  drawCentre(state.centre);
  const seats = fromBottom(state.seats);
  const isPaid = shownHands === null || state.hands === shownHands || state.hands === shownHands + 1; // else another game, or an undo
  shownHands = state.hands;
  players.forEach((player, place) => drawPlayer(player, seats[place], isPaid));
  sides.forEach((side, seat) => drawSide(side, { ...state.seats[seat], turn: false }, bottom));
  owners.forEach((owner, place) => setText(owner, nameOf(seats[place])));
  drawHandEnd(state.won, state.seats);
  if (find("standings")) {
    fill(find("standings"), state.standings, newPlace, (row, { place, name, score_text: score, points }) => {
      [place, name, score, points].forEach((text, at) => setText(row.children[at], text));
    });
  }
  body.dataset.version = state.version;
}

const query = new URLSearchParams(location.search);

async function ask() {
  if (seen !== null) query.set("seen", seen);
  try {
    const answer = await fetch(`/broadcast/state.json?${query}`, requestLimit());
    if (answer.status === 200) {
      const state = await answer.json();
      draw(state);
      seen = state.seen;
    }
  } catch {
    // the table cannot be reached: the last state stays, and it is requested again
  }
  setTimeout(ask, ASK_MS);
}

ask();
