// The settling sheet of a finished hand, with what was entered then.

import { openSettle } from "./settle.js";
import { find } from "../web/tools.js";

/** The seats with the winds of another hand's dealer. */
export function seatsUnder(seats, dealer) {
  const presentDealer = seats.find((seat) => seat.is_dealer).seat;
  return seats.map((seat) => {
    const sameWind = seats.find((other) => other.seat === (presentDealer + seat.seat - dealer + 4) % 4);
    return { ...seat, wind: sameWind.wind, name: sameWind.name, is_dealer: seat.seat === dealer };
  });
}

/** Opens the sheet to edit the finished hand with this number. */
export function openEdit(latest, seats, number) {
  const row = latest.sheet[number];
  const result = row.told ?? { kind: "draw", wins: [], tenpai: [], nagashi: [], riichi: [] };
  const values = Object.fromEntries(
    result.wins.map((win) => [win.seat, win.yakuman ? { yakuman: win.yakuman, yaku: win.yaku } : { han: win.han, fu: win.fu ?? undefined, yaku: win.yaku }]),
  );
  const chips = Object.fromEntries(result.wins.filter((win) => win.chips !== undefined).map((win) => [win.seat, win.chips]));
  const paos = Object.fromEntries(result.wins.filter((win) => win.pao).map((win) => [win.seat, win.pao]));
  const kind = result.wins.length ? "win" : result.kind;
  const { tenpai, nagashi, riichi, reason } = result;
  return openSettle(latest, seatsUnder(seats, row.dealer), {
    hand: number,
    kind,
    winners: result.wins.map((win) => win.seat),
    from: result.wins[0]?.from ?? null,
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
