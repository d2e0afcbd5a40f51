"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const find = (id) => document.getElementById(id);
const hand = find("hand"), step = find("step");
const pictures = Object.fromEntries(Object.entries(game.faces).map(([face, svg]) => [face, "data:image/svg+xml," + encodeURIComponent(svg)]));

function make(name, text) {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  return node;
}

function tile(text) {
  const face = text.replace("-", ""), node = make("img");
  node.src = pictures[face];
  node.alt = game.words[face] || face;
  node.className = text.endsWith("-") ? "turned" : "";
  return node;
}

function row(tiles) {
  const node = make("div");
  node.className = "tiles";
  node.append(...tiles);
  return node;
}

function drawSeat(seat, name) {
  const node = make("div"), head = make("p"), wind = tile(seat.wind);
  const winds = row([wind]);
  head.append(winds, make("b", name), ...seat.badges.map((badge) => make("span", badge)), make("span", seat.score));
  const melds = seat.melds.map((meld) => {
    const group = make("span");
    group.append(...meld.map(tile));
    return group;
  });
  node.append(head, row(seat.river.map(tile)));
  if (melds.length) node.append(row(melds));
  return node;
}

function drawOpenHand(openHand) {
  const node = make("div");
  node.append(make("b", openHand.name), row(openHand.tiles.map(tile)), make("p", openHand.yaku.join(" · ")));
  return node;
}

function draw() {
  const currentHand = game.hands[hand.value], index = Number(step.value), currentStep = currentHand.steps[index];
  find("back").disabled = index === 0 && hand.value === "0";
  find("on").disabled = index >= currentHand.steps.length - 1 && Number(hand.value) === game.hands.length - 1;
  find("viewer").hidden = !currentHand.viewer;
  if (currentHand.viewer) find("viewer").href = currentHand.viewer;
  const lastPicture = currentHand.pictures.filter((picture) => picture.step <= index).pop();
  find("kept").hidden = !lastPicture;
  if (lastPicture) find("kept").firstElementChild.src = lastPicture.src;
  if (!currentStep) return;
  const centre = make("div");
  const [round, honba, sticks] = currentStep.centre;
  const head = make("p");
  head.append(make("b", round || ""), make("span", document.body.dataset.honba + " " + honba), make("span", document.body.dataset.deposits + " " + sticks), row(currentStep.dora.map(tile)));
  centre.append(head);
  find("table").replaceChildren(centre, ...currentStep.seats.map((seat, number) => drawSeat(seat, currentHand.names[number])));
  find("ending").textContent = currentStep.ending;
  find("shown").replaceChildren(...currentStep.shown.filter((each) => each.tiles.length || each.yaku.length).map(drawOpenHand));
  find("news").replaceChildren(...currentStep.news.map((text) => make("li", text)));
}

function choose(number, last) {
  if (number < 0 || number >= game.hands.length) return;
  hand.value = String(number);
  step.max = String(Math.max(0, game.hands[number].steps.length - 1));
  step.value = last ? step.max : "0";
  draw();
}

function move(by) {
  const index = Number(step.value) + by;
  if (index < 0) return choose(Number(hand.value) - 1, true);
  if (index > Number(step.max)) return choose(Number(hand.value) + 1, false);
  step.value = String(index);
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
