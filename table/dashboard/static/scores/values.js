// The values that a win may have, in the settling sheet: the payments for each han and fu under the rules in force.

import { askAgain } from "../web/server.js";
import { find, make } from "../web/tools.js";

let grids = null; // the payments for each han and fu, under the rules named in it

/** Whether the payments under these rules are loaded. */
export const areLoaded = (rules) => grids?.rules === rules;

let requests = 0;

/** Requests the payments under the rules in force; returns whether they were received, and by no earlier request. */
export async function loadValues(isWanted) {
  const number = ++requests;
  const [isGood, answer] = await askAgain("values", null, () => number === requests && isWanted());
  if (!isGood || number !== requests) return false;
  grids = answer;
  return true;
}

/** The least han of a hand that counts as a yakuman, or as a sanbaiman, by the rules. */
const COUNTED_HAN = 13;

const kindOf = (winner, from) => `${winner.is_dealer ? "dealer" : "other"}_${from === winner.seat ? "tsumo" : "ron"}`;

/** The payment of a winner's value as in the grid. */
export function worthOf(winner, from, value) {
  const grid = grids[kindOf(winner, from)];
  if (value.yakuman) return value.yakuman > 1 ? `${grid.yakuman.name} ×${value.yakuman}` : grid.yakuman.text;
  if (value.han >= COUNTED_HAN) return grid.counted;
  return grid.cells[value.han - 1]?.[grid.fu.indexOf(value.fu)] ?? grid.limits.findLast((limit) => limit.han <= value.han)?.text ?? "";
}

const isSame = (current, value) => Boolean(current) && current.yakuman === value.yakuman && current.han === value.han && (value.fu === undefined || current.fu === value.fu);

/** A payment that breaks after its points, if it has to: Japanese would break anywhere. */
const payment = (text) => make("span", {}, ...text.split(/(\D+)$/).flatMap((part) => [part, make("wbr")]));

function button(text, isPressed, choose, name = []) {
  const node = make("button", { type: "button", "aria-pressed": isPressed });
  node.append(...name, ...text.split("/").map(payment));
  node.onclick = choose;
  return node;
}

const limitButton = ({ name, text }, isPressed, choose) => button(text, isPressed, choose, [make("b", { textContent: name })]);

/** Yakuman are counted by tapping again, up to the most that the rules let a hand count, and then from one again. */
function yakumanButton({ name, text, most }, current, choose) {
  const count = current?.yakuman > 1 ? ` ×${current.yakuman}` : "";
  const next = current?.yakuman ? (current.yakuman % most) + 1 : 1;
  return limitButton({ name: name + count, text }, Boolean(current?.yakuman), () => choose({ yakuman: next }));
}

/** Draws the grid for a winner whose known value, if any, is pressed; `choose` gets the tapped one. */
export function drawGrid(winner, from, current, choose) {
  const kind = kindOf(winner, from);
  const grid = grids[kind];
  const mark = JSON.stringify([grids.rules, kind, winner.seat, current]);
  const { han, fu, mark: drawnMark } = find("values").dataset;
  if (drawnMark === mark) return; // a finger may be on a value
  find("values").dataset.mark = mark;
  const head = make("tr", {}, make("th", { textContent: `${han} \\ ${fu}` }), ...grid.fu.map((each) => make("th", { textContent: each })));
  const rows = grid.cells.map((texts, at) => {
    const cells = texts.map((text, place) => {
      const value = { han: at + 1, fu: grid.fu[place] };
      return make("td", {}, ...(text ? [button(text, isSame(current, value), () => choose(value))] : []));
    });
    return make("tr", {}, make("th", { textContent: at + 1 }), ...cells);
  });
  const limits = grid.limits.map((limit) => limitButton(limit, isSame(current, { han: limit.han }), () => choose({ han: limit.han })));
  const yakuman = yakumanButton(grid.yakuman, current, choose);
  const scrollLeft = find("values").firstElementChild?.scrollLeft ?? 0;
  const wrap = make("div", { className: "grid" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  find("values").replaceChildren(wrap, make("div", { className: "limits" }, ...limits, yakuman));
  wrap.scrollLeft = scrollLeft;
}
