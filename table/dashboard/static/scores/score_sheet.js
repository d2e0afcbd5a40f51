// The score sheet of the game on the table: its hands, newest first, with corrections and changes of players in between.

import { openEdit } from "./edit.js";
import { drawNew, find, labelled, lastingNameOf, listText, make, setText } from "../web/tools.js";

const heads = [...document.querySelectorAll(".sheet thead th span")];
let table = null;
let seats = [];

function editButton(number, { round, honba }) {
  const label = labelled(find("sheet").dataset.edit, `${round}${honba ? `-${honba}` : ""}`);
  const button = make("button", { type: "button", className: "edit", textContent: "✎", "aria-label": label });
  button.onclick = () => openEdit(table, seats, number);
  return button;
}

/** What a foul added to the payments of a hand that it did not end: payers first, then receivers. */
function foulText(foul, people) {
  const affected = people.filter((seat) => foul.deltas[seat.seat]).sort((one, other) => foul.deltas[one.seat] - foul.deltas[other.seat]);
  return labelled(find("sheet").dataset.foul, listText(affected.map((seat) => `${lastingNameOf(seat)} ${foul.delta_texts[seat.seat]}`)));
}

/** Whether the page links to replays of hands: at a tournament, not before the game is over. */
const mayReplay = () => !document.body.classList.contains("wall") && (table.may_speak || table.keeping.is_over);

function sheetRows([number, hand]) {
  const cells = seats.map((seat) => {
    const change = hand.deltas?.[seat.seat] ?? 0;
    const cell = make("td", { className: change > 0 ? "gain" : change < 0 ? "loss" : "" });
    cell.append(make("b", { textContent: hand.delta_texts[seat.seat] || "·" }));
    cell.append(make("small", { textContent: hand.score_texts[seat.seat] }));
    if (hand.chip_texts?.[seat.seat]) cell.append(make("small", { textContent: hand.chip_texts[seat.seat] }));
    return cell;
  });
  const name = make("th", { scope: "row" }, hand.round);
  if (hand.honba) name.append(make("span", { className: "unseen", textContent: "-" }), make("sup", { textContent: hand.honba })); // read aloud as "3-1"
  const settledWins = hand.settled?.wins ?? [];
  const winners = settledWins.length > 1 ? seats : [];
  const winTexts = settledWins.map((win) => {
    const winner = winners.find((seat) => seat.seat === win.seat);
    return labelled(...[winner && lastingNameOf(winner), win.value, listText(win.yaku)].filter(Boolean));
  });
  const note = make("td", { colSpan: 5, textContent: [hand.edited, hand.settled?.title, ...winTexts, ...hand.fouls.map((foul) => foulText(foul, seats))].filter(Boolean).join(" · ") });
  const replayLink = make("a", { className: "edit", href: `/hand/${number}`, textContent: "▷", "aria-label": find("sheet").dataset.again });
  const buttons = [...(mayReplay() ? [replayLink] : []), ...(find("settle") ? [editButton(number, hand)] : [])];
  note.prepend(make("span", { className: "edits" }, ...buttons));
  return [make("tr", {}, name, ...cells), make("tr", { className: "note" }, note)];
}

/** Corrections made by hand, in or before the hand with this number, newest first. */
function adjustedRows(adjustments, number) {
  return adjustments.filter((each) => each.hand === number).reverse().flatMap((each) => {
    const cells = seats.map((seat) => {
      const change = each.deltas[seat.seat];
      const cell = make("td", { className: change > 0 ? "gain" : change < 0 ? "loss" : "" });
      cell.append(make("b", { textContent: change ? each.delta_texts[seat.seat] : "·" }));
      cell.append(make("small", { textContent: each.score_texts[seat.seat] }));
      return cell;
    });
    const note = make("tr", { className: "note" }, make("td", { colSpan: 5, textContent: each.text }));
    return [make("tr", { className: "put-right-by-hand" }, make("th", { scope: "row", textContent: "±" }), ...cells), note];
  });
}

/** Who sat down for whom before the hand with this number, newest first. */
function changeoverRows(changeovers, number) {
  const changes = changeovers.filter((each) => each.hand === number).reverse();
  return changes.map(({ text }) => make("tr", { className: "note" }, make("td", { colSpan: 5, textContent: text })));
}

/** Draws the sheet of a state of the table; `latestSeats` are in the order of its columns. */
export function drawSheet(latest, latestSeats) {
  [table, seats] = [latest, latestSeats];
  const { sheet, adjustments, changeovers } = table;
  const rows = find("sheet");
  seats.forEach((seat, place) => setText(heads[place], lastingNameOf(seat)));
  const people = seats.map((seat) => [seat.seat, lastingNameOf(seat)]);
  drawNew(rows, [people, mayReplay(), sheet, adjustments, changeovers], () => {
    const empty = make("tr", { className: "note" }, make("td", { colSpan: 5, textContent: rows.dataset.empty }));
    const rowsBefore = (number) => [...adjustedRows(adjustments, number), ...changeoverRows(changeovers, number)];
    const hands = [...sheet.entries()].reverse().flatMap((row) => [...sheetRows(row), ...rowsBefore(row[0])]);
    const lines = [...rowsBefore(sheet.length), ...hands];
    rows.replaceChildren(...(lines.length ? lines : [empty]));
  });
}
