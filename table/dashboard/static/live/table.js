// The live table: draws each snapshot from the server, and sends commands. It contains no texts of its own.

import { reveal, setMeaning } from "../web/tap_target.js";
import { drawClock } from "./clock.js";
import { openKeyboard, redrawKeyboard } from "./correct.js";
import { bottomSeat, drawFelt, keepBottom } from "./felt.js";
import { drawFinal } from "./final.js";
import { drawPayments } from "../scores/confirm_payments.js";
import { drawGraph } from "../scores/graph.js";
import { followGaps, withGaps } from "./gaps.js";
import { drawHandEnd, openByHand } from "./hand_end.js";
import { announceNew } from "./screen_reader.js";
import { drawHints } from "./hints.js";
import { drawNewest } from "./newest_announcement.js";
import { stayAwake } from "./phone.js";
import { remember, takeOut } from "../web/browser_memory.js";
import { listen, post, send, shake, toast } from "../web/server.js";
import { haveMoved, seatingOf } from "../web/seating.js";
import { drawSheet } from "../scores/score_sheet.js";
import { followSettle, openSettle, openWin } from "../scores/settle.js";
import { isReadAloud, skipMissed, speak } from "./speech.js";
import { drawNew, drawParts, enable, find, labelled, listText, make, nameOf, picture, setText, setTile, withValues } from "../web/tools.js";

const body = document.body;
const cards = [...document.querySelectorAll(".card")];
let table = null;
let resolveFirstAnswer;
/** Until the first answer, a tap waits for the table. */
const firstAnswer = new Promise((resolve) => {
  resolveFirstAnswer = resolve;
});
/** The game and hand for which a seat is selected, and whether they were watched then. */
let pickedHand = null;
let bottom = bottomSeat();

// --- People ----------------------------------------------------------------------------------------------------

/** A phone claims for its own seat unless another one is selected for the hand. */
function pickOwn({ game, hand, is_watched }) {
  const latestHand = [game, hand, is_watched].join();
  if (latestHand === pickedHand) return;
  pickedHand = latestHand;
  if (is_watched && body.dataset.seat !== "") find("seats").dataset.picked = body.dataset.seat;
  else delete find("seats").dataset.picked;
}

/** The seats in turn order, the one at the bottom first. */
const orderedSeats = () => [0, 1, 2, 3].map((place) => table.seats[(bottom + place) % 4]);

/** The seat of this phone. */
function drawOwnSeat() {
  const chip = find("you");
  if (!chip) return;
  const seat = table.seats[Number(body.dataset.seat)];
  setTile(chip.querySelector(".wind"), seat.wind, "");
  setText(chip.querySelector("b"), withValues(chip.dataset.you, { wind: seat.name }));
}

function drawCard(card, seat) {
  const box = card.querySelector("input");
  if (!box) return;
  box.value = seat.seat;
  box.checked = String(seat.seat) === find("seats").dataset.picked;
  const riichiButton = card.nextElementSibling;
  riichiButton.hidden = table.keeping.is_watched || table.keeping.is_over;
  riichiButton.setAttribute("aria-label", labelled(riichiButton.textContent.trim(), nameOf(seat)));
  riichiButton.disabled = table.keeping.riichi.includes(seat.seat);
  setMeaning(riichiButton, [table.keeping.game, table.keeping.hand, seat.seat]);
  riichiButton.onclick = () => send({ press: "riichi", seat: seat.seat });
}

/** The seat of the win that "Cancel" takes back; undefined without one. */
const newestWin = (ending) => ending?.wins.at(-1)?.seat;

/** The buttons that can be pressed now: claims at a watched table, results at a table kept by hand. */
function drawPresses({ is_watched, is_over, undo, redo, aborts, seen }, ending) {
  body.classList.toggle("by-hand", !is_watched);
  const [byHandActions, watchedActions] = [document.querySelector(".actions .kept"), document.querySelector(".actions .watched")];
  if (!byHandActions) return;
  const isClaimed = is_watched || Boolean(ending);
  reveal(byHandActions, !isClaimed && !is_over);
  reveal(watchedActions, isClaimed && !is_over);
  byHandActions.querySelector("[data-settle=abort]").hidden = !aborts.length;
  for (const button of watchedActions.querySelectorAll("[data-press]")) reveal(button, table.presses.includes(button.dataset.press));
  watchedActions.querySelector("[data-settle]").hidden = Boolean(ending) && !ending.by_hand;
  drawPayments(watchedActions.querySelector(".moved"), ending, table.seats);
  setMeaning(watchedActions.querySelector("[data-press=confirm]"), seen);
  setMeaning(watchedActions.querySelector("[data-press=cancel]"), newestWin(ending));
  setMeaning(find("undo"), undo?.act);
  setMeaning(find("redo"), redo?.act);
  enable([find("undo"), undo], [find("redo"), redo]);
  find("undo").title = undo?.text ?? "";
  find("redo").title = redo?.text ?? "";
  setText(find("undo").querySelector("span"), undo?.text ?? find("undo").dataset.quiet);
}

// --- Announcements -----------------------------------------------------------------------------------------------

/** A tile as the camera saw it when it was believed; loaded only when unfolded. */
function photoOf(number) {
  const photo = make("img", { className: "photo-of", alt: "", loading: "lazy", src: `/camera/${number}.jpg` });
  photo.onerror = () => photo.remove();
  return photo;
}

/** A line that unfolds to show its sources. */
function newsLine(line, isOpen) {
  const className = line.id === "hand_started" ? `${line.status} begins` : line.status;
  if (!line.why) return make("li", { className, textContent: line.text });
  const photos = body.dataset.camera ? line.pictures.map(photoOf) : [];
  const sources = make("p", {}, ...photos, line.why);
  const details = make("details", { open: isOpen }, make("summary", { textContent: line.text }), sources);
  details.dataset.key = line.key;
  return make("li", { className }, details);
}

function drawNews(news) {
  const list = find("news");
  const lines = news.length ? news : [{ text: list.dataset.quiet, status: "quiet" }];
  const open = new Set([...list.querySelectorAll("details[open]")].map((details) => details.dataset.key));
  drawParts(list, lines.map((line) => [line, () => newsLine(line, open.has(line.key))]));
}

/** The picture of a tile, enlarged by a tap. */
function largerPhoto(number) {
  const src = `/camera/${number}.jpg`;
  const small = make("img", { className: "photo-of", src, alt: "" });
  const button = make("button", { type: "button", className: "larger", "aria-label": find("doubts").dataset.larger }, small);
  small.onerror = () => button.remove();
  button.onclick = () => {
    const close = make("button", { "aria-label": find("doubts").dataset.close, textContent: "×" });
    const large = make("dialog", { className: "photo-large", "aria-label": find("doubts").dataset.larger }, make("form", { method: "dialog" }, close), make("img", { src, alt: "" }));
    large.onclick = () => large.close();
    large.onclose = () => large.remove();
    document.body.append(large);
    large.showModal();
  };
  return button;
}

function doubtRow(doubt) {
  const choices = doubt.choices.map((each) => {
    const button = make("button", { type: "button", value: doubt.discard }, make("img", { src: picture(each.face), alt: each.name }));
    button.onclick = () => send({ press: "correct", discard: doubt.discard, to: each.to });
    return button;
  });
  const hasPhoto = body.dataset.camera && doubt.lying !== null;
  const photo = hasPhoto ? [largerPhoto(doubt.lying)] : [];
  const none = make("button", { type: "button", className: "none", textContent: find("doubts").dataset.none });
  none.onclick = () => openKeyboard(table, null, doubt.discard);
  const question = make("p", {}, make("span", { textContent: doubt.text }), make("small", { className: "more" }));
  return make("div", {}, ...photo, question, ...choices, ...(find("keyboard") ? [none] : []));
}

function drawDoubts(doubts) {
  const box = find("doubts");
  box.hidden = !doubts.length;
  const isNews = doubts.length > 0 && Boolean(box.dataset.mark);
  setMeaning(box, [table.keeping.game, table.keeping.hand, doubts[0]?.discard]); // the others wait behind it
  drawNew(box, doubts, () => {
    if (isNews) shake([40]);
    drawParts(box, doubts.map((doubt) => [doubt, () => doubtRow(doubt)]));
    for (const more of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".more"))) {
      setText(more, withValues(box.dataset.more, { count: doubts.length - 1 }));
      more.hidden = doubts.length < 2;
    }
  });
}

// --- The score sheet -------------------------------------------------------------------------------------------

function drawNotices(notices) {
  const box = find("notices");
  drawNew(box, notices, () => {
    const { health, copies } = box.dataset;
    const help = health ? [make("a", { href: health, textContent: copies })] : [];
    box.replaceChildren(...notices.map((each) => make("p", { textContent: each.text })), ...help);
    box.hidden = !notices.length;
  });
}

// --- All of it -------------------------------------------------------------------------------------------------

function draw() {
  if (!table) return;
  const camera = find("camera");
  camera.dataset.state = table.camera.state;
  setText(camera, table.camera.text);
  drawOwnSeat();
  drawClock(table.clock);
  setText(find("seated"), table.seated);
  find("seated").hidden = !table.seated;
  drawNotices(table.notices);
  drawFelt({ ...table, seats: withGaps(table.seats) }, bottom);
  pickOwn(table.keeping);
  orderedSeats().forEach((seat, place) => drawCard(cards[place], seat));
  drawFinal(table);
  body.classList.toggle("ending-now", Boolean(table.ending));
  drawHandEnd(table, orderedSeats());
  drawDoubts(table.doubts);
  drawNews(table.news);
  announceNew(table.news);
  drawNewest(table.news, orderedSeats());
  drawSheet(table, orderedSeats());
  drawGraph(table.graph, orderedSeats());
  find("correct")?.toggleAttribute("hidden", !table.seats.some((seat) => seat.river.length));
  redrawKeyboard(table);
  drawPresses(table.keeping, table.ending);
  followSettle(table, orderedSeats());
  drawHints(table);
  find("fouls")?.classList.toggle("waiting", table.foul_named);
  speak(table.news, table.may_speak);
  body.dataset.version = table.version;
}

/** By how many seats each arrow key moves. */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: 3, ArrowUp: 3 };

// --- Taps ------------------------------------------------------------------------------------------------------

find("turn").onclick = () => {
  bottom = (bottom + 1) % 4;
  keepBottom(bottom);
  draw();
};
find("turn").disabled = false;

find("seats").onchange = (event) => {
  find("seats").dataset.picked = /** @type {HTMLInputElement} */ (event.target).value;
  toast("");
};

/** Confirms what the page shows; without payments that settles nothing, and the page says why. */
async function sendConfirm() {
  const { ending, keeping } = table;
  const isAccepted = await send({ press: "confirm", seen: keeping.seen });
  if (isAccepted && ending && !ending.deltas) toast(labelled(find("ending").dataset.missing, listText(ending.missing)));
}

for (const button of document.querySelectorAll("[data-press]")) {
  button.onclick = () => {
    const press = { press: button.dataset.press };
    if (press.press === "confirm") return sendConfirm();
    if (press.press === "cancel") return send({ ...press, seat: newestWin(table.ending) });
    const { early_draw: early, draw_by_hand: isUnseen } = table.keeping;
    if (press.press === "draw" && isUnseen) return openSettle(table, orderedSeats(), { kind: "draw" });
    if (press.press === "draw" && early && !confirm(early)) return undefined;
    if ("seated" in button.dataset) {
      const picked = find("seats").dataset.picked;
      if (picked === undefined) return toast(body.dataset.pick);
      press.seat = Number(picked);
    }
    return send(press);
  };
}

if (find("settle")) {
  find("undo").dataset.quiet = find("undo").textContent.trim();
  find("undo").onclick = () => post("undo", { act: table.keeping.undo.act });
  find("redo").onclick = () => post("redo", { act: table.keeping.redo.act });
  for (const button of document.querySelectorAll("[data-settle]")) {
    const kind = button.dataset.settle;
    button.onclick = () => (kind === "win" ? openByHand() : openSettle(table, orderedSeats(), { kind }));
  }
  const boxes = cards.map((card) => card.querySelector("input"));
  for (const [at, box] of boxes.entries()) {
    box.onkeydown = (event) => {
      if (event.key === "Enter") return box.click();
      const step = STEPS[event.key];
      if (!step || table?.keeping.is_watched) return;
      event.preventDefault(); // an arrow would open the next seat's sheet
      boxes[(at + step) % boxes.length].focus();
    };
    box.onclick = async () => {
      await firstAnswer;
      if (table.keeping.is_watched || table.keeping.is_over) return;
      box.checked = false;
      openWin(table, orderedSeats(), Number(box.value));
    };
    box.disabled = false;
  }
}

if (find("keyboard")) {
  find("correct").onclick = () => openKeyboard(table);
  find("felt").onclick = (event) => openKeyboard(table, event);
}

/** A line that leads to a question on another page; hidden without a text. */
function drawQuestionLink(line, text) {
  if (!line) return;
  line.hidden = !text;
  setText(line.querySelector("a"), text ?? "");
}

const isOtherHand = (before, now) => before.game !== now.game || before.hand !== now.hand;

/** Closes what was being entered for another hand, or for people who have changed seats, and forgets the selected seat. */
function followHand(latest) {
  if (!table) return;
  const isMoved = haveMoved(seatingOf(table), seatingOf(latest));
  if (isMoved) pickedHand = null;
  if (!isMoved && !isOtherHand(table.keeping, latest.keeping)) return;
  const open = [find("hand"), find("keyboard"), find("waits")].filter((sheet) => sheet?.open);
  if (!open.length || find("settle").open) return; // the settling sheet says it itself
  for (const sheet of open) sheet.close();
  toast(isMoved ? body.dataset.sheetClosed : body.dataset.handClosed);
}

const RESEATED_KEY = "tachiai.reseated";

/** Reloads the page for this phone's new seat; the new page says why open sheets were closed. */
function reload(seat) {
  if (seat !== null) remember(RESEATED_KEY, document.querySelector("dialog[open]") ? "sheetClosed" : "seatChanged", "sessionStorage");
  location.reload();
}

const reasonKey = takeOut(RESEATED_KEY);
if (reasonKey) toast(body.dataset[reasonKey], 15_000);

if (!body.classList.contains("wall")) followGaps((seat) => table.seats[seat], draw);
stayAwake();
listen((latest, isBack) => {
  if (latest.you && String(latest.you.seat ?? "") !== body.dataset.seat) return reload(latest.you.seat);
  followHand(latest);
  find("invited")?.toggleAttribute("hidden", latest.full);
  drawQuestionLink(find("asked"), latest.you?.asked);
  drawQuestionLink(find("foul-asked"), latest.foul_asked);
  if (isBack) skipMissed(latest.news);
  table = latest;
  draw();
  resolveFirstAnswer();
}, isReadAloud);
