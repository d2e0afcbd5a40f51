// The settling sheet: how a hand ended, as people enter it, with the payments before they confirm.

import { drawAborts, drawKinds } from "./aborts.js";
import { drawChips } from "./chips.js";
import { countAgain, countedWith } from "./counted_values.js";
import { followHandRiichi, meldsText, openHand, setDiscarder } from "./hand.js";
import { drawPao, enteredPaos } from "./pao.js";
import { pastKeyOf, rowOf } from "./past_sheet.js";
import { closePreview, drawFoulLink, drawNoPayments, drawOutcome, drawRefused, drawUnsettled, keepPlace, keepUnconfirmed } from "./preview.js";
import { handsOf, requestOf, resultOf } from "./result.js";
import { drawRow, isAnswered, isNobodyTicked, tickedSeats, tickSeats, untickOthers } from "./seat_rows.js";
import { hasOnlyOtherRules, seatingOf } from "../web/seating.js";
import { askAgain, reopenStream, post, refusal, toast } from "../web/server.js";
import { find, labelled, nameOf, runningText, setText, withValues } from "../web/tools.js";
import { areLoaded, drawGrid, loadValues, worthOf } from "./values.js";
import { drawWinnerTabs } from "./winner_tabs.js";

const box = find("settle");
const FOUR_RIICHI = "four_riichi";
let table = null;
let orderedSeats = [];
let draft = null;
let previewCount = 0;
let previewKey = ""; // the key of the outcome shown
/** @type {(_?: unknown) => void} */
let onOtherHand = () => {}; // called once the page shows another hand than the sheet

const ownSeat = () => (document.body.dataset.seat === "" ? null : Number(document.body.dataset.seat));
const seatOf = (number) => orderedSeats.find((seat) => seat.seat === number);

// --- Its parts -------------------------------------------------------------------------------------------------

/** The label of a seat in a row; in the row of discarders, the only winner's own seat stands for a tsumo. */
function labelOf(id, seat) {
  const isSelf = (id === "loser" || id === "hand-from") && draft.winners.length === 1 && draft.winners[0] === seat.seat;
  return isSelf ? box.dataset.tsumo : nameOf(seat);
}

function drawSeats(...ids) {
  for (const id of ids) drawRow(id, orderedSeats, (seat) => labelOf(id, seat));
}

function drawValues() {
  const isWon = draft.kind === "win" && draft.selected !== null;
  const isShown = isWon && areLoaded(table.keeping.rules);
  const value = draft.values[draft.selected];
  find("values").hidden = !isShown;
  find("counted").hidden = !isWon;
  setText(find("counted").lastElementChild, value?.said ?? "");
  find("pao").hidden = !(isShown && value?.yakuman && table.keeping.paos.length);
  drawChips(draft.kind === "win" && table.keeping.chips ? draft.winners.map(seatOf) : [], draft.chips, enterChips);
  if (isShown) drawGrid(seatOf(draft.selected), draft.from, value, setValue);
}

function enterChips(seat, count) {
  if (count === undefined) delete draft.chips[seat];
  else draft.chips[seat] = count;
  return preview();
}

/** The indicators that the table shows; none for a finished hand that is edited. */
const doraOnTable = () => (draft.isEdit ? [] : table.centre.dora.map((tile) => tile.face).filter((face) => face !== "unread"));

/** What the table shows of the winner's hand; nothing for a finished hand that is edited. */
function tableHand() {
  if (draft.isEdit) return {};
  const tiles = table.ending?.wins.find((win) => win.seat === draft.selected)?.entry ?? [];
  return { tiles: [...tiles], melds: [...seatOf(draft.selected).entry], dora: doraOnTable() };
}

/** What the value of a winner's hand depends on besides its tiles; indicators only if they are the table's. */
function factsOf(seat, { query, isDoraOnTable }) {
  const from = query || draft.from === seat ? draft.from : "another";
  return { from, riichi: tickedSeats("riichi").includes(seat), dora: isDoraOnTable ? doraOnTable().join("") : undefined };
}

/** Remembers the facts with which a value was counted, and ticks its riichi. */
function keepCounted(seat, value, query) {
  delete draft.counted[seat];
  if (!query) return;
  const others = tickedSeats("riichi").filter((each) => each !== seat);
  tickSeats("riichi", query.riichi ? [...others, seat] : others);
  const isDoraOnTable = query.dora === doraOnTable().join("") && query.dora !== "";
  draft.counted[seat] = { ...countedWith(value, factsOf(seat, { query, isDoraOnTable }), query), isDoraOnTable };
}

/** Counts again the values whose facts the sheet has changed since; returns whether they are still wanted. */
async function followFacts(isWanted) {
  const seats = draft.kind === "win" && draft.from !== null ? draft.winners.filter((seat) => draft.counted[seat]) : [];
  for (const seat of seats) {
    const counted = draft.counted[seat];
    if (!(await countAgain(counted, factsOf(seat, counted), isWanted, box.dataset.recount))) continue;
    draft.values[seat] = counted.now;
    if (!counted.now) draft.selected = seat;
    drawTabs();
    drawValues();
  }
  return isWanted();
}

/** Sets the value for the selected winner, with the hand if it was entered, and selects the next one without a value. */
function setValue(value, tiles = [], melds = [], query = null) {
  draft.values[draft.selected] = value;
  draft.hands[draft.selected] = tiles.length ? { tiles: tiles.join(""), ...(melds.length && { melds: meldsText(melds) }) } : null;
  keepCounted(draft.selected, value, query);
  const nextWinner = draft.winners.find((seat) => !draft.values[seat]);
  if (nextWinner !== undefined) draft.selected = nextWinner;
  draft.isNewValue = true;
  draw();
}

/** Scrolls to a newly chosen value whose payments are below, clear of what stays in place around the grid. */
function scrollToValue() {
  const pressedValue = find("values").querySelector('[aria-pressed="true"]');
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && find("chips").contains(focused)) return scrollClear(focused);
  if (!draft.isNewValue || !resultOf(draft) || !(pressedValue instanceof HTMLElement)) return undefined;
  return scrollClear(pressedValue);
}

/** Scrolls to a part of the sheet, clear of what stays in place around it. */
function scrollClear(part) {
  const foot = box.querySelector(".foot").getBoundingClientRect();
  const isBelow = foot.left < part.getBoundingClientRect().right; // on a wide, low screen it is beside
  part.style.scrollMargin = `3.5rem 1rem ${isBelow ? foot.height + 4 : 0}px 3.5rem`;
  part.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function drawTabs() {
  const worthTextOf = (winner) => (draft.values[winner.seat] && areLoaded(table.keeping.rules) ? worthOf(winner, draft.from, draft.values[winner.seat]) : "");
  drawWinnerTabs(draft.kind === "win" ? draft.winners.map(seatOf) : [], draft.selected, worthTextOf, (seat) => {
    draft.selected = seat;
    draw();
  });
}

/** Shows a message that the tapped seat replaces the phone's own seat, which was offered as the winner. */
function drawReplacedOffer() {
  const [winner] = draft.winners;
  const isReplaced = draft.kind === "win" && draft.replacedSeat !== null && winner !== undefined && !draft.winners.includes(draft.replacedSeat);
  find("only").hidden = !isReplaced;
  if (isReplaced) setText(find("only"), withValues(box.dataset.only, { winner: nameOf(seatOf(winner)), other: nameOf(seatOf(draft.replacedSeat)) }));
}

function chooseAbort(reason) {
  draft.reason = reason;
  if (reason === FOUR_RIICHI) tickSeats("riichi", orderedSeats.map((seat) => seat.seat));
  draw();
}

/** Opens the hand of the selected winner, which asks for the discarder if unknown. */
function openTiles(photo) {
  drawSeats("hand-from");
  const riichi = tickedSeats("riichi").includes(draft.selected) ? 1 : 0;
  const winner = draft.selected;
  const of = [draft.game, draft.hand, draft.isEdit, winner].join();
  const setHand = (/** @type {Parameters<typeof setValue>} */ ...entered) => {
    draft.selected = winner; // another winner may have been selected meanwhile, whose hand has to be counted again
    setValue(...entered);
  };
  openHand({ of, number: draft.isEdit ? draft.hand : undefined, seat: winner, from: draft.from, riichi, ...tableHand() }, setHand, photo);
}

// --- All of it -------------------------------------------------------------------------------------------------

function draw() {
  const isWin = draft.kind === "win";
  const { aborts, nagashi, paos } = table.keeping;
  setText(find("settle-title"), draft.title);
  find("settle-title").classList.toggle("unseen", !draft.isEdit);
  drawSeats("winners", "loser", "tenpai", "nagashi", "riichi");
  find("winners").hidden = find("loser").hidden = !isWin;
  find("tenpai").hidden = draft.kind !== "draw";
  find("nagashi").hidden = draft.kind !== "draw" || !nagashi;
  find("aborts").hidden = draft.kind !== "abort";
  drawKinds(aborts.length > 0 || draft.kind === "abort"); // the hand being edited may have one although the rules now have none
  tickSeats("winners", draft.winners);
  tickSeats("loser", draft.from === null ? [] : [draft.from]);
  drawAborts(aborts, draft.reason, chooseAbort);
  drawReplacedOffer();
  drawTabs();
  drawValues();
  drawPao(paos, orderedSeats.filter((seat) => seat.seat !== draft.selected), draft.paos[draft.selected]);
  preview();
}

/** The seats in riichi but not tenpai at a draw: that is a foul, which has a page of its own. */
const inNotenRiichi = () => (draft.kind === "draw" ? tickedSeats("riichi").find((seat) => !tickedSeats("tenpai").includes(seat)) : undefined);

/** What is still missing for a draw: who was tenpai, who has nagashi mangan. */
const unansweredText = () => (draft.kind === "draw" ? box.dataset[["tenpai", "nagashi"].find((id) => !isAnswered(id)) ?? ""] ?? "" : "");

/** How the hand has ended by the claims and presses of others since the sheet was opened; empty if by none. */
function meanwhileText() {
  const title = table.ending?.title ?? "";
  return title && !draft.isEdit && title !== draft.knownEnding ? labelled(box.dataset.meanwhile, title) : "";
}

/** What the sheet says of the acts of others: why it is out of date, or how the hand has ended meanwhile. */
const othersText = () => (draft.pastKey ? box.dataset[draft.pastKey] : meanwhileText());

/** Why a counted value is no longer valid, until another one is chosen. */
const uncountedText = () => (draft.kind === "win" ? draft.winners.map((seat) => (draft.values[seat] ? "" : draft.counted[seat]?.reason)).find(Boolean) ?? "" : "");

/** Shows the payments of what is entered; `isNews` if the table has changed, and not the sheet. */
async function preview(isNews = false) {
  const number = ++previewCount;
  const isWanted = () => number === previewCount && box.open;
  closePreview(orderedSeats);
  if (!draft.pastKey && box.open && !(await followFacts(isWanted))) return;
  const result = draft.pastKey ? null : resultOf(draft);
  if (!result) {
    drawNoPayments(runningText([othersText(), draft.pastKey ? "" : unansweredText() || uncountedText()]));
    return;
  }
  if (!draft.isEdit) keepPlace();
  scrollToValue();
  const [isPossible, answer] = await askAgain("preview", requestOf(draft, result), isWanted, (reason) => drawRefused(refusal(reason)));
  if (number !== previewCount || !answer) return;
  if (isPossible) {
    const early = draft.kind === "draw" && !draft.isEdit && table.keeping.early_draw;
    drawOutcome(answer, orderedSeats, { note: runningText([meanwhileText(), early]), hasArrows: !draft.isEdit });
    if (isNews && (answer.key !== previewKey || meanwhileText())) keepUnconfirmed();
    previewKey = answer.key;
  } else {
    drawNoPayments(refusal(answer));
    drawFoulLink(inNotenRiichi(), draft.isEdit ? { hand: draft.hand } : {});
  }
  scrollToValue();
  draft.isNewValue = false;
}

/** Opens the sheet: for the hand in play, or for a finished one that is edited. */
export async function openSettle(latest, seats, start) {
  table = latest;
  orderedSeats = seats;
  const { keeping } = table;
  const knownAbort = keeping.riichi.length === orderedSeats.length ? keeping.aborts.find((each) => each.reason === FOUR_RIICHI) : undefined;
  draft = { seating: seatingOf(latest), game: keeping.game, hand: keeping.hand, kind: "win", winners: [], from: keeping.from, values: {}, hands: {}, chips: {}, paos: {}, counted: {}, reason: knownAbort?.reason ?? null, offeredSeat: null, replacedSeat: null, isEdit: false, isDrawKnown: false, isSent: false, missed: null, pastKey: "", isNewValue: Boolean(start.isEdit), knownEnding: table.ending?.title ?? "", title: box.dataset.new, ...start };
  if (draft.winners.includes(draft.from) && start.from === undefined) draft.from = null;
  draft.selected = draft.winners[0] ?? null;
  find("why").hidden = !draft.isEdit;
  box.classList.toggle("edited", draft.isEdit);
  find("why").querySelector("input").required = draft.isEdit;
  find("why").querySelector("input").value = "";
  drawSeats("winners", "loser", "tenpai", "nagashi", "riichi");
  tickSeats("riichi", draft.riichi ?? keeping.riichi);
  const isNagashiAsked = !draft.isEdit && keeping.is_watched && (keeping.draw_by_hand || Boolean(table.ending?.by_hand));
  tickSeats("tenpai", draft.tenpai ?? keeping.tenpai, draft.isDrawKnown);
  tickSeats("nagashi", draft.nagashi ?? [], !isNagashiAsked);
  for (const input of find("kinds").querySelectorAll("input")) input.checked = input.value === draft.kind;
  draft.row = rowOf(draft, latest);
  for (const seat of draft.winners) if (draft.values[seat]?.yaku?.length) draft.counted[seat] = countedWith(draft.values[seat], factsOf(seat, { query: null, isDoraOnTable: false }));
  drawNoPayments(""); // those of an earlier sheet would stay until the answer
  box.showModal();
  keepUnconfirmed();
  draw();
  await loadGrid();
}

/** Requests the values unless those of the current rules are loaded. */
async function loadGrid() {
  const { rules } = table.keeping;
  if (areLoaded(rules) || !(await loadValues(() => box.open && rules === table.keeping.rules))) return;
  drawValues();
  scrollToValue();
}

const LATE_MS = 2000;

/** Waits until the page shows the next hand: before that, a sheet would be about the hand just settled. */
async function waitForNextHand(otherHand) {
  const timeout = () => new Promise((resolve) => setTimeout(resolve, LATE_MS, true));
  if (!(await Promise.race([otherHand, timeout()]))) return;
  reopenStream();
  await Promise.race([otherHand, timeout()]);
}

/** Updates the names of the sheet's seats; returns whether any has changed. */
function followNames(seats) {
  const renamed = orderedSeats.map((seat) => ({ ...seat, player: seats.find((each) => each.seat === seat.seat).player }));
  const isNews = renamed.some((seat, at) => seat.player !== orderedSeats[at].player);
  orderedSeats = renamed;
  return isNews;
}

/** What the outcome depends on besides the sheet: earlier hands, adjusted points, indicators, fouls, and whether time was called. */
const outcomeFacts = () => JSON.stringify([table.sheet, table.adjustments, doraOnTable(), table.ending?.title, table.keeping.fouls, table.clock?.is_called]);

/** Follows the table while the sheet is open: the acts of others, and other rules, change the payments. */
export function followSettle(latest, seats) {
  if (!box?.open) return undefined;
  const [before, now] = [table.keeping, latest.keeping];
  const pastKey = pastKeyOf(draft, latest);
  if (pastKey && !draft.isEdit) onOtherHand();
  const isStillMeant = hasOnlyOtherRules(draft.seating, seatingOf(latest), draft.hand);
  draft.seating.heardAt = Date.now();
  if (draft.isEdit && now.rules !== before.rules) return box.close(); // its game has ended
  if (isStillMeant) {
    Object.assign(draft, { seating: seatingOf(latest), game: now.game, hand: now.hand });
    [table, orderedSeats] = [latest, seats];
    draw();
    return loadGrid();
  }
  if (draft.isSent) {
    draft.missed = [latest, seats];
    return undefined;
  }
  const [factsBefore, saidBefore] = [outcomeFacts(), othersText()];
  table = latest;
  if (["reseated", "otherGame"].includes(pastKey)) find("hand").close();
  if (!pastKey && followNames(seats)) draw();
  const isNews = pastKey !== draft.pastKey || (!pastKey && !draft.isEdit && followRiichi(before, now));
  draft.pastKey = pastKey;
  if (find("hand").open && othersText() !== saidBefore) toast(othersText()); // the line is behind it
  if (isNews || outcomeFacts() !== factsBefore) preview(true);
  return undefined;
}

/** Ticks who declared riichi since the sheet was opened; returns whether anything changed. */
function followRiichi(before, now) {
  const added = now.riichi.filter((seat) => !before.riichi.includes(seat));
  const withdrawn = before.riichi.filter((seat) => !now.riichi.includes(seat));
  for (const id of ["riichi", "tenpai"]) tickSeats(id, [...tickedSeats(id).filter((seat) => !withdrawn.includes(seat)), ...added], isNobodyTicked(id));
  followHandRiichi(added, true);
  followHandRiichi(withdrawn, false);
  return added.length + withdrawn.length > 0;
}

/** Opens the sheet for the next win of a seat; without one, the phone's own is offered. */
export function openWin(latest, seats, seat) {
  const offeredSeat = seat === undefined ? ownSeat() : null;
  const winners = [seat ?? offeredSeat ?? []].flat();
  return openSettle(latest, seats, { winners, offeredSeat });
}

if (box) {
  find("kinds").onchange = (event) => {
    draft.kind = /** @type {HTMLInputElement} */ (event.target).value;
    draw();
  };
  find("winners").onchange = () => {
    draft.winners = tickedSeats("winners");
    const isChoice = draft.winners.length === 1 || draft.values[draft.offeredSeat]; // another seat replaces the offered one
    draft.winners = draft.winners.filter((seat) => isChoice || seat !== draft.offeredSeat);
    [draft.replacedSeat, draft.offeredSeat] = [draft.offeredSeat, null];
    draft.selected = draft.winners.find((seat) => !draft.values[seat]) ?? draft.winners.at(-1) ?? null;
    if (draft.winners.length > 1 && draft.winners.includes(draft.from)) draft.from = null;
    draw();
  };
  find("loser").onchange = () => {
    draft.from = tickedSeats("loser")[0] ?? null;
    draw();
  };
  find("riichi").onchange = () => preview();
  for (const id of ["tenpai", "nagashi"]) {
    find(id).onchange = (event) => {
      untickOthers(id, /** @type {HTMLInputElement} */ (event.target));
      return preview();
    };
  }
  find("pao").onchange = () => {
    draft.paos[draft.selected] = enteredPaos(draft.paos[draft.selected]);
    return preview();
  };
  find("chips").addEventListener("focusin", (event) => scrollClear(/** @type {HTMLElement} */ (event.target)));
  find("hand-from").onchange = () => {
    draft.from = tickedSeats("hand-from")[0] ?? null;
    setDiscarder(draft.from);
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
    const result = resultOf(draft);
    if (!result) return;
    const sentDraft = draft;
    const isShown = () => box.open && draft === sentDraft; // somebody may close the sheet before the answer, and open another one
    box.querySelector(".confirm").disabled = true;
    draft.isSent = true;
    const otherHand = new Promise((resolve) => (onOtherHand = resolve));
    const hands = draft.isEdit ? [] : handsOf(draft, result.wins);
    const wait = (reason) => (isShown() ? drawRefused(refusal(reason)) : toast(refusal(reason)));
    if (await post(draft.isEdit ? "edit" : "tell", { ...requestOf(draft, result), ...(hands.length > 0 && { hands }), seen: previewKey }, wait)) {
      if (isShown() && !sentDraft.isEdit) await waitForNextHand(otherHand);
      return isShown() && box.close();
    }
    sentDraft.isSent = false;
    if (!isShown()) return undefined; // the message stays
    const reason = find("toast").textContent;
    toast("");
    if (draft.missed) followSettle(...draft.missed);
    await preview(); // the payments may have changed
    if (isShown()) drawUnsettled(reason);
    return undefined;
  };
}
