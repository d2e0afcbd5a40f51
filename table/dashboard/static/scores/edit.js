// The settling sheet of a finished hand, with what was entered then.

import { openSettle } from "./settle.js";
import { find } from "../web/tools.js";

/** The seats with the winds of another hand's dealer. */
export function seatsUnder(seats, dealer) {
  const dealing = seats.find((seat) => seat.is_dealer).seat;
  return seats.map((seat) => {
    const alike = seats.find((other) => other.seat === (dealing + seat.seat - dealer + 4) % 4);
    return { ...seat, wind: alike.wind, name: alike.name, is_dealer: seat.seat === dealer };
  });
}

/** Opens the sheet to edit the finished hand with this number. */
export function openEdit(latest, seats, number) {
  const row = latest.sheet[number];
  const before = row.told ?? { kind: "draw", wins: [], tenpai: [], nagashi: [], riichi: [] };
  const values = Object.fromEntries(
    before.wins.map((win) => [win.seat, win.yakuman ? { yakuman: win.yakuman, yaku: win.yaku } : { han: win.han, fu: win.fu ?? undefined, yaku: win.yaku }]),
  );
  const chips = Object.fromEntries(before.wins.filter((win) => win.chips !== undefined).map((win) => [win.seat, win.chips]));
  const paos = Object.fromEntries(before.wins.filter((win) => win.pao).map((win) => [win.seat, win.pao]));
  const kind = before.wins.length ? "win" : before.kind;
  const { tenpai, nagashi, riichi, reason } = before;
  return openSettle(latest, seatsUnder(seats, row.dealer), {
    hand: number,
    kind,
    winners: before.wins.map((win) => win.seat),
    from: before.wins[0]?.from ?? null,
    values,
    chips,
    paos,
    reason,
    tenpai,
    nagashi,
    riichi,
    isEdit: true,
    isDrawKnown: Boolean(row.told) && kind === "draw",
    title: `${find("settle").dataset.edit} ${row.round}${row.honba ? `-${row.honba}` : ""}`,
  });
}
