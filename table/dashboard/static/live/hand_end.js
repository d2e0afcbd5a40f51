// The end of the hand in play before it is settled: claims, shown hands, what is missing, and the payments.

import { drawArrows, FELT } from "../scores/arrows.js";
import { openHand } from "../scores/hand.js";
import { openSettle, openWin } from "../scores/settle.js";
import { send } from "../web/server.js";
import { drawParts, find, labelled, listText, make, nameOf } from "../web/tools.js";
import { handElement } from "./felt.js";

let table = null;
let seats = [];

/** The payers, each with the change and its text, and the receivers. */
function paymentList(rows) {
  const cells = rows.map(([name, change, text]) => {
    const cell = make("li", { className: change > 0 ? "gain" : change < 0 ? "loss" : "" });
    cell.append(make("span", { dir: "auto", textContent: name }), make("b", { textContent: text || "0" }));
    return cell;
  });
  return make("ol", { className: "payments" }, ...cells);
}

function choice(label, numbers, chosen) {
  const options = numbers.map((n) => make("option", { value: n, textContent: n, selected: n === chosen }));
  return make("label", {}, label, make("select", { "aria-label": label }, ...options));
}

/** The fields for han and fu, as people counted them, of a win whose hand is not laid open. */
function countForm(win) {
  const { han, fu, count } = find("ending").dataset;
  const hans = choice(han, Array.from({ length: 13 }, (_, at) => at + 1), 1);
  const fus = choice(fu, [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110], 30);
  const form = make("form", { className: "count" }, hans, fus, make("button", { textContent: count }));
  form.onsubmit = (event) => {
    event.preventDefault();
    const [hanCount, fuCount] = [...form.querySelectorAll("select")].map((select) => Number(select.value));
    send({ press: win.press, seat: win.seat, han: hanCount, fu: fuCount });
  };
  return form;
}

/** The buttons that choose the discarder of a win on a tile that may have gone unseen. */
function discarderChoice(win) {
  const choices = win.discarders.map(({ seat, name }) => {
    const button = make("button", { type: "button", value: win.seat, dir: "auto", textContent: name });
    button.onclick = () => send({ press: win.press, seat: win.seat, discarder: seat });
    return button;
  });
  return make("div", { className: "discarder", role: "group", "aria-label": find("ending").dataset.from }, make("p", { textContent: find("ending").dataset.from }), ...choices);
}

/** The buttons for a riichi whose tile may be the one won on: the sheet by hand opens without that riichi, or with it. */
function declarationChoice({ seat, asked, yes, no }) {
  const [yesButton, noButton] = [yes, no].map((textContent) => make("button", { type: "button", textContent }));
  yesButton.onclick = () => openByHand({ riichi: table.keeping.riichi.filter((each) => each !== seat) });
  noButton.onclick = () => openByHand();
  return make("div", { className: "discarder", role: "group", "aria-label": asked }, make("p", { textContent: asked }), yesButton, noButton);
}

/** The payments, as arrows over the felt. */
function drawEndArrows(ending) {
  find("paid").toggleAttribute("hidden", !ending?.flows.length);
  if (ending?.flows.length) drawArrows(find("paid"), ending, seats, "", FELT);
}

/** Opens the shown hand on the tile keyboard, also with unseen melds; once confirmed, it counts as shown. */
function correctionOf(win) {
  const { correct } = find("ending").dataset;
  const button = make("button", { type: "button", className: "put-right", textContent: "✎", title: correct, "aria-label": correct });
  const mayTell = win.may_tell_melds;
  const sendCorrection = (_, tiles, melds) => send({ press: win.press, seat: win.seat, tiles, ...(mayTell && { melds: melds.map((meld) => meld.text) }) });
  button.onclick = () => openHand({ seat: win.seat, tiles: [...win.entry], melds: [...table.seats[win.seat].entry], claim: true, mayTellMelds: mayTell }, sendCorrection);
  return button;
}

/** A won hand; pages with the tile keyboard can correct it. */
function wonHand(win, isNamed) {
  const won = handElement(win, isNamed);
  if (find("hand")) won.append(correctionOf(win));
  return won;
}

/** The questions about this hand's wins, on pages that may answer them. */
function questionsOf(win) {
  const of = [table.keeping.game, table.keeping.hand, win.press, win.seat];
  return [
    ...(win.discarders.length ? [[[of, win.discarders], () => discarderChoice(win)]] : []),
    ...(win.uncounted ? [[of, () => countForm(win)]] : []),
  ];
}

/** The parts of a hand's end, from its title on. */
function endingParts(ending) {
  const mayAct = Boolean(find("toast"));
  const line = (className, textContent) => [[className, textContent], () => make("p", { className, textContent })];
  const isNamed = ending.wins.length > 1;
  const paymentRows = ending.deltas && seats.map((seat) => [nameOf(seat), ending.deltas[seat.seat], ending.delta_texts[seat.seat]]);
  return [
    [ending.title, () => make("h2", { textContent: ending.title })],
    ...(ending.missing.length ? [line("missing", labelled(find("ending").dataset.missing, listText(ending.missing)))] : []),
    ...(ending.by_hand?.hint && mayAct ? [line("asked", ending.by_hand.hint)] : []),
    ...(ending.again && mayAct ? [line("asked", ending.again)] : []),
    ...ending.wins.flatMap((win) => [[[win, isNamed], () => wonHand(win, isNamed)], ...(mayAct ? questionsOf(win) : [])]),
    ...(mayAct ? ending.declarations.map((each) => [each, () => declarationChoice(each)]) : []),
    ...ending.shown.map((hand) => [hand, () => handElement(hand, true)]),
    ...(paymentRows ? [[paymentRows, () => paymentList(paymentRows)]] : []),
    ...ending.notes.map((note) => line("hint", note)),
  ];
}

/** Draws the end of the hand in play, if there is one, with the payments over the felt; `latestSeats` start at the bottom. */
export function drawHandEnd(latest, latestSeats) {
  [table, seats] = [latest, latestSeats];
  const { ending } = table;
  find("ending").hidden = !ending;
  drawParts(find("ending"), ending ? endingParts(ending) : []);
  drawEndArrows(ending);
}

/** Opens the sheet with what is known of the hand's end, and with `extra`; during play it opens for a win. */
export function openByHand(extra = {}) {
  if (!table.ending?.by_hand) return openWin(table, seats);
  const { hint, ...start } = table.ending.by_hand;
  return openSettle(table, seats, { ...start, ...extra });
}
