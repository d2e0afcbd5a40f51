// Who pays whom, as arrows between the four seats and the pot in the middle.

import { shape } from "./graph.js";

const PLACES = [[160, 150], [268, 86], [160, 22], [52, 86]]; // bottom, right, top, left, as people sit
const POT = [160, 86];
const AWAY = [46, 24]; // how far arrows stay from a seat's middle, sideways and upright

const isPot = (point) => point === POT;

/** A curve round the middle, on the right (1) or left (-1), where two seats face each other; else a straight line. */
function curve(from, to, side) {
  const faces = !isPot(from) && !isPot(to) && (from[0] === to[0] || from[1] === to[1]);
  const bend = faces ? (from[0] === to[0] ? [58 * side, 0] : [0, 40]) : [0, 0];
  const middle = [(from[0] + to[0]) / 2 + bend[0], (from[1] + to[1]) / 2 + bend[1]];
  return [shorten(middle, from), middle, shorten(middle, to)];
}

/** The point at which an arrow between two places ends, so that it leaves the names free. */
function shorten(from, to) {
  const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
  const away = isPot(to) ? [22, 14] : AWAY;
  const part = Math.min(0.6, 1 / Math.max(Math.abs(dx) / away[0], Math.abs(dy) / away[1], 1));
  return [to[0] + dx * part, to[1] + dy * part];
}

function arrow(flow, place, side) {
  const [start, middle, end] = curve(place(flow.from), place(flow.to), side);
  const path = shape("path", { d: `M${start}Q${middle} ${end}`, "marker-end": "url(#tip)", class: "flow" });
  const [x, y] = [0, 1].map((axis) => start[axis] / 4 + middle[axis] / 2 + end[axis] / 4);
  return [path, shape("text", { x, y: y + 4, class: "paid" }, flow.text)];
}

function seat(name, delta, [x, y]) {
  const sign = delta.startsWith("+") ? "gain" : delta.startsWith("−") ? "loss" : "";
  return [
    shape("text", { x, y: y - 3, class: "name" }, name),
    shape("text", { x, y: y + 14, class: `delta ${sign}` }, delta || "0"),
  ];
}

/** Draws an outcome; `seated` are the four seats, the one at the bottom first. */
export function drawArrows(svg, outcome, seated, pot) {
  const place = (number) => (number === null ? POT : PLACES[seated.findIndex((each) => each.seat === number)]);
  const tip = shape("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  tip.append(shape("path", { d: "M0 0L8 4L0 8z" }));
  const usesPot = outcome.flows.some((flow) => flow.from === null || flow.to === null);
  const side = outcome.flows.some((flow) => flow.to === null && flow.from === seated[1].seat) ? -1 : 1;
  const names = seated.flatMap((each, at) => seat(each.player || each.name, outcome.delta_texts[each.seat], PLACES[at]));
  svg.replaceChildren(
    tip,
    ...(usesPot ? [shape("text", { x: POT[0], y: POT[1] + 4, class: "pot" }, pot)] : []),
    ...outcome.flows.flatMap((flow) => arrow(flow, place, side)),
    ...names,
  );
}
