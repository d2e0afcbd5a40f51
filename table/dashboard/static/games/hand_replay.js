// A finished hand, step by step, on the same table.

import { drawArrows, FELT } from "../scores/arrows.js";
import { bottomSeat, drawFelt, shownHand } from "../live/felt.js";
import { hear } from "../live/heard.js";
import { askAgain, refusal, toast } from "../web/server.js";
import { enable, fill, find, make, setText } from "../web/tools.js";

const slider = find("step");
const turned = bottomSeat();
let told = null;
/** Whether any tile of the hand is known; of a hand kept by phone none is. */
let isSeen = true;

function draw() {
  const step = told.steps[slider.value];
  drawFelt({ ...told.base, ...step, centre: { ...step.centre, ...(isSeen ? {} : { left: null }) } }, turned);
  find("dora").hidden = !isSeen;
  fill(find("news"), step.news, () => make("li"), (line, item) => setText(line, item.text));
  hear(step.news);
  find("paid").toggleAttribute("hidden", !step.ending?.flows.length);
  const seated = [0, 1, 2, 3].map((place) => step.seats[(turned + place) % 4]);
  if (step.ending) drawArrows(find("paid"), step.ending, seated, "", FELT);
  drawEnding(step.ending);
  const at = Number(slider.value);
  slider.ariaValueText = `${at + 1} / ${told.steps.length}`;
  enable([slider, true], [find("back"), at > 0], [find("on"), at < told.steps.length - 1]);
}

function drawEnding(ending) {
  find("ending").hidden = !ending;
  const wins = ending?.wins.map((win) => shownHand(win, ending.wins.length > 1)) ?? [];
  find("ending").replaceChildren(...(ending ? [make("h2", { textContent: ending.title })] : []), ...wins);
}

function move(by) {
  slider.value = String(Number(slider.value) + by);
  draw();
}

const say = (/** @type {any} */ why) => toast(refusal(why), 60_000);
const [isFound, answer] = await askAgain(document.body.dataset.hand, null, () => true, say);
if (!isFound) say(answer);
else {
  toast("");
  told = answer;
  isSeen = told.steps.some(({ centre, seats }) => centre.dora.length || seats.some((seat) => seat.river.length || seat.melds.length));
  slider.max = String(told.steps.length - 1);
  slider.value = "0";
  slider.oninput = draw;
  find("back").onclick = () => move(-1);
  find("on").onclick = () => move(1);
  draw();
  document.body.dataset.version = told.steps.length;
}
