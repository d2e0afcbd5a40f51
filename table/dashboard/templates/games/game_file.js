"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const find = (id) => document.getElementById(id);
const hand = find("hand"), step = find("step");
const pictures = Object.fromEntries(Object.entries(game.faces).map(([face, svg]) => [face, "data:image/svg+xml," + encodeURIComponent(svg)]));

function make(name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

function tile(laid) {
  const face = laid.replace("-", ""), made = make("img");
  made.src = pictures[face];
  made.alt = game.words[face] || face;
  made.className = laid.endsWith("-") ? "turned" : "";
  return made;
}

function row(tiles) {
  const made = make("div");
  made.className = "tiles";
  made.append(...tiles);
  return made;
}

function drawSeat(seat, name) {
  const made = make("div"), head = make("p"), wind = tile(seat.wind);
  const winds = row([wind]);
  head.append(winds, make("b", name), ...seat.badges.map((badge) => make("span", badge)), make("span", seat.score));
  const melds = seat.melds.map((meld) => {
    const group = make("span");
    group.append(...meld.map(tile));
    return group;
  });
  made.append(head, row(seat.river.map(tile)));
  if (melds.length) made.append(row(melds));
  return made;
}

function drawShown(shown) {
  const made = make("div");
  made.append(make("b", shown.name), row(shown.tiles.map(tile)), make("p", shown.yaku.join(" · ")));
  return made;
}

function draw() {
  const shown = game.hands[hand.value], at = Number(step.value), now = shown.steps[at];
  find("back").disabled = at === 0 && hand.value === "0";
  find("on").disabled = at >= shown.steps.length - 1 && Number(hand.value) === game.hands.length - 1;
  find("viewer").hidden = !shown.viewer;
  if (shown.viewer) find("viewer").href = shown.viewer;
  const kept = shown.pictures.filter((picture) => picture.step <= at).pop();
  find("kept").hidden = !kept;
  if (kept) find("kept").firstElementChild.src = kept.src;
  if (!now) return;
  const centre = make("div");
  const [round, honba, sticks] = now.centre;
  const head = make("p");
  head.append(make("b", round || ""), make("span", document.body.dataset.honba + " " + honba), make("span", document.body.dataset.deposits + " " + sticks), row(now.dora.map(tile)));
  centre.append(head);
  find("table").replaceChildren(centre, ...now.seats.map((seat, number) => drawSeat(seat, shown.names[number])));
  find("ending").textContent = now.ending;
  find("shown").replaceChildren(...now.shown.filter((each) => each.tiles.length || each.yaku.length).map(drawShown));
  find("news").replaceChildren(...now.news.map((text) => make("li", text)));
}

function choose(number, last) {
  if (number < 0 || number >= game.hands.length) return;
  hand.value = String(number);
  step.max = String(Math.max(0, game.hands[number].steps.length - 1));
  step.value = last ? step.max : "0";
  draw();
}

function move(by) {
  const at = Number(step.value) + by;
  if (at < 0) return choose(Number(hand.value) - 1, true);
  if (at > Number(step.max)) return choose(Number(hand.value) + 1, false);
  step.value = String(at);
  draw();
}

hand.onchange = () => choose(Number(hand.value), false);
step.oninput = draw;
find("back").onclick = () => move(-1);
find("on").onclick = () => move(1);
document.onkeydown = (event) => {
  if (event.target === hand || event.target === step) return;
  const moves = { ArrowLeft: () => move(-1), ArrowRight: () => move(1), PageUp: () => choose(Number(hand.value) - 1, false), PageDown: () => choose(Number(hand.value) + 1, false) };
  if (moves[event.key]) {
    moves[event.key]();
    event.preventDefault();
  }
};
if (game.hands.length) choose(0, false);
