// A finished hand, step by step, on the same table.

import { drawArrows, FELT } from "../scores/arrows.js";
import { bottomSeat, drawFelt, handElement } from "../live/felt.js";
import { announceNew } from "../live/screen_reader.js";
import { followFigures } from "../web/figures.js";
import { askAgain, refusal, toast } from "../web/server.js";
import { enable, fill, find, loadAnew, make, setText } from "../web/tools.js";

const slider = find("step");
const bottom = bottomSeat();
let replay = null;
/** Whether any tile of the hand is known; of a hand entered by phone, none may be. */
let isSeen = true;

function draw() {
  const step = replay.steps[slider.value];
  drawFelt({ ...replay.base, ...step, centre: { ...step.centre, ...(isSeen ? {} : { left: null }) } }, bottom);
  find("dora").hidden = !isSeen;
  fill(find("news"), step.news, () => make("li"), (line, item) => setText(line, item.text));
  announceNew(step.news);
  find("paid").toggleAttribute("hidden", !step.ending?.flows.length);
  const orderedSeats = [0, 1, 2, 3].map((place) => step.seats[(bottom + place) % 4]);
  if (step.ending) drawArrows(find("paid"), step.ending, orderedSeats, "", FELT);
  drawEnding(step.ending);
  const index = Number(slider.value);
  slider.setAttribute("aria-valuetext", `${index + 1} / ${replay.steps.length}`);
  enable([slider, true], [find("back"), index > 0], [find("on"), index < replay.steps.length - 1]);
}

function drawEnding(ending) {
  find("ending").hidden = !ending;
  const wins = ending?.wins.map((win) => handElement(win, ending.wins.length > 1)) ?? [];
  find("ending").replaceChildren(...(ending ? [make("h2", { textContent: ending.title })] : []), ...wins);
}

function move(by) {
  slider.value = String(Number(slider.value) + by);
  draw();
}

const say = (/** @type {any} */ reason) => toast(refusal(reason), 60_000);
const request = () => askAgain(document.body.dataset.hand, null, () => true, say);

/** Loads the page anew if people changed this hand: whoever steps through another one is left alone. */
async function follow(/** @type {boolean} */ isNew) {
  if (!isNew) return;
  const [isThere, latest] = await request();
  toast("");
  if (!isThere || JSON.stringify(latest.steps) !== JSON.stringify(replay.steps)) loadAnew();
}

const [isFound, answer] = await request();
if (!isFound) say(answer);
else {
  toast("");
  replay = answer;
  isSeen = replay.steps.some(({ centre, seats }) => centre.dora.length || seats.some((seat) => seat.river.length || seat.melds.length));
  slider.max = String(replay.steps.length - 1);
  slider.value = "0";
  slider.oninput = draw;
  find("back").onclick = () => move(-1);
  find("on").onclick = () => move(1);
  draw();
  followFigures(follow);
}
