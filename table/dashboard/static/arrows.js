// Who pays whom, as arrows between the four seats and the pot in the middle.

import { nameOf } from "./felt.js";
import { shape } from "./graph.js";
import { cutName } from "./tools.js";

// Places are bottom, right, top, left, as people sit; `away` is the distance of arrows from a seat's middle and from
// the pot's, sideways and upright; `bend` that of arrows between facing seats from the middle, `out` between neighbours.
const SHEET = { places: [[160, 150], [268, 86], [160, 22], [52, 86]], pot: [160, 86], away: [[46, 24], [22, 14]], bend: [58, 40], out: 0 };
/** The felt itself: the middle is the console. */
export const FELT = { places: [[160, 262], [270, 160], [160, 58], [50, 160]], pot: [160, 160], away: [[44, 24], [34, 34]], bend: [128, 128], out: 0.55 };

/** A curve round the middle, right (1) or left (-1), between seats that face each other; else a straight line. */
function curve(from, to, side, { pot, bend, away, out }) {
  const faces = from !== pot && to !== pot && (from[0] === to[0] || from[1] === to[1]);
  const by = faces ? (from[0] === to[0] ? [bend[0] * side, 0] : [0, bend[1]]) : [0, 0];
  const outward = faces || from === pot || to === pot ? 0 : out;
  const middle = [0, 1].map((axis) => ((from[axis] + to[axis]) / 2) * (1 + outward) - pot[axis] * outward + by[axis]);
  return [shorten(middle, from, away[Number(from === pot)]), middle, shorten(middle, to, away[Number(to === pot)])];
}

/** The point at which an arrow between two places ends, so that it does not cover the names. */
function shorten(from, to, away) {
  const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
  const part = Math.min(0.6, 1 / Math.max(Math.abs(dx) / away[0], Math.abs(dy) / away[1], 1));
  return [to[0] + dx * part, to[1] + dy * part];
}

function arrow(flow, place, side, layout, tip) {
  const [start, middle, end] = curve(place(flow.from), place(flow.to), side, layout);
  const path = shape("path", { d: `M${start}Q${middle} ${end}`, "marker-end": `url(#${tip})`, class: "flow" });
  const [x, y] = [0, 1].map((axis) => start[axis] / 4 + middle[axis] / 2 + end[axis] / 4);
  const isFlat = start[1] === end[1]; // a short arrow from or to the pot: the points are above it
  return [path, shape("text", { x, y: y + (isFlat ? -7 : 4), class: "paid" }, flow.text)];
}

/**
 * A seat's name, and its gain or loss.
 * @param {string} name
 * @param {string} delta
 * @param {number[]} at
 */
function seat(name, delta, [x, y]) {
  const sign = delta.startsWith("+") ? "gain" : delta.startsWith("−") ? "loss" : "";
  return [
    shape("text", { x, y: y - 3, class: "name" }, name),
    shape("text", { x, y: y + 14, class: `delta ${sign}` }, delta || "0"),
  ];
}

/** Draws an outcome; `seated` are the four seats, the one at the bottom first; `pot` is the name of the middle. */
export function drawArrows(svg, outcome, seated, pot, layout = SHEET) {
  const { places } = layout;
  const place = (number) => (number === null ? layout.pot : places[seated.findIndex((each) => each.seat === number)]);
  const tip = shape("marker", { id: `${svg.id}-tip`, class: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  tip.append(shape("path", { d: "M0 0L8 4L0 8z" }));
  const usesPot = pot && outcome.flows.some((flow) => flow.from === null || flow.to === null);
  const side = outcome.flows.some((flow) => flow.to === null && flow.from === seated[1].seat) ? -1 : 1;
  const names = seated.flatMap((each, at) => seat(cutName(nameOf(each), 14), outcome.delta_texts[each.seat], places[at]));
  svg.replaceChildren(
    tip,
    ...(usesPot ? [shape("text", { x: layout.pot[0], y: layout.pot[1] + 4, class: "pot" }, pot)] : []),
    ...outcome.flows.flatMap((flow) => arrow(flow, place, side, layout, tip.id)),
    ...names,
  );
}
