// The page for fouls: shows the server's data and sends commands. People decide.

import { reveal, setMeaning } from "../web/tap_target.js";
import { hasOnlyOtherRules, haveMoved, seatingOf } from "../web/seating.js";
import { askAgain, listen, refusal, send, toast } from "../web/server.js";
import { renew } from "../web/renew.js";
import { drawNew, fill, find, labelled, listedName, make, nameOf, runningText, setText, setTile } from "../web/tools.js";

const words = document.body.dataset;
const query = new URLSearchParams(location.search);
/** The number of the hand that the page's address names; null for the current one. */
const requestedHand = query.get("hand");
/** The foul that the settling sheet opened this page for, until its sheet is shown. */
let linkedFoul = query.has("seat") ? { seat: Number(query.get("seat")), clause: query.get("clause") } : null;
const dialog = find("case");
const reason = find("reason");
let fouls = null;
let offender = null;
/** The foul being considered: a clause with option and facts, perhaps in place of a logged foul. */
let draft = null;
let foreseenKey = ""; // the key of the consequences shown
/** How the page scrolls to what comes next. */
const scrolling = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");

const listItem = (text) => make("li", { textContent: text });
const seatOf = (seat) => fouls.seats[seat];

function drawOutlook(box, outlook) {
  const [sentences, points] = [box.querySelector(".follows"), box.querySelector(".payments")];
  sentences.replaceChildren(...outlook.sentences.map(listItem), ...(outlook.later ?? []).map(listItem));
  points.hidden = !outlook.points;
  if (!outlook.points) return;
  points.replaceChildren(
    ...outlook.points.map((text, seat) => {
      const change = text.startsWith("−") ? "loss" : text === "0" ? "" : "gain";
      return make("li", { className: change }, listedName(outlook.names[seat]), make("b", { textContent: text }));
    }),
  );
}

// --- The page --------------------------------------------------------------------------------------------------

function drawProposal(proposal) {
  const box = find("named");
  reveal(box, Boolean(proposal));
  setMeaning(box, proposal?.key);
  if (!proposal) return;
  const title = proposal.is_unnamed ? proposal.name : labelled(proposal.name, proposal.title);
  setText(box.querySelector("h2"), proposal.round === fouls.round ? title : `${proposal.round} · ${title}`);
  drawOutlook(box, proposal);
  setText(box.querySelector(".needs"), [proposal.agreed.length && !proposal.is_alone ? proposal.agreed_text : "", proposal.needs].filter(Boolean).join(" · "));
  box.querySelector(".unnamed").hidden = !proposal.is_unnamed;
  const agree = box.querySelector("[data-press=agree]");
  setText(agree, proposal.agree);
  agree.disabled = !fouls.may_act || (proposal.agreed.includes(fouls.you) && !proposal.is_alone);
  box.querySelector("[data-press=drop]").disabled = !fouls.may_act;
}

function drawSuspicions(list) {
  find("suspected").hidden = !list.length;
  fill(find("suspected").querySelector("ul"), list, () => make("li", {}, make("button", { type: "button" }, make("b"), make("span"))), (node, each) => {
    const [button] = node.children;
    setText(button.children[0], each.name);
    setText(button.children[1], each.title);
    button.onclick = () => considerFoul(each.seat, each.clause);
  });
}

function drawSeats() {
  const box = find("who").querySelector("div");
  fill(box, fouls.seats, (seat) => {
    const input = make("input", { type: "radio", name: "offender", value: seat.seat });
    input.onchange = () => choose(Number(input.value));
    return make("label", {}, input, make("img", { className: "wind", alt: "" }), make("b", { dir: "auto" }));
  }, (node, seat) => {
    setTile(node.querySelector(".wind"), seat.wind, "");
    node.querySelector("input").checked = seat.seat === offender;
    setText(node.querySelector("b"), nameOf(seat));
  });
}

function choose(seat) {
  offender = seat;
  drawSeats();
  drawClauses();
}

/** The clauses that the chosen seat may have violated, under the headings of the book. */
function drawClauses() {
  const box = find("what");
  box.hidden = offender === null || !seatOf(offender).possible.length;
  find("quiet").hidden = fouls.seats.some((seat) => seat.possible.length);
  if (box.hidden) return;
  drawFavourites();
  const possible = new Set(seatOf(offender).possible);
  const searchText = find("find").value.trim().toLowerCase();
  const matches = fouls.clauses.filter((each) => possible.has(each.clause) && `${each.clause} ${each.title} ${each.words}`.toLowerCase().includes(searchText));
  find("no-hit").hidden = matches.length > 0;
  const groups = [...new Set(matches.map((each) => each.group))];
  const sections = () => groups.map((group) => {
    const clauses = matches.filter((each) => each.group === group).map(clauseButton);
    return make("section", {}, make("h3", { textContent: group }), make("ul", {}, ...clauses));
  });
  drawNew(find("clauses"), matches, () => find("clauses").replaceChildren(...sections()));
}

/** The most frequent fouls, chombo first: a tap opens the sheet with all that is known about one. */
function drawFavourites() {
  const { favourites } = seatOf(offender);
  find("often").hidden = !favourites.length || Boolean(find("find").value.trim());
  const list = find("often").querySelector("ul");
  const favourite = (each) => {
    const name = make("span", { textContent: each.title }, ...(each.told ? [make("small", { textContent: each.told })] : []));
    const button = make("button", { type: "button" }, name, ...(each.chombo ? [make("em", { className: "tag", textContent: each.chombo })] : []));
    button.onclick = () => considerFoul(offender, each.clause, null, each);
    return make("li", {}, button);
  };
  drawNew(list, favourites, () => list.replaceChildren(...favourites.map(favourite)));
}

function clauseButton({ clause, reference, title }) {
  const button = make("button", { type: "button", title: reference }, make("span", { textContent: title }));
  button.onclick = () => considerFoul(offender, clause);
  return make("li", {}, button);
}

function drawLogged(list) {
  const box = find("logged");
  const entry = (each) => {
    const head = make("p", { className: "head" }, make("b", { textContent: labelled(each.name, each.title) }), make("small", { textContent: each.round }));
    const sentences = make("p", { className: "faint", textContent: runningText(each.sentences) });
    const people = make("p", { className: "faint", textContent: [each.note, each.by].filter(Boolean).join(" · ") });
    const node = make("li", { className: each.cancelled ? "cancelled" : "" }, head, sentences, people);
    if (each.cancelled) node.append(make("p", { className: "reason", textContent: each.cancelled }));
    else if (fouls.may_act) node.append(changeButtons(each));
    return node;
  };
  const none = make("li", { className: "faint", textContent: box.dataset.none });
  drawNew(box, [list, fouls.may_act], () => box.replaceChildren(...(list.length ? list.map(entry) : [none])));
}

function changeButtons(each) {
  const refine = make("button", { type: "button", textContent: words.refine });
  refine.onclick = () => considerFoul(each.seat, each.clause === "other" ? null : each.clause, each);
  const cancel = make("button", { type: "button", textContent: words.cancel });
  cancel.onclick = () => {
    setText(find("reason-title"), labelled(each.name, each.title));
    find("why").value = "";
    draft = { ...each };
    foreseeCount += 1; // no sheet opens over this one
    reason.showModal();
  };
  const newest = fouls.logged.filter((other) => other.hand === fouls.logged[0].hand).includes(each);
  return make("p", { className: "changes" }, ...(newest ? [refine] : []), cancel);
}

function draw() {
  setText(find("round"), fouls.round);
  setText(find("name"), fouls.naming);
  drawProposal(fouls.named);
  drawSuspicions(fouls.suspected);
  drawSeats();
  drawClauses();
  drawLogged(fouls.logged);
  setText(find("pot"), fouls.pot);
  find("force").hidden = !fouls.in_force.length;
  find("force").querySelector("ul").replaceChildren(...fouls.in_force.map(listItem));
  find("join").hidden = fouls.may_act;
}

// --- The foul being considered -----------------------------------------------------------------------------------

/** Opens the sheet for a clause with its known facts; without one, the clause for the logged foul `instead` is chosen first. */
function considerFoul(seat, clause, instead = null, { facts, option } = { facts: instead?.facts ?? [], option: null }) {
  offender = seat;
  if (!clause) {
    draft = { instead };
    draw();
    find("what").scrollIntoView({ behavior: scrolling() });
    return;
  }
  const pendingFoul = draft?.instead && draft.instead.seat === seat ? draft.instead : null;
  const correctedFoul = instead ?? pendingFoul;
  draft = { seat, clause, option, facts, instead: correctedFoul, hand: (correctedFoul ?? fouls).hand };
  find("note").value = "";
  find("options").open = false;
  foresee().then((isForeseen) => isForeseen && dialog.showModal());
}

let foreseeCount = 0;

/** Shows the consequences; returns whether the server answered with them, or null if a newer request replaced this one. */
async function foresee() {
  const number = ++foreseeCount;
  const { seat, clause, option, facts, hand } = draft;
  const params = new URLSearchParams({ seat, clause, hand, ...(option ? { option } : {}) });
  facts.forEach((fact) => params.append("fact", fact));
  find("name").disabled = true;
  const [isGood, outlook] = await askAgain(`fouls/foreseen?${params}`, null, () => number === foreseeCount && dialog.open);
  if (number !== foreseeCount) return null;
  if (!isGood) {
    toast(refusal(outlook));
    return false;
  }
  foreseenKey = outlook.key;
  setText(find("case-title"), outlook.title);
  setText(find("case-who"), outlook.names[seat]);
  drawOutlook(dialog, outlook);
  renew(find("asks"), make("div", {}, ...outlook.asks.map((each) => question(each, outlook.names))));
  drawOptions(outlook);
  find("name").disabled = !fouls.may_act;
  return true;
}

function setFact(name, fact) {
  draft.facts = draft.facts.filter((each) => each.replace(/^not /, "").split("=")[0] !== name);
  if (fact) draft.facts.push(fact);
  foresee();
}

const choice = (name, fact, text, isOn) => make("button", { type: "button", value: fact, textContent: text, "aria-pressed": isOn, onclick: () => setFact(name, fact) });

/**
 * A question that decides the consequences: yes or no, a number, a seat, or an option that the referee chooses.
 * `names` are those at the seats in the foul's hand.
 */
function question({ ask: name, kind, text, value, options }, names) {
  const answers = make("div", { className: "answers" });
  if (kind === "yes_no") {
    answers.append(choice(name, name, words.yes, value === true), choice(name, `not ${name}`, words.no, value === false));
  } else if (kind === "option") {
    answers.append(...options.map((each) => choice(name, `${name}=${each.letter}`, each.text, value === each.letter)));
  } else if (kind === "seat") {
    answers.append(...names.map((each, seat) => choice(name, `${name}=${seat}`, each, value === seat)));
  } else {
    const number = make("input", { type: "number", min: 0, max: 99, inputMode: "numeric", defaultValue: value ?? "", "aria-label": text });
    number.onchange = () => setFact(name, number.value === "" ? null : `${name}=${number.value}`);
    answers.append(number);
  }
  return make("fieldset", {}, make("legend", { textContent: text }), answers);
}

function drawOptions(outlook) {
  find("options").hidden = outlook.options.length < 2;
  find("options").querySelector("div").replaceChildren(...outlook.options.map((each) => {
    const input = make("input", { type: "radio", name: "option", checked: each.letter === outlook.option });
    input.onchange = () => {
      draft.option = each.is_chosen ? null : each.letter;
      foresee();
    };
    const marks = [each.is_chosen ? words.house : "", each.is_guess ? words.guess : ""].filter(Boolean);
    return make("label", {}, input, make("span", { textContent: each.text }), ...marks.map((mark) => make("em", { textContent: mark })));
  }));
}

// --- Commands ---------------------------------------------------------------------------------------------------------

/** Sends a vote; closes its sheet once the vote counts, else keeps what was entered. */
async function vote(press, sheet, button) {
  const votedDraft = draft;
  button.disabled = true;
  const isAccepted = await send({ press: "name_foul", ...press });
  button.disabled = false;
  if (!isAccepted || draft !== votedDraft) return isAccepted;
  draft = null;
  sheet.close();
  document.querySelector("h1").focus({ preventScroll: true }); // the button that opened the sheet is redrawn or hidden
  scrollTo({ top: 0, behavior: scrolling() });
  return true;
}

for (const close of document.querySelectorAll("dialog header button")) close.onclick = () => close.closest("dialog").close();

/** A closed sheet replaces no logged foul any more, unless its clause has still to be chosen. */
dialog.onclose = () => {
  draft = draft?.instead?.clause === "other" ? { instead: draft.instead } : null;
};

dialog.querySelector("form").onsubmit = async (event) => {
  event.preventDefault();
  const { seat, clause, option, facts, instead, hand } = draft;
  const note = find("note").value.trim();
  const namedFoul = {
    seat, clause, facts, hand, seen: foreseenKey,
    ...(option ? { option } : {}), ...(note ? { reason: note } : {}),
    ...(instead ? { foul: instead.foul } : {}),
  };
  if (!(await vote(namedFoul, dialog, find("name")))) return dialog.open && foresee(); // the consequences may have changed
  if (!draft) offender = null;
  return undefined;
};

reason.querySelector("form").onsubmit = async (event) => {
  event.preventDefault();
  find("why").value = find("why").value.trim();
  if (!find("why").reportValidity()) return;
  const { seat, foul, hand } = draft;
  await vote({ seat, foul, hand, reason: find("why").value }, reason, find("withdraw"));
};

for (const button of document.querySelectorAll("[data-press]")) button.onclick = () => send({ press: button.dataset.press, seen: fouls.named?.key ?? "" });
find("find").oninput = drawClauses;

let requestCount = 0;
let [lastSeating, lastHand] = [null, 0]; // as in the last snapshot

/** Closes the sheet of a foul once people change seats, or another game begins: the foul was meant for somebody who sat there then. */
function followSeats(table) {
  const [before, hand, now] = [lastSeating, lastHand, seatingOf(table)];
  [lastSeating, lastHand] = [now, table.keeping.hand];
  if (!before) return;
  const isMoved = haveMoved(before, now);
  if (!isMoved && (before.game === now.game || hasOnlyOtherRules(before, now, hand))) return;
  const isClosed = dialog.open || reason.open || offender !== null;
  [offender, draft, linkedFoul] = [null, null, null];
  foreseeCount += 1;
  dialog.close();
  reason.close();
  if (isClosed) toast(isMoved ? words.sheetClosed : words.handClosed);
}

/** Whenever the table changes, the fouls are requested again; only the newest answer counts. */
listen(async (table) => {
  followSeats(table);
  const number = ++requestCount;
  const path = requestedHand === null ? "fouls" : `fouls?hand=${encodeURIComponent(requestedHand)}`;
  const [isGood, answer] = await askAgain(path, null, () => number === requestCount);
  if (!isGood || number !== requestCount) return;
  const shownIn = ({ rules, hand, seats }) => [rules, hand, ...seats.map(nameOf)].join("\n");
  const isOther = fouls && shownIn(answer) !== shownIn(fouls);
  fouls = answer;
  if (linkedFoul && seatOf(linkedFoul.seat)) {
    const { seat, clause } = linkedFoul;
    linkedFoul = null;
    choose(seat);
    if (clause) considerFoul(seat, clause);
  }
  draw();
  words.version = table.version;
  if (isOther && dialog.open && (await foresee()) === false) dialog.close(); // with other names, or other consequences, or none
});
