// Points over the hands, one line per seat.

import { cutName, find, lastingNameOf } from "../web/tools.js";

const [WIDTH, HEIGHT, TOP, RIGHT] = [320, 110, 8, 58];

/** Makes a shape of an SVG drawing. */
export function shape(tag, attributes, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

/** Moves overlapping labels apart. */
function spread(labels) {
  const sorted = [...labels].sort((one, other) => one.y - other.y);
  sorted.forEach((label, at) => {
    if (at) label.y = Math.max(label.y, sorted[at - 1].y + 11);
  });
  const excess = Math.max(0, sorted.at(-1).y - HEIGHT + 4);
  for (const label of sorted) label.y -= excess;
}

/** Draws the scores after each hand; `seats` are in the order of the sheet's columns. */
export function drawGraph(points, seats) {
  const graph = find("graph");
  graph.toggleAttribute("hidden", points.length < 2);
  const mark = JSON.stringify([points, seats.map(lastingNameOf)]);
  if (points.length < 2 || graph.dataset.mark === mark) return;
  graph.dataset.mark = mark;
  const flatScores = points.flat();
  const [low, high] = [Math.min(...flatScores), Math.max(...flatScores, Math.min(...flatScores) + 1)];
  const x = (at) => 4 + (at * (WIDTH - RIGHT - 4)) / (points.length - 1);
  const y = (score) => TOP + ((high - score) * (HEIGHT - 2 * TOP)) / (high - low);
  const start = y(points[0].reduce((sum, score) => sum + score, 0) / 4);
  const labels = seats.map((seat, place) => ({ place, name: cutName(lastingNameOf(seat), 7), y: y(points.at(-1)[seat.seat]) + 3.5 }));
  spread(labels);
  graph.replaceChildren(
    shape("line", { x1: 4, x2: WIDTH - RIGHT, y1: start, y2: start, class: "base" }),
    ...seats.map((seat, place) =>
      shape("polyline", {
        class: `line place${place}`,
        points: points.map((scores, at) => `${x(at).toFixed(1)},${y(scores[seat.seat]).toFixed(1)}`).join(" "),
      }),
    ),
    ...labels.map((label) => shape("text", { x: WIDTH - RIGHT + 5, y: label.y, class: `place${label.place}` }, label.name)),
  );
}
