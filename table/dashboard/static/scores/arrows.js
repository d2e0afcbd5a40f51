// Who pays whom, as arrows between the four seats and the pot in the middle.

import { shape } from "./graph.js";
import { nameOf } from "../web/tools.js";

/**
 * The positions in a drawing. `places` are bottom, right, top, left, as people sit, each with the greatest width of its
 * name; `isLine` if the gain or loss stands beside the name. `bend` is how far arrows between facing seats go round
 * the middle and at which `part` of it their points stand, `out` how far those between neighbours bulge, `free` the
 * room that the middle takes.
 * @typedef {{ at: number[], most: number, isLine?: boolean }} Place
 * @typedef {{ places: Place[], pot: number[], free: number[], bend: number[], part: number, out: number }} Layout
 */

/** @type {Layout} The felt itself: the middle is the console, and above and below there is room for a longer name. */
export const FELT = {
  places: [[160, 260], [270, 160], [160, 56], [50, 160]].map((at) => ({ at, most: at[0] === 160 ? 120 : 80 })),
  pot: [160, 160],
  free: [16, 16],
  bend: [104, 104],
  part: 0.72,
  out: 0.55,
};
const LEAST_WIDTH = 280; // in units: names, points and arrows do not fit into less
const USUAL_WIDTH = 64; // the width of a loss of five digits in most fonts
const DOTS = 14; // the width of the dots after a cut name
const CLEARANCE = 5; // between an arrow and what is written beside it
const LONGEST = 0.85; // the part of the way to its middle that an end of an arrow may leave free

/**
 * The width of a gain or loss, which differs from font to font.
 * @param {SVGSVGElement} svg
 * @param {string} text
 */
function widthOf(svg, text) {
  const sample = svg.appendChild(/** @type {SVGTextContentElement} */ (shape("text", { class: "delta" }, text)));
  const width = sample.getComputedTextLength();
  sample.remove();
  return width;
}

/**
 * The sheet's drawing in units that grow with the reader's letters, as far as its width allows.
 * @param {SVGSVGElement} svg
 * @param {boolean} usesPot
 * @returns {Layout}
 */
function sheetOf(svg, usesPot) {
  const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const widthFactor = Math.max(1, widthOf(svg, "−48,000") / USUAL_WIDTH);
  const unit = Math.min(letters, svg.clientWidth / (LEAST_WIDTH * widthFactor)) || 1;
  const [width, height] = [svg.clientWidth / unit, svg.clientHeight / unit];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const [x, y] = [width / 2, height / 2];
  const [line, side] = [{ most: Math.min(width * 0.5, 190), isLine: true }, Math.max(60 * widthFactor, Math.min(112, x - 80 * widthFactor))];
  const sidePlace = { most: side };
  const places = [{ at: [x, height - 11], ...line }, { at: [width - side / 2 - 2, y], ...sidePlace }, { at: [x, 11], ...line }, { at: [side / 2 + 2, y], ...sidePlace }];
  return { places, pot: [x, y], free: [16, 7], bend: usesPot ? [56, 46] : [0, 46], part: 0.6, out: 0 };
}

// --- The seats ---------------------------------------------------------------------------------------------------

/** Cuts a written name to a width, if it is wider. */
function fit(node, most) {
  if (node.getComputedTextLength() <= most) return;
  const letters = [];
  let end = 0; // in the text's own units, of which some letters take two
  for (const letter of node.textContent) {
    end += letter.length;
    if (letters.length && node.getSubStringLength(0, end) > most - DOTS) break;
    letters.push(letter);
  }
  node.textContent = `${letters.join("").trimEnd()}…`;
}

/**
 * Writes a seat's name, and its gain or loss; returns half of the room they take.
 * @param {SVGSVGElement} svg
 * @param {string} name
 * @param {string} delta
 * @param {Place} place
 */
function writeSeat(svg, name, delta, { at: [x, y], most, isLine }) {
  const sign = delta.startsWith("+") ? "gain" : delta.startsWith("−") ? "loss" : "";
  const part = isLine ? "tspan" : "text";
  const nameNode = /** @type {SVGTextContentElement} */ (shape(part, isLine ? { class: "name" } : { x, y: y - 4, class: "name" }, name));
  const deltaNode = /** @type {SVGTextContentElement} */ (shape(part, { class: `delta ${sign}`, ...(isLine ? { dx: 7 } : { x, y: y + 16 }) }, delta || "0"));
  if (isLine) {
    const line = shape("text", { x, y: y + 5 });
    line.append(nameNode, deltaNode);
    svg.append(line);
  } else svg.append(nameNode, deltaNode);
  fit(nameNode, most);
  const [nameWidth, deltaWidth] = [nameNode.getComputedTextLength(), deltaNode.getComputedTextLength()];
  return isLine ? [(nameWidth + 7 + deltaWidth) / 2, 9] : [Math.max(nameWidth, deltaWidth) / 2, 18];
}

// --- The arrows --------------------------------------------------------------------------------------------------

/** The point at which an arrow between two places ends, so that it does not cover what is written there. */
function shorten(from, { at, room }) {
  const [dx, dy] = [from[0] - at[0], from[1] - at[1]];
  const part = Math.min(LONGEST, 1 / Math.max(Math.abs(dx) / (room[0] + CLEARANCE), Math.abs(dy) / (room[1] + CLEARANCE), 1));
  return [at[0] + dx * part, at[1] + dy * part];
}

/** A curve round the middle, right (1) or left (-1), between seats that face each other; else a straight line. */
function curve(from, to, side, { pot, bend, out }) {
  const [[x, y], [toX, toY]] = [from.at, to.at];
  const isPot = from.isPot || to.isPot;
  const isFacing = !isPot && (x === toX || y === toY);
  const offset = isFacing ? (x === toX ? [bend[0] * side, 0] : [0, bend[1]]) : [0, 0];
  const outward = isFacing || isPot ? 0 : out;
  const middle = [0, 1].map((axis) => ((from.at[axis] + to.at[axis]) / 2) * (1 + outward) - pot[axis] * outward + offset[axis]);
  return [shorten(middle, from), middle, shorten(middle, to)];
}

/** The point at a part of a curve's length. */
const along = ([start, middle, end], part) =>
  [0, 1].map((axis) => start[axis] * (1 - part) ** 2 + 2 * middle[axis] * part * (1 - part) + end[axis] * part ** 2);

/** Where the points of an arrow can stand: beside it, away from the middle; or moved along it, or on its other side. */
function labelOf(points, from, to, side, { pot, part }, { by, isOther }) {
  const isPot = from.isPot || to.isPot;
  const isUpright = from.at[0] === to.at[0];
  if (isUpright) {
    const [x, y] = along(points, (isPot ? 0.5 : part) + by);
    const right = (isPot ? -side : side) > 0 !== isOther;
    return { x: x + (right ? CLEARANCE : -CLEARANCE), y: y + 4, "text-anchor": right ? "start" : "end" };
  }
  if (from.at[1] === to.at[1]) {
    const [x, y] = along(points, (isPot ? 0.5 : part + 0.1) + by);
    return { x, y: isPot !== isOther ? y - 6 : y + 15, "text-anchor": "middle" };
  }
  const [x, y] = along(points, 0.5 + by);
  const [right, below] = [x > pot[0] !== isOther, y > pot[1] !== isOther];
  return { x: x + (right ? CLEARANCE : -CLEARANCE), y: below ? y + 10 : y - 2, "text-anchor": right ? "start" : "end" };
}

const LABEL_SHIFTS = [0, -0.1, 0.1, -0.2, 0.2, -0.3].flatMap((by) => [{ by, isOther: false }, { by, isOther: true }]);

/** The path of an arrow, and the places where its points can stand, the best one first. */
function arrow(flow, place, side, layout, tip) {
  const [from, to] = [place(flow.from), place(flow.to)];
  const points = /** @type {[number[], number[], number[]]} */ (curve(from, to, side, layout));
  const path = shape("path", { d: `M${points[0]}Q${points[1]} ${points[2]}`, "marker-end": `url(#${tip})`, class: "flow" });
  const samples = Array.from({ length: 21 }, (_, at) => along(points, at / 20));
  const text = shape("text", { ...labelOf(points, from, to, side, layout, LABEL_SHIFTS[0]), class: "paid" }, flow.text);
  return { path, samples, text, spots: LABEL_SHIFTS.map((shift) => labelOf(points, from, to, side, layout, shift)) };
}

/** The box of a text, without the room above and below its letters. */
function inkOf(text) {
  const { x, y, width, height } = text.getBBox();
  return { left: x, right: x + width, top: y + height * 0.15, bottom: y + height * 0.85 };
}

/**
 * Puts each arrow's points where they cover no other text and, if they must be moved for that, as little of the arrows
 * as possible. The longest are placed first, since they fit in the fewest places.
 */
function spread(svg, arrows) {
  const occupied = [...svg.querySelectorAll("text:not(.paid)")].filter((text) => text.textContent).map(inkOf);
  const isOver = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const isIn = (ink, [x, y]) => x > ink.left && x < ink.right && y > ink.top && y < ink.bottom;
  const longestFirst = [...arrows].sort((one, other) => other.text.textContent.length - one.text.textContent.length);
  for (const { text, spots } of longestFirst) {
    const costs = [];
    for (const spot of spots) {
      for (const [name, value] of Object.entries(spot)) text.setAttribute(name, value);
      keepInside(svg, text);
      const ink = inkOf(text);
      const texts = occupied.filter((other) => isOver(ink, other)).length;
      costs.push(texts * 100 + arrows.flatMap((each) => each.samples).filter((point) => isIn(ink, point)).length);
      if (costs.length === 1 && !texts) break;
    }
    const best = spots[costs.indexOf(Math.min(...costs))];
    for (const [name, value] of Object.entries(best)) text.setAttribute(name, value);
    keepInside(svg, text);
    occupied.push(inkOf(text));
  }
}

/** Moves a label back into the drawing. */
function keepInside(svg, label) {
  const { x, width } = label.getBBox();
  const out = Math.max(0, x + width + 2 - svg.viewBox.baseVal.width) + Math.min(0, x - 2);
  if (out) label.setAttribute("x", label.getAttribute("x") - out);
}

/** Combines payments between the same two places into one arrow. */
function mergeFlows(flows) {
  const pairs = new Map();
  for (const flow of flows) {
    const key = `${flow.from} ${flow.to}`;
    const pair = pairs.get(key);
    pairs.set(key, pair ? { ...pair, text: `${pair.text} + ${flow.text}` } : flow);
  }
  return [...pairs.values()];
}

/** Draws an outcome; `seated` are the four seats, the one at the bottom first; `pot` is the name of the middle. */
export function drawArrows(svg, outcome, seats, pot, fixedLayout = null) {
  const tip = shape("marker", { id: `${svg.id}-tip`, class: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  tip.append(shape("path", { d: "M0 0L8 4L0 8z" }));
  const group = shape("g", {});
  svg.replaceChildren(tip, group);
  const usesPot = pot && outcome.flows.some((flow) => flow.from === null || flow.to === null);
  const layout = fixedLayout ?? sheetOf(svg, usesPot);
  const places = seats.map((seat, at) => ({
    at: layout.places[at].at,
    room: writeSeat(svg, nameOf(seat), outcome.delta_texts[seat.seat], layout.places[at]),
  }));
  const potNode = /** @type {SVGTextContentElement} */ (shape("text", { x: layout.pot[0], y: layout.pot[1] + 4, class: "pot" }, usesPot ? pot : ""));
  group.append(potNode);
  const middle = { at: layout.pot, room: [Math.max(layout.free[0], potNode.getComputedTextLength() / 2), layout.free[1]], isPot: true };
  const place = (number) => (number === null ? middle : places[seats.findIndex((each) => each.seat === number)]);
  const side = outcome.flows.some((flow) => flow.to === null && flow.from === seats[1].seat) ? -1 : 1;
  const arrows = mergeFlows(outcome.flows).map((flow) => arrow(flow, place, side, layout, tip.id));
  group.append(...arrows.flatMap(({ path, text }) => [path, text]));
  spread(svg, arrows);
}
