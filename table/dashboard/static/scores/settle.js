// The settling sheet: how a hand ended, as people enter it, with the payments before they confirm.

import { drawArrows } from "./arrows.js";
import { drawChips } from "./chips.js";
import { countAgain, countedWith } from "./counted.js";
import { meldsText, openHand, tellFrom } from "./hand.js";
import { drawLater } from "./later.js";
import { drawMoved } from "./moved.js";
import { chosen, handsOf, isSaid, requestOf, resultOf } from "./result.js";
import { areOthers, haveMoved, seatingOf } from "../web/seating.js";
import { askAgain, hearAgain, post, refusal, toast } from "../web/server.js";
import { fill, find, make, nameOf, setText, setTile } from "../web/tools.js";
import { areLoaded, drawGrid, loadValues, worthOf } from "./values.js";

const box = find("settle");
let table = null;
let seated = [];
let told = null;
let outcome = 0;
let previewed = ""; // the key of the outcome shown
/** @type {(_?: unknown) => void} */
let hear = () => {}; // called once the page shows another hand than the sheet's

const own = () => (document.body.dataset.seat === "" ? null : Number(document.body.dataset.seat));
const seatOf = (number) => seated.find((seat) => seat.seat === number);

// --- Its parts -------------------------------------------------------------------------------------------------

function drawSeats(id) {
  const labels = [...find(id).querySelectorAll("label")];
  seated.forEach((seat, place) => {
    const [input, span] = labels[place].children;
    input.value = seat.seat;
    setTile(span.querySelector("img"), seat.wind, "");
    const isSelf = (id === "loser" || id === "hand-from") && told.winners.length === 1 && told.winners[0] === seat.seat;
    setText(span.querySelector("b"), isSelf ? box.dataset.tsumo : nameOf(seat));
  });
}

/** Ticks these seats; without any, that it is nobody, if that was said. */
function check(id, seats, isNobody = false) {
  for (const input of find(id).querySelectorAll("input")) input.checked = input.value === "nobody" ? isNobody && !seats.length : seats.includes(Number(input.value));
}

/** Unticks the seats where nobody is ticked, and nobody where a seat is. */
function exclude(id, ticked) {
  if (!ticked.checked) return;
  for (const input of find(id).querySelectorAll("input")) if ((input.value === "nobody") !== (ticked.value === "nobody")) input.checked = false;
}

function drawValues() {
  const isWon = told.kind === "win" && told.whose !== null;
  const isShown = isWon && areLoaded(table.keeping.rules);
  const known = told.values[told.whose];
  find("values").hidden = !isShown;
  find("counted").hidden = !isWon;
  setText(find("counted").lastElementChild, known?.said ?? "");
  find("pao").hidden = !(isShown && known?.yakuman && table.keeping.paos.length);
  drawChips(told.kind === "win" && table.keeping.chips ? told.winners.map(seatOf) : [], told.chips, enterChips);
  if (isShown) drawGrid(seatOf(told.whose), told.from, known, choose);
}

function enterChips(seat, count) {
  if (count === undefined) delete told.chips[seat];
  else told.chips[seat] = count;
  return preview();
}

/** The indicators that the table shows; nothing of a hand that is edited later. */
const doraSeen = () => (told.isEdit ? [] : table.centre.dora.map((tile) => tile.face).filter((face) => face !== "unread"));

/** What the table shows of the winner's hand; nothing of a hand that is edited later. */
function seen() {
  if (told.isEdit) return {};
  const tiles = table.ending?.wins.find((win) => win.seat === told.whose)?.entry ?? [];
  return { tiles: [...tiles], melds: [...seatOf(told.whose).entry], dora: doraSeen() };
}

/** What the value of a winner's hand depends on besides its tiles; indicators only if they are the table's. */
function factsOf(seat, { query, isDoraSeen }) {
  const from = query || told.from === seat ? told.from : "another";
  return { from, riichi: chosen("riichi").includes(seat), dora: isDoraSeen ? doraSeen().join("") : undefined };
}

/** Keeps with which facts a value was counted, and ticks the riichi it was counted with. */
function keepCounted(seat, value, query) {
  delete told.counted[seat];
  if (!query) return;
  const others = chosen("riichi").filter((each) => each !== seat);
  check("riichi", query.riichi ? [...others, seat] : others);
  const isDoraSeen = query.dora === doraSeen().join("") && query.dora !== "";
  told.counted[seat] = { ...countedWith(value, factsOf(seat, { query, isDoraSeen }), query), isDoraSeen };
}

/** Counts again what was counted with other facts than the sheet has now; returns whether that is still wanted. */
async function followFacts(isWanted) {
  const seats = told.kind === "win" && told.from !== null ? told.winners.filter((seat) => told.counted[seat]) : [];
  for (const seat of seats) {
    const counted = told.counted[seat];
    if (!(await countAgain(counted, factsOf(seat, counted), isWanted, box.dataset.recount))) continue;
    told.values[seat] = counted.now;
    if (!counted.now) told.whose = seat;
    drawWhose();
    drawValues();
  }
  return isWanted();
}

/** Sets the value for the selected winner, with the hand if it was entered, and selects the next one without a value. */
function choose(value, tiles = [], melds = [], query = null) {
  told.values[told.whose] = value;
  told.hands[told.whose] = tiles.length ? { tiles: tiles.join(""), ...(melds.length && { melds: meldsText(melds) }) } : null;
  keepCounted(told.whose, value, query);
  const open = told.winners.find((seat) => !told.values[seat]);
  if (open !== undefined) told.whose = open;
  told.isNewValue = true;
  draw();
}

/** Scrolls once to a newly chosen value when its payments stand below, clear of what stays in place around the grid. */
function showChosen() {
  const pressed = find("values").querySelector('[aria-pressed="true"]');
  const typed = document.activeElement;
  if (typed instanceof HTMLElement && find("chips").contains(typed)) return showClear(typed);
  if (!told.isNewValue || box.querySelector(".confirm").disabled || !(pressed instanceof HTMLElement)) return undefined;
  told.isNewValue = false;
  return showClear(pressed);
}

/** Scrolls to a part of the sheet, clear of what stays in place around it. */
function showClear(part) {
  const foot = /** @type {HTMLElement} */ (box.querySelector(".foot"));
  part.style.scrollMargin = `3.5rem 1rem ${foot.offsetHeight + 4}px 3.5rem`;
  part.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function drawWhose() {
  find("whose").hidden = told.kind !== "win" || told.winners.length < 2;
  const tabs = told.winners.map((seat) => {
    const isKnown = told.values[seat] && areLoaded(table.keeping.rules);
    const worth = isKnown ? worthOf(seatOf(seat), told.from, told.values[seat]) : "";
    const tab = make("button", { type: "button", ariaPressed: String(seat === told.whose) }, make("b", { dir: "auto", textContent: nameOf(seatOf(seat)) }), make("span", { textContent: worth }));
    tab.onclick = () => {
      told.whose = seat;
      draw();
    };
    return tab;
  });
  find("whose").replaceChildren(find("whose").firstElementChild, ...tabs);
}

function drawPao() {
  const { paos } = table.keeping;
  fill(find("pao-yakuman"), paos, () => make("option"), (option, each) => {
    option.value = each.yakuman;
    setText(option, each.text);
  });
  const liable = [{ seat: "", player: "", name: box.dataset.nobody }, ...seated.filter((seat) => seat.seat !== told.whose)];
  fill(find("pao-seat"), liable, () => make("option"), (option, seat) => {
    option.value = seat.seat;
    setText(option, nameOf(seat));
  });
  const [pao] = Object.entries(told.paos[told.whose] ?? {});
  if (pao) find("pao-yakuman").value = pao[0];
  find("pao-seat").value = pao ? pao[1] : "";
}

/** Rules without abortive draws have no such kind of result, except for a hand that ended so and is edited. */
function drawKinds() {
  const hasAborts = table.keeping.aborts.length > 0 || told.kind === "abort";
  find("kinds").querySelector("label:last-child").toggleAttribute("hidden", !hasAborts);
  find("kinds").classList.toggle("three", hasAborts);
  find("kinds").classList.toggle("two", !hasAborts);
}

function drawAborts() {
  const list = table.keeping.aborts.map(({ reason, text }) => {
    const input = make("input", { type: "radio", name: "reason", value: reason, checked: told.reason === reason });
    input.onchange = () => {
      told.reason = reason;
      if (reason === FOUR_RIICHI) check("riichi", seated.map((seat) => seat.seat));
      draw();
    };
    return make("label", {}, input, make("span", {}, make("b", { textContent: text })));
  });
  find("aborts").replaceChildren(find("aborts").firstElementChild, ...list);
}

/** Opens the hand of the selected winner, where the discarder is asked for if unknown. */
function openTiles(photo) {
  drawSeats("hand-from");
  const riichi = chosen("riichi").includes(told.whose) ? 1 : 0;
  const of = [told.game, told.hand, told.isEdit, told.whose].join();
  openHand({ of, number: told.isEdit ? told.hand : undefined, seat: told.whose, from: told.from, riichi, ...seen() }, choose, photo);
}

// --- All of it -------------------------------------------------------------------------------------------------

function draw() {
  const win = told.kind === "win";
  setText(find("settle-title"), told.title);
  find("settle-title").classList.toggle("unseen", !told.isEdit);
  for (const id of ["winners", "loser", "tenpai", "nagashi", "riichi"]) drawSeats(id);
  find("winners").hidden = find("loser").hidden = !win;
  find("tenpai").hidden = told.kind !== "draw";
  find("nagashi").hidden = told.kind !== "draw" || !table.keeping.nagashi;
  find("aborts").hidden = told.kind !== "abort";
  drawKinds();
  check("winners", told.winners);
  check("loser", told.from === null ? [] : [told.from]);
  drawAborts();
  drawWhose();
  drawValues();
  drawPao();
  preview();
}

const NOTEN_RIICHI = "7-05-07";
const FOUR_RIICHI = "four_riichi";

/** Who is in riichi but not tenpai at a draw: a foul, which has a page of its own. */
const inNotenRiichi = () => (told.kind === "draw" ? chosen("riichi").find((seat) => !chosen("tenpai").includes(seat)) : undefined);

/** Offers the page of fouls with that foul of that seat. */
function drawToFouls(seat) {
  find("to-fouls").hidden = seat === undefined;
  const hand = told.isEdit ? { hand: told.hand } : {};
  find("to-fouls").search = seat === undefined ? "" : String(new URLSearchParams({ seat, clause: NOTEN_RIICHI, ...hand }));
}

function drawRefused(why) {
  find("preview").classList.add("refused");
  setText(find("preview").lastElementChild, why);
}

/** Says why nothing was settled, with the payments that would be made now, if any can be. */
function drawAgain(why) {
  if (box.querySelector(".confirm").disabled) return drawRefused(why);
  find("preview").classList.add("again");
  return setText(find("preview").lastElementChild, why);
}

/** What a draw still has to say: who was tenpai, who has nagashi mangan. */
const whyUnsaid = () => (told.kind === "draw" ? box.dataset[["tenpai", "nagashi"].find((id) => !isSaid(id)) ?? ""] ?? "" : "");

/** Why a counted value no longer holds, as long as no other one is chosen. */
const whyUncounted = () => (told.kind === "win" ? told.winners.map((seat) => (told.values[seat] ? "" : told.counted[seat]?.why)).find(Boolean) ?? "" : "");

async function preview() {
  const asked = ++outcome;
  const isWanted = () => asked === outcome && box.open;
  const [svg, line] = find("preview").children;
  find("to-fouls").hidden = true;
  find("preview").classList.remove("again");
  const confirm = box.querySelector(".confirm");
  confirm.disabled = true;
  drawMoved(confirm.querySelector(".moved"), null, seated);
  if (!told.past && box.open && !(await followFacts(isWanted))) return undefined;
  const ready = told.past ? null : resultOf(told);
  if (!ready) {
    const why = told.past ? box.dataset[told.past] : whyUnsaid() || whyUncounted();
    drawLater(null);
    svg.replaceChildren();
    find("preview").classList.toggle("refused", Boolean(why));
    return setText(line, why);
  }
  const [answer, said] = await askAgain("preview", requestOf(told, ready), isWanted, (why) => drawRefused(refusal(why)));
  if (asked !== outcome || !said) return undefined;
  find("preview").classList.toggle("refused", !answer);
  drawMoved(confirm.querySelector(".moved"), answer ? said : null, seated);
  drawLater(answer ? said.later : null);
  if (answer && !told.isEdit) drawArrows(svg, said, seated, box.dataset.pot);
  else svg.replaceChildren();
  drawToFouls(answer ? undefined : inNotenRiichi());
  const early = told.kind === "draw" && !told.isEdit && table.keeping.early_draw;
  setText(line, answer ? [early, said.lost, ...said.notes, said.next].filter(Boolean).join(" ") : refusal(said));
  previewed = said.key;
  confirm.disabled = !answer;
  showChosen();
  return undefined;
}

/** Opens the sheet: for the hand in play, or for a finished one that is edited. */
export async function openSettle(latest, seats, start) {
  table = latest;
  seated = seats;
  const { keeping } = table;
  told = { seating: seatingOf(latest), game: keeping.game, hand: keeping.hand, kind: "win", winners: [], from: keeping.from, values: {}, hands: {}, chips: {}, paos: {}, counted: {}, reason: null, isEdit: false, isDrawKnown: false, isSent: false, past: "", isNewValue: Boolean(start.isEdit), title: box.dataset.new, ...start };
  if (told.winners.includes(told.from) && start.from === undefined) told.from = null;
  told.whose = told.winners[0] ?? null;
  find("why").hidden = !told.isEdit;
  find("why").querySelector("input").required = told.isEdit;
  find("why").querySelector("input").value = "";
  drawSeats("riichi");
  for (const id of ["winners", "loser", "tenpai", "nagashi", "riichi"]) drawSeats(id);
  check("riichi", told.riichi ?? keeping.riichi);
  const isNagashiAsked = !told.isEdit && keeping.is_watched && (keeping.draw_by_hand || Boolean(table.ending?.by_hand));
  check("tenpai", told.tenpai ?? keeping.tenpai, told.isDrawKnown);
  check("nagashi", told.nagashi ?? [], !isNagashiAsked);
  for (const input of find("kinds").querySelectorAll("input")) input.checked = input.value === told.kind;
  find("only").hidden = true;
  told.row = rowOf(latest);
  for (const seat of told.winners) if (told.values[seat]?.yaku?.length) told.counted[seat] = countedWith(told.values[seat], factsOf(seat, { query: null, isDoraSeen: false }));
  box.showModal();
  draw();
  await takeValues();
}

/** Requests the values unless those under the current rules are loaded. */
async function takeValues() {
  const { rules } = table.keeping;
  if (areLoaded(rules) || !(await loadValues(() => box.open && rules === table.keeping.rules))) return;
  drawValues();
  showChosen();
}

const LATE_MS = 2000;

/** Waits until the page shows the next hand: a sheet opened before would be about the one just settled. */
async function nextHand(shown) {
  const late = () => new Promise((resolve) => setTimeout(resolve, LATE_MS, true));
  if (!(await Promise.race([shown, late()]))) return;
  hearAgain();
  await Promise.race([shown, late()]);
}

/** What the sheet edits, as the table has it. */
const rowOf = (latest) => (told.isEdit ? JSON.stringify(latest.sheet[told.hand] ?? null) : "");

/** Why the sheet is about something that is past: the name of the sentence that says so; empty if it is not. */
function whyPast(latest) {
  const { game, hand } = latest.keeping;
  if (game !== told.game) return "otherGame";
  if (haveMoved(told.seating, seatingOf(latest))) return "reseated";
  if (told.isEdit) return told.hand >= hand ? "undone" : rowOf(latest) === told.row ? "" : "edited";
  return hand === told.hand ? "" : hand < told.hand ? "undone" : "past";
}

/** Gives the seats of the sheet the names that they have now; returns whether any has changed. */
function followNames(seats) {
  const named = seated.map((seat) => ({ ...seat, player: seats.find((each) => each.seat === seat.seat).player }));
  const isNews = named.some((seat, at) => seat.player !== seated[at].player);
  seated = named;
  return isNews;
}

/** Follows the table while the sheet is open: what others do at it, and other rules, have other payments. */
export function followSettle(latest, seats) {
  if (!box?.open) return undefined;
  const [before, now] = [table.keeping, latest.keeping];
  const past = whyPast(latest);
  if (past && !told.isEdit) hear();
  if (now.rules !== before.rules && (told.isEdit || !areOthers(told.seating, seatingOf(latest)))) {
    if (told.isEdit) return box.close(); // of a game that has ended
    Object.assign(told, { seating: seatingOf(latest), game: now.game, hand: now.hand });
    [table, seated] = [latest, seats];
    draw();
    return takeValues();
  }
  if (told.isSent) return undefined;
  const isOther = JSON.stringify([table.sheet, doraSeen()]);
  table = latest;
  if (["reseated", "otherGame"].includes(past)) find("hand").close();
  if (!past && followNames(seats)) draw();
  const isNews = past !== told.past || (!past && !told.isEdit && followRiichi(before, now));
  told.past = past;
  if (isNews || isOther !== JSON.stringify([table.sheet, doraSeen()])) preview();
  return undefined;
}

/** Ticks who declared riichi since the sheet was opened; returns whether anything changed. */
function followRiichi(before, now) {
  const added = now.riichi.filter((seat) => !before.riichi.includes(seat));
  const gone = before.riichi.filter((seat) => !now.riichi.includes(seat));
  for (const id of ["riichi", "tenpai"]) check(id, [...chosen(id).filter((seat) => !gone.includes(seat)), ...added], isSaid(id) && !chosen(id).length);
  return added.length + gone.length > 0;
}

/** Opens the sheet for the next win of a seat; without one, the phone's own is offered. */
export function openWin(latest, seats, seat) {
  const offered = seat === undefined ? own() : null;
  const winners = [seat ?? offered ?? []].flat();
  return openSettle(latest, seats, { winners, offered });
}

/** Says that the phone's own seat, offered as the winner, gave way to the one that was tapped. */
function drawGivenWay(offered) {
  const [winner] = told.winners;
  const hasGivenWay = offered !== null && offered !== undefined && winner !== undefined && !told.winners.includes(offered);
  find("only").hidden = !hasGivenWay;
  if (hasGivenWay) setText(find("only"), box.dataset.only.replaceAll("{winner}", nameOf(seatOf(winner))).replaceAll("{other}", nameOf(seatOf(offered))));
}

if (box) {
  find("kinds").onchange = (event) => {
    told.kind = /** @type {HTMLInputElement} */ (event.target).value;
    draw();
  };
  find("winners").onchange = () => {
    told.winners = chosen("winners");
    const isChoice = told.winners.length === 1 || told.values[told.offered]; // the offered seat gives way to another one
    told.winners = told.winners.filter((seat) => isChoice || seat !== told.offered);
    drawGivenWay(told.offered);
    told.offered = null;
    told.whose = told.winners.find((seat) => !told.values[seat]) ?? told.winners.at(-1) ?? null;
    if (told.winners.length > 1 && told.winners.includes(told.from)) told.from = null;
    draw();
  };
  find("loser").onchange = () => {
    told.from = chosen("loser")[0] ?? null;
    draw();
  };
  find("riichi").onchange = preview;
  for (const id of ["tenpai", "nagashi"]) {
    find(id).onchange = (event) => {
      exclude(id, /** @type {HTMLInputElement} */ (event.target));
      return preview();
    };
  }
  find("pao").onchange = () => {
    const [yakuman, liable] = [find("pao-yakuman").value, find("pao-seat").value];
    const [, ...others] = Object.entries(told.paos[told.whose] ?? {}); // the sheet shows the first
    told.paos[told.whose] = Object.fromEntries([...(liable === "" ? [] : [[yakuman, Number(liable)]]), ...others]);
    return preview();
  };
  find("chips").addEventListener("focusin", (event) => showClear(/** @type {HTMLElement} */ (event.target)));
  find("hand-from").onchange = () => {
    told.from = chosen("hand-from")[0] ?? null;
    tellFrom(told.from);
    draw();
  };
  find("by-tiles").onclick = () => openTiles();
  find("photo-first").onchange = () => {
    const [photo] = find("photo-first").files;
    find("photo-first").value = "";
    if (photo) openTiles(photo);
  };
  find("settle-close").onclick = () => box.close();
  box.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    const ready = resultOf(told);
    if (!ready) return;
    box.querySelector(".confirm").disabled = true;
    told.isSent = true;
    const shown = new Promise((resolve) => (hear = resolve));
    const hands = told.isEdit ? [] : handsOf(told, ready.wins);
    if (await post(told.isEdit ? "edit" : "tell", { ...requestOf(told, ready), ...(hands.length > 0 && { hands }), seen: previewed }, (why) => drawRefused(refusal(why)))) {
      if (!told.isEdit) await nextHand(shown);
      return box.close();
    }
    told.isSent = false;
    const why = find("toast").textContent;
    toast("");
    await preview(); // the payments may have changed
    if (box.open) drawAgain(why);
    return undefined;
  };
}
